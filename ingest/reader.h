/*
 * reader: one format of documents. The table is in reader.c, whose comment lists the steps of
 * adding one.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"
#include "input.h"
#include "naming.h"
#include "sink.h"

struct read_options {
	const char
		*name; /* --name: the benchmark's name where the document has none; may be NULL */
	bool allow_truncated;  /* --allow-truncated */
	const char *component; /* --component; may be NULL */

	/* Of histories that know commits and nothing of machines; NULL: not said. */
	const char *runner, *branch;
	const char *const *suites; /* --suite: those of its suites that are wanted; none: all */
	size_t n_suites;
	struct naming *naming; /* for names of others; NULL: as they are */
};

struct reader {
	const char *name; /* what --format takes */
	const char *suite;
	const char *summary; /* one line for `perfgate formats` */

	/*
	 * How sure the reader is that a document beginning with head[0..len) is its own: 0 no, 1 it
	 * looks alike, 100 certain. len is under INPUT_HEAD only when the document is that short.
	 */
	int (*sniff)(const char *head, size_t len);

	/*
	 * together: all documents of this format in one call are one run and are handed over at
	 * once (callgrind writes a file per benchmark, per part, per thread). Otherwise n is 1.
	 */
	bool together;

	/* Its runs say themselves where they belong (run_head.history). */
	bool history;

	/* Its names are those of others: read_options.naming is asked. */
	bool foreign;

	/*
	 * Reads to the last byte. Returns 0, or -1 with err set: "FILE:LINE: ..." or "FILE: element
	 * N
	 * ('NAME'), field 'KEY': ...". After an error whoever owns the sink throws its content
	 * away.
	 */
	int (*read)(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
		struct err *err);
};

extern const struct reader *const readers[]; /* ends with NULL */

const struct reader *reader_find(const char *name); /* NULL when unknown */

/* The surest reader of the document. NULL with err set: what it looks like, what is accepted. */
const struct reader *reader_detect(struct input *in, struct err *err);

#endif
