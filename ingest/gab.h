/*
 * gab: points as github-action-benchmark keeps them (its src/extract.ts and src/write.ts): a name,
 * a value, a unit, and texts with more. They become series under the names that the reader of the
 * tool that made them gives. Every point is kept, left for its parts or refused, and counted.
 */
#ifndef GAB_H
#define GAB_H

#include "intern.h"
#include "json.h"
#include "reader.h"

/* ---- one point ---- */

struct point {
	const char *name, *unit, *extra, *range; /* borrowed from the document; never NULL */
	const char *value;                       /* its token, maybe in own; NULL: null */
	char own[32];
};

/* Of a document that was opened with JS_REALS_AS_TEXT. */
int point_read(const struct jv *o, struct point *ret, struct err *err);

/* How far a value is from others, as a share of it, from any spelling of "range": 1, 0 it says
 * nothing of that kind. */
int point_spread(const struct point *p, const char *tool, double *ret);

/* ---- what a tool's names and units mean ---- */

struct tool {
	const char *name, *suite;
	const char *time, *rate, *other; /* the metric by what the unit measures */
	enum direction better;           /* where the unit does not tell */
	bool custom;                     /* ... and where it does */
};

/* An unknown tool is a suite of its own whose direction is not known. own is for its name. */
void tool_find(const char *name, struct tool *ret);

/* The series that a point is of. The strings live in scratch, with the arguments or with naming. */
struct point_names {
	struct mapped to;
	struct metric metric;
	int shift; /* of scale_parse() */
	char variant[32];
	bool unqualified; /* a Go benchmark whose package is not known */
};
/* *refused: why it can be of none, else NULL. */
int tool_names(const struct tool *t, const struct point *p, struct naming *naming,
	struct buf *scratch, struct point_names *ret, const char **refused, struct err *err);

/* A composite point of Go, which repeats its parts: "ns/op\t  6224 B/op\t  21 allocs/op". */
bool tool_composite(const struct tool *t, const struct point *p);
/* Tools with points that repeat others of their row, such as those and Google Benchmark's
 * aggregates (NAME_mean). tool_part(): whether a point is one of the others, base then names it
 * among the parts; tool_sum(): whether it repeats some of the parts; base is scratch. */
bool tool_has_parts(const struct tool *t);
bool tool_part(const struct tool *t, const struct point *p, struct buf *base);
bool tool_sum(
	const struct tool *t, const struct point *p, const struct intern *parts, struct buf *base);

/* The benchmark's name but for Go and JMH; an aggregate that is not left stands for it. */
const char *tool_benchmark(const struct tool *t, const struct point *p, struct buf *scratch);

/* ---- many ---- */

struct points; /* of one document */

struct points *points_new(struct sink *sink, const struct read_options *opts);
void points_free(struct points *ps); /* NULL is fine */

/* Points that were measured together. */
struct row {
	struct tool tool;
	uint32_t group;       /* the suite of the document, a number of points_group() */
	size_t number;        /* of the row, from 1 */
	struct run_head head; /* of the runs that it becomes, but for their suite */
	const char *refused;  /* why none of its points can be kept; NULL: they can */
	bool unwanted;        /* its suite was not asked for */
};
uint32_t points_group(struct points *ps, const char *name);

/* Begins a row, takes its points one by one or all of an array, and completes what it became.
 * Errors begin with the point. row has to live as long. */
struct rowing;
struct rowing *points_begin(struct points *ps, const struct row *row);
int points_add(struct rowing *r, const struct jv *point, struct err *err);
int points_add_all(struct rowing *r, const struct jv *array, struct err *err);
int points_end(struct rowing *r, struct err *err);
void points_done(struct rowing *r); /* NULL is fine */
void points_donep(struct rowing **r);

/* What became of all of them, in notes. */
void points_note(const struct points *ps);

#endif
