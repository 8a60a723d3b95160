INSERT INTO tombstone (sha, tree_state, runner_key, digest, dropped_at) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (digest, sha, text_key(tree_state), text_key(runner_key)) DO UPDATE SET dropped_at = excluded.dropped_at
WHERE excluded.dropped_at > tombstone.dropped_at;
