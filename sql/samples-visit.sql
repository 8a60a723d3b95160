-- Hands every sample of a run to the program from within the scan.
SELECT count(visit_sample(series_id, value)) FROM sample WHERE run_id = ?1;
