SELECT count(*) FROM pruned;
