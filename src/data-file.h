/*
 * data-file: one file of a depot: an export (export.h) of the clean runs of one session, with their
 * commits and the unmeasured ones before them; or of the runs that one command dropped, or whose
 * drop it undid; or of one recorded gate. What undid the drop of a run that is here again lies in the file of its session:
 * that gives the file a new name, under which it goes to those who have dropped the run.
 *
 * A file's name is the SHA-256 of its lines that tell of runs, tombstones and judgements. Such a line
 * holds the digest of the rest of it, which the reader checks, so the name stands for all of it but
 * for the commits: two stores that know more or less of their ancestry give the same session the
 * same name.
 */
#ifndef DATA_FILE_H
#define DATA_FILE_H

#include "depot.h"
#include "place.h"
#include "store.h"
#include "term.h"

struct data_file {
	char name[65];
	size_t first, n_runs;       /* of data_files.runs */
	const struct dropped *drop; /* of a file of dropped or undone runs; NULL */
	const char *judgement;      /* the text of a file of a recorded gate; NULL */
	struct data_files *all;
};

/* The files that a store has to give. */
struct data_files {
	struct store *s;
	struct store_runs stored;
	const struct store_run **runs; /* the clean ones, by session */
	size_t n_runs;
	struct intern *measured; /* their commits */
	struct intern *pruned;   /* sessions that were pruned in part, */
	int64_t *pruned_at;      /* and when */
	size_t cap_pruned;
	struct data_file *v;
	size_t n, cap;
	struct dropped {
		int64_t at;
		bool undone;
		struct buf lines;
		struct intern *commits;
	} * drops;
	size_t n_drops, cap_drops;
	struct intern *undone_keys;
	char **judgements;
	size_t n_judgements, cap_judgements;
	struct undone {
		char *line, *sha;
		int64_t at;
		bool with_run;
	} * undone; /* by undone_keys */
	size_t cap_undone;
};

int data_files_load(struct data_files *ret, struct store *s, struct err *err);
void data_files_release(struct data_files *f);

/* Writes a file; file is a struct data_file. */
int data_file_write(void *file, FILE *f, struct err *err);

/* The name that fits the file at path. */
int data_name_of_file(const char *path, char ret[65], struct err *err);

struct data_counts {
	size_t sessions;                        /* with new runs */
	size_t added, already, dropped, pruned; /* runs */
	size_t judgements;                      /* read, new or not */
};

/* Takes files of a depot into a store. */
struct taker {
	struct depot *d;
	struct place *place;
	struct store *to;
	const char *root; /* NULL: unknown */
	bool force;
	struct progress *progress; /* NULL: none */
	/* Whether a file is to be read: 1, 0, -1. again: in the second pass, which there is where
	 * one undid a drop. */
	int (*wanted)(void *ctx, const struct depot_file *f, bool again, struct err *err);
	/* What became of it; e is NULL, or the file's own error, with its path. */
	void (*done)(void *ctx, const struct depot_file *f, bool again, const struct err *e);
	void *ctx;
};
int data_take(const struct taker *t, struct data_counts *counts, struct err *err);

#endif
