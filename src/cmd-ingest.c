#include "command.h"

#include "baseline.h"
#include "documents.h"
#include "place.h"
#include "storing.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct ingest {
	const char *store, *format, *name, *component, *newer_than;
	struct place_options place;
	bool allow_truncated, force, dry_run, json;
};

#define O(field) offsetof(struct ingest, field)

static const struct opt opts[] = {OPT_STORE(struct ingest),
	{"commit", 'c', OPT_STRING, O(place.commit), "REV",
		"the commit that was measured (default: the document's, else HEAD)"},
	{"runner", 'r', OPT_STRING, O(place.runner), "NAME",
		"the class of machine (default: the document's host, else this one)"},
	OPT_SESSION_BRANCH(struct ingest),
	{"env", 0, OPT_STRING, O(place.env), "FILE",
		"commit, runner and session as `perfgate env` printed them where it was measured"},
	{"format", 'f', OPT_STRING, O(format), "FORMAT",
		"do not detect the format (perfgate formats)"},
	{"name", 0, OPT_STRING, O(name), "NAME",
		"the benchmark's name where the document has none (callgrind.out)"},
	{"component", 0, OPT_STRING, O(component), "PATH",
		"prefix benchmark names: a part of a monorepo"},
	{"newer-than", 0, OPT_STRING, O(newer_than), "FILE|TIME",
		"in folders, skip files that are not newer"},
	{"allow-truncated", 0, OPT_FLAG, O(allow_truncated), NULL, "take a trace that was cut off"},
	OPT_TREE_STATE(struct ingest),
	{"force", 0, OPT_FLAG, O(force), NULL,
		"store runs of another repository beside those that are there"},
	{"dry-run", 'n', OPT_FLAG, O(dry_run), NULL, "read and check everything, store nothing"},
	OPT_JSON(struct ingest), OPT_END};

#undef O

struct ingesting {
	const struct ingest *o;
	struct context c;
	struct place place;
	struct storing storing;
	struct buf json;
	size_t documents, failed;
};

static void report_error(const struct err *err)
{
	complain("%s", err->msg);
}

static const char *placed_words(enum placed p, bool dry_run)
{
	if (p == PLACED_ALREADY)
		return "already stored";
	if (p == PLACED_DROPPED)
		return "dropped earlier, not stored again (perfgate store drop --undo)";
	return dry_run ? "checked, not stored" : "";
}

static void text_line(const struct document *d, const struct batch_run *r, const struct placing *p,
	enum placed placed, bool dry_run)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	const char *words = placed_words(placed, dry_run);

	document_name(&b, d);
	buf_addf(&b, ": %s, %zu series, %zu sample%s", r->head.format, r->series, r->samples,
		plural(r->samples));
	if (r->absences)
		buf_addf(&b, ", %zu without a number", r->absences);
	buf_addf(&b, ", commit %.12s%s, runner %s", p->sha,
		strcmp(p->tree_state, "clean") ? " (changed)" : "", p->runner_key);
	if (*words)
		buf_addf(&b, ": %s", words);
	print_line("%s", b.p);
}

static void no_runs_line(const struct document *d)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	document_name(&b, d);
	buf_addf(&b, ": %s, no runs", d->reader->name);
	print_line("%s", b.p);
}

static void json_line(struct buf *out, const struct document *d, const struct batch_run *r,
	const struct placing *p, enum placed placed, bool dry_run)
{
	static const char *const words[] = {[PLACED_STORED] = "stored",
		[PLACED_ALREADY] = "already stored",
		[PLACED_DROPPED] = "dropped"};
	_cleanup_(buf_release) struct buf name = BUF_INIT;

	document_name(&name, d);
	buf_addstr(out, out->len > 1 ? ",\n {\"document\": " : "\n {\"document\": ");
	text_json(out, name.p, name.len);
	buf_addstr(out, ", \"format\": ");
	text_json_str(out, r->head.format);
	buf_addstr(out, ", \"suite\": ");
	text_json_str(out, r->head.suite);
	buf_addf(out,
		", \"series\": %zu, \"samples\": %zu, \"absences\": %zu, \"commit\": \"%s\", \"tree_state\": ",
		r->series, r->samples, r->absences, p->sha);
	text_json_str(out, p->tree_state);
	buf_addstr(out, ", \"runner\": ");
	text_json_str(out, p->runner_key);
	buf_addf(out, ", \"digest\": \"%s\", \"result\": \"%s\"}", r->digest,
		dry_run ? "checked" : words[placed]);
}

static void print_runs(struct ingesting *g, const struct document *d, struct batch *b,
	const struct placing *p, const enum placed *placed)
{
	size_t i;

	for (i = 0; i < batch_runs(b); i++) {
		if (g->o->json)
			json_line(&g->json, d, batch_run(b, i), &p[i], placed[i], g->o->dry_run);
		else
			text_line(d, batch_run(b, i), &p[i], placed[i], g->o->dry_run);
	}
	if (i == 0 && !g->o->json)
		no_runs_line(d);
}

static void print_notes(const struct document *d, const struct batch *b)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	char *const *notes;
	size_t n = batch_notes(b, &notes), i;

	document_name(&name, d);
	for (i = 0; i < n; i++)
		note("%s: %s", buf_str(&name), notes[i]);
}

static int place_all(struct ingesting *g, const struct document *d, struct batch *b,
	struct placing *placings, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	size_t i;

	document_name(&name, d);
	for (i = 0; i < batch_runs(b); i++)
		if (place_run(&g->place, batch_run(b, i), name.p, &placings[i], err) < 0)
			return -1;
	return 0;
}

/* The commit under which the same content was stored before: 1 and its SHA, 0 none, -1. */
static int find_elsewhere(struct ingesting *g, const struct batch_run *run, const char *sha,
	char ret[65], struct err *err)
{
	struct store_runs runs = {0};
	int r = store_runs_by_digest(g->c.store, run->digest, &runs, err);
	size_t i;

	for (i = 0; r == 0 && i < runs.n; i++) {
		if (!strcmp(runs.v[i].sha, sha))
			continue;
		snprintf(ret, 65, "%s", runs.v[i].sha);
		r = 1;
	}
	store_runs_release(&runs);
	return r;
}

/* A document that says when it was measured was measured once; at another commit it is a file that
 * an earlier build left behind. One that names its commit itself is not. */
static int note_leftovers(struct ingesting *g, const struct document *d, struct batch *b,
	const struct placing *placings, const enum placed *placed, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	char other[65];
	size_t i;
	int r;

	document_name(&name, d);
	for (i = 0; i < batch_runs(b); i++) {
		const struct batch_run *run = batch_run(b, i);
		if (placed[i] != PLACED_STORED || run->head.history || run->head.sha ||
			run->head.started_at == TIME_UNKNOWN)
			continue;
		r = find_elsewhere(g, run, placings[i].sha, other, err);
		if (r < 0)
			return -1;
		if (r > 0)
			note("%s: the same content is stored under commit %.12s too; was it left over from an earlier build? (--newer-than skips old files)",
				buf_str(&name), other);
		if (r > 0)
			break;
	}
	return 0;
}

/* Names in a history are what they are: a prefix would make other series of them. */
static int check_component(const struct ingesting *g, const struct document *d, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;

	if (!g->o->component || !d->reader->history)
		return 0;
	document_name(&name, d);
	return err_set(err, ERR_USAGE,
		"%s: --component cannot be given to a document of format %s, whose runs carry their own names and component",
		buf_str(&name), d->reader->name);
}

static int read_document(
	struct ingesting *g, struct document *d, struct batch **ret, struct err *err)
{
	struct read_options read = {.name = g->o->name, .allow_truncated = g->o->allow_truncated};

	if (check_component(g, d, err) < 0)
		return -1;
	*ret = document_read(d, &read, g->o->component, BATCH_STORE, err);
	return *ret ? 0 : -1;
}

static int ingest_document(struct ingesting *g, struct document *d, struct err *err)
{
	_cleanup_(batch_freep) struct batch *b = NULL;
	_cleanup_(freep) struct placing *placings = NULL;
	_cleanup_(freep) enum placed *placed = NULL;

	if (read_document(g, d, &b, err) < 0)
		return -1;
	placings = xcalloc(batch_runs(b), sizeof(*placings));
	placed = xcalloc(batch_runs(b), sizeof(*placed));
	if (place_all(g, d, b, placings, err) < 0)
		return -1;
	if (!g->o->dry_run && (storing_add(&g->storing, b, placings, placed, err) < 0 ||
				      note_leftovers(g, d, b, placings, placed, err) < 0))
		return -1;
	print_notes(d, b);
	print_runs(g, d, b, placings, placed);
	return 0;
}

static void ingest_documents(struct ingesting *g, struct documents *docs)
{
	size_t i;

	for (i = 0; i < docs->n; i++) {
		struct err err = ERR_INIT;

		if (ingest_document(g, &docs->v[i], &err) < 0) {
			report_error(&err);
			g->failed++;
		}
		fflush(stdout);
	}
	if (docs->skipped_unknown)
		note("%zu file%s of no format that perfgate reads skipped", docs->skipped_unknown,
			plural(docs->skipped_unknown));
	if (docs->skipped_old)
		note("%zu file%s skipped as not newer", docs->skipped_old,
			plural(docs->skipped_old));
}

static int ingest(struct ingesting *g, char **args, int n, struct err *err)
{
	const struct ingest *o = g->o;
	struct search search = {
		.format = o->format, .newer_than = TIME_UNKNOWN, .report = report_error};
	struct documents docs;

	if (o->place.clean && o->place.dirty)
		return err_set(err, ERR_USAGE, "--clean and --dirty exclude each other");
	if (o->newer_than && newer_than_parse(o->newer_than, &search.newer_than, err) < 0)
		return err_prefix(err, "--newer-than");
	if (context_init(&g->c, o->store, err) < 0 || context_load_policy(&g->c, NULL, err) < 0 ||
		place_init(&g->place, &g->c, &o->place, err) < 0)
		return -1;
	g->place.note = note;
	g->storing = (struct storing){.c = &g->c, .place = &g->place, .force = o->force};
	if (documents_find(&docs, args, n, &search, err) < 0)
		return -1;
	if (docs.n && !o->dry_run && context_open_store(&g->c, STORE_WRITE, err) < 0) {
		documents_release(&docs);
		return -1;
	}
	ingest_documents(g, &docs);
	g->failed += (size_t)docs.failed;
	documents_release(&docs);
	return 0;
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct ingesting g = {.o = values};
	int r;

	buf_addch(&g.json, '[');
	r = ingest(&g, args, n, err);
	if (r == 0 && g.o->json)
		printf("%s\n]\n", g.json.p);
	buf_release(&g.json);
	place_release(&g.place);
	context_release(&g.c);
	return r < 0 ? -1 : g.failed ? 2 : 0;
}

const struct command cmd_ingest = {.name = "ingest",
	.args = "FILE|FOLDER|-...",
	.summary = "read benchmark documents into the store",
	.help = "Detects each document's format, checks it to its last byte and stores it in one\n"
		"transaction; a document with an error is named and nothing of it is stored. Folders\n"
		"are searched for everything that perfgate reads. The same run again is no error.\n"
		"Exit status: 0 all stored (durably), 2 something was not.",
	.opts = opts,
	.values_size = sizeof(struct ingest),
	.min_args = 1,
	.max_args = -1,
	.run = run};
