SELECT DISTINCT series_id FROM sample WHERE run_id = ?1;
