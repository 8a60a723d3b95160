SELECT id FROM series WHERE benchmark_id = ?1 AND metric_id = ?2 AND variant = ?3 AND runner_id = ?4;
