SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = 'perfgate' AND c.relkind = 'r';
