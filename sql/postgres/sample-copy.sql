COPY sample (run_id, series_id, ordinal, value_int, value_real) FROM STDIN (FORMAT binary);
