INSERT INTO commit_parent (commit_id, pos, parent_sha) VALUES (?1, ?2, ?3)
ON CONFLICT DO UPDATE SET parent_sha = min(parent_sha, excluded.parent_sha);
