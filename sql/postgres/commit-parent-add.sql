INSERT INTO commit_parent (commit_id, pos, parent_sha) VALUES (?1, ?2, ?3)
ON CONFLICT (commit_id, pos) DO UPDATE SET parent_sha = least(commit_parent.parent_sha, excluded.parent_sha);
