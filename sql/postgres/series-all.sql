SELECT id, benchmark_id, metric_id, variant, runner_id, first_run FROM series ORDER BY id;
