SELECT id FROM metric WHERE suite = ?1 AND name = ?2 AND unit = ?3 AND quantity = ?4 AND direction = ?5;
