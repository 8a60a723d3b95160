/*
 * callgrind-collect: the summaries of all files of a call, held in a compact form until the last
 * one is read, since two packages may turn out to claim one name.
 */
#ifndef CALLGRIND_COLLECT_H
#define CALLGRIND_COLLECT_H

#include "callgrind.h"

enum { PACKAGE_MAX = 256 }; /* bytes of a package's name and the slash after it */

struct metric_use {
	const char *tool, *name, *unit; /* interned */
};

struct held_value {
	uint32_t metric;
	bool known;
	unsigned char status;
	struct num value;
	const char *reason; /* a constant */
};

struct bench {
	uint32_t name, package; /* package: its directory */
	uint32_t file;
	unsigned line;
	enum summary_layout layout;
	size_t first, n;
};

struct collection {
	struct input **in;
	struct sink *sink;
	struct intern *names, *packages, *metrics, *versions, *kinds, *claims;
	struct bench *benches;
	size_t n_benches, cap_benches;
	struct held_value *values;
	size_t n_values, cap_values;
	unsigned foreign, regressions, faulty_errors, empty;
	unsigned mislabelled; /* version and layout disagree */
	char mislabel[160];
};

void collection_init(struct collection *c);
void collection_release(struct collection *c);

/* Reads every summary of c->in[file]. */
int collection_read(struct collection *c, uint32_t file, struct err *err);

struct metric_use collection_metric(const struct collection *c, uint32_t id);

/* The last component of a path, without the slashes that may follow it. */
const char *path_last(const char *path, size_t *ret_len);

#endif
