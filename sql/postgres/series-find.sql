SELECT id FROM series
WHERE benchmark_id = ?1 AND metric_id = ?2 AND runner_id = ?4 AND text_key(variant) = text_key(?3) AND variant = ?3;
