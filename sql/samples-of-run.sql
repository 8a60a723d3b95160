SELECT series_id, value FROM sample WHERE run_id = ?1 ORDER BY series_id, ordinal;
