#include "heard.h"

#include "sink.h"
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A list of more is none of a machine. NAME_BYTES_MAX: of what a benchmark's name is made
 * of, which as a whole has to fit a sink. */
enum {
	DEVICES_MAX = 256,
	TESTS_MAX = 4096,
	READINGS_MAX = 16384,
	PROPERTIES_MAX = 256,
	NAME_BYTES_MAX = 512,
	TEXT_BYTES_MAX = SINK_NAME_MAX
};

static const char blanks[] = " \t\r\n\f\v";

/* Beyond these no machine measures. */
static const double value_min = 1e-18, value_max = 1e24;

void heard_begin(struct heard *h, struct probed *to, const size_t *readings, size_t n)
{
	*h = (struct heard){.to = to, .readings = readings, .n_readings = n};
}

void heard_release(struct heard *h)
{
	jv_free(h->line);
}

/* ---- members ---- */

/* A text that the plan keeps, without white space around it; *ret NULL where there is none. */
static int text_of(
	struct heard *h, const struct jv *o, const char *key, const char **ret, struct err *err)
{
	const int max = strcmp(key, "description") ? NAME_BYTES_MAX : TEXT_BYTES_MAX;
	const char *s = "";
	size_t n;

	*ret = NULL;
	if (jv_get_string(o, key, &s, err) < 0)
		return -1;
	s += strspn(s, blanks);
	for (n = strlen(s); n && strchr(blanks, s[n - 1]); n--)
		;
	if (n > (size_t)max)
		return err_set(err, ERR_FORMAT, "'%s' is longer than %d bytes", key, max);
	if (n)
		*ret = plan_text(&h->to->plan, "%.*s", (int)n, s);
	return 0;
}

static int needed_text(
	struct heard *h, const struct jv *o, const char *key, const char **ret, struct err *err)
{
	if (text_of(h, o, key, ret, err) < 0)
		return -1;
	return *ret ? 0 : err_set(err, ERR_FORMAT, "no '%s'", key);
}

struct text_member {
	const char *key;
	const char **ret;
};

static int texts_of(
	struct heard *h, const struct jv *o, const struct text_member *m, size_t n, struct err *err)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (text_of(h, o, m[i].key, m[i].ret, err) < 0)
			return -1;
	return 0;
}

static int number_of(
	const struct jv *o, const char *key, int64_t max, int64_t *ret, struct err *err)
{
	if (jv_get_int(o, key, ret, err) < 0)
		return -1;
	if (*ret < -1 || *ret > max)
		return err_set(err, ERR_FORMAT, "'%s' is %lld", key, (long long)*ret);
	return 0;
}

static int small_of(const struct jv *o, const char *key, int *ret, struct err *err)
{
	int64_t n = *ret;

	if (number_of(o, key, 1 << 20, &n, err) < 0)
		return -1;
	*ret = (int)n;
	return 0;
}

static int flag_of(const struct jv *o, const char *key, int *ret, struct err *err)
{
	bool flag;
	int r = jv_get_bool(o, key, &flag, err);

	if (r > 0)
		*ret = flag;
	return r < 0 ? -1 : 0;
}

static int unit_of(struct heard *h, const struct jv *o, const char **ret, struct err *err)
{
	if (text_of(h, o, "unit", ret, err) < 0)
		return -1;
	if (*ret && !unit_word(*ret))
		return err_set(err, ERR_FORMAT, "'unit' is '%.80s'", *ret);
	return 0;
}

/* ---- the list ---- */

static int add_property(struct heard *h, const struct jv *o, struct err *err)
{
	const char *key, *value;

	if (jv_kind(o) != JV_OBJECT)
		return err_set(err, ERR_FORMAT, "a property is %s", jv_kind_name(jv_kind(o)));
	if (needed_text(h, o, "key", &key, err) < 0 || text_of(h, o, "value", &value, err) < 0)
		return -1;
	if (value)
		plan_property(&h->to->plan, key, value);
	return 0;
}

static int add_properties(struct heard *h, const struct jv *o, struct err *err)
{
	const struct jv *list = NULL;
	size_t i;

	if (jv_get_array(o, "properties", &list, err) < 0)
		return -1;
	if (list && jv_len(list) > PROPERTIES_MAX)
		return err_set(err, ERR_FORMAT, "more than %d properties", PROPERTIES_MAX);
	for (i = 0; list && i < jv_len(list); i++)
		if (add_property(h, jv_at(list, i), err) < 0)
			return -1;
	return 0;
}

static int device_numbers(const struct jv *o, struct device *d, struct err *err)
{
	if (small_of(o, "platform_index", &d->platform_index, err) < 0 ||
		small_of(o, "device_index", &d->device_index, err) < 0 ||
		number_of(o, "compute_units", INT64_MAX, &d->compute_units, err) < 0 ||
		number_of(o, "clock_mhz", INT64_MAX, &d->clock_mhz, err) < 0 ||
		number_of(o, "global_mem_bytes", INT64_MAX, &d->global_mem_bytes, err) < 0 ||
		number_of(o, "max_alloc_bytes", INT64_MAX, &d->max_alloc_bytes, err) < 0 ||
		flag_of(o, "fp16", &d->fp16, err) < 0 || flag_of(o, "fp64", &d->fp64, err) < 0)
		return -1;
	return 0;
}

/* What readers of the document tell devices apart by. */
static char *identity(const struct device *d)
{
	return d->device_index < 0 ? xasprintf("%s/%s", d->platform, d->name)
				   : xasprintf("%s/%s#%d", d->platform, d->name, d->device_index);
}

static bool same_device(const struct device *a, const struct device *b)
{
	_cleanup_(freep) char *x = identity(a), *y = identity(b);

	return !strcmp(x, y);
}

static int check_device(const struct heard *h, const struct device *d, struct err *err)
{
	const struct plan *p = &h->to->plan;
	size_t i;

	if (p->n_devices == DEVICES_MAX)
		return err_set(err, ERR_FORMAT, "more than %d devices", DEVICES_MAX);
	if (!is_word(device_type_words, d->type))
		return err_set(err, ERR_FORMAT, "'type' is '%.80s'", d->type);
	for (i = 0; i < p->n_devices; i++)
		if (same_device(&p->devices[i], d))
			return err_set(err, ERR_FORMAT, "a second device '%.80s'", d->name);
	return 0;
}

static int add_device(struct heard *h, const struct jv *o, struct err *err)
{
	struct device d = {DEVICE_UNKNOWN};
	const struct text_member texts[] = {{"platform", &d.platform}, {"driver", &d.driver},
		{"type", &d.type}, {"arch", &d.arch}, {"api", &d.api}, {"origin", &d.origin}};

	if (needed_text(h, o, "name", &d.name, err) < 0 ||
		texts_of(h, o, texts, ARRAY_LEN(texts), err) < 0 || device_numbers(o, &d, err) < 0)
		return -1;
	d.platform = d.platform ? d.platform : h->to->name;
	d.type = d.type ? d.type : "unknown";
	if (check_device(h, &d, err) < 0)
		return -1;
	plan_device(&h->to->plan, &d);
	return add_properties(h, o, err);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static int check_test(const struct heard *h, const struct test *t, struct err *err)
{
	const struct plan *p = &h->to->plan;
	size_t i;

	if (!p->n_devices)
		return err_set(err, ERR_FORMAT, "a test before there is a device");
	if (p->n_tests == TESTS_MAX)
		return err_set(err, ERR_FORMAT, "more than %d tests", TESTS_MAX);
	if (strchr(t->id, '/'))
		return err_set(err, ERR_FORMAT, "a slash in the test's id, '%.80s'", t->id);
	if (!is_word(category_words, t->category))
		return err_set(err, ERR_FORMAT, "'category' is '%.80s'", t->category);
	for (i = p->n_tests; i > 0 && p->tests[i - 1].device == p->n_devices - 1; i--)
		if (!strcmp(p->tests[i - 1].id, t->id) &&
			same_text(p->tests[i - 1].variant, t->variant))
			return err_set(err, ERR_FORMAT, "a second test '%.80s'", t->id);
	return 0;
}

static int shape_of(const struct jv *o, bool *ret, struct err *err)
{
	const char *shape = "heterogeneous";

	if (jv_get_string(o, "shape", &shape, err) < 0)
		return -1;
	*ret = !strcmp(shape, "homogeneous");
	if (!*ret && strcmp(shape, "heterogeneous") != 0)
		return err_set(err, ERR_FORMAT, "'shape' is '%.80s'", shape);
	return 0;
}

static int add_test(struct heard *h, const struct jv *o, struct err *err)
{
	struct test t = {0};
	const struct text_member texts[] = {
		{"variant", &t.variant}, {"axis", &t.axis}, {"description", &t.description}};

	if (needed_text(h, o, "id", &t.id, err) < 0 ||
		needed_text(h, o, "title", &t.title, err) < 0 ||
		needed_text(h, o, "category", &t.category, err) < 0 ||
		texts_of(h, o, texts, ARRAY_LEN(texts), err) < 0 ||
		unit_of(h, o, &t.unit, err) < 0 || shape_of(o, &t.homogeneous, err) < 0 ||
		check_test(h, &t, err) < 0)
		return -1;
	if (!t.unit)
		return err_set(err, ERR_FORMAT, "no 'unit'");
	plan_test(&h->to->plan, &t);
	return 0;
}

static int check_reading(const struct heard *h, const struct reading *r, struct err *err)
{
	const struct plan *p = &h->to->plan;
	size_t i;

	if (!p->n_tests || p->tests[p->n_tests - 1].device != p->n_devices - 1)
		return err_set(err, ERR_FORMAT, "a reading before there is a test");
	if (p->n_readings == READINGS_MAX)
		return err_set(err, ERR_FORMAT, "more than %d readings", READINGS_MAX);
	for (i = p->n_readings; i > 0 && p->readings[i - 1].test == p->n_tests - 1; i--)
		if (!strcmp(p->readings[i - 1].id, r->id))
			return err_set(err, ERR_FORMAT, "a second reading '%.80s'", r->id);
	return 0;
}

static int add_reading(struct heard *h, const struct jv *o, struct err *err)
{
	struct reading r = {0};
	const struct text_member texts[] = {{"label", &r.label}, {"description", &r.description}};

	if (needed_text(h, o, "id", &r.id, err) < 0 ||
		texts_of(h, o, texts, ARRAY_LEN(texts), err) < 0 ||
		unit_of(h, o, &r.unit, err) < 0 || jv_get_bool(o, "quick", &r.quick, err) < 0 ||
		check_reading(h, &r, err) < 0)
		return -1;
	plan_reading(&h->to->plan, &r);
	return 0;
}

/* ---- the messages; each gets the object that its key has, or the line ---- */

static int on_hello(struct heard *h, const struct jv *o, struct err *err)
{
	const char *name = "";
	int64_t version = 0;

	if (jv_get_int(o, "hello", &version, err) < 0 ||
		jv_get_string(o, "backend", &name, err) < 0)
		return -1;
	if (h->greeted || version != 1 || strcmp(name, h->to->name) != 0)
		return err_set(err, ERR_FORMAT, "hello %lld of '%.80s'", (long long)version, name);
	h->greeted = true;
	return HEARD_NOTHING;
}

static int on_unavailable(struct heard *h, const struct jv *o, struct err *err)
{
	const char *why = "";

	if (jv_get_string(o, "unavailable", &why, err) < 0)
		return -1;
	if (h->to->plan.n_devices && !h->readings)
		return err_set(err, ERR_FORMAT, "unavailable, behind a device");
	h->ended = true;
	free(h->to->unavailable);
	h->to->unavailable = xasprintf("%.400s", *why ? why : "it does not say why");
	return HEARD_UNAVAILABLE;
}

static int on_list(struct heard *h, const struct jv *o, const char *key,
	int (*add)(struct heard *h, const struct jv *o, struct err *err), struct err *err)
{
	const struct jv *inner = NULL;

	if (h->readings)
		return err_set(err, ERR_FORMAT, "a %s when it is to measure", key);
	if (jv_get_object(o, key, &inner, err) < 0)
		return -1;
	if (!inner || add(h, inner, err) < 0)
		return err_prefix(err, "%s", key);
	return HEARD_NOTHING;
}

static int on_device(struct heard *h, const struct jv *o, struct err *err)
{
	return on_list(h, o, "device", add_device, err);
}

static int on_test(struct heard *h, const struct jv *o, struct err *err)
{
	return on_list(h, o, "test", add_test, err);
}

static int on_reading(struct heard *h, const struct jv *o, struct err *err)
{
	return on_list(h, o, "reading", add_reading, err);
}

static int on_listed(struct heard *h, const struct jv *o, struct err *err)
{
	int64_t n = -1;

	if (jv_get_int(o, "listed", &n, err) < 0)
		return -1;
	if (h->readings || n < 0 || (uint64_t)n != h->to->plan.n_readings)
		return err_set(err, ERR_FORMAT, "%lld listed, of which %zu came", (long long)n,
			h->to->plan.n_readings);
	h->ended = true;
	return HEARD_END;
}

static int on_start(struct heard *h, const struct jv *o, struct err *err)
{
	const struct plan *p = &h->to->plan;
	const char *test = "", *id = "";
	const struct reading *r;
	int64_t n = -1;

	if (jv_get_int(o, "start", &n, err) < 0 || jv_get_string(o, "test", &test, err) < 0 ||
		jv_get_string(o, "reading", &id, err) < 0)
		return -1;
	if (h->started || h->next == h->n_readings || n < 0 || (uint64_t)n != h->readings[h->next])
		return err_set(err, ERR_FORMAT, "reading %lld starts out of turn", (long long)n);
	r = &p->readings[h->readings[h->next]];
	if (strcmp(id, r->id) != 0 || strcmp(test, p->tests[r->test].id) != 0)
		return err_set(err, ERR_FORMAT,
			"reading %lld was '%.60s' in the list, and is '%.60s'", (long long)n, r->id,
			id);
	h->started = true;
	h->next++;
	return HEARD_START;
}

static int take_values(const struct jv *list, struct outcome *ret, struct err *err)
{
	size_t i, n = jv_len(list);

	if (n < 1 || n > REPEAT_MAX)
		return err_set(err, ERR_FORMAT, "%zu values", n);
	for (i = 0; i < n; i++) {
		const struct jv *v = jv_at(list, i);
		double d;

		if (jv_kind(v) != JV_INT && jv_kind(v) != JV_REAL)
			return err_set(err, ERR_FORMAT, "a value is %s", jv_kind_name(jv_kind(v)));
		d = num_double(jv_num(v));
		if (!(d >= value_min && d <= value_max))
			return err_set(err, ERR_FORMAT, "a value of %g", d);
		ret->values[ret->n++] = d;
	}
	return 0;
}

static int take_status(const struct jv *o, const char *status, struct outcome *ret, struct err *err)
{
	const char *reason = "";
	enum sink_status s;

	if (jv_get_string(o, "reason", &reason, err) < 0)
		return -1;
	if (sink_status_parse(status, &s) < 0)
		return err_set(err, ERR_FORMAT, "'status' is '%.80s'", status);
	outcome_refuse(ret,
		s == SINK_UNSUPPORTED ? OUTCOME_UNSUPPORTED
		: s == SINK_SKIPPED   ? OUTCOME_SKIPPED
				      : OUTCOME_ERROR,
		"%s", *reason ? reason : "it does not say why");
	return 0;
}

static int on_done(struct heard *h, const struct jv *o, struct err *err)
{
	struct outcome outcome = {.status = OUTCOME_OK};
	const struct jv *values = NULL;
	const char *status = NULL;
	int64_t n = -1;

	if (jv_get_int(o, "done", &n, err) < 0 || jv_get_array(o, "values", &values, err) < 0 ||
		jv_get_string(o, "status", &status, err) < 0)
		return -1;
	if (!h->started || n < 0 || (uint64_t)n != h->readings[h->next - 1])
		return err_set(
			err, ERR_FORMAT, "reading %lld is done, and was not started", (long long)n);
	if (!values == !status)
		return err_set(err, ERR_FORMAT, "neither values nor a status, or both");
	if ((values ? take_values(values, &outcome, err) : take_status(o, status, &outcome, err)) <
		0)
		return -1;
	h->to->outcomes[h->readings[h->next - 1]] = outcome;
	h->started = false;
	return HEARD_DONE;
}

static int on_log(struct heard *h, const struct jv *o, struct err *err)
{
	h->level = h->source = NULL;
	h->message = "";
	if (jv_get_string(o, "log", &h->level, err) < 0 ||
		jv_get_string(o, "message", &h->message, err) < 0 ||
		jv_get_string(o, "source", &h->source, err) < 0)
		return -1;
	if (!h->level || !is_word(level_words, h->level))
		return err_set(err, ERR_FORMAT, "no such level of a message");
	return HEARD_LOG;
}

static int on_finished(struct heard *h, const struct jv *o, struct err *err)
{
	(void)o;
	if (!h->readings || h->started || h->next != h->n_readings)
		return err_set(err, ERR_FORMAT, "finished, with %zu readings left",
			h->n_readings - h->next);
	h->ended = true;
	return HEARD_END;
}

static const struct {
	const char *key;
	int (*take)(struct heard *h, const struct jv *line, struct err *err);
} messages[] = {
	{"hello", on_hello},
	{"unavailable", on_unavailable},
	{"device", on_device},
	{"test", on_test},
	{"reading", on_reading},
	{"listed", on_listed},
	{"start", on_start},
	{"done", on_done},
	{"log", on_log},
	{"finished", on_finished},
};

/* What a line is about is its first key: others may be words of the table as well. */
static int dispatch(struct heard *h, struct err *err)
{
	const void *first = jv_kind(h->line) == JV_OBJECT ? jv_first(h->line) : NULL;
	size_t i;

	for (i = 0; first && i < ARRAY_LEN(messages); i++) {
		if (strcmp(jv_member_key(first), messages[i].key) != 0)
			continue;
		if (h->ended || (!h->greeted && i > 0))
			break;
		return messages[i].take(h, h->line, err);
	}
	return err_set(err, ERR_FORMAT, "a line that has no place there");
}

int heard_line(struct heard *h, const char *line, size_t len, struct err *err)
{
	jv_free(h->line);
	h->line = jv_load_text("line", line, len, err);
	return h->line ? dispatch(h, err) : -1;
}
