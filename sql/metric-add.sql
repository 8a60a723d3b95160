INSERT INTO metric (suite, name, unit, quantity, direction) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id;
