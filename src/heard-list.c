#include "heard-private.h"

#include "sink.h"
#include "words.h"

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

int heard_add_device(struct heard *h, const struct jv *o, struct err *err)
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

int heard_add_test(struct heard *h, const struct jv *o, struct err *err)
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

int heard_add_reading(struct heard *h, const struct jv *o, struct err *err)
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
