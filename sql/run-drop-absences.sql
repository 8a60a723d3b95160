DELETE FROM absence WHERE run_id = ?1;
