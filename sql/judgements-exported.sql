SELECT id, head, tree_state, base, policy, made_at, exit_status, digest FROM judgement ORDER BY digest;
