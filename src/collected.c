#include "collected.h"

#include "command.h"
#include "documents.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* ---- documents ---- */

static void report_error(const struct err *err)
{
	complain("%s", err->msg);
}

static void add(struct collected *c, struct batch *b, char *name)
{
	c->v = xgrow(c->v, c->n, &c->cap, sizeof(*c->v));
	c->names = xgrow(c->names, c->n, &c->cap_names, sizeof(*c->names));
	c->v[c->n] = b;
	c->names[c->n++] = name;
}

/* The name of a document without the folder that will be gone. */
static char *name_in_run(const struct tree *t, size_t run, const struct document *d)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	const char *folder = t->runs[run].documents, *s;

	document_name(&name, d);
	s = buf_str(&name);
	if (!strncmp(s, folder, strlen(folder)))
		s += strlen(folder) + 1;
	return xasprintf("%.80s, run %zu: %s", t->rev, run + 1, s);
}

static int read_all(struct collected *c, const struct tree *t, size_t run, struct documents *docs,
	const struct read_options *read, struct err *err)
{
	size_t i;

	for (i = 0; i < docs->n; i++) {
		struct batch *b = document_read(&docs->v[i], read, NULL, BATCH_STORE, err);
		if (!b)
			return err_prefix(err, "%.80s, run %zu", t->rev, run + 1);
		add(c, b, name_in_run(t, run, &docs->v[i]));
	}
	return 0;
}

static bool is_empty(const char *folder)
{
	DIR *d = opendir(folder);
	const struct dirent *e = NULL;

	while (d && (e = readdir(d)) && (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..")))
		;
	if (d)
		closedir(d);
	return d && !e;
}

/* How many documents the run wrote; -1 with err set. A folder with other things only is an error.
 */
static int collect_run(struct collected *c, const struct tree *t, size_t run,
	const struct read_options *read, struct err *err)
{
	const struct search search = {.newer_than = TIME_UNKNOWN, .report = report_error};
	struct documents docs;
	char *folder = t->runs[run].documents;
	int r, n;

	if (is_empty(folder))
		return 0;
	r = documents_find(&docs, &folder, 1, &search, err);
	if (r < 0)
		return -1;
	n = (int)docs.n;
	if (docs.failed)
		r = err_set(err, ERR_FORMAT, "%.80s, run %zu: a document cannot be used", t->rev,
			run + 1);
	if (r == 0)
		r = read_all(c, t, run, &docs, read, err);
	documents_release(&docs);
	return r < 0 ? -1 : n;
}

/* ---- the command itself ---- */

struct cost {
	struct metric metric;
	int64_t (*of)(const struct launched *l); /* -1: the kernel does not count */
	enum counter counter;                    /* that it is of, where it can be -1 */
};

static int64_t wall(const struct launched *l)
{
	return l->wall;
}

static int64_t ns_of(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000000000 + (int64_t)t.tv_usec * 1000;
}

static int64_t user(const struct launched *l)
{
	return ns_of(l->usage.ru_utime);
}

static int64_t in_system(const struct launched *l)
{
	return ns_of(l->usage.ru_stime);
}

/* The kernel knows the sum of both exactly, and which was which from its ticks only. */
static int64_t cpu(const struct launched *l)
{
	return user(l) + in_system(l);
}

static int64_t memory(const struct launched *l)
{
	return (int64_t)l->usage.ru_maxrss * 1024;
}

static int64_t minor_faults(const struct launched *l)
{
	return l->usage.ru_minflt;
}

static int64_t major_faults(const struct launched *l)
{
	return l->usage.ru_majflt;
}

static int64_t voluntary(const struct launched *l)
{
	return l->usage.ru_nvcsw;
}

static int64_t involuntary(const struct launched *l)
{
	return l->usage.ru_nivcsw;
}

static int64_t instructions(const struct launched *l)
{
	return l->counts.v[COUNTER_INSTRUCTIONS];
}

static int64_t cycles(const struct launched *l)
{
	return l->counts.v[COUNTER_CYCLES];
}

#define TIME "ns", "time", DIRECTION_LOWER
#define COUNT "count", "count", DIRECTION_LOWER

static const struct cost costs[] = {
	{.metric = {"wall_ns", TIME}, .of = wall},
	{.metric = {"cpu_ns", TIME}, .of = cpu},
	{.metric = {"user_ns", TIME}, .of = user},
	{.metric = {"system_ns", TIME}, .of = in_system},
	{.metric = {"peak_memory_bytes", "B", "bytes", DIRECTION_LOWER}, .of = memory},
	{.metric = {"minor_faults", COUNT}, .of = minor_faults},
	{.metric = {"major_faults", COUNT}, .of = major_faults},
	{.metric = {"voluntary_switches", COUNT}, .of = voluntary},
	{.metric = {"involuntary_switches", COUNT}, .of = involuntary},
	{.metric = {"user_instructions", COUNT},
		.of = instructions,
		.counter = COUNTER_INSTRUCTIONS},
	{.metric = {"user_cycles", COUNT}, .of = cycles, .counter = COUNTER_CYCLES},
};

/* Why the kernel did not count in one of the runs; NULL: it did in all. */
static const char *why_not(const struct tree *t, size_t n, const struct cost *c)
{
	size_t k;

	for (k = 0; k < n; k++)
		if (c->of(&t->runs[k].launched) < 0)
			return t->runs[k].launched.counts.why[c->counter];
	return NULL;
}

static int put_cost(struct sink *s, int run, const struct tree *t, size_t n, const char *name,
	const struct cost *c, struct err *err)
{
	const int64_t series = s->series(s, name, &c->metric, "", err);
	const char *why = why_not(t, n, c);
	size_t k;

	if (series < 0)
		return -1;
	if (why)
		return s->absence(s, run, series, SINK_UNSUPPORTED, why, err);
	for (k = 0; k < n; k++)
		if (s->sample(s, run, series, num_int(c->of(&t->runs[k].launched)), err) < 0)
			return -1;
	return 0;
}

static int put_costs(
	struct sink *s, const struct tree *t, size_t n, const char *name, struct err *err)
{
	const struct run_head head = {.suite = "command",
		.format = "measure",
		.format_version = "1",
		.started_at = t->runs[0].launched.started_at};
	int run = s->run(s, &head, err);
	size_t i;

	for (i = 0; run >= 0 && i < ARRAY_LEN(costs); i++)
		if (put_cost(s, run, t, n, name, &costs[i], err) < 0)
			return -1;
	return run < 0 ? -1 : 0;
}

static int collect_costs(struct collected *c, const struct tree *t, size_t n, const char *command,
	const char *name, struct err *err)
{
	const char *slash = strrchr(command, '/');
	struct batch *b = batch_new(NULL);

	if (!name)
		name = slash && slash[1] ? slash + 1 : command;
	if (put_costs(batch_sink(b), t, n, name, err) < 0 ||
		batch_finish(b, BATCH_STORE, err) < 0) {
		batch_free(b);
		return -1;
	}
	add(c, b, xasprintf("%.80s: %s", t->rev, name));
	return 0;
}

/* ---- both ---- */

int collect(struct collected *ret, const struct tree *t, size_t n, const char *command,
	const char *name, struct err *err)
{
	const struct read_options read = {.name = name};
	size_t run;
	int first = 0, got;

	for (run = 0; run < n; run++) {
		got = collect_run(ret, t, run, &read, err);
		if (got < 0)
			return -1;
		first = run ? first : got;
		if (got != first)
			return err_set(err, ERR_FORMAT,
				"%.80s: run %zu wrote %d document%s into PERFGATE_OUT, the first run %d",
				t->rev, run + 1, got, got == 1 ? "" : "s", first);
	}
	return n && !first ? collect_costs(ret, t, n, command, name, err) : 0;
}

void collected_release(struct collected *c)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		batch_free(c->v[i]);
		free(c->names[i]);
	}
	free(c->v);
	free(c->names);
}
