SELECT id, ingested_at, session, branch, facts FROM run
WHERE commit_id = ?1 AND runner_id = ?3 AND digest = ?4 AND text_key(tree_state) = text_key(?2) AND tree_state = ?2;
