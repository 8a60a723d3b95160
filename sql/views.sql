-- What stands where a statement of perfgate's expects a table, or its view.
SELECT name, sql FROM sqlite_schema
WHERE type = 'view' AND name IN ('property', 'commit_', 'commit_parent', 'runner', 'benchmark', 'metric', 'series', 'run',
	'sample', 'absence', 'tombstone', 'run_v', 'judgement', 'judgement_count', 'verdict', 'pruned');
