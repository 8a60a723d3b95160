#include "num.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse_error(const char *s, size_t len, const char *why, struct err *err)
{
	return err_set(err, ERR_FORMAT, "%s: '%.*s'", why, (int)(len > 80 ? 80 : len), s);
}

/* The shape -?digits[.digits][e[+-]digits]; returns 0 no number, 1 integer, 2 real. */
static int number_shape(const char *s, size_t len)
{
	size_t i = 0, start;
	int shape = 1;

	if (i < len && (s[i] == '-' || s[i] == '+'))
		i++;
	start = i;
	while (i < len && s[i] >= '0' && s[i] <= '9')
		i++;
	if (i == start)
		return 0;
	if (i < len && s[i] == '.') {
		shape = 2;
		start = ++i;
		while (i < len && s[i] >= '0' && s[i] <= '9')
			i++;
		if (i == start)
			return 0;
	}
	if (i < len && (s[i] == 'e' || s[i] == 'E')) {
		shape = 2;
		i++;
		if (i < len && (s[i] == '-' || s[i] == '+'))
			i++;
		start = i;
		while (i < len && s[i] >= '0' && s[i] <= '9')
			i++;
		if (i == start)
			return 0;
	}
	return i == len ? shape : 0;
}

int num_parse(const char *s, size_t len, struct num *ret, struct err *err)
{
	char token[NUM_TOKEN_MAX + 1];
	int shape;

	if (len > NUM_TOKEN_MAX)
		return parse_error(s, len, "a number of more than 64 bytes", err);
	shape = number_shape(s, len);
	if (shape == 0)
		return parse_error(s, len, "not a number", err);
	memcpy(token, s, len);
	token[len] = '\0';
	errno = 0;
	if (shape == 1) {
		long long v = strtoll(token, NULL, 10);
		if (errno == ERANGE)
			return parse_error(s, len, "an integer beyond 2^63-1", err);
		*ret = num_int(v);
	} else {
		double d = strtod(token, NULL);
		if (!isfinite(d))
			return parse_error(s, len, "a number too large for a double", err);
		*ret = num_real(d);
	}
	return 0;
}

int num_parse_int(
	const char *s, size_t len, int64_t min, int64_t max, int64_t *ret, struct err *err)
{
	struct num n;

	if (num_parse(s, len, &n, err) < 0)
		return -1;
	if (!n.is_int || n.i < min || n.i > max)
		return err_set(err, ERR_FORMAT,
			"expected a whole number from %lld to %lld, not '%.*s'", (long long)min,
			(long long)max, (int)len, s);
	*ret = n.i;
	return 0;
}

static int cmp_int_double(int64_t i, double d)
{
	/* Beyond +-2^63 every double is outside int64; inside, truncation is exact. */
	double whole;
	int64_t t;

	if (d >= 9223372036854775808.0)
		return -1;
	if (d < -9223372036854775808.0)
		return 1;
	whole = trunc(d);
	t = (int64_t)whole;
	if (i != t)
		return i < t ? -1 : 1;
	return d > whole ? -1 : d < whole ? 1 : 0;
}

int num_cmp(struct num a, struct num b)
{
	if (a.is_int && b.is_int)
		return a.i < b.i ? -1 : a.i > b.i;
	if (a.is_int)
		return cmp_int_double(a.i, b.d);
	if (b.is_int)
		return -cmp_int_double(b.i, a.d);
	return a.d < b.d ? -1 : a.d > b.d;
}

void num_format(struct buf *b, struct num n)
{
	char text[40];
	int digits;

	if (n.is_int) {
		buf_addf(b, "%lld", (long long)n.i);
		return;
	}
	for (digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, n.d);
		if (strtod(text, NULL) == n.d)
			break;
	}
	buf_addstr(b, text);
	if (!strpbrk(text, ".e"))
		buf_addstr(b, ".0");
}

int num_shift(struct num n, int exponent, struct num *ret, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	char *e;
	long own = 0;

	if (exponent == 0) {
		*ret = n;
		return 0;
	}
	num_format(&b, n);
	e = strchr(b.p, 'e');
	if (e) {
		own = strtol(e + 1, NULL, 10);
		b.len = (size_t)(e - b.p);
	}
	buf_addf(&b, "e%ld", own + exponent);
	return num_parse(b.p, b.len, ret, err);
}

/* Days from 1970-01-01 of a proleptic Gregorian date (Howard Hinnant, "chrono-Compatible Low-Level
 * Date Algorithms", days_from_civil). */
static int64_t days_from_civil(int64_t y, int m, int d)
{
	int64_t era, yoe, doy, doe;

	y -= m <= 2;
	era = (y >= 0 ? y : y - 399) / 400;
	yoe = y - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;
	return era * 146097 + doe - 719468;
}

/* "", ".123": *ret_ns = the fraction in nanoseconds (digits past the ninth dropped). */
static const char *parse_fraction(const char *p, int64_t *ret_ns)
{
	int64_t scale = 100000000;

	*ret_ns = 0;
	if (*p != '.')
		return p;
	for (p++; *p >= '0' && *p <= '9'; p++) {
		*ret_ns += (*p - '0') * scale;
		scale /= 10;
	}
	return p;
}

static const char *parse_offset(const char *p, int *ret_minutes)
{
	int h, m, n = 0;

	*ret_minutes = 0;
	if (*p == 'Z' || *p == 'z')
		return p + 1;
	if ((*p != '+' && *p != '-') || sscanf(p + 1, "%2d:%2d%n", &h, &m, &n) != 2 || n != 5)
		return NULL;
	*ret_minutes = (h * 60 + m) * (*p == '-' ? -1 : 1);
	return p + 6;
}

int time_parse(const char *s, int64_t *ret_ns, struct err *err)
{
	int y, mo, d, h, mi, se, used = 0, offset;
	int64_t fraction, seconds;
	const char *p;

	if (sscanf(s, "%4d-%2d-%2d%*1[Tt ]%2d:%2d:%2d%n", &y, &mo, &d, &h, &mi, &se, &used) != 6 ||
		used != 19 || y < 1678 || y > 2261 || mo < 1 || mo > 12 || d < 1 || d > 31 ||
		h > 23 || mi > 59 || se > 60 || h < 0 || mi < 0 || se < 0)
		goto bad;
	p = parse_offset(parse_fraction(s + used, &fraction), &offset);
	if (!p || *p)
		goto bad;
	seconds = days_from_civil(y, mo, d) * 86400 + h * 3600 + mi * 60 + se - offset * 60;
	*ret_ns = seconds * 1000000000 + fraction;
	return 0;
bad:
	return err_set(err, ERR_FORMAT, "not a time like 2026-09-23T21:40:13Z: '%.80s'", s);
}

int time_or_day_parse(const char *s, int64_t *ret_ns, struct err *err)
{
	_cleanup_(freep) char *midnight = xasprintf("%sT00:00:00Z", s);
	struct err ignored = ERR_INIT;

	return time_parse(midnight, ret_ns, &ignored) == 0 ? 0 : time_parse(s, ret_ns, err);
}

void time_format(struct buf *b, int64_t ns)
{
	int64_t sec = ns / 1000000000, frac = ns % 1000000000;
	time_t t;
	struct tm tm;
	char text[40];

	if (frac < 0) {
		frac += 1000000000;
		sec--;
	}
	t = (time_t)sec;
	gmtime_r(&t, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	buf_addstr(b, text);
	if (frac)
		buf_addf(b, ".%09lld", (long long)frac);
	buf_addch(b, 'Z');
}

int span_parse(const char *s, int64_t *ret_ns, struct err *err)
{
	static const int64_t most = INT64_C(30) * 24 * 3600;
	const size_t digits = strspn(s, "0123456789");
	const char *unit = s + digits;
	const int64_t factor = !*unit || !strcmp(unit, "s") ? 1
			       : !strcmp(unit, "m")         ? 60
			       : !strcmp(unit, "h")         ? 3600
							    : 0;
	struct err ignored = ERR_INIT;
	int64_t count;

	if (!digits || !factor || num_parse_int(s, digits, 1, most / factor, &count, &ignored) < 0)
		return err_set(err, ERR_FORMAT,
			"expected a time of at most 30 days, such as 90, 90s, 5m or 2h, not '%.40s'",
			s);
	*ret_ns = count * factor * 1000000000;
	return 0;
}

int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
