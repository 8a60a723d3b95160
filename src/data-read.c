/* A file of a depot on its way into a store. */
#include "data-file.h"

#include "documents.h"
#include "intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int bring(struct depot *d, const struct depot_file *file, const char *path, struct err *err)
{
	char name[65];
	FILE *f;
	int r;

	if (file->size > DEPOT_FILE_MAX)
		return err_set(err, ERR_FORMAT,
			"%lld bytes are more than %d, which one file may have", file->size,
			DEPOT_FILE_MAX);
	f = fopen(path, "we");
	if (!f)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	r = depot_read(d, file, f, err);
	if (fclose(f) && r == 0)
		r = err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (r < 0 || data_name_of_file(path, name, err) < 0)
		return -1;
	if (strcmp(name, file->name))
		return err_set(err, ERR_FORMAT,
			"its content is not what its name says (the digest is %.12s): it was damaged or is none of perfgate's",
			name);
	return 0;
}

static void count(struct batch *b, const enum placed *placed, struct data_counts *c)
{
	struct intern *sessions = intern_new();
	size_t i;

	for (i = 0; i < batch_runs(b); i++) {
		const char *session = batch_run(b, i)->head.session;

		c->added += placed[i] == PLACED_STORED;
		c->already += placed[i] == PLACED_ALREADY;
		c->dropped += placed[i] == PLACED_DROPPED;
		if (placed[i] == PLACED_STORED)
			intern_add(sessions, session ? session : "", session ? strlen(session) : 0);
	}
	c->sessions += intern_count(sessions);
	intern_free(sessions);
}

static int put(struct batch *b, struct place *place, struct store *to, const char *root, bool force,
	struct data_counts *counts, struct err *err)
{
	_cleanup_(freep) struct placing *placings = xcalloc(batch_runs(b) + 1, sizeof(*placings));
	_cleanup_(freep) enum placed *placed = xcalloc(batch_runs(b) + 1, sizeof(*placed));
	size_t i;

	for (i = 0; i < batch_runs(b); i++)
		if (place_run(place, batch_run(b, i), DEPOT_BRANCH, &placings[i], err) < 0)
			return -1;
	if (store_add(to, b, placings, NULL, 0, root, force, placed, err) < 0)
		return -1;
	count(b, placed, counts);
	return 0;
}

/* The name of a temporary file tells nobody anything. */
static void forget_path(struct err *err, const char *path)
{
	size_t n = strlen(path);

	if (!strncmp(err->msg, path, n) && err->msg[n] == ':')
		memmove(err->msg, err->msg + n + 1, strlen(err->msg + n + 1) + 1);
	if (!strncmp(err->msg, " ", 1))
		memmove(err->msg, err->msg + 1, strlen(err->msg));
}

int data_file_take(struct depot *d, const struct depot_file *file, struct place *place,
	struct store *to, const char *root, bool force, struct data_counts *counts, struct err *err)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", depot_folder(d), file->name);
	_cleanup_(batch_freep) struct batch *b = NULL;
	struct input *in = input_file(path);
	struct document document = {.reader = reader_find("perfgate"), .in = &in, .n = 1};
	struct read_options options = {0};
	int r = bring(d, file, path, err);

	if (r == 0) {
		b = document_read(&document, &options, NULL, BATCH_STORE, err);
		r = b ? put(b, place, to, root, force, counts, err) : -1;
	}
	input_free(in);
	unlink(path);
	if (r == 0)
		return 0;
	forget_path(err, path);
	return err_prefix(err, "%s", file->path);
}
