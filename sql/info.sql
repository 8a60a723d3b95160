SELECT (SELECT count(*) FROM run), (SELECT count(DISTINCT commit_id) FROM run), (SELECT count(*) FROM series),
	(SELECT coalesce(sum(sample_count), 0) FROM run), (SELECT count(*) FROM tombstone WHERE tree_state NOT LIKE 'undone:%'),
	(SELECT count(*) FROM benchmark);
