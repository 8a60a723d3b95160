#include "bench.h"

#include "json-out.h"

#include <string.h>

enum { FACTS_MAX = 64 << 10 /* bytes */ };

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
