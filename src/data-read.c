/* Files of a depot on their way into a store: checked one by one, stored many at a time, since each
 * transaction waits for the disk. */
#include "data-file.h"

#include "documents.h"
#include "export.h"
#include "intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUNDLE_FILES = 500, BUNDLE_BYTES = 4 << 20 };

/* Files that are read as one document. */
struct bundle {
	const struct taker *t;
	struct data_counts *counts;
	bool again;
	char *path, *one; /* temporary files: the bundle, and a file on its way there */
	FILE *f;
	long long bytes;
	const struct depot_file *files[BUNDLE_FILES];
	size_t n;
};

static int check_name(const struct depot_file *file, const char *path, struct err *err)
{
	char name[65];

	if (data_name_of_file(path, name, err) < 0)
		return -1;
	if (strcmp(name, file->name))
		return err_set(err, ERR_FORMAT,
			"its content is not what its name says (the digest is %.12s): it was damaged or is none of perfgate's",
			name);
	return 0;
}

static int bring(struct depot *d, const struct depot_file *file, const char *path, struct err *err)
{
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
	return r < 0 ? -1 : check_name(file, path, err);
}

static void count(struct batch *b, const enum placed *placed, struct data_counts *c)
{
	struct intern *sessions = intern_new();
	const struct judgement_fact *judgements;
	size_t i;

	for (i = 0; i < batch_runs(b); i++) {
		const char *session = batch_run(b, i)->head.session;

		c->added += placed[i] == PLACED_STORED;
		c->already += placed[i] == PLACED_ALREADY;
		c->dropped += placed[i] == PLACED_DROPPED;
		c->pruned += placed[i] == PLACED_PRUNED;
		if (placed[i] == PLACED_STORED)
			intern_add(sessions, session ? session : "", session ? strlen(session) : 0);
	}
	c->sessions += intern_count(sessions);
	c->judgements += batch_judgements(b, &judgements);
	intern_free(sessions);
}

static int put(const struct bundle *u, struct batch *b, struct err *err)
{
	_cleanup_(freep) struct placing *placings = xcalloc(batch_runs(b) + 1, sizeof(*placings));
	_cleanup_(freep) enum placed *placed = xcalloc(batch_runs(b) + 1, sizeof(*placed));
	const struct taker *t = u->t;
	size_t i;

	for (i = 0; i < batch_runs(b); i++)
		if (place_run(t->place, batch_run(b, i), DEPOT_BRANCH, &placings[i], err) < 0)
			return -1;
	if (store_add(t->to, b, placings, NULL, 0, t->root, t->force, placed, err) < 0)
		return -1;
	count(b, placed, u->counts);
	return 0;
}

/* In one transaction: what is damaged leaves no trace. */
static int take_document(const struct bundle *u, const char *path, struct err *err)
{
	_cleanup_(batch_freep) struct batch *b = NULL;
	struct input *in = input_file(path);
	struct document document = {.reader = reader_find("perfgate"), .in = &in, .n = 1};
	struct read_options options = {0};

	b = document_read(&document, &options, NULL, BATCH_STORE, err);
	input_free(in);
	return b ? put(u, b, err) : -1;
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

/* An error of the file's own ends nothing. */
static int tell(const struct bundle *u, const struct depot_file *file, int r, struct err *err)
{
	if (r < 0 && err->code != ERR_FORMAT)
		return -1;
	if (r < 0) {
		forget_path(err, u->one);
		err_prefix(err, "%s", file->path);
	}
	u->t->done(u->t->ctx, file, u->again, r < 0 ? err : NULL);
	err_clear(err);
	return 0;
}

static int take_one(const struct bundle *u, const struct depot_file *file, struct err *err)
{
	int r = bring(u->t->d, file, u->one, err);

	if (r == 0)
		r = take_document(u, u->one, err);
	return tell(u, file, r, err);
}

static int take_each(const struct bundle *u, struct err *err)
{
	size_t i;

	for (i = 0; i < u->n; i++)
		if (take_one(u, u->files[i], err) < 0)
			return -1;
	return 0;
}

static int begin(struct bundle *u, struct err *err)
{
	u->n = 0;
	u->bytes = 0;
	u->f = u->f ? freopen(u->path, "we", u->f) : fopen(u->path, "we");
	return u->f ? 0 : err_set(err, ERR_IO, "%s: %s", u->path, strerror(errno));
}

/* All files of the bundle; where one of them has an error, each alone, so that it is named. */
static int take_bundle(struct bundle *u, struct err *err)
{
	size_t i;
	int r;

	if (u->n == 0)
		return 0;
	if (fflush(u->f) || ferror(u->f))
		return err_set(err, ERR_IO, "%s: %s", u->path, strerror(errno));
	r = take_document(u, u->path, err);
	if (r < 0 && err->code != ERR_FORMAT)
		return -1;
	err_clear(err);
	if (r < 0 && take_each(u, err) < 0)
		return -1;
	for (i = 0; r == 0 && i < u->n; i++)
		tell(u, u->files[i], 0, err);
	return begin(u, err);
}

/* Its lines but for the first, which says that it is an export: 1, 0 when it says something else.
 */
static int append(struct bundle *u, struct err *err)
{
	_cleanup_(fclosep) FILE *from = fopen(u->one, "re");
	char chunk[16384] = "";
	size_t n;

	if (!from)
		return err_set(err, ERR_IO, "%s: %s", u->one, strerror(errno));
	if (!fgets(chunk, sizeof(chunk), from) ||
		(strcmp(chunk, EXPORT_HEAD) && strcmp(chunk, EXPORT_HEAD_2)))
		return 0;
	if (u->n == 0)
		fputs(EXPORT_HEAD_2, u->f); /* which may hold what the other does */
	while ((n = fread(chunk, 1, sizeof(chunk), from)) > 0)
		fwrite(chunk, 1, n, u->f);
	fputc('\n', u->f);
	return ferror(from) ? err_set(err, ERR_IO, "%s: cannot be read", u->one) : 1;
}

static int add(struct bundle *u, const struct depot_file *file, struct err *err)
{
	int r;

	if (file->size > BUNDLE_BYTES)
		return take_one(u, file, err);
	r = bring(u->t->d, file, u->one, err);
	if (r < 0)
		return tell(u, file, r, err);
	r = append(u, err);
	if (r <= 0)
		return r < 0 ? -1 : take_one(u, file, err);
	u->files[u->n++] = file;
	u->bytes += file->size;
	return u->n == BUNDLE_FILES || u->bytes > BUNDLE_BYTES ? take_bundle(u, err) : 0;
}

static int one_pass(struct bundle *u, struct err *err)
{
	const struct taker *t = u->t;
	const struct depot_file *files;
	size_t n = depot_files(t->d, &files), i;
	int r = 0;

	for (i = 0; r == 0 && i < n; i++) {
		progress_update(t->progress, (double)i, (double)n);
		if (files[i].names)
			continue;
		r = t->wanted(t->ctx, &files[i], u->again, err);
		if (r != 0)
			r = r < 0 ? -1 : add(u, &files[i], err);
	}
	return r < 0 ? -1 : take_bundle(u, err);
}

static void count_again(struct data_counts *sum, const struct data_counts *more)
{
	sum->sessions += more->sessions;
	sum->added += more->added;
}

/* Where a file undoes a drop there is a second pass: the run may lie in one before it. */
static int passes(struct bundle *u, struct err *err)
{
	/* undoing makes a store forget what it has read */
	static char begun[] = "fetched:begun";
	char *marks[] = {begun};
	struct data_counts *counts = u->counts, more = {0};
	int r = store_set_marks(u->t->to, marks, 1, err);

	if (r == 0)
		r = one_pass(u, err);
	if (r == 0)
		r = store_has_mark(u->t->to, begun, err);
	if (r != 0)
		return r < 0 ? -1 : 0;
	u->again = true;
	u->counts = &more;
	r = one_pass(u, err);
	count_again(counts, &more);
	return r;
}

int data_take(const struct taker *t, struct data_counts *counts, struct err *err)
{
	struct bundle u = {.t = t, .counts = counts};
	int r;

	u.path = xasprintf("%s/bundle", depot_folder(t->d));
	u.one = xasprintf("%s/one", depot_folder(t->d));
	r = begin(&u, err);
	if (r == 0)
		r = passes(&u, err);
	if (u.f)
		fclose(u.f);
	unlink(u.path);
	unlink(u.one);
	free(u.path);
	free(u.one);
	return r;
}
