/*
 * measured: one side of a comparison, brought to one shape whether it came from a store or from
 * documents.
 *
 * A series has the samples of the newest session that has it, and behind them those of older ones.
 * identity numbers a series without its runner (what `across-runners` may compare); name numbers
 * suite, benchmark and metric alone (what a change of variant or unit makes incomparable). Both are
 * worked out when they are first needed: between two commits of one store the store's own numbers
 * mostly suffice.
 */
#ifndef MEASURED_H
#define MEASURED_H

#include "batch.h"
#include "names.h"

/* How sessions of perfgate measure begin. What tells a run's pair, from 1, is "pair" in its facts.
 */
#define MEASURE_SESSION "measure/"
bool is_measure_session(const char *session);

/* What one session has of a series. */
struct session_values {
	const char *session;  /* its name, one pointer for each in all measurements of these names;
				 "" not known, which is never the same as another */
	struct num *values;   /* in the measurements' pool */
	unsigned char *pairs; /* of perfgate measure: which pair each value is of, 0 of none; NULL:
				 all of none */
	size_t n, cap_pairs;
	struct session_values *older;
};

struct measured {
	struct series_key key;   /* strings live as long as the names they came from */
	int64_t id;              /* the store's number, 0 for documents */
	uint32_t identity, name; /* INTERN_NONE: not worked out */
	const char *component;
	struct session_values newest;  /* session NULL while there is nothing */
	struct session_values *oldest; /* NULL: there is no older one than newest */
	bool paired;         /* a base that a head series is compared with or explained by */
	uint32_t next_named; /* position + 1 of the next of its name; 0 none */
	char *absence;       /* "status: reason" in the newest session when that has no values */
};

struct coverage { /* a (suite, component) that was run, and on which runner */
	const char *suite, *component, *runner;
	bool whole;    /* by a run that is not of perfgate measure */
	bool narrowed; /* only by runs that were asked for a part of what there is */
};

struct measurements {
	struct names *names;
	struct value_chunk *pool; /* where the values are; the newest chunk */
	struct measured *v;
	size_t n, cap;
	uint32_t *by_id; /* position + 1 by the store's number; 0 none */
	size_t n_by_id;
	size_t numbered;      /* how many of v have an identity and are in the index */
	size_t named;         /* how many have a name and are chained by it */
	struct intern *index; /* numbers of identity and runner; positions has the positions in v */
	uint32_t *positions;
	size_t cap_positions;
	bool documents; /* some of v are not from the store */
	struct coverage *covered;
	size_t n_covered, cap_covered;
	uint32_t *by_identity, *by_name; /* lowest position + 1 of each number; 0 none */
	size_t n_by_identity, n_by_name;
	const char **runners; /* of the series, each once */
	size_t n_runners, cap_runners;
	bool older_left_out; /* samples of sessions that are not the newest with their series */
	/* what is compared with these; NULL: nothing that would matter. See measured_is_partial()
	 */
	const struct measurements *beside;
};

void measurements_init(struct measurements *m, struct names *names);
void measurements_release(struct measurements *m);

/* What to leave out. NULL suites: all. */
struct narrowing {
	const char *const *suites;
	size_t n_suites;
	struct pattern *only; /* on benchmark names; NULL: all */
	/* Whether a stored series is wanted; NULL: all. Asked once a run for each. */
	bool (*wants)(void *ctx, const struct series_key *k, int64_t id);
	void *ctx;
};

bool narrowing_suite(const struct narrowing *w, const char *suite);
int narrowing_benchmark(const struct narrowing *w, const char *benchmark, struct err *err);

/* Adds runs of one commit (any order). Only runs whose use[i] is set when use is not NULL. */
int measurements_add_runs(struct measurements *m, struct store *s, const struct store_runs *runs,
	const bool *use, const struct narrowing *w, struct err *err);

/* Whether a run is of perfgate measure, and m of other runs, or of another session: what somebody
 * measured for a question of his own says nothing of what there is to be measured at its commit. */
bool measured_is_partial(const struct measurements *m, const struct store_run *r);

/* Adds one series from whichever of the runs have it, but for those whose but[i] is set; says
 * nothing of what the runs cover. */
int measurements_add_series(struct measurements *m, struct store *s, const struct store_runs *runs,
	const bool *but, int64_t series, struct err *err);

/* Adds a finished batch; its runs count as one session. runner: for runs whose document names none.
 */
int measurements_add_batch(struct measurements *m, struct batch *b, const char *runner,
	const struct narrowing *w, struct err *err);

/* The same series as another measurement's; on any runner (the first in order); the first of its
 * name. NULL none. */
struct measured *measurements_find(struct measurements *m, struct measured *like);
struct measured *measurements_find_on(
	struct measurements *m, struct measured *like, const char *runner);
struct measured *measurements_any(struct measurements *m, struct measured *like);
struct measured *measurements_named(struct measurements *m, struct measured *like);
struct measured *measurements_next_named(struct measurements *m, const struct measured *x);

/* The number of a series' names but for its runner. */
uint32_t measurements_identity(struct measurements *m, struct measured *x);

/* runner NULL: any. */
bool measurements_covers(
	const struct measurements *m, const char *suite, const char *component, const char *runner);
/* Whether what has the series' suite, component and runner was narrowed. */
bool measurements_narrowed(const struct measurements *m, const struct measured *like);

#endif
