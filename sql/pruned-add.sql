INSERT INTO pruned (sha, tree_state, runner_key, digest, session, pruned_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6);
