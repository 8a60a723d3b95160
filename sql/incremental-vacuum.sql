PRAGMA incremental_vacuum;
