INSERT INTO pruned (sha, tree_state, runner_key, digest, pruned_at) VALUES (?1, ?2, ?3, ?4, ?5);
