INSERT INTO absence (run_id, series_id, status, reason) VALUES (?1, ?2, ?3, ?4);
