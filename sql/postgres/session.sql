-- What a session has to agree on, whatever the server's settings are.
SET search_path = perfgate, pg_catalog;
SET standard_conforming_strings = on;
SET extra_float_digits = 3;
SET lock_timeout = 60000;
