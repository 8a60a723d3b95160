SELECT sha, tree_state, runner_key, digest, dropped_at FROM tombstone ORDER BY sha, tree_state, runner_key, digest;
