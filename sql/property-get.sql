SELECT value FROM property WHERE name = ?1;
