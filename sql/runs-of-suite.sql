SELECT * FROM run_v WHERE suite = ?1 ORDER BY id;
