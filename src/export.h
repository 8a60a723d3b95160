/*
 * export: a store as text. docs/perfgate-formats.7 describes the format, ingest/export.c reads it.
 *
 * Whoever writes to a file looks at its error indicator at the end.
 */
#ifndef EXPORT_H
#define EXPORT_H

#include <stdio.h>

#include "store.h"

/* The first line; of version 2 where there are recorded gates, which version 1 did not have. */
#define EXPORT_HEAD "{\"perfgate\":\"export\",\"version\":1}\n"
#define EXPORT_HEAD_2 "{\"perfgate\":\"export\",\"version\":2}\n"

/* Everything, in a fixed order. */
int export_all(FILE *f, struct store *s, struct err *err);

/* Its parts, in the order in which they have to come. */
void export_head(FILE *f, int version);
int export_commit(void *f, const struct commit_fact *c, struct err *err);
int export_tombstone(void *f, const struct tombstone *t, struct err *err);
int export_judgement(void *f, const struct judgement_fact *j, struct err *err);
/* A run's line and all of its series. */
int export_run(FILE *f, struct store *s, const struct store_run *r, struct err *err);
/* Its line alone, which names the digest of the rest. */
void export_run_line(FILE *f, const struct store_run *r);
/* A member that is a time, or null. */
void export_add_time(struct buf *b, const char *key, int64_t ns);

/* Every sample on a line of its own that says all about it (format samples): without commits'
 * parents, facts of runs and tombstones. */
int export_samples(FILE *f, struct store *s, struct err *err);

#endif
