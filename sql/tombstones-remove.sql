DELETE FROM tombstone WHERE digest >= ?1 AND digest < ?1 || 'g' AND tree_state NOT LIKE 'undone:%';
