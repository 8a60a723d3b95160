SELECT id, suite, name FROM benchmark ORDER BY id;
