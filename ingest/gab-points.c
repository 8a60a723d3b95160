#include "gab.h"

#include "go.h"
#include "scale.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_MAX = 64 << 20 };

/* What a name, a unit and the number of processors of a group come to. */
struct known {
	uint32_t suite; /* in points.suites */
	int64_t series, cpu;
	int shift;
	bool with_cpu; /* Google Benchmark's second time is read too */
	const char *refused;
};

struct reason {
	size_t n;
	char *first; /* where it was met first */
};

struct points {
	struct sink *sink;
	const struct read_options *opts;
	struct intern *groups, *suites;
	struct intern *keys; /* of known, by the same number */
	struct known *known;
	size_t cap_known;
	struct intern *owners; /* series with their suites; by the same number: */
	uint32_t *owner;       /* the group that has it */
	size_t cap_owner;
	struct intern *reasons;
	struct reason *reason;
	size_t n_reason;
	struct buf key, scratch, base;
	size_t rows, all, kept, sums, refused, unwanted, unqualified;
};

struct points *points_new(struct sink *sink, const struct read_options *opts)
{
	struct points *ps = xcalloc(1, sizeof(*ps));

	ps->sink = sink;
	ps->opts = opts;
	ps->groups = intern_new();
	ps->suites = intern_new();
	ps->keys = intern_new();
	ps->owners = intern_new();
	ps->reasons = intern_new();
	return ps;
}

void points_free(struct points *ps)
{
	size_t i;

	if (!ps)
		return;
	for (i = 0; i < ps->n_reason; i++)
		free(ps->reason[i].first);
	free(ps->reason);
	free(ps->known);
	free(ps->owner);
	intern_free(ps->groups);
	intern_free(ps->suites);
	intern_free(ps->keys);
	intern_free(ps->owners);
	intern_free(ps->reasons);
	buf_release(&ps->key);
	buf_release(&ps->scratch);
	buf_release(&ps->base);
	free(ps);
}

uint32_t points_group(struct points *ps, const char *name)
{
	return intern_add(ps->groups, name, strlen(name));
}

static const char *group_name(const struct points *ps, uint32_t group)
{
	return intern_get(ps->groups, group, NULL);
}

/* ---- refusals ---- */

static void refuse(struct points *ps, const struct row *row, const struct point *p, const char *why)
{
	uint32_t id = intern_add(ps->reasons, why, strlen(why));

	ps->refused++;
	ps->reason = xgrow_to(ps->reason, &ps->n_reason, id, sizeof(*ps->reason));
	if (ps->reason[id].n++ == 0)
		ps->reason[id].first = xasprintf("%s%.100s%srow %zu, '%.100s', value '%.40s'",
			*group_name(ps, row->group) ? "suite '" : "", group_name(ps, row->group),
			*group_name(ps, row->group) ? "', " : "", row->number, p->name,
			p->value ? p->value : "null");
}

/* ---- from names to series ---- */

/* The same series in two groups would be two machines' in one line. */
static int check_owner(struct points *ps, const struct row *row, const struct known *k,
	const struct point_names *names, struct err *err)
{
	uint32_t count = intern_count(ps->owners), id;

	buf_clear(&ps->key);
	buf_addf(&ps->key, "%u %lld", k->suite, (long long)k->series);
	id = intern_add(ps->owners, ps->key.p, ps->key.len);
	if (id == count) {
		ps->owner = xgrow(ps->owner, id, &ps->cap_owner, sizeof(*ps->owner));
		ps->owner[id] = row->group;
	}
	if (ps->owner[id] == row->group)
		return 0;
	return err_set(err, ERR_FORMAT,
		"suites '%.80s' and '%.80s' both have %.40s '%.80s' %.40s; take them in one at a time, each with the runner or component that it is of: --suite '%.80s' --runner NAME",
		group_name(ps, ps->owner[id]), group_name(ps, row->group), names->to.suite,
		names->to.benchmark, names->to.metric, group_name(ps, row->group));
}

static int resolve(struct points *ps, const struct row *row, const struct point *p,
	struct known *ret, struct err *err)
{
	struct point_names names;

	*ret = (struct known){.series = -1, .cpu = -1};
	if (tool_names(&row->tool, p, ps->opts->naming, &ps->scratch, &names, &ret->refused, err) <
		0)
		return -1;
	if (ret->refused)
		return 0;
	ret->shift = names.shift;
	ret->with_cpu = !strcmp(names.metric.name, "real_time");
	ret->suite = intern_add(ps->suites, names.to.suite, strlen(names.to.suite));
	ret->series =
		ps->sink->series(ps->sink, names.to.benchmark, &names.metric, names.variant, err);
	if (ret->series < 0 || check_owner(ps, row, ret, &names, err) < 0)
		return -1;
	ps->unqualified += names.unqualified;
	if (ps->sink->origin)
		ps->sink->origin(ps->sink, ret->series, p->name);
	return 0;
}

/* Keeps what was found out, since a history repeats its names in every row. */
static int find_known(struct points *ps, const struct row *row, const struct point *p,
	struct known **ret, struct err *err)
{
	uint32_t count = intern_count(ps->keys), id;
	const char *line = strchr(p->extra, '\n');

	buf_clear(&ps->key);
	buf_addf(&ps->key, "%u", row->group);
	buf_add(&ps->key, row->tool.name, strlen(row->tool.name) + 1);
	buf_add(&ps->key, p->name, strlen(p->name) + 1);
	buf_add(&ps->key, p->unit, strlen(p->unit) + 1);
	if (!strcmp(row->tool.suite, "go") && line)
		buf_addstr(&ps->key, line);
	id = intern_add(ps->keys, ps->key.p, ps->key.len);
	if (id == count) {
		struct known k;
		if (intern_bytes(ps->keys) > NAMES_MAX)
			return err_set(err, ERR_FORMAT, "more than 64 MiB of different names");
		if (resolve(ps, row, p, &k, err) < 0)
			return -1;
		ps->known = xgrow(ps->known, id, &ps->cap_known, sizeof(*ps->known));
		ps->known[id] = k;
	}
	*ret = &ps->known[id];
	return 0;
}

/* ---- rows ---- */

struct row_run {
	uint32_t suite;
	int run;
	struct buf spread;      /* members of a JSON object */
	struct intern *spreads; /* whose names they are */
};

/* What is known while a row is read. */
struct rowing {
	struct points *ps;
	const struct row *row;
	struct row_run *runs;
	size_t n_runs, cap_runs;
	struct intern *parts; /* benchmarks that the row has by their parts; NULL: not asked */
	size_t number;        /* of the point */
};

static struct row_run *run_of(struct rowing *r, uint32_t suite, struct err *err)
{
	struct run_head head = r->row->head;
	struct row_run *run;
	size_t i;

	for (i = 0; i < r->n_runs; i++)
		if (r->runs[i].suite == suite)
			return &r->runs[i];
	head.suite = intern_get(r->ps->suites, suite, NULL);
	r->runs = xgrow(r->runs, r->n_runs, &r->cap_runs, sizeof(*r->runs));
	run = &r->runs[r->n_runs];
	*run = (struct row_run){.suite = suite, .run = r->ps->sink->run(r->ps->sink, &head, err)};
	if (run->run < 0)
		return NULL;
	r->n_runs++;
	return run;
}

static void keep_spread(struct row_run *run, const struct row *row, const struct point *p)
{
	uint32_t count;
	double share;

	if (!*p->range || !point_spread(p, row->tool.name, &share))
		return;
	if (!run->spreads)
		run->spreads = intern_new();
	count = intern_count(run->spreads);
	if (intern_add(run->spreads, p->name, strlen(p->name)) != count)
		return;
	if (count)
		buf_addch(&run->spread, ',');
	text_json_str(&run->spread, p->name);
	buf_addch(&run->spread, ':');
	buf_addf(&run->spread, "%.4g", share);
}

/* "iterations: 100\ncpu: 577.4 ns\nthreads: 1", of Google Benchmark. */
static int put_cpu_time(struct rowing *r, const struct row_run *run, struct known *k,
	const struct point *p, struct err *err)
{
	static const struct metric cpu_time = {"cpu_time", "s", "time", DIRECTION_LOWER};
	const char *cpu = strstr(p->extra, "\ncpu: "), *unit;
	struct err ignored = ERR_INIT;
	struct scale scale;
	struct num value;
	char word[8];
	size_t n;

	if (!cpu)
		return 0;
	cpu += strlen("\ncpu: ");
	n = strcspn(cpu, " \n");
	unit = cpu + n + (cpu[n] == ' ');
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(unit, "\n"), unit);
	if (!scale_of_unit(word, &scale) || strcmp(scale.quantity, "time") ||
		scale_parse(cpu, n, scale.shift, &value, &ignored) < 0)
		return 0;
	if (k->cpu < 0)
		k->cpu = r->ps->sink->series(r->ps->sink,
			tool_benchmark(&r->row->tool, p, &r->ps->scratch), &cpu_time, "", err);
	return k->cpu < 0 ? -1 : r->ps->sink->sample(r->ps->sink, run->run, k->cpu, value, err);
}

/* *why: the point cannot be kept, and why; else NULL. */
static int put_point(struct rowing *r, const struct point *p, const char **why, struct err *err)
{
	struct err ignored = ERR_INIT;
	struct row_run *run;
	struct known *k = NULL;
	struct num value;

	if (find_known(r->ps, r->row, p, &k, err) < 0)
		return -1;
	*why = k->refused ? k->refused : !p->value ? "it has no value" : NULL;
	if (!*why && scale_parse(p->value, strlen(p->value), k->shift, &value, &ignored) < 0)
		*why = "the value is no number that perfgate keeps";
	if (*why)
		return 0;
	run = run_of(r, k->suite, err);
	if (!run || r->ps->sink->sample(r->ps->sink, run->run, k->series, value, err) < 0)
		return -1;
	keep_spread(run, r->row, p);
	return k->with_cpu ? put_cpu_time(r, run, k, p, err) : 0;
}

/* ---- composite points ---- */

/* The benchmarks whose parts the row has. */
static int find_parts(struct rowing *r, const struct jv *array, struct err *err)
{
	struct point p;
	size_t i;

	if (r->row->unwanted || !tool_has_parts(&r->row->tool))
		return 0;
	r->parts = intern_new();
	for (i = 0; i < jv_len(array); i++) {
		if (point_read(jv_at(array, i), &p, err) < 0)
			return err_prefix(err, "point %zu", i + 1);
		if (tool_part(&r->row->tool, &p, &r->ps->base))
			intern_add(r->parts, r->ps->base.p, r->ps->base.len);
	}
	return 0;
}

static bool has_parts(struct rowing *r, const struct point *p)
{
	return r->parts && tool_sum(&r->row->tool, p, r->parts, &r->ps->base);
}

static char *next_word(char **rest)
{
	char *word;

	do
		word = strsep(rest, " \t");
	while (word && !*word);
	return word;
}

/* A composite point without its parts, as versions before 1.18 wrote them, is taken apart, as far
 * as it has values. */
static int put_composite(struct rowing *r, const struct point *p, const char **why, struct err *err)
{
	_cleanup_(freep) char *words = xstrdup(p->unit);
	char *next = words, *unit = strsep(&next, " \t");
	struct point part = *p;
	const char *ignored = NULL;

	part.unit = unit;
	if (put_point(r, &part, why, err) < 0)
		return -1;
	while (!*why && !ignored && (part.value = next_word(&next)) &&
		(part.unit = next_word(&next)))
		if (put_point(r, &part, &ignored, err) < 0)
			return -1;
	return 0;
}

static int add_point(struct rowing *r, const struct point *p, struct err *err)
{
	const char *why = r->row->refused;
	bool composite = tool_composite(&r->row->tool, p);

	if (!why && has_parts(r, p)) {
		r->ps->sums++;
		return 0;
	}
	if (!why && (composite ? put_composite(r, p, &why, err) : put_point(r, p, &why, err)) < 0)
		return -1;
	if (why)
		refuse(r->ps, r->row, p, why);
	else
		r->ps->kept++;
	return 0;
}

/* ---- all of a row ---- */

static int write_facts(struct rowing *r, const struct row_run *run, struct err *err)
{
	_cleanup_(buf_release) struct buf facts = BUF_INIT;
	const char *group = group_name(r->ps, r->row->group);

	buf_addch(&facts, '{');
	if (*group) {
		buf_addstr(&facts, "\"history\":{\"suite\":");
		text_json_str(&facts, group);
		buf_addstr(&facts, ",\"tool\":");
		text_json_str(&facts, r->row->tool.name);
		buf_addch(&facts, '}');
	}
	if (run->spread.len)
		buf_addf(&facts, "%s\"spread\":{%s}", *group ? "," : "", run->spread.p);
	buf_addch(&facts, '}');
	return r->ps->sink->amend(r->ps->sink, run->run, TIME_UNKNOWN, facts.p, err);
}

struct rowing *points_begin(struct points *ps, const struct row *row)
{
	struct rowing *r = xcalloc(1, sizeof(*r));

	r->ps = ps;
	r->row = row;
	ps->rows++;
	return r;
}

int points_add(struct rowing *r, const struct jv *o, struct err *err)
{
	struct point p;

	r->number++;
	r->ps->all++;
	r->ps->unwanted += r->row->unwanted;
	if (r->row->unwanted)
		return 0;
	if (point_read(o, &p, err) < 0)
		return err_prefix(err, "point %zu", r->number);
	if (add_point(r, &p, err) < 0)
		return err_prefix(err, "point %zu ('%.100s')", r->number, p.name);
	return 0;
}

int points_add_all(struct rowing *r, const struct jv *array, struct err *err)
{
	size_t i;

	if (find_parts(r, array, err) < 0)
		return -1;
	for (i = 0; i < jv_len(array); i++)
		if (points_add(r, jv_at(array, i), err) < 0)
			return -1;
	return 0;
}

int points_end(struct rowing *r, struct err *err)
{
	size_t i;

	for (i = 0; i < r->n_runs; i++)
		if (write_facts(r, &r->runs[i], err) < 0)
			return -1;
	return 0;
}

void points_done(struct rowing *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->n_runs; i++) {
		buf_release(&r->runs[i].spread);
		intern_free(r->runs[i].spreads);
	}
	free(r->runs);
	intern_free(r->parts);
	free(r);
}

void points_donep(struct rowing **r)
{
	points_done(*r);
}

/* ---- the account ---- */

static void note_refused(const struct points *ps)
{
	size_t i;

	for (i = 0; i < intern_count(ps->reasons); i++)
		ps->sink->note(ps->sink, "%zu point%s refused: %s (the first: %s)", ps->reason[i].n,
			ps->reason[i].n == 1 ? "" : "s", intern_get(ps->reasons, (uint32_t)i, NULL),
			ps->reason[i].first);
}

void points_note(const struct points *ps)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addf(&b, "%zu point%s: %zu kept", ps->all, plural(ps->all), ps->kept);
	if (ps->sums)
		buf_addf(&b, ", %zu left for their parts", ps->sums);
	if (ps->unwanted)
		buf_addf(&b, ", %zu of suites that were not asked for", ps->unwanted);
	buf_addf(&b, ", %zu refused", ps->refused);
	ps->sink->note(ps->sink, "%s", b.p);
	note_refused(ps);
	if (ps->unqualified)
		ps->sink->note(ps->sink,
			"%zu series of Go without a package, which the store does not have with one: a run of today ingested first, --map, or [rename] in perfgate.conf lets them join",
			ps->unqualified);
}
