SELECT id, head, tree_state, base, policy, made_at, exit_status, digest FROM judgement WHERE head = ?1
ORDER BY made_at DESC, digest;
