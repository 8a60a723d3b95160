#include "clpeak-write.h"

#include "num.h"
#include "text.h"
#include "words.h"

#include <math.h>
#include <string.h>

static const char *const statuses[] = {[OUTCOME_UNSUPPORTED] = "unsupported",
	[OUTCOME_SKIPPED] = "skipped",
	[OUTCOME_ERROR] = "error"};

/* ---- the layout ---- */

/* line: everything on one line, as in the log. */
struct writer {
	struct buf *b;
	int depth;
	bool line, first;
};

static void begin_value(struct writer *w)
{
	if (!w->first)
		buf_addstr(w->b, w->line ? ", " : ",");
	if (!w->line && w->depth) {
		buf_addch(w->b, '\n');
		buf_addf(w->b, "%*s", 2 * w->depth, "");
	}
	w->first = false;
}

static void add_key(struct writer *w, const char *key)
{
	begin_value(w);
	buf_addf(w->b, "\"%s\": ", key);
}

/* key NULL: an element of an array. */
static void open_value(struct writer *w, const char *key, char bracket)
{
	if (key)
		add_key(w, key);
	else
		begin_value(w);
	buf_addch(w->b, bracket);
	w->depth++;
	w->first = true;
}

static void close_value(struct writer *w, char bracket)
{
	w->depth--;
	if (!w->first && !w->line) {
		buf_addch(w->b, '\n');
		buf_addf(w->b, "%*s", 2 * w->depth, "");
	}
	buf_addch(w->b, bracket);
	w->first = false;
}

static void add_text(struct writer *w, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	add_key(w, key);
	text_json_str(w->b, value);
}

static void add_element(struct writer *w, const char *value)
{
	begin_value(w);
	text_json_str(w->b, value);
}

static void add_int(struct writer *w, const char *key, int64_t value)
{
	add_key(w, key);
	buf_addf(w->b, "%lld", (long long)value);
}

static void add_known(struct writer *w, const char *key, int64_t value)
{
	if (value >= 0)
		add_int(w, key, value);
}

static void add_bool(struct writer *w, const char *key, bool value)
{
	add_key(w, key);
	buf_addstr(w->b, value ? "true" : "false");
}

static void add_real(struct writer *w, const char *key, double value)
{
	if (!isfinite(value))
		return;
	if (key)
		add_key(w, key);
	buf_addf(w->b, "%.7g", value);
}

/* ---- head ---- */

static void add_version(struct writer *w, const struct record *r)
{
	_cleanup_(buf_release) struct buf time = BUF_INIT;

	add_int(w, "format_version", 3);
	add_text(w, "clpeak_version", r->version);
	time_format(&time, r->started_at / 1000000000 * 1000000000);
	add_text(w, "generated_at", time.p);
}

static bool was_run(const struct probed *p)
{
	return !p->unavailable && p->plan.n_devices;
}

static void add_build(struct writer *w, const struct record *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->n_back_ends; i++)
		n += was_run(&r->back_ends[i]);
	if (!n)
		return;
	open_value(w, "build", '{');
	open_value(w, "backends", '[');
	for (i = 0; i < r->n_back_ends; i++)
		if (was_run(&r->back_ends[i]))
			add_element(w, r->back_ends[i].name);
	close_value(w, ']');
	close_value(w, '}');
}

static void add_host(struct writer *w, const struct record *r)
{
	open_value(w, "host", '{');
	add_text(w, "os", r->host.os);
	add_text(w, "os_version", r->host.os_version);
	add_text(w, "arch", r->host.arch);
	add_text(w, "cpu", r->host.cpu);
	if (r->host.logical_cores > 0)
		add_int(w, "logical_cores", r->host.logical_cores);
	if (r->host.memory_bytes > 0)
		add_int(w, "memory_bytes", r->host.memory_bytes);
	close_value(w, '}');
}

static bool test_chosen(const struct probed *p, size_t test)
{
	size_t i;

	for (i = 0; i < p->plan.n_readings; i++)
		if (p->plan.readings[i].test == test && p->chosen[i])
			return true;
	return false;
}

static bool device_chosen(const struct probed *p, size_t device)
{
	size_t i;

	for (i = 0; i < p->plan.n_tests; i++)
		if (p->plan.tests[i].device == device && test_chosen(p, i))
			return true;
	return false;
}

static bool category_chosen(const struct record *r, const char *category)
{
	size_t i, t;

	for (i = 0; i < r->n_back_ends; i++)
		for (t = 0; t < r->back_ends[i].plan.n_tests; t++)
			if (!strcmp(r->back_ends[i].plan.tests[t].category, category) &&
				test_chosen(&r->back_ends[i], t))
				return true;
	return false;
}

/* Whether a test of that id was chosen before the one at a place. */
static bool named_before(const struct record *r, size_t back_end, size_t test)
{
	const char *id = r->back_ends[back_end].plan.tests[test].id;
	size_t i, t;

	for (i = 0; i <= back_end; i++)
		for (t = 0; t < (i < back_end ? r->back_ends[i].plan.n_tests : test); t++)
			if (!strcmp(r->back_ends[i].plan.tests[t].id, id) &&
				test_chosen(&r->back_ends[i], t))
				return true;
	return false;
}

static void add_tests_chosen(struct writer *w, const struct record *r)
{
	size_t i, t;

	open_value(w, "tests", '[');
	for (i = 0; i < r->n_back_ends; i++)
		for (t = 0; t < r->back_ends[i].plan.n_tests; t++)
			if (test_chosen(&r->back_ends[i], t) && !named_before(r, i, t))
				add_element(w, r->back_ends[i].plan.tests[t].id);
	close_value(w, ']');
}

static void add_invocation(struct writer *w, const struct record *r)
{
	size_t i;

	open_value(w, "invocation", '{');
	open_value(w, "argv", '[');
	for (i = 0; i < r->n_argv; i++)
		add_element(w, r->argv[i]);
	close_value(w, ']');
	add_int(w, "target_time_us", r->target_ns / 1000);
	add_int(w, "target_time_us_cpu", r->target_cpu_ns / 1000);
	add_int(w, "warmup", 1);
	open_value(w, "categories", '[');
	for (i = 0; category_words[i]; i++)
		if (category_chosen(r, category_words[i]))
			add_element(w, category_words[i]);
	close_value(w, ']');
	if (r->narrowed)
		add_tests_chosen(w, r);
	if (r->verbose)
		add_bool(w, "verbose", true);
	close_value(w, '}');
}

/* ---- devices ---- */

static void add_repeats(struct writer *w, const struct outcome *o)
{
	int i;

	add_key(w, "repeats");
	buf_addch(w->b, '[');
	for (i = 0; i < o->n; i++) {
		buf_addstr(w->b, i ? ", " : "");
		add_real(w, NULL, o->values[i]);
	}
	buf_addch(w->b, ']');
	add_real(w, "spread", outcome_spread(o));
}

static void add_metric(
	struct writer *w, const struct test *t, const struct reading *r, const struct outcome *o)
{
	const struct unit_word *u = r->unit && strcmp(r->unit, t->unit) ? unit_word(r->unit) : NULL;

	open_value(w, NULL, '{');
	add_text(w, "id", r->id);
	if (r->label && strcmp(r->label, r->id) != 0)
		add_text(w, "label", r->label);
	if (o->status == OUTCOME_OK) {
		add_real(w, "value", outcome_median(o));
	} else {
		add_text(w, "status", statuses[o->status]);
		add_text(w, "reason", o->reason);
	}
	if (u) {
		add_text(w, "unit", u->unit);
		add_text(w, "quantity", u->quantity);
		add_text(w, "direction", u->direction);
	}
	add_text(w, "description", r->description);
	if (o->status == OUTCOME_OK)
		add_repeats(w, o);
	close_value(w, '}');
}

/* A reading that the run was cancelled before has neither a number nor a status: it is not there.
 */
static bool has_outcome(const struct probed *p, size_t reading)
{
	const struct outcome *o = &p->outcomes[reading];

	return p->chosen[reading] && (o->n || o->status != OUTCOME_OK);
}

static void add_metrics(struct writer *w, const struct probed *p, size_t test)
{
	size_t i;

	open_value(w, "metrics", '[');
	for (i = 0; i < p->plan.n_readings; i++)
		if (p->plan.readings[i].test == test && has_outcome(p, i))
			add_metric(w, &p->plan.tests[test], &p->plan.readings[i], &p->outcomes[i]);
	close_value(w, ']');
}

static bool test_measured(const struct probed *p, size_t test)
{
	size_t i;

	for (i = 0; i < p->plan.n_readings; i++)
		if (p->plan.readings[i].test == test && has_outcome(p, i))
			return true;
	return false;
}

static void add_test(struct writer *w, const struct probed *p, size_t i)
{
	const struct test *t = &p->plan.tests[i];
	const struct unit_word *u = unit_word(t->unit);

	open_value(w, NULL, '{');
	add_text(w, "id", t->id);
	add_text(w, "variant", t->variant);
	add_text(w, "title", t->title);
	add_text(w, "category", t->category);
	add_text(w, "shape", t->homogeneous ? "homogeneous" : "heterogeneous");
	add_text(w, "axis", t->axis);
	add_text(w, "direction", u->direction);
	add_text(w, "quantity", u->quantity);
	add_text(w, "unit", u->unit);
	add_text(w, "description", t->description);
	if (p->seconds[i] > 0)
		add_real(w, "duration_s", p->seconds[i]);
	add_metrics(w, p, i);
	close_value(w, '}');
}

static void add_properties(struct writer *w, const struct device *d)
{
	size_t i;

	if (!d->n_properties)
		return;
	open_value(w, "properties", '[');
	for (i = 0; i < d->n_properties; i++) {
		open_value(w, NULL, '{');
		add_text(w, "key", d->properties[i].key);
		add_text(w, "value", d->properties[i].value);
		close_value(w, '}');
	}
	close_value(w, ']');
}

static void add_device(struct writer *w, const struct probed *p, size_t i)
{
	const struct device *d = &p->plan.devices[i];
	size_t t;

	open_value(w, NULL, '{');
	add_text(w, "backend", p->name);
	add_text(w, "platform", d->platform);
	add_text(w, "name", d->name);
	add_text(w, "driver", d->driver);
	add_text(w, "type", d->type);
	add_known(w, "platform_index", d->platform_index);
	add_known(w, "device_index", d->device_index);
	add_properties(w, d);
	open_value(w, "tests", '[');
	for (t = 0; t < p->plan.n_tests; t++)
		if (p->plan.tests[t].device == i && test_measured(p, t))
			add_test(w, p, t);
	close_value(w, ']');
	close_value(w, '}');
}

static void add_devices(struct writer *w, const struct record *r)
{
	size_t i, d;

	open_value(w, "devices", '[');
	for (i = 0; i < r->n_back_ends; i++)
		for (d = 0; d < r->back_ends[i].plan.n_devices; d++)
			if (device_chosen(&r->back_ends[i], d))
				add_device(w, &r->back_ends[i], d);
	close_value(w, ']');
}

/* ---- inventory ---- */

static void add_listed_device(struct writer *w, const struct device *d, int index)
{
	open_value(w, NULL, '{');
	add_int(w, "index", d->device_index >= 0 ? d->device_index : index);
	add_text(w, "name", d->name);
	add_text(w, "type", d->type);
	add_text(w, "arch", d->arch);
	add_text(w, "driver", d->driver);
	add_text(w, "api", d->api);
	add_text(w, "origin", d->origin);
	add_known(w, "compute_units", d->compute_units);
	add_known(w, "clock_mhz", d->clock_mhz);
	add_known(w, "global_mem_bytes", d->global_mem_bytes);
	add_known(w, "max_alloc_bytes", d->max_alloc_bytes);
	if (d->fp16 >= 0)
		add_bool(w, "fp16", d->fp16);
	if (d->fp64 >= 0)
		add_bool(w, "fp64", d->fp64);
	close_value(w, '}');
}

static bool same_platform(const struct device *a, const struct device *b)
{
	return a->platform_index == b->platform_index && !strcmp(a->platform, b->platform);
}

/* Devices of one platform follow each other. */
static void add_platforms(struct writer *w, const struct plan *p)
{
	int platforms = 0;
	size_t i;

	open_value(w, "platforms", '[');
	for (i = 0; i < p->n_devices; i++) {
		const struct device *d = &p->devices[i];

		if (i == 0 || !same_platform(d - 1, d)) {
			open_value(w, NULL, '{');
			add_int(w, "index",
				d->platform_index >= 0 ? d->platform_index : platforms++);
			add_text(w, "name", d->platform);
			open_value(w, "devices", '[');
		}
		add_listed_device(w, d, (int)i);
		if (i + 1 == p->n_devices || !same_platform(d, d + 1)) {
			close_value(w, ']');
			close_value(w, '}');
		}
	}
	close_value(w, ']');
}

static void add_inventory(struct writer *w, const struct record *r)
{
	size_t i;

	open_value(w, "inventory", '[');
	for (i = 0; i < r->n_back_ends; i++) {
		const struct probed *p = &r->back_ends[i];

		open_value(w, NULL, '{');
		add_text(w, "name", p->name);
		add_text(w, "flag", p->flag);
		add_bool(w, "available", !p->unavailable);
		add_text(w, "reason", p->unavailable);
		add_platforms(w, &p->plan);
		close_value(w, '}');
	}
	close_value(w, ']');
}

/* ---- log ---- */

static void add_scope(struct writer *w, const struct scope *s)
{
	if (s->back_end)
		add_text(w, "backend", s->back_end->name);
	if (s->device) {
		add_text(w, "device", s->device->name);
		add_known(w, "device_index", s->device->device_index);
	}
	if (s->test && s->test->variant) {
		_cleanup_(freep) char *key = xasprintf("%s@%s", s->test->id, s->test->variant);
		add_text(w, "test", key);
	} else if (s->test) {
		add_text(w, "test", s->test->id);
	}
}

static void add_entry(struct buf *out, const struct log_entry *e)
{
	struct writer w = {.b = out, .line = true, .first = true};

	open_value(&w, NULL, '{');
	add_real(&w, "elapsed_s", e->elapsed_s);
	add_text(&w, "level", e->level);
	add_text(&w, "source", e->source);
	add_scope(&w, &e->scope);
	add_key(&w, "message");
	text_json_str(out, e->message);
	close_value(&w, '}');
}

static void add_log(struct writer *w, const struct record *r)
{
	size_t i;

	if (!r->n_log)
		return;
	open_value(w, "log", '[');
	for (i = 0; i < r->n_log; i++) {
		begin_value(w);
		add_entry(w->b, &r->log[i]);
	}
	close_value(w, ']');
}

void clpeak_write(struct buf *out, const struct record *r)
{
	struct writer w = {.b = out, .first = true};

	open_value(&w, NULL, '{');
	add_text(&w, "schema", "clpeak/run");
	add_version(&w, r);
	if (r->duration_s > 0)
		add_real(&w, "duration_s", r->duration_s);
	if (r->cancelled)
		add_bool(&w, "cancelled", true);
	add_build(&w, r);
	add_host(&w, r);
	add_invocation(&w, r);
	add_devices(&w, r);
	if (r->verbose)
		add_inventory(&w, r);
	add_log(&w, r);
	close_value(&w, '}');
	buf_addch(out, '\n');
}

void clpeak_write_log_head(struct buf *out, const struct record *r)
{
	struct writer w = {.b = out, .line = true, .first = true};

	open_value(&w, NULL, '{');
	add_text(&w, "schema", "clpeak/run-log");
	add_version(&w, r);
	add_build(&w, r);
	add_host(&w, r);
	add_invocation(&w, r);
	close_value(&w, '}');
	buf_addch(out, '\n');
}

void clpeak_write_log_entry(struct buf *out, const struct log_entry *e)
{
	add_entry(out, e);
	buf_addch(out, '\n');
}
