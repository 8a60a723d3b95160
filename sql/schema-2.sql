-- Schema version 2: gates that were recorded, and runs that were pruned here.
CREATE TABLE judgement (
	id INTEGER PRIMARY KEY,
	head TEXT NOT NULL CHECK (length(head) IN (40, 64) AND head NOT GLOB '*[^0-9a-f]*'),
	tree_state TEXT NOT NULL,
	base TEXT NOT NULL, -- '': there was none
	policy TEXT NOT NULL,
	made_at INTEGER NOT NULL, -- ns since 1970 UTC
	exit_status INTEGER NOT NULL,
	digest TEXT NOT NULL UNIQUE CHECK (length(digest) = 64)
) STRICT;
CREATE INDEX judgement_made ON judgement (made_at);
CREATE INDEX judgement_head ON judgement (head);

CREATE TABLE judgement_count (
	judgement_id INTEGER NOT NULL REFERENCES judgement (id),
	verdict TEXT NOT NULL,
	series INTEGER NOT NULL,
	PRIMARY KEY (judgement_id, verdict)
) STRICT, WITHOUT ROWID;

-- Series by name: a judgement stays when its runs are dropped, and may have been made elsewhere.
CREATE TABLE verdict (
	judgement_id INTEGER NOT NULL REFERENCES judgement (id),
	pos INTEGER NOT NULL, -- worst first, from 0
	suite TEXT NOT NULL,
	benchmark TEXT NOT NULL,
	metric TEXT NOT NULL,
	unit TEXT NOT NULL,
	variant TEXT NOT NULL,
	runner TEXT NOT NULL,
	class TEXT NOT NULL,
	verdict TEXT NOT NULL,
	gates INTEGER NOT NULL CHECK (gates IN (0, 1)),
	base TEXT NOT NULL,
	base_median REAL,
	head_median REAL,
	change REAL,
	reason TEXT NOT NULL,
	PRIMARY KEY (judgement_id, pos)
) STRICT, WITHOUT ROWID;

-- Runs that went by their age, and are not to be fetched again; others keep theirs.
CREATE TABLE pruned (
	sha TEXT NOT NULL,
	tree_state TEXT NOT NULL,
	runner_key TEXT NOT NULL,
	digest TEXT NOT NULL,
	session TEXT NOT NULL,
	pruned_at INTEGER NOT NULL, -- ns since 1970 UTC
	PRIMARY KEY (sha, tree_state, runner_key, digest)
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 2;
