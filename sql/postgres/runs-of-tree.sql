SELECT * FROM run_v WHERE tree_sha = ?1 AND sha <> ?2 AND tree_state = 'clean'
ORDER BY committed_at DESC NULLS LAST, sha, id;
