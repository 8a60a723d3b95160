COPY benchmark (id, suite, name) FROM STDIN (FORMAT binary);
