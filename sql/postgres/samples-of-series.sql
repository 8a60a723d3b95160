SELECT value_int, value_real FROM sample WHERE run_id = ?1 AND series_id = ?2 ORDER BY ordinal;
