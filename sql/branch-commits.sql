SELECT count(DISTINCT commit_id) FROM run WHERE branch = ?1 AND tree_state = 'clean';
