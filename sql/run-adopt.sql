-- The same run from elsewhere: the earlier telling of what is not its identity wins, so that the
-- order of merging does not matter.
UPDATE run SET ingested_at = ?2, session = ?3, branch = ?4, facts = ?5
WHERE id = ?1 AND (?2, ?3, ?4, ?5) < (ingested_at, session, branch, facts);
