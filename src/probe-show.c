#include "probe-private.h"

#include "command.h"
#include "json-out.h"
#include "show-number.h"
#include "words.h"

#include <string.h>

static const char *const statuses[] = {[OUTCOME_UNSUPPORTED] = "unsupported",
	[OUTCOME_SKIPPED] = "skipped",
	[OUTCOME_ERROR] = "error"};

static char *test_name(const struct test *t)
{
	return t->variant ? xasprintf("%s@%s", t->id, t->variant) : xstrdup(t->id);
}

/* ---- devices ---- */

static void unavailable_line(const struct probed *p)
{
	print_line("%s: %s", p->name, p->unavailable);
}

static void device_row(struct table *t, const struct probed *p, size_t i)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	const struct device *d = &p->plan.devices[i];

	probe_device_name(&name, p, i);
	table_cell(t, "%s", name.p);
	table_cell(t, "%s", d->name);
	table_cell(t, "%s", d->platform);
	table_cell(t, "%s", d->driver ? d->driver : "-");
	table_cell(t, "%s", d->type);
}

static void device_json(struct buf *b, const struct probed *p, size_t i)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	const struct device *d = &p->plan.devices[i];

	probe_device_name(&name, p, i);
	buf_addstr(b, b->len > 1 ? ",\n {" : "\n {");
	json_string(b, "device", name.p);
	json_string(b, "backend", p->name);
	json_string(b, "platform", d->platform);
	json_string(b, "name", d->name);
	json_string(b, "driver", d->driver);
	json_string(b, "type", d->type);
	json_null(b, "reason");
	buf_addch(b, '}');
}

static void unavailable_json(struct buf *b, const struct probed *p)
{
	buf_addstr(b, b->len > 1 ? ",\n {" : "\n {");
	json_null(b, "device");
	json_string(b, "backend", p->name);
	json_string(b, "reason", p->unavailable);
	buf_addch(b, '}');
}

static void list_devices_json(const struct record *r)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t i, d;

	buf_addch(&b, '[');
	for (i = 0; i < r->n_back_ends; i++) {
		for (d = 0; d < r->back_ends[i].plan.n_devices; d++)
			device_json(&b, &r->back_ends[i], d);
		if (r->back_ends[i].unavailable)
			unavailable_json(&b, &r->back_ends[i]);
	}
	printf("%s\n]\n", b.p);
}

void probe_list_devices(const struct record *r, bool json)
{
	struct table *t;
	size_t i, d;

	if (json) {
		list_devices_json(r);
		return;
	}
	t = table_new("=device", "name", "platform", "driver", "=type", NULL);
	for (i = 0; i < r->n_back_ends; i++)
		for (d = 0; d < r->back_ends[i].plan.n_devices; d++)
			device_row(t, &r->back_ends[i], d);
	table_write(t, stdout);
	for (i = 0; i < r->n_back_ends; i++)
		if (r->back_ends[i].unavailable)
			unavailable_line(&r->back_ends[i]);
}

/* ---- tests ---- */

static void test_row(struct table *t, const struct probed *p, size_t i)
{
	_cleanup_(buf_release) struct buf device = BUF_INIT;
	const struct reading *r = &p->plan.readings[i];
	const struct test *test = &p->plan.tests[r->test];
	_cleanup_(freep) char *name = test_name(test);

	probe_device_name(&device, p, test->device);
	table_cell(t, "%s", device.p);
	table_cell(t, "%s", name);
	table_cell(t, "%s", r->id);
	table_cell(t, "%s", unit_word(r->unit ? r->unit : test->unit)->unit);
	table_cell(t, "%s", r->quick ? "quick" : "");
	table_cell(t, "%s", test->title);
}

static void test_json(struct buf *b, const struct probed *p, size_t i)
{
	_cleanup_(buf_release) struct buf device = BUF_INIT;
	const struct reading *r = &p->plan.readings[i];
	const struct test *test = &p->plan.tests[r->test];

	probe_device_name(&device, p, test->device);
	buf_addstr(b, b->len > 1 ? ",\n {" : "\n {");
	json_string(b, "device", device.p);
	json_string(b, "test", test->id);
	json_string(b, "variant", test->variant);
	json_string(b, "reading", r->id);
	json_string(b, "unit", unit_word(r->unit ? r->unit : test->unit)->unit);
	json_string(b, "category", test->category);
	json_bool(b, "quick", r->quick);
	json_string(b, "title", test->title);
	json_string(b, "description", r->description ? r->description : test->description);
	buf_addch(b, '}');
}

void probe_list_tests(const struct record *r, bool json)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct table *t = table_new("=device", "test", "reading", "=unit", "=quick", "title", NULL);
	size_t i, k;

	buf_addch(&b, '[');
	for (i = 0; i < r->n_back_ends; i++)
		for (k = 0; k < r->back_ends[i].plan.n_readings; k++) {
			if (!r->back_ends[i].chosen[k])
				continue;
			test_row(t, &r->back_ends[i], k);
			test_json(&b, &r->back_ends[i], k);
		}
	if (json) {
		printf("%s\n]\n", b.p);
		table_free(t);
	} else {
		table_write(t, stdout);
	}
}

/* ---- results ---- */

static void spread_cell(struct table *t, const struct outcome *o)
{
	const double percent = 100 * outcome_spread(o);

	if (o->n < 2)
		table_cell(t, "-");
	else
		table_cell(t, "%.*f %%", percent < 9.95 ? 1 : 0, percent);
}

/* notes: there is a column for what went wrong. */
static void result_row(struct table *t, const struct probed *p, size_t i, bool repeated, bool notes)
{
	_cleanup_(buf_release) struct buf value = BUF_INIT;
	const struct reading *r = &p->plan.readings[i];
	const struct outcome *o = &p->outcomes[i];
	const struct test *test = &p->plan.tests[r->test];
	_cleanup_(freep) char *name = test_name(test);

	table_cell(t, "%s", repeated ? "" : name);
	table_cell(t, "%s", r->label ? r->label : r->id);
	if (o->status == OUTCOME_OK) {
		show_number(&value, outcome_median(o), r->unit ? r->unit : test->unit);
		table_cell(t, "%s", value.p);
		spread_cell(t, o);
		if (notes)
			table_cell(t, "%s", "");
	} else {
		table_cell(t, "-");
		table_cell(t, "-");
		table_cell(t, "%s: %s", statuses[o->status], o->reason);
	}
}

static bool has_result(const struct probed *p, size_t i, size_t device)
{
	const struct reading *r = &p->plan.readings[i];

	return p->chosen[i] && p->plan.tests[r->test].device == device &&
	       (p->outcomes[i].n || p->outcomes[i].status != OUTCOME_OK);
}

/* How many results a device has, and whether all are numbers. */
static size_t count_results(const struct probed *p, size_t device, bool *ret_notes)
{
	size_t i, n = 0;

	*ret_notes = false;
	for (i = 0; i < p->plan.n_readings; i++) {
		if (!has_result(p, i, device))
			continue;
		*ret_notes |= p->outcomes[i].status != OUTCOME_OK;
		n++;
	}
	return n;
}

static void show_results(const struct probed *p, size_t device, bool notes)
{
	struct table *t = notes ? table_new("test", "reading", ">value", ">spread", "note", NULL)
				: table_new("test", "reading", ">value", ">spread", NULL);
	size_t i, before = p->plan.n_tests;

	for (i = 0; i < p->plan.n_readings; i++) {
		if (!has_result(p, i, device))
			continue;
		result_row(t, p, i, p->plan.readings[i].test == before, notes);
		before = p->plan.readings[i].test;
	}
	table_write(t, stdout);
}

static void show_device(const struct probed *p, size_t device, bool *first)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	const struct device *d = &p->plan.devices[device];
	bool notes;

	if (!count_results(p, device, &notes))
		return;
	probe_device_name(&name, p, device);
	fputs(*first ? "" : "\n", stdout);
	print_line("%s  %s%s%s%s", name.p, d->name, d->driver ? " (driver " : "",
		d->driver ? d->driver : "", d->driver ? ")" : "");
	show_results(p, device, notes);
	*first = false;
}

void probe_show(const struct record *r)
{
	bool first = true;
	size_t i, d;

	for (i = 0; i < r->n_back_ends; i++)
		for (d = 0; d < r->back_ends[i].plan.n_devices; d++)
			show_device(&r->back_ends[i], d, &first);
	if (first)
		note("nothing was measured");
	for (i = 0; r->verbose && i < r->n_back_ends; i++)
		if (r->back_ends[i].unavailable)
			unavailable_line(&r->back_ends[i]);
}
