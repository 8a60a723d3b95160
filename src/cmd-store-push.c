#include "command.h"

#include "data-file.h"
#include "json-out.h"
#include "share.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>

struct push {
	const char *store;
	bool compact, dry_run, force, json;
};

#define O(field) offsetof(struct push, field)

static const struct opt opts[] = {OPT_STORE(struct push),
	{"compact", 0, OPT_FLAG, O(compact), NULL,
		"then put all files of the branch together into one"},
	{"dry-run", 'n', OPT_FLAG, O(dry_run), NULL, "only say what would be pushed"},
	OPT_FORCE_SHARE(struct push), OPT_JSON(struct push), OPT_END};

#undef O

struct pushing {
	const struct push *o;
	struct context *c;
	struct depot *d;
	struct data_files files;
	unsigned *marks; /* per file */
	size_t sessions, runs, drops, undone, gates, already;
	int attempts, compacted;
};

static char *path_of(const struct data_file *f)
{
	return xasprintf("data/%.2s/%s.ndjson", f->name, f->name);
}

/* The files that the branch does not have. The caller frees changes and paths. */
static size_t missing(struct pushing *p, struct depot_change *changes, size_t *which)
{
	size_t n = 0, i;

	p->sessions = p->runs = p->drops = p->undone = p->gates = p->already = 0;
	for (i = 0; i < p->files.n; i++) {
		struct data_file *f = &p->files.v[i];

		if (depot_has(p->d, f->name)) {
			p->already += f->n_runs > 0;
			continue;
		}
		p->sessions += f->n_runs > 0;
		p->gates += f->judgement != NULL;
		p->runs += f->n_runs;
		p->drops += f->drop && !f->drop->undone;
		p->undone += f->drop && f->drop->undone;
		which[n] = i;
		changes[n++] = (struct depot_change){.path = path_of(f),
			.write = data_file_write,
			.ctx = f,
			.mark = p->marks[i]};
	}
	return n;
}

static int push_missing(struct pushing *p, const char *root, struct err *err)
{
	_cleanup_(freep) struct depot_change *changes = xcalloc(p->files.n + 1, sizeof(*changes));
	_cleanup_(freep) size_t *which = xcalloc(p->files.n + 1, sizeof(*which));
	_cleanup_(freep) char *message = NULL;
	size_t n = missing(p, changes, which), i;
	int r = 1;

	if (n && !p->o->dry_run) {
		message = xasprintf("Add %zu session%s of perfgate\n", n, n == 1 ? "" : "s");
		r = depot_push(p->d, changes, n, *root ? root : NULL, message, err);
	}
	for (i = 0; i < n; i++) {
		p->marks[which[i]] = changes[i].mark;
		free(changes[i].path);
	}
	return r;
}

/* 1, 0 somebody else was faster, -1 */
static int attempt(void *ctx, struct err *err)
{
	struct pushing *p = ctx;
	char root[65];

	if (depot_fetch(p->d, err) < 0 || share_check_root(p->c, p->d, p->o->force, root, err) < 0)
		return -1;
	return push_missing(p, root, err);
}

static int push_all(struct pushing *p, struct err *err)
{
	struct progress *progress = progress_start("pushing sessions to ");
	int r;

	p->marks = xcalloc(p->files.n + 1, sizeof(*p->marks));
	progress_say(progress, "%s", depot_remote(p->d));
	r = share_try(p->d, attempt, p, &p->attempts, err);
	progress_end(progress);
	return r < 0 ? -1 : 0;
}

/* "2 sessions (3 runs), 1 drop" */
static void add_news(struct buf *b, const struct pushing *p)
{
	const struct {
		size_t n;
		const char *what;
	} news[] = {{p->sessions, "session"}, {p->drops, "drop"}, {p->undone, "undone drop"},
		{p->gates, "recorded gate"}};
	size_t i, n = 0;

	for (i = 0; i < ARRAY_LEN(news); i++) {
		if (!news[i].n)
			continue;
		buf_addf(b, "%s%zu %s%s", n++ ? ", " : "", news[i].n, news[i].what,
			plural(news[i].n));
		if (i == 0)
			buf_addf(b, " (%zu run%s)", p->runs, plural(p->runs));
	}
}

static void print_text(const struct pushing *p)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT, news = BUF_INIT;
	const char *to = depot_remote(p->d);

	add_news(&news, p);
	if (news.len)
		buf_addf(&b, "%s %s to %s", p->o->dry_run ? "would push" : "pushed", news.p, to);
	else
		buf_addf(&b, "nothing new for %s", to);
	if (p->already)
		buf_addf(&b, ", %zu session%s there already", p->already, plural(p->already));
	if (p->attempts > 1)
		buf_addf(&b, ", at attempt %d", p->attempts);
	print_line("%s", b.p);
	if (p->compacted)
		print_line("put %d files on %s together into one", p->compacted, to);
	else if (p->o->compact && !p->o->dry_run)
		print_line("nothing to put together on %s", to);
}

static void print_json(const struct pushing *p)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addch(&b, '{');
	json_string(&b, "remote", depot_remote(p->d));
	json_bool(&b, "dry_run", p->o->dry_run);
	json_int(&b, "sessions", (long long)p->sessions);
	json_int(&b, "runs", (long long)p->runs);
	json_int(&b, "drops", (long long)p->drops);
	json_int(&b, "undone", (long long)p->undone);
	json_int(&b, "gates", (long long)p->gates);
	json_int(&b, "already", (long long)p->already);
	json_int(&b, "attempts", p->attempts);
	json_int(&b, "compacted", p->compacted);
	buf_addch(&b, '}');
	puts(b.p);
}

static int push(struct pushing *p, struct err *err)
{
	if (data_files_load(&p->files, p->c->store, err) < 0 || push_all(p, err) < 0)
		return -1;
	if (p->o->compact && !p->o->dry_run) {
		p->compacted = share_compact(p->c, p->d, err);
		if (p->compacted < 0)
			return -1;
	}
	if (p->o->json)
		print_json(p);
	else
		print_text(p);
	return 0;
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct context c;
	struct pushing p = {.o = values, .c = &c};
	int r = context_init(&c, p.o->store, err);

	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0) {
		p.d = share_open(&c, n ? args[0] : "origin", err);
		r = p.d ? push(&p, err) : -1;
	}
	depot_close(p.d);
	data_files_release(&p.files);
	free(p.marks);
	context_release(&c);
	return r;
}

const struct command cmd_store_push = {.name = "push",
	.args = "[REMOTE]",
	.summary = "give a git remote the sessions that it does not have",
	.help = "The clean runs of each session go into one file on the branch perfgate-data of REMOTE (a\n"
		"name or URL that git takes; default: origin). Work tree, index, refs and objects of this\n"
		"repository are not touched. Others may push at the same time. `perfgate store fetch` brings\n"
		"them back.",
	.opts = opts,
	.values_size = sizeof(struct push),
	.min_args = 0,
	.max_args = 1,
	.run = run};
