-- The newest commit first: what stands in for a base while ancestry is unknown.
SELECT r.id, c.sha, r.tree_state, r.branch, r.session, r.runner_id, n.key, n.label, r.suite, r.component, r.format,
	r.format_version, r.tool_version, r.started_at, r.ingested_at, r.digest, r.series_count, r.sample_count,
	r.absence_count, r.facts, c.committed_at, c.tree_sha
FROM run AS r
JOIN commit_ AS c ON c.id = r.commit_id
JOIN runner AS n ON n.id = r.runner_id
WHERE r.branch = ?1 AND r.tree_state = 'clean' AND c.sha <> ?2
	AND coalesce(c.committed_at, 0) <= coalesce((SELECT committed_at FROM commit_ WHERE sha = ?2), 9223372036854775807)
ORDER BY c.committed_at DESC, r.ingested_at DESC, r.id DESC
LIMIT 1;
