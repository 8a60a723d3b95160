INSERT INTO benchmark (suite, name) VALUES (?1, ?2) RETURNING id;
