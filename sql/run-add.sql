INSERT INTO run (commit_id, tree_state, branch, session, runner_id, suite, component, format, format_version,
	tool_version, started_at, ingested_at, digest, series_count, sample_count, absence_count, facts)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17) RETURNING id;
