DELETE FROM sample WHERE run_id = ?1;
