/* Compaction of a depot: by way of a store of its own, so that what nobody here has fetched is kept
 * as well. */
#include "share.h"

#include "command.h"
#include "data-file.h"
#include "export.h"
#include "intern.h"
#include "sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a file of all may hold: hosts refuse large ones, and a document has its limits. */
enum { TOGETHER_MAX = 32 << 20 };

struct compacting {
	struct depot *d;
	struct place place;
	struct store *all;
	struct intern *chosen, *taken, *damaged; /* names of files */
	char *path;                              /* the export of all */
	char name[65];
	struct buf names; /* the list of those that it holds */
	struct depot_change *changes;
	size_t n, cap;
	int files;
};

static void ignore_note(const char *fmt, ...) PRINTF_LIKE(1, 2);
static void ignore_note(const char *fmt, ...)
{
	(void)fmt;
}

static bool has(const struct intern *in, const char *name)
{
	return intern_find(in, name, strlen(name)) != INTERN_NONE;
}

static int compare_sizes(const void *a, const void *b)
{
	const struct depot_file *x = *(const struct depot_file *const *)a,
				*y = *(const struct depot_file *const *)b;

	return x->size != y->size ? (x->size > y->size) - (x->size < y->size)
				  : strcmp(x->name, y->name);
}

/* The small ones first. */
static void choose(struct compacting *k)
{
	const struct depot_file *files;
	size_t n = depot_files(k->d, &files), i;
	_cleanup_(freep) const struct depot_file **v = xcalloc(n + 1, sizeof(*v));
	long long sum = 0;

	for (i = 0; i < n; i++)
		v[i] = &files[i];
	qsort(v, n, sizeof(*v), compare_sizes);
	intern_free(k->chosen);
	k->chosen = intern_new();
	for (i = 0; i < n; i++) {
		if (v[i]->names || has(k->damaged, v[i]->name))
			continue;
		sum += v[i]->size;
		if (sum > TOGETHER_MAX)
			return;
		intern_add(k->chosen, v[i]->name, strlen(v[i]->name));
	}
}

/* What was taken before is there already, but for what was dropped then and is undone now. */
static int is_wanted(void *ctx, const struct depot_file *file, bool again, struct err *err)
{
	const struct compacting *k = ctx;

	(void)err;
	return has(k->chosen, file->name) && (again || !has(k->taken, file->name));
}

static void done(void *ctx, const struct depot_file *file, bool again, const struct err *e)
{
	struct compacting *k = ctx;

	(void)again;
	if (e)
		complain("%s; it stays as it is", e->msg);
	intern_add(e ? k->damaged : k->taken, file->name, strlen(file->name));
}

static int take_all(struct compacting *k, struct err *err)
{
	struct data_counts counts = {0};
	struct taker t = {.d = k->d,
		.place = &k->place,
		.to = k->all,
		.force = true,
		.wanted = is_wanted,
		.done = done,
		.ctx = k};

	return data_take(&t, &counts, err);
}

static bool is_done(const struct compacting *k, const struct depot_file *file)
{
	return !file->names && has(k->chosen, file->name) && has(k->taken, file->name);
}

static int export_to(struct compacting *k, struct err *err)
{
	FILE *f = fopen(k->path, "we");
	int r = f ? export_all(f, k->all, err)
		  : err_set(err, ERR_IO, "%s: %s", k->path, strerror(errno));

	if (f && (ferror(f) | fclose(f)) && r == 0)
		r = err_set(err, ERR_IO, "%s: %s", k->path, strerror(errno));
	return r < 0 ? -1 : data_name_of_file(k->path, k->name, err);
}

static int write_all_runs(void *ctx, FILE *f, struct err *err)
{
	const struct compacting *k = ctx;
	FILE *from = fopen(k->path, "re");
	char chunk[65536];
	size_t n;

	if (!from)
		return err_set(err, ERR_IO, "%s: %s", k->path, strerror(errno));
	while ((n = fread(chunk, 1, sizeof(chunk), from)) > 0)
		fwrite(chunk, 1, n, f);
	n = (size_t)ferror(from);
	fclose(from);
	return n ? err_set(err, ERR_IO, "%s: cannot be read", k->path) : 0;
}

static int write_names(void *ctx, FILE *f, struct err *err)
{
	const struct compacting *k = ctx;

	(void)err;
	fwrite(k->names.p, 1, k->names.len, f);
	return 0;
}

static void change(struct compacting *k, char *path, int (*write)(void *, FILE *, struct err *))
{
	k->changes = xgrow(k->changes, k->n, &k->cap, sizeof(*k->changes));
	k->changes[k->n++] = (struct depot_change){.path = path, .write = write, .ctx = k};
}

static void forget_changes(struct compacting *k)
{
	while (k->n)
		free(k->changes[--k->n].path);
}

/* Names of files that stay. */
static struct intern *staying(const struct compacting *k)
{
	struct intern *in = intern_new();
	const struct depot_file *files;
	size_t n = depot_files(k->d, &files), i;

	for (i = 0; i < n; i++)
		if (!files[i].names && !is_done(k, &files[i]))
			intern_add(in, files[i].name, strlen(files[i].name));
	return in;
}

static void list_names(struct compacting *k)
{
	struct intern *stay = staying(k);
	const char(*names)[65];
	size_t n = depot_names(k->d, &names), i;

	buf_clear(&k->names);
	for (i = 0; i < n; i++)
		if (!has(stay, names[i]) && (i == 0 || strcmp(names[i], names[i - 1])))
			buf_addf(&k->names, "%s\n", names[i]);
	intern_free(stay);
}

static void plan(struct compacting *k)
{
	const struct depot_file *files;
	size_t n = depot_files(k->d, &files), i;
	char digest[65];

	forget_changes(k);
	for (i = 0; i < n; i++)
		if (files[i].names || is_done(k, &files[i]))
			change(k, xstrdup(files[i].path), NULL);
	list_names(k);
	sha256_hex(k->names.p, k->names.len, digest);
	change(k, xasprintf("data/%.2s/%s.ndjson", k->name, k->name), write_all_runs);
	change(k, xasprintf("names/%s.txt", digest), write_names);
}

/* 1 done, 0 somebody was faster, -1, 2 there is nothing to do. */
static int attempt(void *ctx, struct err *err)
{
	struct compacting *k = ctx;
	const struct depot_file *files;
	size_t n, i;
	int r = depot_fetch(k->d, err);

	if (r <= 0)
		return r < 0 ? -1 : 2;
	choose(k);
	if (take_all(k, err) < 0)
		return -1;
	n = depot_files(k->d, &files);
	k->files = 0;
	for (i = 0; i < n; i++)
		k->files += is_done(k, &files[i]);
	if (k->files < 2)
		return 2;
	if (export_to(k, err) < 0)
		return -1;
	plan(k);
	return depot_push(k->d, k->changes, k->n, NULL, "Compact the sessions of perfgate\n", err);
}

static int compact(struct compacting *k, struct err *err)
{
	int attempts, r = share_try(k->d, attempt, k, &attempts, err);

	return r == 1 ? k->files : r == 2 ? 0 : -1;
}

int share_compact(struct context *c, struct depot *d, struct err *err)
{
	static const struct place_options nothing_said;
	_cleanup_(freep) char *path = xasprintf("%s/all.db", depot_folder(d));
	struct compacting k = {.d = d, .taken = intern_new(), .damaged = intern_new()};
	int r = place_init(&k.place, c, &nothing_said, err);

	k.place.note = ignore_note;
	k.path = xasprintf("%s/all.ndjson", depot_folder(d));
	if (r == 0) {
		k.all = store_open(path, STORE_WRITE, err);
		r = k.all ? compact(&k, err) : -1;
	}
	store_close(k.all);
	place_release(&k.place);
	intern_free(k.chosen);
	intern_free(k.taken);
	intern_free(k.damaged);
	forget_changes(&k);
	free(k.changes);
	buf_release(&k.names);
	free(k.path);
	return r;
}
