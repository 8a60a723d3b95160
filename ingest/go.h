/*
 * go: what the files of the reader of Go benchmarks share, and what a history of them needs to
 * come to the same names. The format: golang.org/design/14313-benchmark-format.
 */
#ifndef GO_H
#define GO_H

#include "callgrind-line.h"
#include "reader.h"

/* ---- names ---- */

/* A metric by its unit: ns/op is sec/op in s, MB/s is B/s; others are as they are. *shift: the
 * power of ten that brings a value to the metric's unit. unit is borrowed. */
void go_metric(const char *unit, struct metric *ret, int *shift);

/* Where the suffix -N of a name begins, N the value of GOMAXPROCS; its end when there is none. */
const char *go_procs(struct text name);

/* "PACKAGE.NAME"; package empty: "NAME". */
void go_benchmark(struct buf *ret, struct text package, struct text name);

/* ---- one line ---- */

struct go_pair {
	struct text value, unit;
};

enum { GO_PAIRS_MAX = 64 };

/* The pairs behind the count of iterations: how many (at least 1), 0 when that is no result. */
size_t go_pairs(struct text rest, struct go_pair ret[GO_PAIRS_MAX]);

/* Whether a line holds the end of a result ("1000  123 ns/op") somewhere. */
bool go_holds_result(struct text line);

/* "key: value", the key as Go's: it begins with a small letter, and has no blank and no capital. */
bool go_config(struct text line, struct text *key, struct text *value);

/* ---- configuration and units ---- */

struct go_facts;

struct go_facts *go_facts_new(void);
void go_facts_free(struct go_facts *f); /* NULL is fine */
void go_facts_config(struct go_facts *f, struct text key, struct text value);
/* "Unit NAME KEY=VALUE...", without its first word. 0, or -1 with err set: a contradiction. */
int go_facts_unit(struct go_facts *f, struct text rest, struct err *err);
/* What such a line said of a metric before; a metric that was used cannot change any more. */
void go_facts_apply(struct go_facts *f, const char *metric, enum direction *direction);
/* The facts of a run, as JSON, and what is to be said of them. */
void go_facts_write(const struct go_facts *f, struct buf *out);
void go_facts_note(const struct go_facts *f, struct sink *sink);

/* ---- several packages at once ---- */

struct go_reading;

/* One package's output: lines of one test process come in order. */
struct go_stream {
	struct text package;   /* owned by the reading */
	struct buf name;       /* the benchmark whose result is awaited; empty: none */
	bool awaited, between; /* it began its line; other output came behind it */
	struct buf partial;    /* of test2json: a line without its end */
};

struct go_stream *go_stream_of(struct go_reading *g, const char *package); /* "": not known */
int go_line(struct go_reading *g, struct go_stream *s, struct text line, struct err *err);
void go_flush(struct go_reading *g, struct go_stream *s); /* what is awaited does not come */

/* The output that `go test -json` (cmd/test2json) wraps. */
int go_json(struct go_reading *g, struct input *in, struct err *err);

#endif
