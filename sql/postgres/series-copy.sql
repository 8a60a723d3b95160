COPY series (id, benchmark_id, metric_id, variant, runner_id, first_run) FROM STDIN (FORMAT binary);
