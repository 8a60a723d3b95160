-- Writers take their turns, as on SQLite: numbers stay dense and nothing can deadlock.
SELECT version FROM schema_version FOR UPDATE;
