SELECT r.id, c.sha, r.tree_state, r.branch, r.session, r.runner_id, n.key, n.label, r.suite, r.component, r.format,
	r.format_version, r.tool_version, r.started_at, r.ingested_at, r.digest, r.series_count, r.sample_count,
	r.absence_count, r.facts, c.committed_at, c.tree_sha
FROM run AS r
JOIN commit_ AS c ON c.id = r.commit_id
JOIN runner AS n ON n.id = r.runner_id
ORDER BY c.sha, r.tree_state, n.key, r.digest;
