#include "reader.h"

#include "callgrind-collect.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/*
 * For each name the package that has it alone, or INTERN_NONE where several do.
 */
static uint32_t *name_owners(const struct collection *c)
{
	uint32_t *owner = xmalloc(intern_count(c->names) * sizeof(*owner));
	bool *seen = xcalloc(intern_count(c->names), sizeof(*seen));
	size_t i;

	for (i = 0; i < c->n_benches; i++) {
		const struct bench *b = &c->benches[i];
		if (!seen[b->name])
			owner[b->name] = b->package;
		else if (owner[b->name] != b->package)
			owner[b->name] = INTERN_NONE;
		seen[b->name] = true;
	}
	free(seen);
	return owner;
}

static int final_name(const struct collection *c, const struct bench *b, const uint32_t *owner,
	struct buf *out, struct err *err)
{
	const char *package = intern_get(c->packages, b->package, NULL), *last;
	size_t len;

	buf_clear(out);
	if (owner[b->name] == INTERN_NONE) {
		last = path_last(package, &len);
		if (len == 0 || len >= PACKAGE_MAX)
			return err_set(err, ERR_FORMAT,
				"%s:%u: several packages have a benchmark '%.200s', and this one has no usable 'package_dir'",
				input_name(c->in[b->file]), b->line,
				intern_get(c->names, b->name, NULL));
		buf_add(out, last, len);
		buf_addch(out, '/');
	}
	buf_addstr(out, intern_get(c->names, b->name, NULL));
	return 0;
}

/*
 * Records that a benchmark of this name has this metric. A second claim is a repetition when the
 * same file and package make it; otherwise one of the two is stale or from elsewhere.
 */
static int claim(struct collection *c, const char *name, const struct held_value *v, uint32_t *by,
	uint32_t bench, struct err *err)
{
	const struct bench *b = &c->benches[bench], *first;
	const char *package, *first_package;
	struct metric_use use = collection_metric(c, v->metric);
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	uint32_t known = intern_count(c->claims), id;

	buf_add(&key, name, strlen(name) + 1);
	buf_add(&key, use.tool, strlen(use.tool) + 1);
	buf_addstr(&key, use.name);
	id = intern_add(c->claims, key.p, key.len);
	if (id == known) {
		by[id] = bench;
		return 0;
	}
	first = &c->benches[by[id]];
	if (first->file == b->file && first->package == b->package)
		return 0;
	if (first->package == b->package)
		return err_set(err, ERR_FORMAT,
			"%s:%u: '%.120s' has %s already from %s:%u; one of them is stale",
			input_name(c->in[b->file]), b->line, name, use.name,
			input_name(c->in[first->file]), first->line);
	package = intern_get(c->packages, b->package, NULL);
	first_package = intern_get(c->packages, first->package, NULL);
	return err_set(err, ERR_FORMAT,
		"%s:%u: '%.100s' has %s already from %s:%u; the packages are %.80s and %.80s",
		input_name(c->in[b->file]), b->line, name, use.name, input_name(c->in[first->file]),
		first->line, package, first_package);
}

/* ---- to the sink ---- */

static int64_t series_of(struct collection *c, const char *bench, const struct held_value *v,
	enum summary_layout layout, struct err *err)
{
	struct metric_use use = collection_metric(c, v->metric);
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	struct metric m = {0};

	if (strcmp(use.tool, "Callgrind") != 0)
		buf_addf(&name, "%s/", use.tool);
	buf_addstr(&name, use.name);
	callgrind_metric(&m, use.tool, use.name, use.unit);
	m.name = name.p;
	/* Runner 0.14 changed what is collected, and with it every number. */
	return c->sink->series(c->sink, bench, &m, layout == SUMMARY_1 ? "iai/1" : "iai/3", err);
}

/* Times that name their unit go out in seconds. */
static struct num in_base_unit(const struct collection *c, const struct held_value *v)
{
	struct metric_use use = collection_metric(c, v->metric);
	int64_t per_s = use.unit && !strcmp(use.tool, "Perf")
				? callgrind_units_per_s(use.unit, strlen(use.unit))
				: 0;

	return per_s > 1 ? num_real(num_double(v->value) / (double)per_s) : v->value;
}

static int emit_value(struct collection *c, int run, const char *name, const struct held_value *v,
	enum summary_layout layout, struct err *err)
{
	int64_t series = series_of(c, name, v, layout, err);

	if (series < 0)
		return -1;
	if (v->known)
		return c->sink->sample(c->sink, run, series, in_base_unit(c, v), err);
	return c->sink->absence(c->sink, run, series, (enum sink_status)v->status, v->reason, err);
}

static int emit_benches(
	struct collection *c, int run, const uint32_t *owner, uint32_t *by, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	size_t i, k;

	for (i = 0; i < c->n_benches; i++) {
		const struct bench *b = &c->benches[i];
		if (final_name(c, b, owner, &name, err) < 0)
			return -1;
		for (k = b->first; k < b->first + b->n; k++)
			if (claim(c, name.p, &c->values[k], by, (uint32_t)i, err) < 0 ||
				emit_value(c, run, name.p, &c->values[k], b->layout, err) < 0)
				return -1;
	}
	return 0;
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Calls add with each string of the set, sorted, at most 16. */
static void each_sorted(
	const struct intern *set, struct buf *out, void (*add)(struct buf *out, const char *s))
{
	const char *sorted[16];
	size_t n = intern_count(set) < 16 ? intern_count(set) : 16, i;

	for (i = 0; i < n; i++)
		sorted[i] = intern_get(set, (uint32_t)i, NULL);
	qsort(sorted, n, sizeof(*sorted), compare_strings);
	for (i = 0; i < n; i++) {
		if (i)
			buf_addch(out, ',');
		add(out, sorted[i]);
	}
}

static int open_run(struct collection *c, struct err *err)
{
	_cleanup_(buf_release) struct buf versions = BUF_INIT, facts = BUF_INIT;
	struct run_head head = {
		.suite = "callgrind", .format = "callgrind-summary", .started_at = TIME_UNKNOWN};

	each_sorted(c->versions, &versions, buf_addstr);
	buf_addf(&facts, "{\"benchmarks\":%zu,\"kinds\":[", c->n_benches);
	each_sorted(c->kinds, &facts, text_json_str);
	buf_addf(&facts, "],\"runner_regressions\":%u}", c->regressions);
	head.format_version = versions.len ? versions.p : NULL;
	head.facts = facts.p;
	return c->sink->run(c->sink, &head, err);
}

static void note_oddities(struct collection *c)
{
	if (c->mislabelled)
		c->sink->note(c->sink,
			"%u of %zu summaries, the first with %s, are read by their layout",
			c->mislabelled, c->n_benches, c->mislabel);
	if (c->faulty_errors)
		c->sink->note(c->sink,
			"%u error summaries are garbled (a fault of runners 0.9 to 0.13); the log's line is used "
			"where it is there",
			c->faulty_errors);
	if (c->empty)
		c->sink->note(c->sink, "%u of %zu summaries hold no number of any tool", c->empty,
			c->n_benches);
	if (c->foreign)
		c->sink->note(c->sink, "%u JSON objects that are no summaries were passed over",
			c->foreign);
}

static int emit(struct collection *c, struct err *err)
{
	_cleanup_(freep) uint32_t *owner = name_owners(c);
	_cleanup_(freep) uint32_t *by = xmalloc(c->n_values * sizeof(*by));
	int run = open_run(c, err);

	if (run < 0 || emit_benches(c, run, owner, by, err) < 0)
		return -1;
	note_oddities(c);
	return 0;
}

/* ---- the reader ---- */

static int summary_read(struct input **in, size_t n, const struct read_options *opts,
	struct sink *sink, struct err *err)
{
	struct collection c = {.in = in, .sink = sink};
	size_t i;
	int r = 0;

	(void)opts;
	collection_init(&c);
	for (i = 0; i < n && r == 0; i++) {
		r = collection_read(&c, (uint32_t)i, err);
		input_close(in[i]);
	}
	if (r == 0)
		r = emit(&c, err);
	collection_release(&c);
	return r;
}

static bool holds(const char *head, size_t len, const char *text)
{
	return memmem(head, len, text, strlen(text)) != NULL;
}

/* In the alphabetical order of the writer a large callgrind_summary can push module_path out of
 * the head. */
static int summary_sniff(const char *head, size_t len)
{
	bool body = holds(head, len, "\"callgrind_summary\"") || holds(head, len, "\"profiles\"") ||
		    holds(head, len, "\"tool_summaries\"");

	if (holds(head, len, "\"module_path\"") && body)
		return 100;
	return len == INPUT_HEAD && holds(head, len, "\"benchmark_exe\"") &&
			       (body || holds(head, len, "\"module_path\""))
		       ? 100
		       : 0;
}

const struct reader reader_callgrind_summary = {.name = "callgrind-summary",
	.suite = "callgrind",
	.summary =
		"iai-callgrind and gungraun summaries, v1 to v7",
	.sniff = summary_sniff,
	.together = true,
	.read = summary_read};
