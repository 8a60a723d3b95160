/*
 * clpeak/run format 3. The document is walked member by member, the devices one at a time; the
 * log, the inventory and whatever is not known pass by without being held.
 */
#include "clpeak-device.h"
#include "clpeak-head.h"
#include "clpeak-old.h"
#include "glance.h"
#include "reader.h"

#include <string.h>

enum { HELD_MAX = 16 << 20 /* bytes */ };

struct doc {
	struct js *js;
	struct sink *sink;
	bool has_devices, started; /* started: the sink has the run */
	struct clpeak_head head;
	struct clpeak_devices devices;
	struct buf held; /* devices that came before the head was complete, comma between them */
};

/* ---- devices ---- */

static int start_run(struct doc *d, struct err *err)
{
	const struct run_head head = {
		.suite = "clpeak",
		.format = "clpeak",
		.format_version = "3",
		.tool_version = d->head.version,
		.runner_key = d->head.runner.len ? d->head.runner.p : NULL,
		.started_at = d->head.started_at,
	};
	int run = d->sink->run(d->sink, &head, err);

	if (run < 0)
		return -1;
	d->started = true;
	d->devices.sink = d->sink;
	d->devices.run = run;
	return 0;
}

static int read_device(struct doc *d, struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	return v ? clpeak_devices_read(&d->devices, v, err) : -1;
}

/* Checks the device's syntax while its line is known, and keeps its text for later. */
static int hold_device(struct doc *d, struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = NULL;
	const char *text;
	size_t len;
	int r = js_raw_object(js, &text, &len, err);

	if (r < 0)
		return -1;
	if (r > 0) {
		if (buf_room(&d->held, len + 1) < 0)
			return js_error(js, err,
				"more than 16 MiB of devices before the head; put 'host', "
				"'format_version' and 'clpeak_version' before 'devices'");
		if (d->held.len)
			buf_addch(&d->held, ',');
		buf_add(&d->held, text, len);
	}
	v = js_load(js, err);
	return v ? 0 : -1;
}

static int walk_devices(struct doc *d, struct js *js, struct err *err)
{
	int r, c = js_peek(js, err);

	if (c < 0)
		return -1;
	if (c != '[' && c != 0)
		return js_error(js, err, "'devices' is not an array");
	if (js_enter(js, '[', err) < 0)
		return -1;
	while ((r = js_more(js, err)) > 0)
		if ((d->started ? read_device(d, js, err) : hold_device(d, js, err)) < 0)
			return -1;
	return r;
}

static int read_devices(struct doc *d, struct err *err)
{
	const struct clpeak_head *h = &d->head;

	d->has_devices = true;
	if (h->has_format && h->has_host && h->version && start_run(d, err) < 0)
		return -1;
	return walk_devices(d, d->js, err);
}

static int read_held(struct doc *d, struct err *err)
{
	_cleanup_(buf_release) struct buf array = BUF_INIT;
	struct input *in;
	struct js *js;
	int r;

	if (start_run(d, err) < 0)
		return -1;
	buf_addf(&array, "[%s]", buf_str(&d->held));
	buf_release(&d->held);
	in = input_memory(d->head.file, array.p, array.len);
	js = js_open(in, 0);
	r = walk_devices(d, js, err);
	js_close(js);
	input_free(in);
	return r;
}

/* ---- the document ---- */

static int read_member(struct doc *d, const char *key, struct err *err)
{
	int r;

	if (!strcmp(key, "devices"))
		return read_devices(d, err);
	r = clpeak_head_member(&d->head, d->js, key, err);
	return r ? r : js_skip(d->js, err);
}

static int read_members(struct doc *d, struct err *err)
{
	const char *key;
	int r;

	if (js_enter(d->js, '{', err) < 0)
		return -1;
	while ((r = js_more(d->js, err)) > 0)
		if (js_key(d->js, &key, err) < 0 || read_member(d, key, err) < 0)
			return -1;
	return r < 0 ? -1 : js_end(d->js, err);
}

static int finish(struct doc *d, struct err *err)
{
	_cleanup_(freep) char *facts = NULL;
	const char *file = d->head.file;

	if (!d->head.has_format)
		return err_set(err, ERR_FORMAT,
			"%s: no 'format_version'%s; perfgate reads clpeak result format 3", file,
			d->head.has_entries ? " (but 'entries', as in format 2)" : "");
	if (!d->has_devices)
		return err_set(err, ERR_FORMAT, "%s: no 'devices'", file);
	if (!d->started && read_held(d, err) < 0)
		return -1;
	facts = clpeak_head_facts(&d->head, buf_str(&d->devices.drivers));
	if (d->sink->amend(d->sink, d->devices.run, d->head.started_at, facts, err) < 0)
		return -1;
	if (d->head.cancelled)
		d->sink->note(d->sink, "the run was cancelled; readings may be missing");
	clpeak_devices_notes(&d->devices);
	return 0;
}

static int read_json(struct input *in, struct sink *sink, struct err *err)
{
	struct doc d = {.sink = sink, .held = {.max = HELD_MAX}};
	int r;

	d.js = js_open(in, 0);
	clpeak_head_init(&d.head, input_name(in));
	clpeak_devices_init(&d.devices, input_name(in));
	r = read_members(&d, err) < 0 ? -1 : finish(&d, err);
	clpeak_devices_release(&d.devices);
	clpeak_head_release(&d.head);
	buf_release(&d.held);
	js_close(d.js);
	return r;
}

static int clpeak_read(struct input **in, size_t n, const struct read_options *opts,
	struct sink *sink, struct err *err)
{
	const char *head;
	size_t len;

	(void)n;
	(void)opts;
	if (input_head(in[0], &head, &len, err) < 0)
		return -1;
	if (clpeak_old(head, len))
		return clpeak_refuse_old(input_name(in[0]), head, len, err);
	return read_json(in[0], sink, err);
}

/* ---- detection ---- */

static int clpeak_sniff(const char *head, size_t len)
{
	const struct glance doc = glance(head, len), schema = glance_member(doc, "schema");

	if (clpeak_old(head, len))
		return 100;
	if (glance_begins(schema, "\"clpeak/run\"") || glance_begins(schema, "\"clpeak/run-log\""))
		return 100;
	if (glance_member(doc, "clpeak_version").p)
		return 90;
	if (glance_member(doc, "format_version").p && glance_member(doc, "entries").p)
		return 50;
	return 0;
}

const struct reader reader_clpeak = {.name = "clpeak",
	.suite = "clpeak",
	.summary = "clpeak results, format 3 (clpeak/run, JSON)",
	.sniff = clpeak_sniff,
	.read = clpeak_read};
