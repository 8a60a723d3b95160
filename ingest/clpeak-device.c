#include "clpeak-device.h"

#include "clpeak-unit.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEEN_MAX = 64 << 20, DRIVERS_MAX = 1 << 20 }; /* bytes */
enum { REPEATS_MAX = 1024 };

static const double plausible_ops = 1e6; /* per second; a microcontroller does more */

struct test {
	const char *benchmark; /* device and test */
	const char *variant;
	struct clpeak_unit unit;
};

void clpeak_devices_init(struct clpeak_devices *d, const char *file)
{
	*d = (struct clpeak_devices){.file = file, .drivers = {.max = DRIVERS_MAX}};
	d->seen = intern_new();
	d->names = intern_new();
}

void clpeak_devices_release(struct clpeak_devices *d)
{
	intern_free(d->seen);
	intern_free(d->names);
	buf_release(&d->states);
	buf_release(&d->drivers);
	free(d->small_example);
}

static int required(const struct jv *o, const char *key, const char **ret, struct err *err)
{
	int r = clpeak_text(o, key, ret, err);

	return r ? r : err_set(err, ERR_FORMAT, "no '%s'", key);
}

/* Texts that are read for nothing but that they are texts. */
static int check_texts(const struct jv *o, const char *const *keys, size_t n, struct err *err)
{
	const char *s;
	size_t i;

	for (i = 0; i < n; i++)
		if (jv_get_string(o, keys[i], &s, err) < 0)
			return -1;
	return 0;
}

/* ---- a reading ---- */

/* Returns 1 for a value (in *ret), 0 for an absence (in *ret_status), -1. */
static int reading_state(
	const struct jv *m, struct num *ret, enum sink_status *ret_status, struct err *err)
{
	const char *status = "ok";
	int value = jv_get_num(m, "value", ret, err);
	int said = value < 0 ? -1 : jv_get_string(m, "status", &status, err);

	if (said < 0)
		return -1;
	if (!value && !said)
		return err_set(err, ERR_FORMAT, "neither 'value' nor 'status'");
	if (!strcmp(status, "ok"))
		return value ? 1
			     : err_set(err, ERR_FORMAT, "'status' is 'ok' but there is no 'value'");
	if (sink_status_parse(status, ret_status) < 0)
		return err_set(err, ERR_FORMAT,
			"'status' is '%.80s', expected ok, unsupported, skipped or error", status);
	return value ? err_set(err, ERR_FORMAT, "'status' is '%s' and yet there is a 'value'",
			       status)
		     : 0;
}

/* Returns 1 for a reading not seen before, 0 for an absence that repeats one, -1. */
static int see(struct clpeak_devices *d, const struct test *t, const char *id, bool has_value,
	struct err *err)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	uint32_t known = intern_count(d->seen), n;

	buf_addstr(&key, t->benchmark);
	buf_addch(&key, '\0');
	buf_addstr(&key, t->variant);
	buf_addch(&key, '\0');
	buf_addstr(&key, id);
	n = intern_add(d->seen, key.p, key.len);
	if (n == known) {
		buf_addch(&d->states, has_value ? 'v' : 'a');
		if (intern_bytes(d->seen) > SEEN_MAX)
			return err_set(err, ERR_FORMAT, "more than 64 MiB of names");
		return 1;
	}
	if (!has_value && d->states.p[n] == 'a')
		return 0;
	return err_set(err, ERR_FORMAT, "%s in this document",
		has_value && d->states.p[n] == 'v' ? "a second value for this reading"
						   : "a value and an absence for this reading");
}

static void check_plausible(
	struct clpeak_devices *d, const struct test *t, const struct metric *m, struct num value)
{
	_cleanup_(buf_release) struct buf number = BUF_INIT;
	double size = fabs(num_double(value));

	if ((strcmp(m->unit, "FLOPS") != 0 && strcmp(m->unit, "OPS") != 0) || size == 0 ||
		size >= plausible_ops)
		return;
	if (d->small++)
		return;
	num_format(&number, value);
	d->small_example =
		xasprintf("%s, %s: %s %s", t->benchmark, m->name, buf_str(&number), m->unit);
}

/* perfgate's own probes write the readings that the value is the median of. *ret NULL: there are
 * none. */
static int find_repeats(const struct jv *m, bool has_value, const struct jv **ret, struct err *err)
{
	int r = jv_get_array(m, "repeats", ret, err);

	if (r <= 0)
		return r;
	if (!has_value)
		return err_set(err, ERR_FORMAT, "there are 'repeats' and yet no 'value'");
	if (jv_len(*ret) == 0)
		return err_set(err, ERR_FORMAT, "'repeats' is empty, expected numbers");
	if (jv_len(*ret) > REPEATS_MAX)
		return err_set(err, ERR_FORMAT, "'repeats' has %zu numbers, expected at most %d",
			jv_len(*ret), REPEATS_MAX);
	return 1;
}

static int send_repeats(struct clpeak_devices *d, const struct jv *repeats, double factor,
	int64_t series, struct err *err)
{
	struct num value;
	size_t i;

	for (i = 0; i < jv_len(repeats); i++) {
		const struct jv *v = jv_at(repeats, i);
		const enum jv_kind kind = jv_kind(v);
		if (kind != JV_INT && kind != JV_REAL)
			return err_set(err, ERR_FORMAT, "'repeats[%zu]' is %s, expected a number",
				i, jv_kind_name(kind));
		if (clpeak_unit_convert(jv_num(v), factor, &value, err) < 0)
			return err_prefix(err, "'repeats[%zu]'", i);
		if (d->sink->sample(d->sink, d->run, series, value, err) < 0)
			return -1;
	}
	return 0;
}

static int send_reading(struct clpeak_devices *d, const struct test *t, const struct jv *m,
	struct metric *metric, double factor, struct err *err)
{
	enum sink_status status;
	const struct jv *repeats = NULL;
	const char *reason = "";
	struct num value;
	int64_t series;
	int has_value = reading_state(m, &value, &status, err), fresh;

	if (has_value < 0 || jv_get_string(m, "reason", &reason, err) < 0 ||
		find_repeats(m, has_value, &repeats, err) < 0)
		return -1;
	if (has_value && clpeak_unit_convert(value, factor, &value, err) < 0)
		return -1;
	fresh = see(d, t, metric->name, has_value, err);
	if (fresh <= 0) {
		d->repeated += fresh == 0;
		return fresh;
	}
	series = d->sink->series(d->sink, t->benchmark, metric, t->variant, err);
	if (series < 0)
		return -1;
	if (!has_value)
		return d->sink->absence(d->sink, d->run, series, status, reason, err);
	check_plausible(d, t, metric, value);
	if (repeats)
		return send_repeats(d, repeats, factor, series, err);
	return d->sink->sample(d->sink, d->run, series, value, err);
}

static int read_metric(
	struct clpeak_devices *d, const struct test *t, const struct jv *m, struct err *err)
{
	static const char *const texts[] = {"label", "description"};
	struct clpeak_unit unit;
	struct metric metric;
	double factor;

	if (required(m, "id", &metric.name, err) < 0 ||
		check_texts(m, texts, ARRAY_LEN(texts), err) < 0 ||
		clpeak_unit_read(m, &unit, err) < 0 ||
		clpeak_unit_resolve(&t->unit, &unit, &metric, &factor, err) < 0)
		return -1;
	return send_reading(d, t, m, &metric, factor, err);
}

/* ---- lists ---- */

/* Where an element is, for messages: "tests[3] ('id')", or without the name when it has none. */
static int at(const char *list, size_t i, const char *name, struct err *err)
{
	if (name)
		return err_prefix(err, "%s[%zu] ('%.80s')", list, i, name);
	return err_prefix(err, "%s[%zu]", list, i);
}

static const char *id_of(const struct jv *o)
{
	const struct jv *id = jv_kind(o) == JV_OBJECT ? jv_get(o, "id") : NULL;

	return id && jv_kind(id) == JV_STRING ? jv_string(id, NULL) : NULL;
}

static int check_object(const struct jv *v, struct err *err)
{
	if (jv_kind(v) == JV_OBJECT)
		return 0;
	return err_set(err, ERR_FORMAT, "expected an object, not %s", jv_kind_name(jv_kind(v)));
}

/* The array that a writer always writes, even when it is empty. */
static int list_of(const struct jv *o, const char *key, const struct jv **ret, struct err *err)
{
	int r = jv_get_array(o, key, ret, err);

	return r ? r : err_set(err, ERR_FORMAT, "no '%s'", key);
}

static int read_metrics(
	struct clpeak_devices *d, const struct test *t, const struct jv *test, struct err *err)
{
	const struct jv *list, *m;
	size_t i;

	if (list_of(test, "metrics", &list, err) < 0)
		return -1;
	for (i = 0; i < jv_len(list); i++) {
		m = jv_at(list, i);
		if (check_object(m, err) < 0 || read_metric(d, t, m, err) < 0)
			return at("metrics", i, id_of(m), err);
	}
	return 0;
}

static int read_test(
	struct clpeak_devices *d, const char *device, const struct jv *o, struct err *err)
{
	static const char *const texts[] = {"title", "category", "shape", "axis", "description"};
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	struct test t = {.variant = ""};
	const char *id;

	if (required(o, "id", &id, err) < 0 || clpeak_text(o, "variant", &t.variant, err) < 0 ||
		check_texts(o, texts, ARRAY_LEN(texts), err) < 0 ||
		clpeak_unit_read(o, &t.unit, err) < 0)
		return -1;
	buf_addf(&name, "%s/%s", device, id);
	if (name.len > SINK_NAME_MAX)
		return err_set(err, ERR_FORMAT, "device and test have a name of over %d bytes",
			SINK_NAME_MAX);
	t.benchmark = name.p;
	return read_metrics(d, &t, o, err);
}

static int read_tests(
	struct clpeak_devices *d, const char *device, const struct jv *o, struct err *err)
{
	const struct jv *list, *t;
	size_t i;

	if (list_of(o, "tests", &list, err) < 0)
		return -1;
	for (i = 0; i < jv_len(list); i++) {
		t = jv_at(list, i);
		if (check_object(t, err) < 0 || read_test(d, device, t, err) < 0)
			return at("tests", i, id_of(t), err);
	}
	return 0;
}

/* ---- a device ---- */

/* Appends the text without the white space around it: drivers pad names, and not always the same.
 */
static int add_trimmed(struct buf *out, const struct jv *o, const char *key, struct err *err)
{
	static const char space[] = " \t\r\n\f\v";
	const char *s = "";
	size_t n;

	if (clpeak_text(o, key, &s, err) < 0)
		return -1;
	s += strspn(s, space);
	for (n = strlen(s); n && strchr(space, s[n - 1]); n--)
		;
	buf_add(out, s, n);
	return n > 0;
}

/* BACKEND/PLATFORM/NAME[#INDEX], as clpeak's own comparison has it. */
static int device_name(const struct jv *o, struct buf *out, struct err *err)
{
	int64_t index = -1;
	size_t backend;
	int r = add_trimmed(out, o, "backend", err);

	if (r <= 0)
		return r ? r : err_set(err, ERR_FORMAT, "no 'backend'");
	backend = out->len;
	buf_addch(out, '/');
	r = add_trimmed(out, o, "platform", err);
	if (r < 0)
		return -1;
	if (r == 0) {
		_cleanup_(freep) char *same = xstrndup(out->p, backend);
		buf_addstr(out, same);
	}
	buf_addch(out, '/');
	r = add_trimmed(out, o, "name", err);
	if (r <= 0)
		return r ? r : err_set(err, ERR_FORMAT, "no 'name'");
	if (jv_get_int(o, "device_index", &index, err) < 0)
		return -1;
	if (index >= 0)
		buf_addf(out, "#%lld", (long long)index);
	return 0;
}

/* A device that is written twice (reopened) is one device with one driver. */
static int keep_driver(
	struct clpeak_devices *d, const char *device, const struct jv *o, struct err *err)
{
	uint32_t known = intern_count(d->names);
	const char *driver = NULL;
	_cleanup_(buf_release) struct buf member = BUF_INIT;

	if (clpeak_text(o, "driver", &driver, err) < 0)
		return -1;
	if (intern_add(d->names, device, strlen(device)) != known || !driver)
		return 0;
	if (d->drivers.len)
		buf_addch(&member, ',');
	text_json_str(&member, device);
	buf_addch(&member, ':');
	text_json_str(&member, driver);
	if (buf_room(&d->drivers, member.len) < 0)
		return err_set(err, ERR_FORMAT, "more than 1 MiB of drivers");
	buf_add(&d->drivers, member.p, member.len);
	return 0;
}

static int read_device(
	struct clpeak_devices *d, const struct jv *o, struct buf *name, struct err *err)
{
	static const char *const texts[] = {"type"};
	const struct jv *properties;

	if (check_object(o, err) < 0 || device_name(o, name, err) < 0 ||
		check_texts(o, texts, ARRAY_LEN(texts), err) < 0 ||
		jv_get_array(o, "properties", &properties, err) < 0 ||
		keep_driver(d, name->p, o, err) < 0)
		return -1;
	if (intern_bytes(d->names) > SEEN_MAX)
		return err_set(err, ERR_FORMAT, "more than 64 MiB of names");
	return read_tests(d, name->p, o, err);
}

int clpeak_devices_read(struct clpeak_devices *d, const struct jv *device, struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;

	if (read_device(d, device, &name, err) < 0) {
		at("devices", d->count, name.len ? name.p : NULL, err);
		return err_prefix(err, "%s", d->file);
	}
	d->count++;
	return 0;
}

void clpeak_devices_notes(const struct clpeak_devices *d)
{
	if (d->small)
		d->sink->note(d->sink,
			"%zu reading%s of FLOPS or OPS below 1e6, probably meant in a "
			"larger unit; stored as written (%s)",
			d->small, d->small == 1 ? "" : "s", d->small_example);
	if (d->repeated)
		d->sink->note(d->sink, "%zu absent reading%s named twice, kept once", d->repeated,
			d->repeated == 1 ? "" : "s");
}
