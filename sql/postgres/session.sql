-- What a session has to agree on, whatever the server's settings are. Runs lie together, in the order of
-- the key that they are read by: a bitmap scan would only make them be sorted again.
SET search_path = perfgate, pg_catalog;
SET standard_conforming_strings = on;
SET extra_float_digits = 3;
SET lock_timeout = 60000;
SELECT set_config(name, 'off', false) FROM pg_catalog.pg_settings WHERE name = 'enable_bitmapscan';
-- What is said to be stored is on the disk.
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit', true) = 'off';
