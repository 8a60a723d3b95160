SELECT count(DISTINCT commit_id) FROM run
WHERE text_key(branch) = text_key(?1) AND branch = ?1 AND tree_state = 'clean';
