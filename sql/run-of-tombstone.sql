SELECT r.id FROM run AS r
JOIN commit_ AS c ON c.id = r.commit_id
JOIN runner AS n ON n.id = r.runner_id
WHERE r.digest = ?4 AND c.sha = ?1 AND r.tree_state = ?2 AND n.key = ?3;
