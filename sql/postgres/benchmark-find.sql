SELECT id FROM benchmark
WHERE text_key(suite) = text_key(?1) AND text_key(name) = text_key(?2) AND suite = ?1 AND name = ?2;
