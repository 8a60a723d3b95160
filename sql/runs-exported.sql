SELECT * FROM run_v ORDER BY sha, tree_state, runner, digest;
