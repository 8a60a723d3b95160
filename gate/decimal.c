#include "decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 u128;

/* DIGITS_MAX decimal digits fit an __int128 with its sign. */
enum { DIGITS_MAX = 38, EXPONENT_MAX = 1000 };

/* Digits before the point of a number that is printed without an exponent. */
enum { FIXED_MIN = -5, FIXED_MAX = 21 };

#define E18 ((u128)1000000000000000000)

static u128 power10(int n)
{
	static const uint64_t small[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
		100000000, 1000000000, 10000000000, 100000000000, 1000000000000, 10000000000000,
		100000000000000, 1000000000000000, 10000000000000000, 100000000000000000,
		1000000000000000000};
	u128 p = 1;

	for (; n > 18; n -= 18)
		p *= E18;
	return n > 0 ? p * small[n] : p;
}

static u128 magnitude(struct decimal a)
{
	return a.m < 0 ? -(u128)a.m : (u128)a.m;
}

static struct decimal make(u128 m, int e, bool negative)
{
	return (struct decimal){.m = negative ? -(__int128)m : (__int128)m, .e = e};
}

static int digits(u128 m)
{
	u128 p = 1;
	int n = 0;

	for (; m >= p && n < DIGITS_MAX; n++)
		p *= 10;
	return n;
}

/* Without trailing zeros, so that operands align with as few digits as they need. */
static struct decimal shorten(struct decimal a)
{
	int64_t small = (int64_t)a.m;

	if (!a.m)
		return (struct decimal){0, 0};
	for (; small != a.m && a.m % 10 == 0; a.e++) {
		a.m /= 10;
		small = (int64_t)a.m;
	}
	if (small != a.m)
		return a;
	for (; small % 10 == 0; a.e++) /* 128-bit divisions are slow */
		small /= 10;
	return (struct decimal){small, a.e};
}

/* A double of at most 15 significant digits, whose decimal text is then unique: m / 10^k reads back
 * as d when both are exact, since a division is rounded correctly. */
static bool short_double(double d, struct decimal *ret)
{
	double p = 1, m;
	int k;

	for (k = 0; k <= 15; k++, p *= 10) {
		m = rint(d * p);
		if (!(fabs(m) < 1e15))
			return false;
		if (m / p == d) {
			*ret = shorten((struct decimal){(__int128)m, -k});
			return true;
		}
	}
	return false;
}

struct decimal decimal_from(struct num n)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct decimal ret = {0, 0};
	struct err err = ERR_INIT;

	if (n.is_int)
		return shorten((struct decimal){n.i, 0});
	if (short_double(n.d, &ret))
		return ret;
	num_format(&b, n);
	decimal_parse(b.p, b.len, &ret, &err);
	return ret;
}

/* Digits with at most one point among them; returns how many bytes, 0 when there is no digit. */
static size_t parse_digits(const char *s, size_t len, u128 *ret_m, int *ret_e, int *ret_digits)
{
	bool point = false;
	size_t i, seen = 0;

	for (i = 0; i < len; i++) {
		if (s[i] == '.' && !point && i && i + 1 < len && s[i + 1] >= '0' &&
			s[i + 1] <= '9') {
			point = true;
			continue;
		}
		if (s[i] < '0' || s[i] > '9')
			break;
		seen++;
		*ret_digits += *ret_digits || s[i] != '0';
		if (*ret_digits <= DIGITS_MAX)
			*ret_m = *ret_m * 10 + (u128)(s[i] - '0');
		*ret_e -= point;
	}
	return seen ? i : 0;
}

/* "e-12"; returns how many bytes, 0 when it is no exponent. */
static size_t parse_exponent(const char *s, size_t len, int *ret_e)
{
	size_t i = 1, start;
	int e = 0, sign = 1;

	if (i < len && (s[i] == '-' || s[i] == '+'))
		sign = s[i++] == '-' ? -1 : 1;
	for (start = i; i < len && s[i] >= '0' && s[i] <= '9'; i++)
		e = e < EXPONENT_MAX ? e * 10 + (s[i] - '0') : EXPONENT_MAX;
	*ret_e += sign * e;
	return i > start ? i : 0;
}

int decimal_parse(const char *s, size_t len, struct decimal *ret, struct err *err)
{
	size_t i = len && (s[0] == '-' || s[0] == '+'), n = 0;
	int e = 0, seen = 0;
	u128 m = 0;

	if (len <= NUM_TOKEN_MAX)
		n = parse_digits(s + i, len - i, &m, &e, &seen);
	i += n;
	if (n && i < len && (s[i] == 'e' || s[i] == 'E')) {
		n = parse_exponent(s + i, len - i, &e);
		i += n;
	}
	if (!n || i != len)
		return err_set(
			err, ERR_FORMAT, "not a number: '%.*s'", (int)(len < 64 ? len : 64), s);
	if (seen > DIGITS_MAX)
		return err_set(err, ERR_FORMAT, "a number of more than %d digits: '%.*s'",
			DIGITS_MAX, (int)len, s);
	if (m && (e + seen > 310 || e + seen < -400))
		return err_set(err, ERR_FORMAT, "a number out of range: '%.*s'", (int)len, s);
	*ret = shorten(make(m, e, s[0] == '-'));
	return 0;
}

/* a with e lowered towards the given one as far as the digits allow. */
static struct decimal lower_exponent(struct decimal a, int e)
{
	u128 m = magnitude(a);
	int by = a.e - e, room;

	if (by <= 18 && m < E18) /* the common case, without counting digits */
		return make(m * power10(by), e, a.m < 0);
	room = DIGITS_MAX - digits(m);
	by = by < room ? by : room;
	return make(m * power10(by), a.e - by, a.m < 0);
}

/* a with e raised to the given one; digits are cut off. */
static struct decimal raise_exponent(struct decimal a, int e)
{
	int by = e - a.e;

	return by > DIGITS_MAX ? make(0, e, false) : make(magnitude(a) / power10(by), e, a.m < 0);
}

/* Returns whether both could be brought to one exponent without loss. */
static bool align(struct decimal *a, struct decimal *b)
{
	if (a->e == b->e)
		return true;
	if (a->e < b->e)
		return align(b, a);
	*a = lower_exponent(*a, b->e);
	if (a->e == b->e)
		return true;
	*b = raise_exponent(*b, a->e);
	return false;
}

struct decimal decimal_add(struct decimal a, struct decimal b)
{
	u128 x, y, sum;

	if (!a.m || !b.m)
		return a.m ? a : b;
	align(&a, &b);
	x = magnitude(a);
	y = magnitude(b);
	if ((a.m < 0) != (b.m < 0))
		return shorten(x < y ? make(y - x, a.e, b.m < 0) : make(x - y, a.e, a.m < 0));
	sum = x + y;
	if (sum >= power10(DIGITS_MAX)) {
		sum /= 10;
		a.e++;
	}
	return shorten(make(sum, a.e, a.m < 0));
}

struct decimal decimal_sub(struct decimal a, struct decimal b)
{
	b.m = -b.m;
	return decimal_add(a, b);
}

struct decimal decimal_mul(struct decimal a, struct decimal b)
{
	u128 x = magnitude(a), y = magnitude(b), limit = power10(DIGITS_MAX);
	int e = a.e + b.e;

	if (!x || !y)
		return (struct decimal){0, 0};
	if (!(x >> 63) && !(y >> 63))
		return shorten(make(x * y, e, (a.m < 0) != (b.m < 0)));
	for (; digits(x) + digits(y) > DIGITS_MAX && x >= limit / y; e++) {
		if (x >= y)
			x /= 10;
		else
			y /= 10;
	}
	return shorten(make(x * y, e, (a.m < 0) != (b.m < 0)));
}

struct decimal decimal_abs(struct decimal a)
{
	return make(magnitude(a), a.e, false);
}

int decimal_sign(struct decimal a)
{
	return a.m < 0 ? -1 : a.m > 0;
}

/* Numbers of the same order of magnitude align without loss, since both have at most 38 digits. */
int decimal_cmp(struct decimal a, struct decimal b)
{
	int sign = decimal_sign(a), order;

	if (sign != decimal_sign(b))
		return sign < decimal_sign(b) ? -1 : 1;
	if (!sign)
		return 0;
	if (a.e == b.e)
		return a.m < b.m ? -1 : a.m > b.m;
	order = digits(magnitude(a)) + a.e - digits(magnitude(b)) - b.e;
	if (order)
		return (order < 0 ? -1 : 1) * sign;
	align(&a, &b);
	return a.m < b.m ? -1 : a.m > b.m;
}

/* The digits of m, in a buffer of at least DIGITS_MAX + 1 bytes. */
static void print_digits(u128 m, char *ret)
{
	int n = digits(m);
	uint64_t small;

	n = n ? n : 1;
	ret[n] = '\0';
	for (; m > UINT64_MAX; m /= 10)
		ret[--n] = (char)('0' + (int)(m % 10));
	for (small = (uint64_t)m; n > 0; small /= 10)
		ret[--n] = (char)('0' + (int)(small % 10));
}

double decimal_double(struct decimal a)
{
	char text[DIGITS_MAX + 16], m[DIGITS_MAX + 1];
	u128 whole = magnitude(a);

	if (a.e >= 0 && a.e <= 15 && whole < (u128)1 << 53 && whole * power10(a.e) < (u128)1 << 53)
		return (double)((int64_t)a.m * (int64_t)power10(a.e));
	if (whole < (u128)1 << 53 && a.e >= -22 && a.e <= 0) {
		double d = (double)whole / (double)power10(-a.e);
		return a.m < 0 ? -d : d;
	}
	print_digits(whole, m);
	snprintf(text, sizeof(text), "%s%se%d", a.m < 0 ? "-" : "", m, a.e);
	return strtod(text, NULL);
}

struct num decimal_num(struct decimal a)
{
	a = shorten(a);
	if (a.e >= 0 && a.e <= 18 && magnitude(a) <= INT64_MAX / power10(a.e))
		return num_int((int64_t)a.m * (int64_t)power10(a.e));
	return num_real(decimal_double(a));
}

static void add_zeros(struct buf *b, int n)
{
	while (n-- > 0)
		buf_addch(b, '0');
}

/* n digits m of which point stand before the point. */
static void add_fixed(struct buf *b, const char *m, int n, int point)
{
	int before = point < 0 ? 0 : point < n ? point : n;

	if (!before)
		buf_addch(b, '0');
	buf_add(b, m, (size_t)before);
	add_zeros(b, point - n);
	if (point >= n)
		return;
	buf_addch(b, '.');
	add_zeros(b, -point);
	buf_add(b, m + before, (size_t)(n - before));
}

void decimal_format(struct buf *b, struct decimal a)
{
	char m[DIGITS_MAX + 1];
	int n, point;

	a = shorten(a);
	print_digits(magnitude(a), m);
	n = (int)strlen(m);
	point = n + a.e;
	if (a.m < 0)
		buf_addch(b, '-');
	if (point > FIXED_MAX || point < FIXED_MIN)
		buf_addf(b, "%c%s%se%+d", m[0], n > 1 ? "." : "", m + 1, point - 1);
	else
		add_fixed(b, m, n, point);
}

static int compare(const void *a, const void *b)
{
	return num_cmp(*(const struct num *)a, *(const struct num *)b);
}

/* The sum of the two middle values; twice the middle one. */
static struct decimal median_twice(const struct num *values, size_t n)
{
	enum { SMALL = 64 };
	struct num small[SMALL], *sorted;
	struct decimal low, high;

	if (n <= 2 && values[0].is_int && values[n - 1].is_int) /* needs no sorting */
		return shorten((struct decimal){(__int128)values[0].i + values[n - 1].i, 0});
	sorted = n <= SMALL ? small : xmalloc(n * sizeof(*sorted));
	memcpy(sorted, values, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare);
	low = decimal_from(sorted[(n - 1) / 2]);
	high = decimal_from(sorted[n / 2]);
	if (sorted != small)
		free(sorted);
	return decimal_add(low, high);
}

struct decimal decimal_median(const struct num *values, size_t n)
{
	struct decimal twice = median_twice(values, n);

	if (twice.m % 2 == 0) {
		twice.m /= 2;
		return twice;
	}
	return decimal_mul(twice, (struct decimal){5, -1});
}
