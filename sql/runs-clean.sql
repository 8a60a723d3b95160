-- What trends want of every clean run, without its facts, which may be long.
SELECT r.id, r.runner_id, c.sha, r.branch, r.session, r.suite, r.component, r.digest,
	coalesce(r.started_at, r.ingested_at), r.ingested_at, c.committed_at, r.series_count, r.sample_count,
	CASE WHEN r.facts LIKE '%"narrowed"%' THEN 1 ELSE 0 END
FROM run AS r JOIN commit_ AS c ON c.id = r.commit_id
WHERE r.tree_state = 'clean';
