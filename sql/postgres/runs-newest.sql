SELECT * FROM run_v ORDER BY coalesce(started_at, ingested_at) DESC, ingested_at DESC, id DESC
LIMIT nullif(CAST(?1 AS bigint), -1);
