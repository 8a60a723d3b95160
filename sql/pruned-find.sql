SELECT pruned_at FROM pruned WHERE sha = ?1 AND tree_state = ?2 AND runner_key = ?3 AND digest = ?4;
