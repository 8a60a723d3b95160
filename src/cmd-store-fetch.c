#include "command.h"

#include "data-file.h"
#include "json-out.h"
#include "share.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct fetch {
	const char *store;
	bool all, force, json;
};

#define O(field) offsetof(struct fetch, field)

static const struct opt opts[] = {OPT_STORE(struct fetch),
	{"all", 'a', OPT_FLAG, O(all), NULL, "read files again that were read before"},
	OPT_FORCE_SHARE(struct fetch), OPT_JSON(struct fetch), OPT_END};

#undef O

struct fetching {
	const struct fetch *o;
	struct context c;
	struct depot *d;
	struct place place;
	char **marks; /* to be set: of what was read */
	size_t n_marks, cap_marks;
	struct data_counts counts;
	size_t files, before, failed;
	bool nothing_there;
};

/* 1 the store remembers it, 0 it does not (or is not to), -1. */
static int was_read(struct fetching *f, const char *object, struct err *err)
{
	_cleanup_(freep) char *mark = xasprintf("fetched:%s", object);

	return f->o->all ? 0 : store_has_mark(f->c.store, mark, err);
}

static void remember(struct fetching *f, const char *object)
{
	f->marks = xgrow(f->marks, f->n_marks, &f->cap_marks, sizeof(*f->marks));
	f->marks[f->n_marks++] = xasprintf("fetched:%s", object);
}

static int is_wanted(void *ctx, const struct depot_file *file, bool again, struct err *err)
{
	struct fetching *f = ctx;
	int r = again ? 0 : was_read(f, file->blob, err);

	f->before += r > 0;
	return r < 0 ? -1 : !r;
}

/* What was wrong with a file in the first pass is in the second. */
static void done(void *ctx, const struct depot_file *file, bool again, const struct err *e)
{
	struct fetching *f = ctx;

	if (!e)
		remember(f, file->blob);
	f->files += !e && !again;
	f->failed += e && !again;
	if (e && !again)
		complain("%s", e->msg);
}

/* After an error all is read again: what was undone last may have been refused before. */
static int fetch_files(struct fetching *f, const char *root, struct err *err)
{
	struct taker t = {.d = f->d,
		.place = &f->place,
		.to = f->c.store,
		.root = root,
		.force = f->o->force,
		.progress = progress_start("reading sessions"),
		.wanted = is_wanted,
		.done = done,
		.ctx = f};
	int r = data_take(&t, &f->counts, err);

	progress_end(t.progress);
	if (r < 0)
		return -1;
	if (!f->failed)
		remember(f, depot_tip(f->d));
	return store_set_marks(f->c.store, f->marks, f->n_marks, err);
}

static int fetch_branch(struct fetching *f, struct err *err)
{
	static const struct place_options nothing_said;
	const char *first;
	const char *root = NULL;
	char own[65], known[65];
	size_t strangers;

	if (depot_fetch(f->d, err) < 0 || store_root(f->c.store, known, err) < 0 ||
		share_check_root(&f->c, f->d, f->o->force, own, err) < 0 ||
		place_init(&f->place, &f->c, &nothing_said, err) < 0)
		return -1;
	f->place.note = note;
	strangers = depot_strangers(f->d, &first);
	if (strangers)
		note("%zu file%s on the branch " DEPOT_BRANCH
		     " of %s left alone, being none of perfgate's: %s%s",
			strangers, plural(strangers), depot_remote(f->d), first,
			strangers > 1 ? ", ..." : "");
	/* a store that does not know yet what it holds learns it */
	if (!*known && !f->o->force)
		root = *own ? own : *depot_root(f->d) ? depot_root(f->d) : NULL;
	return fetch_files(f, root, err);
}

static int fetch(struct fetching *f, struct err *err)
{
	char tip[65];
	int r = depot_look(f->d, tip, err);

	if (r <= 0) {
		f->nothing_there = true;
		return r;
	}
	if (context_open_store(&f->c, STORE_WRITE, err) < 0)
		return -1;
	r = was_read(f, tip, err);
	return r == 0 ? fetch_branch(f, err) : r < 0 ? -1 : 0;
}

static void print_text(const struct fetching *f)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	const struct data_counts *n = &f->counts;
	const char *from = depot_remote(f->d);

	if (f->nothing_there)
		buf_addf(&b, "%s has no branch " DEPOT_BRANCH " yet: nothing to fetch", from);
	else if (!f->files && !f->failed)
		buf_addf(&b, "nothing new from %s", from);
	else
		buf_addf(&b, "fetched %zu session%s (%zu run%s) from %s", n->sessions,
			plural(n->sessions), n->added, plural(n->added), from);
	if (n->judgements)
		buf_addf(&b, ", %zu recorded gate%s", n->judgements, plural(n->judgements));
	if (n->already)
		buf_addf(&b, ", %zu run%s already here", n->already, plural(n->already));
	if (n->dropped)
		buf_addf(&b, ", %zu dropped earlier", n->dropped);
	if (n->pruned)
		buf_addf(&b, ", %zu pruned earlier", n->pruned);
	if (f->failed)
		buf_addf(&b, ", %zu file%s skipped", f->failed, plural(f->failed));
	print_line("%s", b.p);
}

static void print_json(const struct fetching *f)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addch(&b, '{');
	json_string(&b, "remote", depot_remote(f->d));
	json_int(&b, "sessions", (long long)f->counts.sessions);
	json_int(&b, "runs", (long long)f->counts.added);
	json_int(&b, "already", (long long)f->counts.already);
	json_int(&b, "dropped", (long long)f->counts.dropped);
	json_int(&b, "gates", (long long)f->counts.judgements);
	json_int(&b, "pruned", (long long)f->counts.pruned);
	json_int(&b, "files", (long long)f->files);
	json_int(&b, "read_before", (long long)f->before);
	json_int(&b, "failed", (long long)f->failed);
	buf_addch(&b, '}');
	puts(b.p);
}

static void release(struct fetching *f)
{
	size_t i;

	for (i = 0; i < f->n_marks; i++)
		free(f->marks[i]);
	free(f->marks);
	depot_close(f->d);
	place_release(&f->place);
	context_release(&f->c);
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct fetching f = {.o = values};
	int r = context_init(&f.c, f.o->store, err);

	if (r == 0) {
		f.d = share_open(&f.c, n ? args[0] : "origin", err);
		r = f.d ? fetch(&f, err) : -1;
	}
	if (r == 0 && f.o->json)
		print_json(&f);
	else if (r == 0)
		print_text(&f);
	release(&f);
	return r < 0 ? -1 : f.failed ? 2 : 0;
}

const struct command cmd_store_fetch = {.name = "fetch",
	.args = "[REMOTE]",
	.summary = "take in the sessions that others gave a git remote",
	.help = "Reads the branch perfgate-data of REMOTE (a name or URL that git takes; default: origin),\n"
		"each file whole or not at all. Needs no right but to read. A file with an error is named and\n"
		"skipped; the others are taken, and the exit status is 2.",
	.opts = opts,
	.values_size = sizeof(struct fetch),
	.min_args = 0,
	.max_args = 1,
	.run = run};
