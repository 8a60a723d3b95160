INSERT INTO tombstone (sha, tree_state, runner_key, digest, dropped_at) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (sha, tree_state, runner_key, digest) DO UPDATE SET dropped_at = excluded.dropped_at
WHERE excluded.dropped_at > tombstone.dropped_at;
