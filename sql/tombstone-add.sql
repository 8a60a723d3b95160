INSERT INTO tombstone (sha, tree_state, runner_key, digest, dropped_at) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT DO UPDATE SET dropped_at = min(tombstone.dropped_at, excluded.dropped_at);
