-- Each number in two columns, as those of samples in PostgreSQL.
SELECT suite, benchmark, metric, unit, variant, runner, class, verdict, gates, base, base_median, NULL,
	head_median, NULL, change, NULL, reason
FROM verdict WHERE judgement_id = ?1 ORDER BY pos;
