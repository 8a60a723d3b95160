SELECT session, max(pruned_at) FROM pruned WHERE tree_state = 'clean' AND session <> '' GROUP BY session;
