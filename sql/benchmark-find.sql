SELECT id FROM benchmark WHERE suite = ?1 AND name = ?2;
