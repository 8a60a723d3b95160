SELECT sha FROM commit_ WHERE sha >= ?1 AND sha < ?1 || 'g' ORDER BY sha LIMIT 2;
