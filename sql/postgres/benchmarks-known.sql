SELECT id, name FROM benchmark WHERE suite = ?1;
