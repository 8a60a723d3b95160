SELECT (SELECT count(*) FROM pg_namespace WHERE nspname = 'perfgate'),
	(SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
		WHERE n.nspname = 'perfgate' AND c.relname = 'schema_version');
