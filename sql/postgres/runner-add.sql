INSERT INTO runner (key, label) VALUES (?1, ?2)
ON CONFLICT (text_key(key)) DO UPDATE SET label = CASE WHEN runner.label = '' THEN excluded.label
	WHEN excluded.label = '' THEN runner.label ELSE least(runner.label, excluded.label) END
RETURNING id;
