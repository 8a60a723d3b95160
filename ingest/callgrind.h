/*
 * callgrind: what the two readers of callgrind's numbers share, and the pieces they are made of.
 *
 * callgrind-event.c    what is known of every event and of other tools' metrics
 * callgrind-stream.c   finds benchmark summaries in whatever else a build printed
 * callgrind-layout.c   one summary, in any of its layouts, to numbers
 * callgrind-old.c      ... in the layout of versions 1 and 2
 * callgrind-value.c    ... the numbers
 * callgrind-collect.c  all summaries of a call
 * callgrind-summary.c  the reader of summaries
 * callgrind-file.c     one callgrind.out to totals, part by part
 * callgrind-line.c     ... its lines and words
 * callgrind-process.c  the parts of all files, summed by process
 * callgrind-out.c      the reader of callgrind.out
 */
#ifndef CALLGRIND_H
#define CALLGRIND_H

#include <stdint.h>

#include "err.h"
#include "input.h"
#include "intern.h"
#include "json.h"
#include "num.h"
#include "sink.h"

/* ---- events ---- */

/*
 * Describes NAME as TOOL ("Callgrind", "DHAT", "Memcheck", ...) counts it. unit is the one that the
 * document gives, or NULL. ret->name stays as the caller set it; the strings are constants, but for
 * ret->unit, which may be the caller's. What nobody knows has the unit "unknown" and no direction.
 */
void callgrind_metric(struct metric *ret, const char *tool, const char *name, const char *unit);

/* The count does not depend on the cache simulation (Ir, Dr, Bc, ...). */
bool callgrind_cache_free(const char *event);

/* Factor from a unit of time ("ms", "msec", "ns", ...) to seconds as units per second, else 0. */
int64_t callgrind_units_per_s(const char *unit, size_t len);

/* ---- summaries in a stream ---- */

struct summary_stream;

struct summary_stream *summary_stream_open(struct input *in); /* in is borrowed */
void summary_stream_close(struct summary_stream *s);          /* NULL is fine */
void summary_stream_closep(struct summary_stream **s);

/*
 * The next summary: 1 with *ret (the caller frees) and the line where it begins, 0 at the end of
 * the input, -1 with err set. Terminal escapes, text and other JSON objects are passed over; text
 * that looks like a piece of a summary is an error.
 */
int summary_stream_next(
	struct summary_stream *s, struct jv **ret, unsigned *ret_line, struct err *err);
unsigned summary_stream_foreign(const struct summary_stream *s); /* JSON objects passed over */

/* ---- one summary ---- */

enum summary_layout {
	SUMMARY_NONE, /* no tool left anything, so there is nothing to tell it by */
	SUMMARY_1,    /* versions 1 and 2: callgrind_summary.summaries */
	SUMMARY_3,    /* callgrind_summary.callgrind_run */
	SUMMARY_4,    /* 4 to 6: profiles[].summaries */
	SUMMARY_7     /* profiles[].data */
};

struct summary_value {
	const char *tool, *name, *unit; /* unit NULL: none given */
	unsigned source;                /* which tool entry of the document */
	bool known;
	struct num value;   /* known */
	const char *reason; /* not known */
	enum sink_status status;
};

/* Strings are borrowed from the document. */
struct summary {
	const char *version, *kind, *module_path, *id, *package_dir, *project_root; /* or NULL */
	enum summary_layout layout;
	struct summary_value *values;
	size_t n, cap;
	struct intern *keys; /* tool NUL name, numbered as values */
	unsigned source;
	unsigned regressions;   /* as the runner judged */
	unsigned faulty_errors; /* error summaries that the runner garbled */
};

/* Returns 0, or -1 with err set, without the place. */
int summary_decode(const struct jv *doc, struct summary *ret, struct err *err);
void summary_release(struct summary *s);

/* ---- one callgrind.out ---- */

enum { CALLGRIND_EVENTS_MAX = 64, CALLGRIND_LINE_MAX = 65536 };

struct callgrind_event {
	char *name;
	int64_t per_s; /* units a second when the file tells the unit of a time, else 0 */
};

/* What a total was taken from. */
enum callgrind_source { CALLGRIND_TOTALS, CALLGRIND_SUMMARY, CALLGRIND_COSTS };

struct callgrind_part {
	int64_t version, pid, part, thread; /* 0: not said */
	char *creator, *cmd;                /* NULL: not said */
	char *cache[3], *trigger;           /* I1, D1, LL as "65536 B, 64 B, 16-way associative" */
	int64_t blocks;                     /* basic blocks executed, -1 unknown */
	struct callgrind_event events[CALLGRIND_EVENTS_MAX];
	size_t n_events;
	enum callgrind_source source;
	bool costs_differ; /* the costs in the body do not add up to the totals */
	int64_t totals[CALLGRIND_EVENTS_MAX];
	unsigned line; /* where the totals stand */
};

/*
 * Hands every part of the file to part(), in order; the part is borrowed for the call. Returns 0,
 * or -1 with err set. *ret_parts counts them; an empty file has none.
 */
int callgrind_file(struct input *in,
	int (*part)(void *ctx, const struct callgrind_part *p, struct err *err), void *ctx,
	size_t *ret_parts, struct err *err);

#endif
