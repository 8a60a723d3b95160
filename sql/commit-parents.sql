SELECT parent_sha FROM commit_parent
WHERE commit_id = ?1 AND pos < (SELECT parent_count FROM commit_ WHERE id = ?1)
ORDER BY pos;
