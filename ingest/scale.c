#include "scale.h"

#include <string.h>

/* ---- units ---- */

struct word {
	const char *text;
	int shift;
};

static const struct word times[] = {{"ns", -9}, {"us", -6}, {"\u00b5s", -6}, {"\u03bcs", -6},
	{"ms", -3}, {"s", 0}, {"nsec", -9}, {"usec", -6}, {"msec", -3}, {"sec", 0}, {"secs", 0},
	{"nanoseconds", -9}, {"microseconds", -6}, {"milliseconds", -3}, {"seconds", 0}, {NULL, 0}};
static const struct word sizes[] = {
	{"B", 0}, {"bytes", 0}, {"kB", 3}, {"KB", 3}, {"MB", 6}, {"GB", 9}, {NULL, 0}};
static const struct word things[] = {{"ops", 0}, {"op", 0}, {"iter", 0}, {NULL, 0}};
static const struct word turns[] = {{"", 0}, {"op", 0}, {"iter", 0}, {NULL, 0}};

static const struct word *find(const struct word *words, const char *s, size_t len)
{
	for (; words->text; words++)
		if (strlen(words->text) == len && !memcmp(words->text, s, len))
			return words;
	return NULL;
}

/* What is counted, and per what: a word of each list. */
static const struct form {
	const struct word *what, *per;
	struct scale scale; /* its shift: how that of the second word counts */
} forms[] = {
	{times, turns, {"s", "time", 0, DIRECTION_LOWER}},
	{sizes, turns, {"B", "bytes", 0, DIRECTION_LOWER}},
	{sizes, times, {"B/s", "bytes_per_second", -1, DIRECTION_HIGHER}},
	{things, times, {"ops/s", "rate", -1, DIRECTION_HIGHER}},
};

bool scale_of_unit(const char *unit, struct scale *ret)
{
	size_t what = strcspn(unit, "/"), i;
	const char *per = unit + what + (unit[what] == '/');

	for (i = 0; i < ARRAY_LEN(forms); i++) {
		const struct word *a = find(forms[i].what, unit, what);
		const struct word *b = find(forms[i].per, per, strlen(per));

		if (!a || !b)
			continue;
		*ret = forms[i].scale;
		ret->shift = a->shift + forms[i].scale.shift * b->shift;
		return true;
	}
	*ret = (struct scale){unit, "unknown", 0, DIRECTION_NONE};
	return false;
}

/* ---- numbers ---- */

/* A whole number without a point: the digits of s with the point moved, when that leaves no
 * fraction. 1, 0 it is not whole or too long. */
static int move_point(const char *s, size_t len, int shift, struct num *ret)
{
	const char *point = memchr(s, '.', len);
	size_t fraction = point ? (size_t)(s + len - point) - 1 : 0, i;
	char digits[NUM_TOKEN_MAX + 1];
	struct err ignored = ERR_INIT;
	int n = 0;

	if (memchr(s, 'e', len) || memchr(s, 'E', len) || shift <= 0 || fraction > (size_t)shift ||
		len + (size_t)shift >= sizeof(digits))
		return 0;
	for (i = 0; i < len; i++)
		if (s[i] != '.')
			digits[n++] = s[i];
	for (i = fraction; i < (size_t)shift; i++)
		digits[n++] = '0';
	return num_parse(digits, (size_t)n, ret, &ignored) == 0;
}

int scale_parse(const char *s, size_t len, int shift, struct num *ret, struct err *err)
{
	struct num value;

	if (num_parse(s, len, &value, err) < 0)
		return -1;
	return move_point(s, len, shift, ret) ? 0 : num_shift(value, shift, ret, err);
}
