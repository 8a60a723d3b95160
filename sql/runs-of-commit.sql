SELECT * FROM run_v WHERE commit_id = (SELECT id FROM commit_ WHERE sha = ?1) ORDER BY id;
