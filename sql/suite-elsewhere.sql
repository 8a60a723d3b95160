-- Whether a suite was measured at any other commit.
SELECT 1 FROM run_v WHERE suite = ?1 AND sha <> ?2 AND tree_state = 'clean' LIMIT 1;
