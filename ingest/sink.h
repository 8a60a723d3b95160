/*
 * sink: where a reader's numbers go. A reader calls a sink and knows nothing of stores.
 *
 * A reader opens a run (or several), names series, and sends samples in the order of the document.
 * Names must be valid UTF-8 of at most SINK_NAME_MAX bytes; the sink refuses others. Values are in
 * base units (s, B, Hz, count) unless the metric's name carries its unit (wall_clock_ns).
 */
#ifndef SINK_H
#define SINK_H

#include <stdint.h>

#include "err.h"
#include "num.h"

#define SINK_NAME_MAX 4096

enum direction {
	DIRECTION_HIGHER = -1,
	DIRECTION_NONE = 0,
	DIRECTION_LOWER = 1
}; /* which is better */

const char *direction_name(enum direction d);            /* "lower", "higher", "none" */
int direction_parse(const char *s, enum direction *ret); /* 0 or -1 */

struct metric {
	const char *name;
	const char *unit; /* "count", "s", "B", "ns", "FLOPS", "%" ... */
	const char *
		quantity; /* "time", "count", "bytes", "rate", "ratio", clpeak's words, "unknown" */
	enum direction direction;
};

/* The document says that tracked files differed from the commit that it names. */
#define RUN_DIRTY "dirty:unknown"

/* What a run says of itself. Strings may be NULL (unknown) but for suite and format. */
struct run_head {
	const char *suite, *format, *format_version, *tool_version;
	const char *sha;        /* the commit the document names */
	const char *runner_key; /* the document's host; see machine_runner_key() */
	const char *runner_label;
	int64_t started_at; /* ns since 1970 UTC, or TIME_UNKNOWN */
	const char *facts;  /* a JSON object: what is worth keeping and has no column */

	/* Only formats that carry a history (perfgate's own export) set these; they then say where
	 * a run belongs and the current machine has no say. */
	bool history;
	const char *tree_state; /* also of others: RUN_DIRTY */
	const char *branch, *session, *component;
	const char *digest; /* what the run's digest has to come out as; NULL: not said */
	int64_t ingested_at;
};

/* A commit as git records it, from formats that carry a history. */
struct commit_fact {
	const char *sha;
	const char *tree_sha; /* NULL: unknown */
	int64_t committed_at; /* ns, or TIME_UNKNOWN */
	const char *const *parents;
	int n_parents; /* -1: unknown, which is not the same as a root's 0 */
};

/*
 * A run that was dropped on purpose and is not to come back; or, with TOMBSTONE_UNDONE before the
 * state of its tree, one whose drop was undone. Of the two the later holds, and of the same moment
 * the undoing, so that their order of arrival does not matter.
 */
#define TOMBSTONE_UNDONE "undone:"
struct tombstone {
	const char *sha, *tree_state, *runner_key, *digest; /* digest: 64 hexadecimal digits */
	int64_t dropped_at;
};

/* What a gate said of one series. Texts are "" and numbers NAN where there is nothing to say. */
struct verdict_fact {
	const char *suite, *benchmark, *metric, *unit, *variant, *runner;
	const char *class_, *verdict; /* "hard", "regressed" */
	bool gates;
	const char *base;                /* SHA of the commit that the series was compared with */
	double base_median, head_median; /* in the metric's unit */
	double change;                   /* a share of the base, signed as measured */
	const char *reason;              /* for a person */
};

struct verdict_count {
	const char *verdict;
	int64_t series;
};

/*
 * A gate that was recorded. Its verdicts, worst first, are those that gated and those that tell of
 * a change; all series are in the counts. What tells it from all others is the digest of all the
 * rest (digest_judgement()).
 */
struct judgement_fact {
	const char *head, *tree_state, *base; /* base: "" none was found */
	const char *policy;                   /* its digest */
	int64_t made_at;
	int exit_status;
	const struct verdict_count *counts; /* none is 0 */
	size_t n_counts;
	const struct verdict_fact *verdicts;
	size_t n_verdicts;
	const char *digest;
};

enum sink_status { SINK_UNSUPPORTED, SINK_SKIPPED, SINK_ERROR };
const char *sink_status_name(enum sink_status s);
int sink_status_parse(const char *s, enum sink_status *ret);

struct sink {
	/* A new run; its number (0, 1, ...), or -1 with err set. */
	int (*run)(struct sink *s, const struct run_head *head, struct err *err);
	/* Completes a run's head once the reader knows: TIME_UNKNOWN and NULL leave what is there.
	 */
	int (*amend)(
		struct sink *s, int run, int64_t started_at, const char *facts, struct err *err);
	/* The number of a series (the same for the same names), or -1 with err set. */
	int64_t (*series)(struct sink *s, const char *benchmark, const struct metric *m,
		const char *variant, struct err *err);
	int (*sample)(struct sink *s, int run, int64_t series, struct num value, struct err *err);
	/* The document names the series without a number. reason is never NULL. */
	int (*absence)(struct sink *s, int run, int64_t series, enum sink_status status,
		const char *reason, struct err *err);
	/* Something a person should know that is no error: a fault of the tool that wrote the
	 * document, anomalies counted, rows left out on purpose. One sentence, no newline. */
	void (*note)(struct sink *s, const char *fmt, ...) PRINTF_LIKE(2, 3);

	/* NULL in sinks that have no use for it: what the document calls a series. */
	void (*origin)(struct sink *s, int64_t series, const char *name);
	/* Only for formats that carry a history; NULL in sinks that have no use for them. */
	int (*commit)(struct sink *s, const struct commit_fact *c, struct err *err);
	int (*tombstone)(struct sink *s, const struct tombstone *t, struct err *err);
	/* A judgement without its verdicts, then each of these. */
	int (*judgement)(struct sink *s, const struct judgement_fact *j, struct err *err);
	int (*verdict)(struct sink *s, const struct verdict_fact *v, struct err *err);
};

#endif
