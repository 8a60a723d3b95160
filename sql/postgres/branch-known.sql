SELECT 1 FROM run WHERE text_key(branch) = text_key(?1) AND branch = ?1 LIMIT 1;
