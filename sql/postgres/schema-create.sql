CREATE SCHEMA perfgate;
