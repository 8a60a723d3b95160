#include "bench.h"

#include "json-out.h"

#include <stdlib.h>
#include <string.h>

enum { FACTS_MAX = 64 << 10 /* bytes */ };

int bench_number(
	const struct jv *array, size_t i, const char *key, struct num *ret, struct err *err)
{
	const struct jv *v = jv_at(array, i);

	if (jv_kind(v) != JV_INT && jv_kind(v) != JV_REAL)
		return err_set(err, ERR_FORMAT, "element %zu of '%s' is %s, expected a number",
			i + 1, key, jv_kind_name(jv_kind(v)));
	*ret = jv_num(v);
	return 0;
}

int bench_time_exponent(const char *unit, int *ret)
{
	static const struct {
		const char *name;
		int exponent;
	} units[] = {{"ns", -9}, {"us", -6}, {"ms", -3}, {"s", 0}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(units); i++) {
		if (!strcmp(unit, units[i].name)) {
			*ret = units[i].exponent;
			return 0;
		}
	}
	return -1;
}

int64_t bench_time(const char *text)
{
	struct err ignored = ERR_INIT;
	int64_t t;

	return text && time_parse(text, &t, &ignored) == 0 ? t : TIME_UNKNOWN;
}

int64_t bench_time_utc(const char *text)
{
	_cleanup_(freep) char *utc = text ? xasprintf("%.40sZ", text) : NULL;
	int64_t t = bench_time(text);

	return t == TIME_UNKNOWN ? bench_time(utc) : t;
}

void bench_fact(struct buf *facts, const char *key, const struct jv *value)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	jv_dump(&text, value);
	if (facts->len + text.len > FACTS_MAX)
		return;
	json_tight_key(facts, key);
	buf_add(facts, text.p, text.len);
}

char *bench_facts(const struct buf *facts)
{
	return facts->len ? xasprintf("{%s}", facts->p) : NULL;
}

static int by_key(const void *pa, const void *pb)
{
	return strcmp(
		jv_member_key(*(const void *const *)pa), jv_member_key(*(const void *const *)pb));
}

static int add_value(struct buf *name, const char *key, const void *member, struct err *err)
{
	const struct jv *v = jv_member(member);

	switch (jv_kind(v)) {
	case JV_STRING:
		buf_addstr(name, jv_string(v, NULL));
		return 0;
	case JV_INT:
	case JV_REAL:
		num_format(name, jv_num(v));
		return 0;
	case JV_BOOL:
		buf_addstr(name, jv_bool(v) ? "true" : "false");
		return 0;
	default:
		return err_set(err, ERR_FORMAT, "'%s.%.100s' is %s, expected a string", key,
			jv_member_key(member), jv_kind_name(jv_kind(v)));
	}
}

int bench_parameters(struct buf *name, const char *key, const struct jv *o, struct err *err)
{
	size_t n = jv_len(o), i = 0;
	_cleanup_(freep) const void **sorted = xcalloc(n ? n : 1, sizeof(*sorted));
	const void *it;

	for (it = jv_first(o); it; it = jv_next(o, it))
		sorted[i++] = it;
	qsort(sorted, n, sizeof(*sorted), by_key);
	for (i = 0; i < n; i++) {
		buf_addf(name, "%s%s=", i ? "," : "(", jv_member_key(sorted[i]));
		if (add_value(name, key, sorted[i], err) < 0)
			return -1;
	}
	if (n)
		buf_addch(name, ')');
	return 0;
}
