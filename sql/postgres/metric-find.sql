SELECT id FROM metric
WHERE text_key(suite) = text_key(?1) AND text_key(name) = text_key(?2) AND text_key(unit) = text_key(?3)
	AND text_key(quantity) = text_key(?4) AND direction = ?5
	AND suite = ?1 AND name = ?2 AND unit = ?3 AND quantity = ?4;
