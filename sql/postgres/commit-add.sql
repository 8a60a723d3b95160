-- Unknown facts are filled in. Known ones agree, since the SHA is made of them; should they not,
-- the smaller wins everywhere, so that the order of merging does not matter.
INSERT INTO commit_ (sha, tree_sha, committed_at, parent_count) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (sha) DO UPDATE SET
	tree_sha = least(commit_.tree_sha, excluded.tree_sha),
	committed_at = least(commit_.committed_at, excluded.committed_at),
	parent_count = least(commit_.parent_count, excluded.parent_count)
RETURNING id;
