#include "command.h"

#include "baseline.h"
#include "documents.h"
#include "intern.h"
#include "joining.h"
#include "place.h"
#include "storing.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct ingest {
	const char *store, *format, *name, *component, *newer_than;
	struct opt_list suites, maps;
	struct place_options place;
	bool allow_truncated, force, dry_run, json;
};

/* Runs of a document that have a line each. */
enum { RUNS_LISTED = 20 };

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
	{"suite", 0, OPT_LIST, O(suites), "NAME",
		"of a history, only this suite of it (repeat for more)"},
	{"map", 0, OPT_LIST, O(maps), "REGEX=SUITE:BENCHMARK:METRIC",
		"the series that names of a history or of custom arrays stand for"},
	{"newer-than", 0, OPT_STRING, O(newer_than), "FILE|TIME",
		"in folders, skip files that are not newer"},
	{"allow-truncated", 0, OPT_FLAG, O(allow_truncated), NULL, "take a trace that was cut off"},
	OPT_TREE_STATE(struct ingest),
	{"force", 0, OPT_FLAG, O(force), NULL,
		"store runs of another repository beside those that are there"},
	{"dry-run", 'n', OPT_FLAG, O(dry_run), NULL,
		"store nothing; say what would join which series"},
	OPT_JSON(struct ingest), OPT_END};

#undef O

struct ingesting {
	const struct ingest *o;
	struct context c;
	struct place place;
	struct storing storing;
	struct naming_map *naming;
	char *branch; /* of histories */
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
	if (p == PLACED_PRUNED)
		return "pruned earlier, not stored again (perfgate store prune --undo)";
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

/* How many commits runs are of, and how many runners. */
static void count_places(const struct placing *p, size_t n, size_t *commits, size_t *runners)
{
	struct intern *shas = intern_new(), *keys = intern_new();
	size_t i;

	for (i = 0; i < n; i++) {
		intern_add(shas, p[i].sha, strlen(p[i].sha));
		intern_add(keys, p[i].runner_key, strlen(p[i].runner_key));
	}
	*commits = intern_count(shas);
	*runners = intern_count(keys);
	intern_free(shas);
	intern_free(keys);
}

static void add_results(struct buf *text, const enum placed *placed, size_t n)
{
	size_t count[PLACED_PRUNED + 1] = {0}, i;

	for (i = 0; i < n; i++)
		count[placed[i]]++;
	buf_addf(text, "%zu stored, %zu already stored", count[PLACED_STORED],
		count[PLACED_ALREADY]);
	if (count[PLACED_DROPPED])
		buf_addf(text, ", %zu %s", count[PLACED_DROPPED],
			placed_words(PLACED_DROPPED, false));
	if (count[PLACED_PRUNED])
		buf_addf(
			text, ", %zu %s", count[PLACED_PRUNED], placed_words(PLACED_PRUNED, false));
}

/* Of many runs, whose lines would fill the terminal. */
static void history_line(const struct document *d, struct batch *b, const struct placing *p,
	const enum placed *placed, bool dry_run)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	const size_t n = batch_runs(b);
	size_t commits, runners;

	count_places(p, n, &commits, &runners);
	document_name(&text, d);
	buf_addf(&text, ": %s, %zu run%s of %zu commit%s, %u series, %zu sample%s, ",
		d->reader->name, n, plural(n), commits, plural(commits), batch_series_count(b),
		batch_samples(b), plural(batch_samples(b)));
	if (runners > 1)
		buf_addf(&text, "%zu runners: ", runners);
	else
		buf_addf(&text, "runner %s: ", p[0].runner_key);
	if (dry_run)
		buf_addstr(&text, placed_words(PLACED_STORED, true));
	else
		add_results(&text, placed, n);
	print_line("%s", text.p);
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
		[PLACED_DROPPED] = "dropped",
		[PLACED_PRUNED] = "pruned"};
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
	const bool history = batch_runs(b) > RUNS_LISTED ||
			     (d->reader->history && d->reader->foreign && batch_runs(b));
	size_t i;

	if (history && !g->o->json) {
		history_line(d, b, p, placed, g->o->dry_run);
		return;
	}
	for (i = 0; i < batch_runs(b); i++) {
		if (g->o->json)
			json_line(&g->json, d, batch_run(b, i), &p[i], placed[i], g->o->dry_run);
		else
			text_line(d, batch_run(b, i), &p[i], placed[i], g->o->dry_run);
	}
	if (i == 0 && !g->o->json)
		no_runs_line(d);
}

/* ---- what joins what ---- */

static void joined_line(const struct joined *j)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addf(&b, "  %s  %s:%s:%s", j->known ? "joins" : "new  ", j->suite, j->series.benchmark,
		j->series.metric.name);
	if (*j->series.variant)
		buf_addf(&b, " [%s]", j->series.variant);
	buf_addf(&b, ": %zu point%s", j->points, plural(j->points));
	if (j->absences)
		buf_addf(&b, ", %zu without a number", j->absences);
	if (strcmp(j->first, j->last) != 0)
		buf_addf(&b, ", commits %.12s to %.12s", j->first, j->last);
	else
		buf_addf(&b, ", commit %.12s", j->first);
	if (j->origin)
		buf_addf(&b, ", from '%s'", j->origin);
	print_line("%s", b.p);
}

static void joined_json(struct buf *out, const struct document *d, const struct joined *j)
{
	const struct {
		const char *key, *value;
	} texts[] = {{"suite", j->suite}, {"benchmark", j->series.benchmark},
		{"metric", j->series.metric.name}, {"variant", j->series.variant},
		{"runner", j->runner_key}, {"origin", j->origin}, {"first", j->first},
		{"last", j->last}};
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	size_t i;

	document_name(&name, d);
	buf_addstr(out, out->len > 1 ? ",\n {\"document\": " : "\n {\"document\": ");
	text_json(out, name.p, name.len);
	for (i = 0; i < ARRAY_LEN(texts); i++) {
		buf_addf(out, ", \"%s\": ", texts[i].key);
		text_json_str(out, texts[i].value);
	}
	buf_addf(out, ", \"points\": %zu, \"absences\": %zu, \"result\": \"%s\"}", j->points,
		j->absences, j->known ? "joins" : "new");
}

static int print_joined(struct ingesting *g, const struct document *d, struct batch *b,
	const struct placing *placings, struct err *err)
{
	_cleanup_(freep) struct joined *v = NULL;
	size_t n, i;

	if (joining_find(b, placings, g->naming, &v, &n, err) < 0)
		return -1;
	for (i = 0; i < n; i++) {
		if (g->o->json)
			joined_json(&g->json, d, &v[i]);
		else
			joined_line(&v[i]);
	}
	return 0;
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

/* Names in a store's history are what they are: a prefix would make other series of them. */
static int check_component(const struct ingesting *g, const struct document *d, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;

	if (!g->o->component || !d->reader->history || d->reader->foreign)
		return 0;
	document_name(&name, d);
	return err_set(err, ERR_USAGE,
		"%s: --component cannot be given to a document of format %s, whose runs carry their own names and component",
		buf_str(&name), d->reader->name);
}

/* What a history that names no branch was measured on: the default branch, as far as anybody says.
 */
static int find_branch(struct ingesting *g, const char **ret, struct err *err)
{
	static const char remote[] = "origin/";
	const char *base = policy_base(g->c.policy);

	if (base && !strncmp(base, remote, strlen(remote)))
		base += strlen(remote);
	if (!g->branch && g->o->place.branch)
		g->branch = xstrdup(g->o->place.branch);
	if (!g->branch && base)
		g->branch = xstrdup(base);
	if (!g->branch && g->c.git && git_origin_head(&g->branch, err) < 0)
		return -1;
	if (!g->branch && g->c.git && git_branch(g->c.git))
		g->branch = xstrdup(git_branch(g->c.git));
	*ret = g->branch;
	return 0;
}

static int read_document(
	struct ingesting *g, struct document *d, struct batch **ret, struct err *err)
{
	struct read_options read = {.name = g->o->name,
		.allow_truncated = g->o->allow_truncated,
		.component = g->o->component,
		.runner = g->o->place.runner,
		.suites = g->o->suites.v,
		.n_suites = g->o->suites.n};

	if (check_component(g, d, err) < 0)
		return -1;
	if (d->reader->foreign || g->o->dry_run) {
		read.naming = naming_map_naming(g->naming);
		if (naming_map_load(g->naming, err) < 0 || find_branch(g, &read.branch, err) < 0)
			return -1;
	}
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
	return g->o->dry_run ? print_joined(g, d, b, placings, err) : 0;
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

/* A dry run looks at a store that is there. */
static int open_store(struct ingesting *g, struct err *err)
{
	const struct ingest *o = g->o;
	int there = 1;

	if (o->dry_run)
		there = g->c.store_path ? store_exists(g->c.store_path, err) : 0;
	if (there < 0 || (there && context_open_store(
					   &g->c, o->dry_run ? STORE_READ : STORE_WRITE, err) < 0))
		return -1;
	g->naming = naming_map_new(o->maps.v, o->maps.n, g->c.store, o->component, err);
	return g->naming ? 0 : -1;
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
	if (docs.n && open_store(g, err) < 0) {
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
	naming_map_free(g.naming);
	free(g.branch);
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
