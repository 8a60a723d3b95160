SELECT max(id) FROM benchmark;
