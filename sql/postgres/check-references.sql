-- What foreign keys would refuse: rows that refer to one that is not there.
SELECT DISTINCT 'sample', 'run', x.run_id FROM sample AS x
WHERE NOT EXISTS (SELECT 1 FROM run AS r WHERE r.id = x.run_id)
UNION ALL SELECT DISTINCT 'sample', 'series', x.series_id FROM sample AS x
WHERE NOT EXISTS (SELECT 1 FROM series AS s WHERE s.id = x.series_id)
UNION ALL SELECT DISTINCT 'absence', 'run', a.run_id FROM absence AS a
WHERE NOT EXISTS (SELECT 1 FROM run AS r WHERE r.id = a.run_id)
UNION ALL SELECT DISTINCT 'absence', 'series', a.series_id FROM absence AS a
WHERE NOT EXISTS (SELECT 1 FROM series AS s WHERE s.id = a.series_id)
UNION ALL SELECT 'series', 'benchmark', s.benchmark_id FROM series AS s
WHERE NOT EXISTS (SELECT 1 FROM benchmark AS b WHERE b.id = s.benchmark_id)
UNION ALL SELECT 'series', 'metric', s.metric_id FROM series AS s
WHERE NOT EXISTS (SELECT 1 FROM metric AS m WHERE m.id = s.metric_id)
UNION ALL SELECT 'series', 'runner', s.runner_id FROM series AS s
WHERE NOT EXISTS (SELECT 1 FROM runner AS n WHERE n.id = s.runner_id)
LIMIT 20;
