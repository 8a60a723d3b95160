-- Hands every series to the program from within the scan.
SELECT count(visit_series(id, benchmark_id, metric_id, variant, runner_id, first_run)) FROM series;
