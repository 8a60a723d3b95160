SELECT verdict, series FROM judgement_count WHERE judgement_id = ?1 ORDER BY verdict;
