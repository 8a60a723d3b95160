SELECT id, tree_sha, committed_at, parent_count FROM commit_ WHERE sha = ?1;
