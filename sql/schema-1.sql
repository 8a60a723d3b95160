-- Schema version 1. docs/perfgate-store.5 explains it for people who query it.
CREATE TABLE property (
	name TEXT PRIMARY KEY NOT NULL,
	value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE commit_ (
	id INTEGER PRIMARY KEY,
	sha TEXT NOT NULL UNIQUE CHECK (length(sha) IN (40, 64) AND sha NOT GLOB '*[^0-9a-f]*'),
	tree_sha TEXT,
	committed_at INTEGER,
	parent_count INTEGER -- NULL: unknown, which is not a root's 0
) STRICT;
CREATE INDEX commit_tree ON commit_ (tree_sha);

CREATE TABLE commit_parent (
	commit_id INTEGER NOT NULL REFERENCES commit_ (id),
	pos INTEGER NOT NULL,
	parent_sha TEXT NOT NULL,
	PRIMARY KEY (commit_id, pos)
) STRICT, WITHOUT ROWID;

CREATE TABLE runner (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE,
	label TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE benchmark (
	id INTEGER PRIMARY KEY,
	suite TEXT NOT NULL,
	name TEXT NOT NULL,
	UNIQUE (suite, name)
) STRICT;

CREATE TABLE metric (
	id INTEGER PRIMARY KEY,
	suite TEXT NOT NULL,
	name TEXT NOT NULL,
	unit TEXT NOT NULL,
	quantity TEXT NOT NULL,
	direction TEXT NOT NULL CHECK (direction IN ('lower', 'higher', 'none')),
	UNIQUE (suite, name, unit, quantity, direction)
) STRICT;

CREATE TABLE series (
	id INTEGER PRIMARY KEY,
	benchmark_id INTEGER NOT NULL REFERENCES benchmark (id),
	metric_id INTEGER NOT NULL REFERENCES metric (id),
	variant TEXT NOT NULL DEFAULT '',
	runner_id INTEGER NOT NULL REFERENCES runner (id),
	first_run INTEGER NOT NULL, -- no run of a lower id has samples of it
	UNIQUE (benchmark_id, metric_id, variant, runner_id)
) STRICT;

CREATE TABLE run (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	commit_id INTEGER NOT NULL REFERENCES commit_ (id),
	tree_state TEXT NOT NULL DEFAULT 'clean', -- 'clean', or 'dirty:' and a digest of the changes
	branch TEXT NOT NULL DEFAULT '',
	session TEXT NOT NULL DEFAULT '',
	runner_id INTEGER NOT NULL REFERENCES runner (id),
	suite TEXT NOT NULL,
	component TEXT NOT NULL DEFAULT '',
	format TEXT NOT NULL,
	format_version TEXT NOT NULL DEFAULT '',
	tool_version TEXT NOT NULL DEFAULT '',
	started_at INTEGER,           -- ns since 1970 UTC; NULL: the document does not say
	ingested_at INTEGER NOT NULL, -- ns since 1970 UTC
	digest TEXT NOT NULL CHECK (length(digest) = 64),
	series_count INTEGER NOT NULL,
	sample_count INTEGER NOT NULL,
	absence_count INTEGER NOT NULL,
	facts TEXT NOT NULL DEFAULT '{}', -- a JSON object
	UNIQUE (commit_id, tree_state, runner_id, digest)
) STRICT;
CREATE INDEX run_suite ON run (suite, branch, ingested_at);
CREATE INDEX run_digest ON run (digest);

-- Run first: runs arrive one after the other, so this tree only ever grows at its end.
CREATE TABLE sample (
	run_id INTEGER NOT NULL REFERENCES run (id),
	series_id INTEGER NOT NULL REFERENCES series (id),
	ordinal INTEGER NOT NULL,
	value ANY NOT NULL, -- INTEGER or REAL; ANY keeps int64 exact
	PRIMARY KEY (run_id, series_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE absence (
	run_id INTEGER NOT NULL REFERENCES run (id),
	series_id INTEGER NOT NULL REFERENCES series (id),
	status TEXT NOT NULL CHECK (status IN ('unsupported', 'skipped', 'error')),
	reason TEXT NOT NULL DEFAULT '',
	PRIMARY KEY (run_id, series_id, status, reason)
) STRICT, WITHOUT ROWID;

-- Runs dropped on purpose, so that merging an older copy does not bring them back.
CREATE TABLE tombstone (
	sha TEXT NOT NULL,
	tree_state TEXT NOT NULL,
	runner_key TEXT NOT NULL,
	digest TEXT NOT NULL,
	dropped_at INTEGER NOT NULL,
	PRIMARY KEY (sha, tree_state, runner_key, digest)
) STRICT, WITHOUT ROWID;

CREATE VIEW run_v AS
SELECT r.id, c.sha, r.tree_state, r.branch, r.session, r.runner_id, n.key AS runner, n.label AS runner_label,
	r.suite, r.component, r.format, r.format_version, r.tool_version, r.started_at, r.ingested_at, r.digest,
	r.series_count, r.sample_count, r.absence_count, r.facts, c.committed_at, c.tree_sha, r.commit_id
FROM run AS r
JOIN commit_ AS c ON c.id = r.commit_id
JOIN runner AS n ON n.id = r.runner_id;

CREATE VIEW sample_v AS
SELECT c.sha, c.committed_at, r.id AS run_id, r.tree_state, r.branch, r.session, r.started_at,
	b.suite, b.name AS benchmark, m.name AS metric, m.unit, m.direction, s.variant, n.key AS runner,
	x.ordinal, x.value
FROM sample AS x
JOIN run AS r ON r.id = x.run_id
JOIN commit_ AS c ON c.id = r.commit_id
JOIN series AS s ON s.id = x.series_id
JOIN benchmark AS b ON b.id = s.benchmark_id
JOIN metric AS m ON m.id = s.metric_id
JOIN runner AS n ON n.id = s.runner_id;

PRAGMA application_id = 1885823348; -- "pgat"
PRAGMA user_version = 1;
