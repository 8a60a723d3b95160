/*
 * trace: what the files of the Chrome trace reader share.
 *
 * trace-container.c walks the document and hands over events, trace-event.c turns each into a span
 * (or counts why it is none), trace-sweep.c pairs B with E and sums, trace.c delivers. Time is in
 * int64 nanoseconds. What is out of the ordinary is counted in anomalies[] and never silent.
 */
#ifndef TRACE_H
#define TRACE_H

#include <stdint.h>

#include "err.h"
#include "intern.h"
#include "json.h"
#include "reader.h"

#define TRACE_SPANS_MAX 20000000
#define TRACE_HELD_MAX ((size_t)1 << 30) /* bytes of spans and names */

enum trace_anomaly {
	TRACE_BAD_OBJECT,
	TRACE_NOT_OBJECT,
	TRACE_EMPTY,
	TRACE_NO_PHASE,
	TRACE_UNKNOWN_PHASE,
	TRACE_BAD_NAME,
	TRACE_LONG_NAME,
	TRACE_BAD_TS,
	TRACE_NO_DUR,
	TRACE_BAD_DUR,
	TRACE_NEGATIVE_DUR,
	TRACE_UNNAMED,
	TRACE_ROUNDED,
	TRACE_OUT_OF_ORDER,
	TRACE_STRAY_END,
	TRACE_CUT_SHORT,
	TRACE_UNENDED,
	TRACE_OVERLAP,
	TRACE_ZERO,
	TRACE_ANOMALIES
};

enum trace_excluded {
	TRACE_CLANG_TOTAL,
	TRACE_KINETO_PROFILER,
	TRACE_KINETO_ITERATION,
	TRACE_KINETO_PYTHON,
	TRACE_CRITICAL_PATH,
	TRACE_EXCLUDED
};

/* In this order spans of one start and one end enclose each other: B and E know who is inside. */
enum span_kind { SPAN_BEGIN, SPAN_END, SPAN_COMPLETE, SPAN_DROPPED };

struct span {
	int64_t start, end; /* ns; the end of a SPAN_BEGIN comes from its E */
	uint32_t name, track;
	uint32_t order; /* in the document; of a SPAN_COMPLETE in the sweep: the rank of its name */
	uint8_t kind;
	bool twin; /* a SPAN_BEGIN just after a stray E of its name and time */
};

struct track {
	int64_t last; /* of the B and E read so far */
	bool critical_path;
};

struct name_sum {
	__int128 total, self; /* ns */
	uint64_t count;
	uint64_t unended;
	int64_t covered_until; /* on track covered: union of the spans so far */
	uint32_t covered;      /* track + 1 */

	/* while pairing B and E of one track */
	uint32_t open, pending;       /* B without E so far; E of one time not used yet */
	uint32_t strays, stray_track; /* E without B at stray_at, on track + 1 */
	int64_t stray_at;
};

struct trace {
	struct input *in;
	struct js *js;
	const struct read_options *opts;

	struct intern *names, *tracks;
	struct track *track;
	size_t track_cap;
	struct span *spans;
	size_t n, cap;
	bool has_pairs; /* any SPAN_BEGIN or SPAN_END */
	struct name_sum *sums;
	int64_t first, last; /* of the spans summed */

	uint64_t elements;
	uint64_t phases[128];
	uint64_t anomalies[TRACE_ANOMALIES];
	uint64_t excluded[TRACE_EXCLUDED];
	unsigned bad_line; /* of the first TRACE_BAD_OBJECT */

	bool array_form;
	bool ended;        /* the end was recognised behind an object that could not be read */
	bool open_end;     /* the array form without its ']' */
	const char *early; /* where the document ends too soon, or NULL */
	unsigned early_line;
	uint64_t faults; /* against the grammar of JSON, objects that cannot be read apart */
	const char *fault;
	unsigned fault_line;
};

/* The members of an event that count. */
enum trace_field {
	FIELD_PH,
	FIELD_NAME,
	FIELD_TS,
	FIELD_DUR,
	FIELD_PID,
	FIELD_TID,
	FIELD_CAT,
	FIELD_ARGS,
	FIELD_COUNT
};
extern const char *const trace_fields[FIELD_COUNT];

/* Reads the document to its end. Returns 0, or -1 with err set. */
int trace_container(struct trace *t, struct err *err);

/* Takes one event; fields that it lacks are NULL. Returns 0, also where it is dropped and counted;
 * -1 with err set at a limit. */
int trace_event(struct trace *t, const struct jv *const field[FIELD_COUNT], struct err *err);

/*
 * Microseconds as decimal text to nanoseconds, exactly. Returns 0, 1 when digits past the
 * nanosecond were rounded (half away from zero), or -1 when s is no number or beyond 9.2e15.
 */
int trace_time(const char *s, size_t len, int64_t *ret_ns);

/* Pairs B with E and fills sums (one a name). */
void trace_sweep(struct trace *t);

#endif
