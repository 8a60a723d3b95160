SELECT id, ingested_at, session, branch, facts FROM run
WHERE commit_id = ?1 AND tree_state = ?2 AND runner_id = ?3 AND digest = ?4;
