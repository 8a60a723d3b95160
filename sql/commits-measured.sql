SELECT count(DISTINCT commit_id) FROM run;
