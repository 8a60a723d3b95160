/*
 * callgrind-layout: how the layouts of a summary put their numbers together, shared by the files
 * that know one layout each. Errors lack the place in the input; whoever calls summary_decode()
 * knows it.
 */
#ifndef CALLGRIND_LAYOUT_H
#define CALLGRIND_LAYOUT_H

#include "callgrind.h"

/*
 * Values of one tool entry (s->source) under the same name are summed, those of two entries are an
 * error. Names are borrowed from the document.
 */
int summary_add_count(
	struct summary *s, const char *tool, const char *name, int64_t n, struct err *err);
int summary_add_absent(struct summary *s, const char *tool, const char *name,
	enum sink_status status, const char *reason, struct err *err);

/* Every member of a map from metric name to its new and old number, in the form of s->layout. */
int summary_add_map(struct summary *s, const char *tool, const struct jv *map, struct err *err);
int summary_add_regressions(struct summary *s, const struct jv *o, struct err *err);

/* Members that have to be there. member_needed() takes what a jv_get_ function returned. */
int member_needed(int found, const char *key, struct err *err);
int member_object(const struct jv *o, const char *key, const struct jv **ret, struct err *err);
int member_array(const struct jv *o, const char *key, const struct jv **ret, struct err *err);
int member_element(
	const struct jv *array, size_t i, const char *key, const struct jv **ret, struct err *err);
int member_wrong(const char *field, const struct jv *v, const char *expected, struct err *err);

/* Versions 1 and 2: the object callgrind_summary, and one run of another tool. */
int summary_callgrind_1(struct summary *s, const struct jv *callgrind, struct err *err);
int summary_run_1(struct summary *s, const char *tool, const struct jv *run, struct err *err);

#endif
