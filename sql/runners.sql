SELECT id, key, label FROM runner ORDER BY key;
