SELECT s.id, b.suite, b.name, m.name, m.unit, m.quantity, m.direction, s.variant, s.runner_id, s.first_run
FROM series AS s
JOIN benchmark AS b ON b.id = s.benchmark_id
JOIN metric AS m ON m.id = s.metric_id
WHERE s.id = ?1;
