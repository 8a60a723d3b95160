INSERT INTO series (id, benchmark_id, metric_id, variant, runner_id, first_run)
VALUES ((SELECT coalesce(max(id), 0) + 1 FROM series), ?1, ?2, ?3, ?4, ?5) RETURNING id;
