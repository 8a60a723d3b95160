#include "cpus.h"

#include "num.h"

#include <string.h>

void cpus_add(struct cpus *c, size_t cpu)
{
	c->set[cpu / CPUS_WORD] |= 1ul << cpu % CPUS_WORD;
}

bool cpus_have(const struct cpus *c, size_t cpu)
{
	return cpu < CPUS_MAX && c->set[cpu / CPUS_WORD] >> cpu % CPUS_WORD & 1;
}

bool cpus_none(const struct cpus *c)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(c->set); i++)
		if (c->set[i])
			return false;
	return true;
}

/* "8" or "0-3", in len bytes. */
static int parse_range(struct cpus *ret, const char *text, size_t len, struct err *err)
{
	const char *dash = memchr(text, '-', len);
	const size_t first_len = dash ? (size_t)(dash - text) : len;
	int64_t first, last;

	if (num_parse_int(text, first_len, 0, CPUS_MAX - 1, &first, err) < 0)
		return -1;
	last = first;
	if (dash &&
		num_parse_int(dash + 1, len - first_len - 1, first, CPUS_MAX - 1, &last, err) < 0)
		return -1;
	for (; first <= last; first++)
		cpus_add(ret, (size_t)first);
	return 0;
}

int cpus_parse(struct cpus *ret, const char *text, struct err *err)
{
	struct err range = ERR_INIT;
	struct cpus c = {0};
	const char *from = text;
	size_t n;

	for (;; from += n + 1) {
		n = strcspn(from, ",");
		if (parse_range(&c, from, n, &range) < 0)
			return err_set(err, ERR_USAGE,
				"'%.100s' is no list of CPUs: expected one such as 2 or 0-3,8",
				text);
		if (!from[n])
			break;
	}
	*ret = c;
	return 0;
}

void cpus_format(struct buf *ret, const struct cpus *c)
{
	const size_t start = ret->len;
	size_t first, last;

	for (first = 0; first < CPUS_MAX; first = last + 1) {
		for (last = first; cpus_have(c, last + 1) && cpus_have(c, first); last++)
			;
		if (!cpus_have(c, first))
			continue;
		buf_addf(ret, "%s%zu", ret->len > start ? "," : "", first);
		if (last > first)
			buf_addf(ret, "-%zu", last);
	}
}
