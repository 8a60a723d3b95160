INSERT INTO verdict (judgement_id, pos, suite, benchmark, metric, unit, variant, runner, class, verdict, gates, base,
	base_median, head_median, change, reason)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16);
