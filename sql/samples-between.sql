-- The same of the series between two numbers.
SELECT count(visit_sample(series_id, value)) FROM sample WHERE run_id = ?1 AND series_id BETWEEN ?2 AND ?3;
