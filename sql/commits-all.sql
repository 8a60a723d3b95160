SELECT id, sha, tree_sha, committed_at, parent_count FROM commit_ ORDER BY sha;
