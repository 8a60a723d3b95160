DELETE FROM pruned WHERE digest >= ?1 AND digest < ?1 || 'g';
