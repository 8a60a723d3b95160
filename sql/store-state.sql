-- What says whether others wrote to the store.
SELECT (SELECT coalesce(max(id), 0) FROM run), (SELECT count(*) FROM run), (SELECT count(*) FROM tombstone),
	(SELECT count(*) FROM commit_);
