/*
 * documents: from the operands of a command to documents read: files, standard input, and folders
 * searched for whatever a reader knows.
 */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include "batch.h"
#include "reader.h"

/* Inputs that are read as one document. */
struct document {
	const struct reader *reader;
	struct input **in;
	size_t n, cap;
};

struct documents {
	struct document *v;
	size_t n, cap;
	size_t skipped_unknown; /* files in folders that nobody reads */
	size_t skipped_old;     /* older than --newer-than */
	int failed;             /* operands that could not be used; each was reported */
};

struct search {
	const char *format; /* --format or NULL */
	int64_t newer_than; /* ns since 1970; files in folders that are not newer are skipped;
			       TIME_UNKNOWN */
	void (*report)(const struct err
			*err); /* an operand or file that cannot be used; the rest goes on */
};

/* Fills ret from operands. Returns -1 only for an unusable search (no such format). */
int documents_find(
	struct documents *ret, char **operands, int n, const struct search *s, struct err *err);
void documents_release(struct documents *d);

/* What to call a document in messages: its file, or "N files, the first FILE". */
void document_name(struct buf *out, const struct document *d);

/* Reads one document to its end, with progress on a terminal: into a batch that others may follow
 * in, or into a finished one of its own; NULL with err set. */
int document_add(
	struct document *d, const struct read_options *opts, struct batch *b, struct err *err);
struct batch *document_read(struct document *d, const struct read_options *opts,
	const char *component, enum batch_use use, struct err *err);

/* A time ("2026-11-29T12:00:00Z") or a file, whose time of change it stands for. */
int newer_than_parse(const char *text, int64_t *ret, struct err *err);

#endif
