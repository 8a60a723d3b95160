SELECT series_id, status, reason FROM absence WHERE run_id = ?1 ORDER BY series_id, status, reason;
