#include "documents.h"

#include "num.h"
#include "stage.h"
#include "term.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 1000000, FOLDER_DEPTH_MAX = 64 };

/* Files of one folder or all below it. */
struct paths {
	char **v;
	size_t n, cap;
};

static void paths_release(struct paths *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		free(p->v[i]);
	free(p->v);
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_suffix(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return n >= k && !strcmp(s + n - k, suffix);
}

static void add_document(struct documents *d, const struct reader *r, struct input *in)
{
	struct document *doc = NULL;
	size_t i;

	for (i = 0; r->together && i < d->n && !doc; i++)
		if (d->v[i].reader == r)
			doc = &d->v[i];
	if (!doc) {
		d->v = xgrow(d->v, d->n, &d->cap, sizeof(*d->v));
		doc = &d->v[d->n++];
		*doc = (struct document){.reader = r};
	}
	doc->in = xgrow(doc->in, doc->n, &doc->cap, sizeof(*doc->in));
	doc->in[doc->n++] = in;
}

static void failed(struct documents *d, const struct search *s, struct err *err)
{
	s->report(err);
	err_clear(err);
	d->failed++;
}

/* valgrind leaves an empty file beside the files of its threads. */
static bool has_thread_files(const char *path)
{
	_cleanup_(freep) char *first = xasprintf("%s-01", path);
	struct stat st;

	return stat(first, &st) == 0;
}

static bool is_empty_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0;
}

/* A file that was named: it has to be readable. */
static void add_named(struct documents *d, const char *path, const struct search *s)
{
	struct input *in = input_file(path);
	struct err err = ERR_INIT;
	const struct reader *r;

	if (!s->format && is_empty_file(path) && has_thread_files(path)) {
		input_free(in);
		return;
	}
	r = s->format ? reader_find(s->format) : reader_detect(in, &err);
	if (!r) {
		input_free(in);
		failed(d, s, &err);
		return;
	}
	if (strcmp(path, "-"))
		input_close(in);
	add_document(d, r, in);
}

/* ---- folders ---- */

/* Files that tools leave behind and that say nothing of this run. */
static bool is_leftover(const char *path)
{
	static const char log[] = ".clpeak.log";
	_cleanup_(freep) char *result = NULL;
	struct stat st;

	if (has_suffix(path, ".old") || strstr(path, ".out.base@"))
		return true;
	if (!has_suffix(path, log))
		return false;
	/* a log beside its finished result */
	result = xasprintf("%.*s.json", (int)(strlen(path) - 4), path);
	return stat(result, &st) == 0;
}

static int list_folder(const char *folder, struct paths *ret, int depth, struct err *err)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	int r = 0;

	if (!dir)
		return err_set(err, ERR_IO, "%s: %s", folder, strerror(errno));
	if (depth > FOLDER_DEPTH_MAX)
		r = err_set(
			err, ERR_IO, "%s: folders nested deeper than %d", folder, FOLDER_DEPTH_MAX);
	while (r == 0 && (e = readdir(dir))) {
		char *path;
		struct stat st;

		if (e->d_name[0] == '.')
			continue;
		path = xasprintf("%s%s%s", folder, has_suffix(folder, "/") ? "" : "/", e->d_name);
		if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
			r = list_folder(path, ret, depth + 1, err);
		} else if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
			if (ret->n >= FILES_MAX)
				r = err_set(err, ERR_IO, "%s: more than a million files", folder);
			ret->v = xgrow(ret->v, ret->n, &ret->cap, sizeof(*ret->v));
			ret->v[ret->n++] = path;
			continue;
		}
		free(path);
	}
	closedir(dir);
	return r;
}

static bool is_old(const char *path, int64_t limit)
{
	struct stat st;

	return limit != TIME_UNKNOWN && stat(path, &st) == 0 &&
	       (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec <= limit;
}

static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

/* A folder with a summary.json keeps the raw files that it was made from beside it. */
static bool beside_summary(const struct paths *p, const bool *summary, size_t at)
{
	size_t len = folder_length(p->v[at]), i;

	for (i = at;
		i-- > 0 && folder_length(p->v[i]) >= len && !strncmp(p->v[i], p->v[at], len + 1);)
		if (summary[i] && folder_length(p->v[i]) == len)
			return true;
	for (i = at + 1;
		i < p->n && folder_length(p->v[i]) >= len && !strncmp(p->v[i], p->v[at], len + 1);
		i++)
		if (summary[i] && folder_length(p->v[i]) == len)
			return true;
	return false;
}

/* One file of a folder; in is NULL when it is not wanted. */
static void sort_out(struct documents *d, const struct paths *p, size_t i, const struct search *s,
	const struct reader **readers_of, struct input **in)
{
	struct err ignored = ERR_INIT, err = ERR_INIT;

	if (is_leftover(p->v[i]))
		return;
	if (is_old(p->v[i], s->newer_than)) {
		d->skipped_old++;
		return;
	}
	if (is_empty_file(p->v[i])) {
		const char *base = p->v[i] + folder_length(p->v[i]) + 1;
		if (!strncmp(base, "callgrind.out", 13) && !has_thread_files(p->v[i])) {
			err_set(&err, ERR_FORMAT,
				"%s: is empty; the program it was to describe was killed", p->v[i]);
			failed(d, s, &err);
		}
		return;
	}
	in[i] = input_file(p->v[i]);
	readers_of[i] = s->format ? reader_find(s->format) : reader_detect(in[i], &ignored);
	input_close(in[i]);
	if (!readers_of[i]) {
		input_free(in[i]);
		in[i] = NULL;
		if (ignored.code == ERR_IO)
			failed(d, s, &ignored);
		else
			d->skipped_unknown++;
	}
}

static void add_folder(struct documents *d, const char *folder, const struct search *s)
{
	struct paths p = {0};
	struct err err = ERR_INIT;
	const struct reader **found;
	struct input **in;
	bool *summary;
	size_t i, used = 0;

	if (list_folder(folder, &p, 0, &err) < 0)
		failed(d, s, &err);
	if (p.n)
		qsort(p.v, p.n, sizeof(*p.v), compare_paths);
	found = xcalloc(p.n, sizeof(*found));
	in = xcalloc(p.n, sizeof(struct input *));
	summary = xcalloc(p.n, sizeof(*summary));
	for (i = 0; i < p.n; i++) {
		sort_out(d, &p, i, s, found, in);
		summary[i] = found[i] && !strcmp(found[i]->name, "callgrind-summary");
	}
	for (i = 0; i < p.n; i++) {
		if (!in[i])
			continue;
		if (!strcmp(found[i]->name, "callgrind-out") && beside_summary(&p, summary, i)) {
			input_free(in[i]);
			continue;
		}
		add_document(d, found[i], in[i]);
		used++;
	}
	if (used == 0 && !d->failed) {
		err_set(&err, ERR_FORMAT,
			"%s: no document in this folder that perfgate reads (%zu files looked at, %zu too old)",
			folder, p.n, d->skipped_old);
		failed(d, s, &err);
	}
	free(found);
	free(in);
	free(summary);
	paths_release(&p);
}

int documents_find(
	struct documents *ret, char **operands, int n, const struct search *s, struct err *err)
{
	struct stat st;
	int i;

	PERFGATE_SCOPE("find documents");
	*ret = (struct documents){0};
	if (s->format && !reader_find(s->format))
		return err_set(err, ERR_USAGE, "no format '%.60s'; 'perfgate formats' lists them",
			s->format);
	for (i = 0; i < n; i++) {
		if (strcmp(operands[i], "-") && stat(operands[i], &st) == 0 && S_ISDIR(st.st_mode))
			add_folder(ret, operands[i], s);
		else
			add_named(ret, operands[i], s);
	}
	return 0;
}

void documents_release(struct documents *d)
{
	size_t i, k;

	for (i = 0; i < d->n; i++) {
		for (k = 0; k < d->v[i].n; k++)
			input_free(d->v[i].in[k]);
		free(d->v[i].in);
	}
	free(d->v);
	*d = (struct documents){0};
}

void document_name(struct buf *out, const struct document *d)
{
	if (d->n == 1)
		buf_addstr(out, input_name(d->in[0]));
	else
		buf_addf(out, "%zu files, the first %s", d->n, input_name(d->in[0]));
}

struct reading {
	struct document *d;
	struct progress *progress;
};

static void show_reading(void *ctx)
{
	const struct reading *r = ctx;
	int64_t done = 0, of = 0;
	size_t i;

	for (i = 0; i < r->d->n; i++) {
		int64_t size = input_size(r->d->in[i]);
		done += input_position(r->d->in[i]);
		of = size < 0 || of < 0 ? -1 : of + size;
	}
	progress_update(r->progress, (double)done, r->d->n == 1 ? (double)of : 0);
}

int document_add(
	struct document *d, const struct read_options *opts, struct batch *b, struct err *err)
{
	_cleanup_(buf_release) struct buf what = BUF_INIT;
	struct reading reading = {.d = d};
	int r;

	PERFGATE_SCOPE("read a document");
	buf_addstr(&what, "reading ");
	document_name(&what, d);
	reading.progress = progress_start(what.p);
	if (reading.progress)
		batch_on_progress(b, show_reading, &reading);
	batch_begin_document(b);
	r = d->reader->read(d->in, d->n, opts, batch_sink(b), err);
	batch_on_progress(b, NULL, NULL);
	progress_end(reading.progress);
	return r;
}

struct batch *document_read(struct document *d, const struct read_options *opts,
	const char *component, enum batch_use use, struct err *err)
{
	struct batch *b = batch_new(component);

	if (document_add(d, opts, b, err) == 0 && batch_finish(b, use, err) == 0)
		return b;
	batch_free(b);
	return NULL;
}

int newer_than_parse(const char *text, int64_t *ret, struct err *err)
{
	struct stat st;

	if (stat(text, &st) == 0) {
		*ret = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
		return 0;
	}
	return time_parse(text, ret, err);
}
