-- The newest commit first: what stands in for a base while ancestry is unknown.
SELECT * FROM run_v
WHERE text_key(branch) = text_key(?1) AND branch = ?1 AND tree_state = 'clean' AND sha <> ?2
	AND coalesce(committed_at, 0) <= coalesce((SELECT committed_at FROM commit_ WHERE sha = ?2), 9223372036854775807)
ORDER BY committed_at DESC NULLS LAST, ingested_at DESC, id DESC
LIMIT 1;
