SELECT value FROM sample WHERE run_id = ?1 AND series_id = ?2 ORDER BY ordinal;
