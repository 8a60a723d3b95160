/*
 * store: the SQLite file, or the PostgreSQL database, in which runs are kept (DESIGN section 3).
 *
 * A store is opened to read (never created, works on read-only files) or to write (created when
 * absent). Writing functions are one transaction each: on an error nothing of it is stored.
 * Errors are ERR_STORE and say what to do. Strings in results live until the next call on the
 * store unless said otherwise.
 */
#ifndef STORE_H
#define STORE_H

#include <stdint.h>

#include "batch.h"
#include "err.h"
#include "num.h"
#include "sink.h"

struct store;

enum store_mode { STORE_READ, STORE_WRITE };

struct store *store_open(
	const char *path, enum store_mode mode, struct err *err); /* NULL with err set */
void store_close(struct store *s);                                /* NULL is fine */
/* Where it is, without the password that an address may hold. */
const char *store_path(const struct store *s);
int store_exists(const char *path, struct err *err); /* 1, 0, -1: cannot be told */

/* Called now and then during long work, with how much of it is done; NULL: not any more. */
void store_on_progress(
	struct store *s, void (*progress)(void *ctx, double done, double of), void *ctx);

/* Called for each run that somebody takes anything from: samples, absences, or that it is there
 * (store_use()). NULL: not any more. */
void store_on_use(struct store *s, void (*use)(void *ctx, int64_t run), void *ctx);
void store_use(struct store *s, int64_t run);

/* ---- writing ---- */

/* Where one run of a batch belongs. The strings are borrowed for the call. */
struct placing {
	const char *sha, *tree_state, *branch, *session;
	const char *runner_key, *runner_label;
	int64_t ingested_at;
	const char *facts; /* merged facts, a JSON object; NULL: the run's own */
};

enum placed { PLACED_STORED, PLACED_ALREADY, PLACED_DROPPED, PLACED_PRUNED };

/*
 * Stores all of a batch in one transaction: commits, runs (placings[i] for run i), tombstones.
 * ret[i] says what became of run i. The root commit is remembered when the store has none, and
 * refused when it has another, unless force; root NULL: unknown, not checked.
 */
int store_add(struct store *s, struct batch *b, const struct placing *placings,
	const struct commit_fact *commits, size_t n_commits, const char *root, bool force,
	enum placed *ret, struct err *err);

/* Whether a person may name runs so: by the first 6 digits of a digest, or more. 0, -1. */
int store_check_prefix(const char *digest, struct err *err);

/* Undoes the tombstones whose digest begins with prefix. Returns how many, or -1. */
int store_undrop(struct store *s, const char *prefix, int64_t undone_at, struct err *err);

/* Keeps what a gate said; the digest of j is not looked at. */
int store_record(struct store *s, const struct judgement_fact *j, struct err *err);

/* What a merge does not do unless told to. */
struct merge_options {
	bool force;     /* take another repository's, too */
	bool runs_only; /* leave tombstones and recorded gates out */
};

/* Unites another store's runs, commits, tombstones and recorded gates into this one, in one
 * transaction. counts: of its runs, by enum placed. */
int store_merge(struct store *s, struct store *from, const struct merge_options *o,
	size_t counts[PLACED_PRUNED + 1], struct err *err);

/* ---- reading ---- */

struct store_run {
	int64_t id;
	char *sha, *tree_state, *branch, *session;
	int64_t runner_id;
	char *runner_key, *runner_label;
	char *suite, *component, *format, *format_version, *tool_version;
	int64_t started_at, ingested_at; /* ns; TIME_UNKNOWN */
	char *digest;
	int64_t series, samples, absences;
	char *facts;
	int64_t committed_at; /* TIME_UNKNOWN */
	char *tree_sha;       /* NULL: unknown */
};

struct store_runs {
	struct store_run *v;
	size_t n, cap;
};

void store_runs_release(struct store_runs *runs);
/* When a run was made, as far as is known: its document's time, else when it was stored. */
int64_t store_run_time(const struct store_run *r);

/* Deletes runs in one transaction, leaving tombstones. dropped_at in ns. */
int store_drop(struct store *s, const struct store_run *runs, size_t n, int64_t dropped_at,
	struct err *err);

/* Others may have written to the store between two of these. */
struct store_state {
	int64_t v[4];
};
int store_state(struct store *s, struct store_state *ret, struct err *err);

/* How runs go by their age. */
struct store_pruning {
	const struct store_run *const *runs;
	size_t n;
	int64_t at;      /* now, ns */
	bool everywhere; /* by tombstones, which others get; else this store alone remembers */
	struct store_state state; /* of when the runs were chosen */
	/* In the transaction: without the runs. -1 with err set: everything stays. NULL. */
	int (*verify)(void *ctx, struct err *err);
	void *ctx;
};

bool store_shrinks(const struct store *s); /* whether pruning gives room back at once */
/* In one transaction. 1, 0 nothing was done since others wrote meanwhile, -1. */
int store_prune(struct store *s, const struct store_pruning *p, struct err *err);
/* Forgets that runs whose digest begins with prefix were pruned. Returns how many, or -1. */
int64_t store_unprune(struct store *s, const char *prefix, struct err *err);
/* The sessions of which runs were pruned here, and when last. */
int store_pruned_sessions(struct store *s,
	int (*row)(void *ctx, const char *session, int64_t pruned_at, struct err *err), void *ctx,
	struct err *err);

/* Each appends to *ret in the order that its name says. */
int store_runs_of_commit(struct store *s, const char *sha, struct store_runs *ret, struct err *err);
int store_runs_of_tree(struct store *s, const char *tree_sha, const char *but_sha,
	struct store_runs *ret, struct err *err);
int store_runs_newest(
	struct store *s, int64_t limit, struct store_runs *ret, struct err *err); /* -1: all */
/* The newest clean run recorded on a branch that is not newer than a commit, nor of it. */
int store_runs_of_branch(struct store *s, const char *branch, const char *but_sha,
	struct store_runs *ret, struct err *err);
int store_runs_of_suite(
	struct store *s, const char *suite, struct store_runs *ret, struct err *err);
int store_runs_by_digest(
	struct store *s, const char *prefix, struct store_runs *ret, struct err *err);
int store_runs_exported(struct store *s, struct store_runs *ret,
	struct err *err); /* by commit, state, runner, digest */

/* A clean run without its facts. */
struct store_clean_run {
	int64_t id, runner_id;
	const char *sha, *branch, *session, *suite, *component, *digest;
	int64_t at; /* as store_run_time() */
	int64_t ingested_at, committed_at;
	int64_t series, samples;
	bool narrowed; /* its facts say so: somebody asked for a part of what there is */
};

/* All of them, in no order. Strings live until row returns. */
int store_clean_runs(struct store *s,
	int (*row)(void *ctx, const struct store_clean_run *r, struct err *err), void *ctx,
	struct err *err);

/* Whether another commit has a clean run of a suite: 1, 0, -1. */
int store_suite_elsewhere(struct store *s, const char *suite, const char *but_sha, struct err *err);
int store_branch_known(struct store *s, const char *branch, struct err *err); /* 1, 0, -1 */

/* The commit as the store knows it. 1 (fill the caller's struct, strings live until store_close),
 * 0 unknown, -1. */
int store_commit(struct store *s, const char *sha, struct commit_fact *ret, struct err *err);
/* A commit by the beginning of its SHA: 1, 0 none, 2 ambiguous, -1. */
int store_commit_prefix(struct store *s, const char *prefix, char ret_sha[65], struct err *err);
int64_t store_commits_measured(struct store *s, struct err *err); /* how many have runs; -1 */
/* The same of those whose clean runs were recorded on a branch. */
int64_t store_commits_of_branch(struct store *s, const char *branch, struct err *err);
int store_commits(struct store *s,
	int (*row)(void *ctx, const struct commit_fact *c, struct err *err), void *ctx,
	struct err *err);
int store_tombstones(struct store *s,
	int (*row)(void *ctx, const struct tombstone *t, struct err *err), void *ctx,
	struct err *err);

/*
 * The gates that were recorded (perfgate gate --record), with their verdicts, newest first and at
 * most limit of them (-1: all). What row gets lives until it returns. A store of schema 1 has none.
 */
int store_judgements(struct store *s, int64_t limit,
	int (*row)(void *ctx, const struct judgement_fact *j, struct err *err), void *ctx,
	struct err *err);
int store_judgements_of(struct store *s, const char *head, /* all of a commit's */
	int (*row)(void *ctx, const struct judgement_fact *j, struct err *err), void *ctx,
	struct err *err);

int store_judgements_exported(struct store *s, /* all, by their digests */
	int (*row)(void *ctx, const struct judgement_fact *j, struct err *err), void *ctx,
	struct err *err);

struct store_series {
	int64_t id, runner_id;
	int64_t first_run;                       /* no run of a lower id has samples of it */
	const char *suite, *benchmark, *variant; /* live until store_close */
	struct metric metric;
};

/* A series by its number; NULL with err set. The first call loads them all when many are wanted. */
const struct store_series *store_series(struct store *s, int64_t id, struct err *err);
int store_series_load(struct store *s, struct err *err); /* all of them, at once */
int store_each_series(struct store *s,
	int (*row)(void *ctx, const struct store_series *x, struct err *err), void *ctx,
	struct err *err);

/* By series and ordinal. */
int store_visit_samples(struct store *s, int64_t run,
	int (*row)(void *ctx, int64_t series, struct num value, struct err *err), void *ctx,
	struct err *err);
/* The same of series whose numbers lie between two, both among them. */
int store_visit_samples_between(struct store *s, int64_t run, int64_t first, int64_t last,
	int (*row)(void *ctx, int64_t series, struct num value, struct err *err), void *ctx,
	struct err *err);
/* 1 when the run has samples of the series (row called for each), 0, -1. */
int store_samples_of(struct store *s, int64_t run, int64_t series,
	int (*row)(void *ctx, int64_t series, struct num value, struct err *err), void *ctx,
	struct err *err);
int store_absences(struct store *s, int64_t run,
	int (*row)(
		void *ctx, int64_t series, const char *status, const char *reason, struct err *err),
	void *ctx, struct err *err);

/*
 * All of a run in the order that its digest is made in, in memory that grows with its series and
 * not with its samples. value is called for the samples of the series named last.
 */
struct run_visitor {
	int (*series)(void *ctx, const struct store_series *x, struct err *err);
	int (*value)(void *ctx, int64_t series, struct num value, struct err *err);
	int (*absence)(void *ctx, const struct store_series *x, const char *status,
		const char *reason, struct err *err);
};

int store_walk_run(
	struct store *s, int64_t run, const struct run_visitor *v, void *ctx, struct err *err);

const char *store_runner_key(
	struct store *s, int64_t runner_id, struct err *err); /* lives until store_close */

/* ---- care ---- */

struct store_info {
	int64_t runs, commits, series, samples, tombstones, benchmarks, bytes;
	int64_t judgements, pruned;
	int version;
	char root[65]; /* "" unknown */
};

/* The first commit of the repository whose store it is: 1 and its SHA, 0 not known, -1 with err
 * set. */
int store_root(struct store *s, char ret[65], struct err *err);
/* Marks that a store remembers by name: 1 it has it, 0, -1. Setting all of them is one transaction.
 */
int store_has_mark(struct store *s, const char *name, struct err *err);
int store_set_marks(struct store *s, char *const *names, size_t n, struct err *err);
int store_info(struct store *s, struct store_info *ret, struct err *err);
int store_info_suites(struct store *s,
	int (*row)(void *ctx, const char *suite, int64_t runs, int64_t samples, int64_t runners,
		struct err *err),
	void *ctx, struct err *err);

/* Checks structure, references and the digest of every run. row gets each finding. Returns the
 * number of findings, or -1. */
int store_check(
	struct store *s, void (*finding)(void *ctx, const char *text), void *ctx, struct err *err);

/* One file without a log beside it, complete at one moment. Refuses an existing file. */
int store_snapshot(struct store *s, const char *path, struct err *err);

/* The whole read as one moment. */
int store_begin_read(struct store *s, struct err *err);
void store_end_read(struct store *s);

#endif
