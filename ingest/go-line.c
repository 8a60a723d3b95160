#include "go.h"

#include <string.h>

/* ---- names ---- */

/* golang.org/x/perf/benchunit: times in seconds, rates in bytes. */
void go_metric(const char *unit, struct metric *ret, int *shift)
{
	static const struct {
		const char *unit;
		struct metric metric;
		int shift;
	} known[] = {
		{"ns/op", {"sec/op", "s", "time", DIRECTION_LOWER}, -9},
		{"MB/s", {"B/s", "B/s", "bytes_per_second", DIRECTION_HIGHER}, 6},
		{"B/op", {"B/op", "B", "bytes", DIRECTION_LOWER}, 0},
		{"allocs/op", {"allocs/op", "count", "count", DIRECTION_LOWER}, 0},
	};
	size_t i;

	*ret = (struct metric){unit, unit, "unknown", DIRECTION_NONE};
	*shift = 0;
	for (i = 0; i < ARRAY_LEN(known); i++) {
		if (strcmp(unit, known[i].unit) && strcmp(unit, known[i].metric.name))
			continue;
		*ret = known[i].metric;
		*shift = strcmp(unit, known[i].unit) ? 0 : known[i].shift;
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

const char *go_procs(struct text name)
{
	const char *p = name.end;

	while (p > name.p && is_digit(p[-1]))
		p--;
	return p < name.end && *p != '0' && p > name.p + 1 && p[-1] == '-' ? p - 1 : name.end;
}

void go_benchmark(struct buf *ret, struct text package, struct text name)
{
	buf_clear(ret);
	if (text_len(package)) {
		buf_add(ret, package.p, text_len(package));
		buf_addch(ret, '.');
	}
	buf_add(ret, name.p, text_len(name));
}

/* ---- results ---- */

static bool is_count(struct text t)
{
	const char *p = t.p;

	while (p < t.end && is_digit(*p))
		p++;
	return p > t.p && p == t.end;
}

/* By its characters alone: whether it can be used is for whoever parses it to say. */
static bool like_number(struct text t)
{
	static const char *const words[] = {"NaN", "+Inf", "-Inf", "Inf"};
	const char *p = t.p;
	size_t i;

	for (i = 0; i < ARRAY_LEN(words); i++)
		if (text_is(t, words[i]))
			return true;
	if (p < t.end && (*p == '-' || *p == '+'))
		p++;
	if (p == t.end || !is_digit(*p))
		return false;
	while (p < t.end && (is_digit(*p) || strchr(".eE+-", *p)))
		p++;
	return p == t.end;
}

static bool seen_before(const struct go_pair *pairs, size_t n, struct text unit)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (text_len(pairs[i].unit) == text_len(unit) &&
			!memcmp(pairs[i].unit.p, unit.p, text_len(unit)))
			return true;
	return false;
}

size_t go_pairs(struct text rest, struct go_pair ret[GO_PAIRS_MAX])
{
	size_t n = 0;

	if (!is_count(text_word(&rest)))
		return 0;
	for (text_skip_blanks(&rest); rest.p < rest.end; text_skip_blanks(&rest)) {
		struct text value = text_word(&rest), unit = text_word(&rest);
		if (n == GO_PAIRS_MAX || !text_len(unit) || !like_number(value) ||
			seen_before(ret, n, unit))
			return 0;
		ret[n++] = (struct go_pair){value, unit};
	}
	return n;
}

bool go_holds_result(struct text line)
{
	struct text before[2] = {{0}}, word;

	for (word = text_word(&line); text_len(word); word = text_word(&line)) {
		if (text_is(word, "ns/op") && is_count(before[0]) && like_number(before[1]))
			return true;
		before[0] = before[1];
		before[1] = word;
	}
	return false;
}

bool go_config(struct text line, struct text *key, struct text *value)
{
	const char *p = line.p;

	if (p == line.end || *p < 'a' || *p > 'z')
		return false;
	while (p < line.end && *p != ':' && *p != ' ' && *p != '\t' && (*p < 'A' || *p > 'Z'))
		p++;
	if (p == line.end || *p != ':')
		return false;
	*key = (struct text){line.p, p};
	*value = (struct text){p + 1, line.end};
	if (value->p < value->end && *value->p != ' ' && *value->p != '\t')
		return false;
	text_skip_blanks(value);
	while (value->end > value->p && (value->end[-1] == ' ' || value->end[-1] == '\t'))
		value->end--;
	return true;
}
