INSERT INTO series (benchmark_id, metric_id, variant, runner_id, first_run) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id;
