SELECT suite, benchmark, metric, unit, variant, runner, class, verdict, gates, base, NULL, base_median,
	NULL, head_median, NULL, change, reason
FROM verdict WHERE judgement_id = ?1 ORDER BY pos;
