SELECT id, head, tree_state, base, policy, made_at, exit_status, digest FROM judgement
ORDER BY made_at DESC, digest LIMIT CASE WHEN ?1 < 0 THEN NULL ELSE ?1 END;
