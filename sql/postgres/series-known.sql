SELECT id, benchmark_id, metric_id, variant FROM series WHERE runner_id = ?1;
