#include "callgrind-layout.h"

#include <stdlib.h>
#include <string.h>

static const char only_baseline[] = "only the baseline has a value";

void summary_release(struct summary *s)
{
	intern_free(s->keys);
	free(s->values);
	s->keys = NULL;
	s->values = NULL;
	s->n = s->cap = 0;
}

/* ---- adding values ---- */

static struct summary_value *find_or_add(struct summary *s, const char *tool, const char *name)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	uint32_t id;

	buf_add(&key, tool, strlen(tool) + 1);
	buf_addstr(&key, name);
	id = intern_add(s->keys, key.p, key.len);
	if (id == s->n) {
		s->values = xgrow(s->values, s->n, &s->cap, sizeof(*s->values));
		s->values[s->n++] = (struct summary_value){
			.tool = tool, .name = name, .source = s->source, .reason = NULL};
	}
	return &s->values[id];
}

/* Only counts, sizes and times of several processes add up. */
static bool additive(const struct summary_value *v)
{
	struct metric m = {0};

	callgrind_metric(&m, v->tool, v->name, v->unit);
	return !strcmp(m.quantity, "count") || !strcmp(m.quantity, "bytes") ||
	       !strcmp(m.quantity, "time");
}

static int add_num(struct num *a, struct num b, struct err *err)
{
	if (!a->is_int || !b.is_int) {
		*a = num_real(num_double(*a) + num_double(b));
		return 0;
	}
	if (__builtin_add_overflow(a->i, b.i, &a->i))
		return err_set(err, ERR_FORMAT, "a sum beyond 2^63-1");
	return 0;
}

static bool same_unit(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static int merge(struct summary_value *have, const struct summary_value *v, struct err *err)
{
	if (!v->known && v->status == SINK_SKIPPED)
		return 0;
	if (!v->known || (!have->known && have->status == SINK_SKIPPED)) {
		*have = *v;
		return 0;
	}
	if (!have->known)
		return 0;
	if (!additive(v) || !same_unit(have->unit, v->unit)) {
		have->known = false;
		have->status = SINK_UNSUPPORTED;
		have->reason = "the values of several processes do not add up";
		return 0;
	}
	return add_num(&have->value, v->value, err);
}

/* v->tool and v->name are borrowed from the document. Values of one tool entry are summed. */
static int add_value(struct summary *s, const struct summary_value *v, struct err *err)
{
	size_t before = s->n;
	struct summary_value *have = find_or_add(s, v->tool, v->name);

	if (s->n > before) {
		*have = *v;
		have->source = s->source;
		return 0;
	}
	if (have->source != s->source)
		return err_set(err, ERR_FORMAT, "%s is there twice", v->tool);
	if (merge(have, v, err) < 0)
		return err_prefix(err, "field '%.200s'", v->name);
	have->source = s->source;
	return 0;
}

int summary_add_count(
	struct summary *s, const char *tool, const char *name, int64_t n, struct err *err)
{
	struct summary_value v = {.tool = tool, .name = name, .known = true, .value = num_int(n)};

	return add_value(s, &v, err);
}

int summary_add_absent(struct summary *s, const char *tool, const char *name,
	enum sink_status status, const char *reason, struct err *err)
{
	struct summary_value v = {.tool = tool, .name = name, .status = status, .reason = reason};

	return add_value(s, &v, err);
}

/* ---- one number ---- */

int member_wrong(const char *field, const struct jv *v, const char *expected, struct err *err)
{
	return err_set(err, ERR_FORMAT, "field '%.200s': expected %s, not %s", field, expected,
		v ? jv_kind_name(jv_kind(v)) : "nothing");
}

/* The number itself in any of its forms: 5, {"Int": 5}, {"Float": 5.0}, {"value": 5, "unit": "ms"}.
 * Rust's serializer writes a float that is no number as null. */
static int read_number(const struct jv *v, struct summary_value *ret, struct err *err)
{
	const struct jv *inner = v;

	if (v && jv_kind(v) == JV_OBJECT) {
		inner = jv_get(v, "Int");
		if (!inner)
			inner = jv_get(v, "Float");
		if (!inner && jv_get(v, "value")) {
			inner = jv_get(v, "value");
			if (jv_get_string(v, "unit", &ret->unit, err) < 0)
				return err_prefix(err, "field '%.200s'", ret->name);
		}
		if (inner && jv_kind(inner) == JV_NULL) {
			ret->status = SINK_ERROR;
			ret->reason = "not a finite number";
			return 0;
		}
	}
	if (!inner || (jv_kind(inner) != JV_INT && jv_kind(inner) != JV_REAL))
		return member_wrong(ret->name, inner, "a number", err);
	ret->value = jv_num(inner);
	ret->known = true;
	if (ret->value.is_int && ret->value.i < 0)
		return err_set(err, ERR_FORMAT, "field '%.200s': expected a count, not %lld",
			ret->name, (long long)ret->value.i);
	return 0;
}

/* {"Left": new} | {"Right": old} | {"Both": [new, old]} */
static int read_either(const struct jv *metrics, struct summary_value *ret, struct err *err)
{
	const struct jv *v;

	if ((v = jv_get(metrics, "Left")))
		return read_number(v, ret, err);
	if ((v = jv_get(metrics, "Both"))) {
		if (jv_kind(v) != JV_ARRAY || jv_len(v) != 2)
			return err_set(err, ERR_FORMAT,
				"field '%.200s': expected 'Both' to hold two values", ret->name);
		return read_number(jv_at(v, 0), ret, err);
	}
	if (!jv_get(metrics, "Right"))
		return member_wrong(ret->name, NULL, "'Left', 'Right' or 'Both'", err);
	ret->status = SINK_SKIPPED;
	ret->reason = only_baseline;
	return 0;
}

/* {"new": n, "old": n}; null and absent are the same. */
static int read_new_old(const struct jv *values, struct summary_value *ret, struct err *err)
{
	const struct jv *v = jv_get(values, "new");

	if (v && jv_kind(v) != JV_NULL)
		return read_number(v, ret, err);
	if (!v && !jv_get(values, "old"))
		return member_wrong(ret->name, NULL, "'new' or 'old'", err);
	ret->status = SINK_SKIPPED;
	ret->reason = only_baseline;
	return 0;
}

/* One entry of a map of metrics, whatever the layout calls its parts. */
static int read_metric(
	struct summary *s, const struct jv *m, struct summary_value *ret, struct err *err)
{
	const struct jv *inner = NULL;
	int r;

	if (jv_kind(m) != JV_OBJECT)
		return member_wrong(ret->name, m, "an object", err);
	if (s->layout == SUMMARY_1)
		return read_new_old(m, ret, err);
	r = jv_get_object(m, s->layout == SUMMARY_7 ? "values" : "metrics", &inner, err);
	if (r < 0)
		return err_prefix(err, "field '%.200s'", ret->name);
	if (r == 0)
		return member_wrong(
			ret->name, NULL, s->layout == SUMMARY_7 ? "'values'" : "'metrics'", err);
	return s->layout == SUMMARY_7 ? read_new_old(inner, ret, err)
				      : read_either(inner, ret, err);
}

/* DHAT's names in version 2, whose later spelling is used for all. */
static const char *modern_name(const char *name)
{
	static const char *const names[][2] = {{"Total bytes", "TotalBytes"},
		{"Total blocks", "TotalBlocks"}, {"At t-gmax bytes", "AtTGmaxBytes"},
		{"At t-gmax blocks", "AtTGmaxBlocks"}, {"At t-end bytes", "AtTEndBytes"},
		{"At t-end blocks", "AtTEndBlocks"}, {"Reads bytes", "ReadsBytes"},
		{"Writes bytes", "WritesBytes"}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(name, names[i][0]))
			return names[i][1];
	return name;
}

int summary_add_map(struct summary *s, const char *tool, const struct jv *map, struct err *err)
{
	const void *it;

	for (it = jv_first(map); it; it = jv_next(map, it)) {
		struct summary_value v = {.tool = tool, .name = modern_name(jv_member_key(it))};

		if (!*v.name || strlen(tool) + strlen(v.name) >= SINK_NAME_MAX)
			return err_set(err, ERR_FORMAT,
				"a metric name of %zu bytes, expected 1 to %d", strlen(v.name),
				SINK_NAME_MAX - 1 - (int)strlen(tool));
		if (read_metric(s, jv_member(it), &v, err) < 0 || add_value(s, &v, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- members that have to be there ---- */

int member_needed(int found, const char *key, struct err *err)
{
	return found == 0  ? err_set(err, ERR_FORMAT, "field '%s' is missing", key)
	       : found < 0 ? -1
			   : 0;
}

int member_object(const struct jv *o, const char *key, const struct jv **ret, struct err *err)
{
	return member_needed(jv_get_object(o, key, ret, err), key, err);
}

int member_array(const struct jv *o, const char *key, const struct jv **ret, struct err *err)
{
	return member_needed(jv_get_array(o, key, ret, err), key, err);
}

int member_element(
	const struct jv *array, size_t i, const char *key, const struct jv **ret, struct err *err)
{
	*ret = jv_at(array, i);
	if (jv_kind(*ret) == JV_OBJECT)
		return 0;
	return err_set(err, ERR_FORMAT, "'%s' holds %s, expected objects", key,
		jv_kind_name(jv_kind(*ret)));
}

int summary_add_regressions(struct summary *s, const struct jv *o, struct err *err)
{
	const struct jv *list = NULL;
	int r = jv_get_array(o, "regressions", &list, err);

	if (r > 0)
		s->regressions += (unsigned)jv_len(list);
	return r < 0 ? -1 : 0;
}
