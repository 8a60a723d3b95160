INSERT INTO sample (run_id, series_id, ordinal, value) VALUES (?1, ?2, ?3, ?4);
