SELECT * FROM run_v WHERE digest >= ?1 AND digest < ?1 || 'g' ORDER BY id;
