DECLARE visit NO SCROLL CURSOR FOR
SELECT series_id, value_int, value_real FROM sample WHERE run_id = ?1 AND series_id BETWEEN ?2 AND ?3
ORDER BY series_id, ordinal;
