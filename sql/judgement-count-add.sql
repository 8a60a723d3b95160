INSERT INTO judgement_count (judgement_id, verdict, series) VALUES (?1, ?2, ?3);
