-- The same run again. With a time of its own it is the same measurement, told again: the oldest telling of
-- what is not its identity stays. Without one it may be a job that was repeated, whose newest telling
-- decides; ingesting a document twice in one session is no news. Either way the order of merging does
-- not matter.
UPDATE run SET ingested_at = ?2, session = ?3, branch = ?4, facts = ?5
WHERE id = ?1 AND CASE WHEN started_at IS NULL
	THEN (?6 OR session <> ?3) AND (?2, ?3, ?4, ?5) > (ingested_at, session, branch, facts)
	ELSE (?2, ?3, ?4, ?5) < (ingested_at, session, branch, facts) END;
