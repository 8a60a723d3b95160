/*
 * report-read-private: what the two files of report-read share: the report under construction, and
 * how its members are read.
 */
#ifndef REPORT_READ_PRIVATE_H
#define REPORT_READ_PRIVATE_H

#include "intern.h"
#include "json.h"
#include "report.h"

enum { SERIES_MAX = 250000, LINES_MAX = 10000, TEXT_MAX = 64 << 10, TEXTS_MAX = 128 << 20 };

struct text_list {
	const char **v;
	size_t n, cap;
};

/* One verdict and what belongs to it. */
struct read_series {
	struct judged j;
	struct pair pair;
	struct proof proof;
	bool proven, gates;
};

/* What makes a document a report, and what it says of its verdicts; -1: nothing yet. */
struct claims {
	bool schema, version, verdicts;
	int64_t exit, judged;
};

struct read_report {
	struct report r;
	struct intern *texts; /* all strings */
	struct read_series *series;
	size_t n, cap;
	struct judged *verdicts;
	struct text_list lists[4]; /* policy_changes, notes, next, machine */
	struct claims claims;
};

/* The string, kept. NULL with err set: it is too long, or there are too many. */
const char *keep_text(struct read_report *x, const char *s, size_t max, struct err *err);

/* Members of an object: 1, 0 absent or null (*ret is untouched), -1 with err set. */
int read_text(struct read_report *x, const struct jv *o, const char *key, const char **ret,
	struct err *err);
int read_sha(struct read_report *x, const struct jv *o, const char *key, const char **ret,
	struct err *err); /* a beginning of one at least */
int read_distance(const struct jv *o, int *ret, struct err *err);

/* One verdict. Its pointers are set by link_series(), which also sets the report's options so that
 * each verdict gates, or does not, as the file says; -1 with err set where none make it so. */
int read_series(struct read_report *x, const struct jv *v, struct err *err);
int link_series(struct read_report *x, struct err *err);

#endif
