-- The same run again: the newest telling of what is not its identity wins, so that a repeated job decides,
-- and the order of merging does not matter. Ingesting a document twice in one session is no news.
UPDATE run SET ingested_at = ?2, session = ?3, branch = ?4, facts = ?5
WHERE id = ?1 AND (?6 OR session <> ?3) AND (?2, ?3, ?4, ?5) > (ingested_at, session, branch, facts);
