INSERT INTO tombstone (sha, tree_state, runner_key, digest, dropped_at)
SELECT sha, 'undone:' || tree_state, runner_key, digest, CASE WHEN dropped_at > ?2 THEN dropped_at ELSE ?2 END
FROM tombstone WHERE digest >= ?1 AND digest < ?1 || 'g' AND tree_state NOT LIKE 'undone:%';
