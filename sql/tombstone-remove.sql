DELETE FROM tombstone WHERE digest >= ?1 AND digest < ?1 || 'g';
