SELECT suite, count(*), sum(sample_count), count(DISTINCT runner_id) FROM run GROUP BY suite ORDER BY suite;
