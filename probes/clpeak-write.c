#include "clpeak-write.h"

#include "outline.h"
#include "num.h"
#include "text.h"
#include "words.h"

#include <string.h>

static const char *const statuses[] = {[OUTCOME_UNSUPPORTED] = "unsupported",
	[OUTCOME_SKIPPED] = "skipped",
	[OUTCOME_ERROR] = "error"};

/* ---- head ---- */

static void add_version(struct outline *w, const struct record *r)
{
	_cleanup_(buf_release) struct buf time = BUF_INIT;

	outline_int(w, "format_version", 3);
	outline_text(w, "clpeak_version", r->version);
	time_format(&time, r->started_at / 1000000000 * 1000000000);
	outline_text(w, "generated_at", time.p);
}

static bool was_run(const struct probed *p)
{
	return !p->unavailable && p->plan.n_devices;
}

static void add_build(struct outline *w, const struct record *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->n_back_ends; i++)
		n += was_run(&r->back_ends[i]);
	if (!n)
		return;
	outline_open(w, "build", '{');
	outline_open(w, "backends", '[');
	for (i = 0; i < r->n_back_ends; i++)
		if (was_run(&r->back_ends[i]))
			outline_element(w, r->back_ends[i].name);
	outline_close(w, ']');
	outline_close(w, '}');
}

static void add_host(struct outline *w, const struct record *r)
{
	outline_open(w, "host", '{');
	outline_text(w, "os", r->host.os);
	outline_text(w, "os_version", r->host.os_version);
	outline_text(w, "arch", r->host.arch);
	outline_text(w, "cpu", r->host.cpu);
	if (r->host.logical_cores > 0)
		outline_int(w, "logical_cores", r->host.logical_cores);
	if (r->host.memory_bytes > 0)
		outline_int(w, "memory_bytes", r->host.memory_bytes);
	outline_close(w, '}');
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

static void add_tests_chosen(struct outline *w, const struct record *r)
{
	size_t i, t;

	outline_open(w, "tests", '[');
	for (i = 0; i < r->n_back_ends; i++)
		for (t = 0; t < r->back_ends[i].plan.n_tests; t++)
			if (test_chosen(&r->back_ends[i], t) && !named_before(r, i, t))
				outline_element(w, r->back_ends[i].plan.tests[t].id);
	outline_close(w, ']');
}

static void add_invocation(struct outline *w, const struct record *r)
{
	size_t i;

	outline_open(w, "invocation", '{');
	outline_open(w, "argv", '[');
	for (i = 0; i < r->n_argv; i++)
		outline_element(w, r->argv[i]);
	outline_close(w, ']');
	outline_int(w, "target_time_us", r->target_ns / 1000);
	outline_int(w, "target_time_us_cpu", r->target_cpu_ns / 1000);
	outline_int(w, "warmup", 1);
	outline_open(w, "categories", '[');
	for (i = 0; category_words[i]; i++)
		if (category_chosen(r, category_words[i]))
			outline_element(w, category_words[i]);
	outline_close(w, ']');
	if (r->narrowed)
		add_tests_chosen(w, r);
	if (r->verbose)
		outline_bool(w, "verbose", true);
	outline_close(w, '}');
}

/* ---- devices ---- */

static void add_repeats(struct outline *w, const struct outcome *o)
{
	int i;

	outline_key(w, "repeats");
	buf_addch(w->b, '[');
	for (i = 0; i < o->n; i++) {
		buf_addstr(w->b, i ? ", " : "");
		outline_real(w, NULL, o->values[i]);
	}
	buf_addch(w->b, ']');
	outline_real(w, "spread", outcome_spread(o));
}

static void add_metric(
	struct outline *w, const struct test *t, const struct reading *r, const struct outcome *o)
{
	const struct unit_word *u = r->unit && strcmp(r->unit, t->unit) ? unit_word(r->unit) : NULL;

	outline_open(w, NULL, '{');
	outline_text(w, "id", r->id);
	if (r->label && strcmp(r->label, r->id) != 0)
		outline_text(w, "label", r->label);
	if (o->status == OUTCOME_OK) {
		outline_real(w, "value", outcome_median(o));
	} else {
		outline_text(w, "status", statuses[o->status]);
		outline_text(w, "reason", o->reason);
	}
	if (u) {
		outline_text(w, "unit", u->unit);
		outline_text(w, "quantity", u->quantity);
		outline_text(w, "direction", u->direction);
	}
	outline_text(w, "description", r->description);
	if (o->status == OUTCOME_OK)
		add_repeats(w, o);
	outline_close(w, '}');
}

/* A reading that the run was cancelled before has neither a number nor a status: it is not there.
 */
static bool has_outcome(const struct probed *p, size_t reading)
{
	const struct outcome *o = &p->outcomes[reading];

	return p->chosen[reading] && (o->n || o->status != OUTCOME_OK);
}

static void add_metrics(struct outline *w, const struct probed *p, size_t test)
{
	size_t i;

	outline_open(w, "metrics", '[');
	for (i = 0; i < p->plan.n_readings; i++)
		if (p->plan.readings[i].test == test && has_outcome(p, i))
			add_metric(w, &p->plan.tests[test], &p->plan.readings[i], &p->outcomes[i]);
	outline_close(w, ']');
}

static bool test_measured(const struct probed *p, size_t test)
{
	size_t i;

	for (i = 0; i < p->plan.n_readings; i++)
		if (p->plan.readings[i].test == test && has_outcome(p, i))
			return true;
	return false;
}

static void add_test(struct outline *w, const struct probed *p, size_t i)
{
	const struct test *t = &p->plan.tests[i];
	const struct unit_word *u = unit_word(t->unit);

	outline_open(w, NULL, '{');
	outline_text(w, "id", t->id);
	outline_text(w, "variant", t->variant);
	outline_text(w, "title", t->title);
	outline_text(w, "category", t->category);
	outline_text(w, "shape", t->homogeneous ? "homogeneous" : "heterogeneous");
	outline_text(w, "axis", t->axis);
	outline_text(w, "direction", u->direction);
	outline_text(w, "quantity", u->quantity);
	outline_text(w, "unit", u->unit);
	outline_text(w, "description", t->description);
	if (p->seconds[i] > 0)
		outline_real(w, "duration_s", p->seconds[i]);
	add_metrics(w, p, i);
	outline_close(w, '}');
}

static void add_properties(struct outline *w, const struct device *d)
{
	size_t i;

	if (!d->n_properties)
		return;
	outline_open(w, "properties", '[');
	for (i = 0; i < d->n_properties; i++) {
		outline_open(w, NULL, '{');
		outline_text(w, "key", d->properties[i].key);
		outline_text(w, "value", d->properties[i].value);
		outline_close(w, '}');
	}
	outline_close(w, ']');
}

static void add_device(struct outline *w, const struct probed *p, size_t i)
{
	const struct device *d = &p->plan.devices[i];
	size_t t;

	outline_open(w, NULL, '{');
	outline_text(w, "backend", p->name);
	outline_text(w, "platform", d->platform);
	outline_text(w, "name", d->name);
	outline_text(w, "driver", d->driver);
	outline_text(w, "type", d->type);
	outline_known(w, "platform_index", d->platform_index);
	outline_known(w, "device_index", d->device_index);
	add_properties(w, d);
	outline_open(w, "tests", '[');
	for (t = 0; t < p->plan.n_tests; t++)
		if (p->plan.tests[t].device == i && test_measured(p, t))
			add_test(w, p, t);
	outline_close(w, ']');
	outline_close(w, '}');
}

static void add_devices(struct outline *w, const struct record *r)
{
	size_t i, d;

	outline_open(w, "devices", '[');
	for (i = 0; i < r->n_back_ends; i++)
		for (d = 0; d < r->back_ends[i].plan.n_devices; d++)
			if (device_chosen(&r->back_ends[i], d))
				add_device(w, &r->back_ends[i], d);
	outline_close(w, ']');
}

/* ---- inventory ---- */

static void add_listed_device(struct outline *w, const struct device *d, int index)
{
	outline_open(w, NULL, '{');
	outline_int(w, "index", d->device_index >= 0 ? d->device_index : index);
	outline_text(w, "name", d->name);
	outline_text(w, "type", d->type);
	outline_text(w, "arch", d->arch);
	outline_text(w, "driver", d->driver);
	outline_text(w, "api", d->api);
	outline_text(w, "origin", d->origin);
	outline_known(w, "compute_units", d->compute_units);
	outline_known(w, "clock_mhz", d->clock_mhz);
	outline_known(w, "global_mem_bytes", d->global_mem_bytes);
	outline_known(w, "max_alloc_bytes", d->max_alloc_bytes);
	if (d->fp16 >= 0)
		outline_bool(w, "fp16", d->fp16);
	if (d->fp64 >= 0)
		outline_bool(w, "fp64", d->fp64);
	outline_close(w, '}');
}

static bool same_platform(const struct device *a, const struct device *b)
{
	return a->platform_index == b->platform_index && !strcmp(a->platform, b->platform);
}

/* Devices of one platform follow each other. */
static void add_platforms(struct outline *w, const struct plan *p)
{
	int platforms = 0;
	size_t i;

	outline_open(w, "platforms", '[');
	for (i = 0; i < p->n_devices; i++) {
		const struct device *d = &p->devices[i];

		if (i == 0 || !same_platform(d - 1, d)) {
			outline_open(w, NULL, '{');
			outline_int(w, "index",
				d->platform_index >= 0 ? d->platform_index : platforms++);
			outline_text(w, "name", d->platform);
			outline_open(w, "devices", '[');
		}
		add_listed_device(w, d, (int)i);
		if (i + 1 == p->n_devices || !same_platform(d, d + 1)) {
			outline_close(w, ']');
			outline_close(w, '}');
		}
	}
	outline_close(w, ']');
}

static void add_inventory(struct outline *w, const struct record *r)
{
	size_t i;

	outline_open(w, "inventory", '[');
	for (i = 0; i < r->n_back_ends; i++) {
		const struct probed *p = &r->back_ends[i];

		outline_open(w, NULL, '{');
		outline_text(w, "name", p->name);
		outline_text(w, "flag", p->flag);
		outline_bool(w, "available", !p->unavailable);
		outline_text(w, "reason", p->unavailable);
		add_platforms(w, &p->plan);
		outline_close(w, '}');
	}
	outline_close(w, ']');
}

/* ---- log ---- */

static void add_scope(struct outline *w, const struct scope *s)
{
	if (s->back_end)
		outline_text(w, "backend", s->back_end->name);
	if (s->device) {
		outline_text(w, "device", s->device->name);
		outline_known(w, "device_index", s->device->device_index);
	}
	if (s->test && s->test->variant) {
		_cleanup_(freep) char *key = xasprintf("%s@%s", s->test->id, s->test->variant);
		outline_text(w, "test", key);
	} else if (s->test) {
		outline_text(w, "test", s->test->id);
	}
}

static void add_entry(struct buf *out, const struct log_entry *e)
{
	struct outline w = {.b = out, .line = true, .first = true};

	outline_open(&w, NULL, '{');
	outline_real(&w, "elapsed_s", e->elapsed_s);
	outline_text(&w, "level", e->level);
	outline_text(&w, "source", e->source);
	add_scope(&w, &e->scope);
	outline_key(&w, "message");
	text_json_str(out, e->message);
	outline_close(&w, '}');
}

static void add_log(struct outline *w, const struct record *r)
{
	size_t i;

	if (!r->n_log)
		return;
	outline_open(w, "log", '[');
	for (i = 0; i < r->n_log; i++) {
		outline_next(w);
		add_entry(w->b, &r->log[i]);
	}
	outline_close(w, ']');
}

void clpeak_write(struct buf *out, const struct record *r)
{
	struct outline w = {.b = out, .first = true};

	outline_open(&w, NULL, '{');
	outline_text(&w, "schema", "clpeak/run");
	add_version(&w, r);
	if (r->duration_s > 0)
		outline_real(&w, "duration_s", r->duration_s);
	if (r->cancelled)
		outline_bool(&w, "cancelled", true);
	add_build(&w, r);
	add_host(&w, r);
	add_invocation(&w, r);
	add_devices(&w, r);
	if (r->verbose)
		add_inventory(&w, r);
	add_log(&w, r);
	outline_close(&w, '}');
	buf_addch(out, '\n');
}

void clpeak_write_log_head(struct buf *out, const struct record *r)
{
	struct outline w = {.b = out, .line = true, .first = true};

	outline_open(&w, NULL, '{');
	outline_text(&w, "schema", "clpeak/run-log");
	add_version(&w, r);
	add_build(&w, r);
	add_host(&w, r);
	add_invocation(&w, r);
	outline_close(&w, '}');
	buf_addch(out, '\n');
}

void clpeak_write_log_entry(struct buf *out, const struct log_entry *e)
{
	add_entry(out, e);
	buf_addch(out, '\n');
}
