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

/* The runs that were added to the batch last. */
static int add_origins(struct collected *c, const struct tree *t, size_t tree, size_t run,
	const char *name, struct err *err)
{
	for (; c->n < batch_runs(c->b); c->n++) {
		struct run_head *h = &batch_run(c->b, c->n)->head;
		if (h->history)
			return err_set(err, ERR_FORMAT,
				"%s is an export of a store, not what the command measured", name);
		h->started_at = t->runs[run].launched.started_at;
		c->origins = xgrow(c->origins, c->n, &c->cap, sizeof(*c->origins));
		c->origins[c->n] = (struct origin){tree, run + 1, xstrdup(name)};
	}
	return 0;
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

static int read_all(struct collected *c, const struct tree *t, size_t tree, size_t run,
	struct documents *docs, const struct read_options *read, struct err *err)
{
	size_t i;

	for (i = 0; i < docs->n; i++) {
		_cleanup_(freep) char *name = name_in_run(t, run, &docs->v[i]);
		if (document_add(&docs->v[i], read, c->b, err) < 0)
			return err_prefix(err, "%.80s, run %zu", t->rev, run + 1);
		if (add_origins(c, t, tree, run, name, err) < 0)
			return -1;
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
static int collect_run(struct collected *c, const struct tree *t, size_t tree, size_t run,
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
		r = read_all(c, t, tree, run, &docs, read, err);
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

static int put_cost(struct sink *s, int run, const struct launched *l, const char *name,
	const struct cost *c, struct err *err)
{
	const int64_t series = s->series(s, name, &c->metric, "", err), value = c->of(l);

	if (series < 0)
		return -1;
	if (value < 0)
		return s->absence(s, run, series, SINK_UNSUPPORTED, l->counts.why[c->counter], err);
	return s->sample(s, run, series, num_int(value), err);
}

static int put_costs(struct sink *s, const struct launched *l, const char *name, struct err *err)
{
	static const struct run_head head = {.suite = "command",
		.format = "measure",
		.format_version = "1",
		.started_at = TIME_UNKNOWN};
	const int run = s->run(s, &head, err);
	size_t i;

	for (i = 0; run >= 0 && i < ARRAY_LEN(costs); i++)
		if (put_cost(s, run, l, name, &costs[i], err) < 0)
			return -1;
	return run < 0 ? -1 : 0;
}

static int collect_costs(
	struct collected *c, const struct measuring *m, const char *name, struct err *err)
{
	size_t i, run;

	for (i = 0; i < m->n_trees; i++)
		for (run = 0; run < m->complete; run++) {
			const struct tree *t = &m->trees[i];
			batch_begin_document(c->b);
			if (put_costs(batch_sink(c->b), &t->runs[run].launched, name, err) < 0 ||
				add_origins(c, t, i, run, name, err) < 0)
				return -1;
		}
	return 0;
}

/* ---- both ---- */

/* How many runs of each tree wrote nothing; *wrote: whether any wrote. */
static int collect_documents(struct collected *c, const struct measuring *m, const char *name,
	size_t without[TREES_MAX], bool *wrote, struct err *err)
{
	const struct read_options read = {.name = name};
	size_t i, run;

	*wrote = false;
	for (i = 0; i < m->n_trees; i++)
		for (without[i] = run = 0; run < m->complete; run++) {
			int n = collect_run(c, &m->trees[i], i, run, &read, err);
			if (n < 0)
				return -1;
			without[i] += n == 0;
			*wrote |= n > 0;
		}
	return 0;
}

static void complain_of_lack(const struct measuring *m, const size_t *without)
{
	size_t i;

	for (i = 0; i < m->n_trees; i++)
		if (without[i])
			complain("note: %.80s: %zu of %zu runs wrote no document into PERFGATE_OUT",
				m->trees[i].rev, without[i], m->complete);
}

int collect(struct collected *ret, const struct measuring *m, const char *name, const char *command,
	struct err *err)
{
	size_t without[TREES_MAX];
	bool wrote;

	ret->b = batch_new(NULL);
	if (collect_documents(ret, m, name, without, &wrote, err) < 0)
		return -1;
	if (wrote)
		complain_of_lack(m, without);
	else if (collect_costs(ret, m, command, err) < 0)
		return -1;
	return batch_finish(ret->b, BATCH_STORE, err);
}

void collected_release(struct collected *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		free(c->origins[i].name);
	free(c->origins);
	batch_free(c->b);
	*c = (struct collected){0};
}
