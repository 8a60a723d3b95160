#include "num.h"

#include "tap.h"

#include <float.h>
#include <math.h>

/* The printed form of what num_parse() makes of the token, or its error. */
static const char *parsed(const char *s)
{
	static char text[600];
	struct buf b = BUF_INIT;
	struct num n;
	struct err err = ERR_INIT;

	if (num_parse(s, strlen(s), &n, &err) < 0)
		snprintf(text, sizeof(text), "%s", err.msg);
	else {
		num_format(&b, n);
		snprintf(text, sizeof(text), "%s %s", n.is_int ? "int" : "real", buf_str(&b));
	}
	buf_release(&b);
	return text;
}

static void parsing(void)
{
	IS_STR(parsed("0"), "int 0", "zero");
	IS_STR(parsed("-0"), "int 0", "minus zero is zero");
	IS_STR(parsed("+7"), "int 7", "a plus sign");
	IS_STR(parsed("9007199254740993"), "int 9007199254740993", "2^53 + 1");
	IS_STR(parsed("9223372036854775807"), "int 9223372036854775807", "2^63 - 1");
	IS_STR(parsed("-9223372036854775808"), "int -9223372036854775808", "-2^63");
	IS_STR(parsed("9223372036854775808"), "an integer beyond 2^63-1: '9223372036854775808'",
		"2^63");
	IS_STR(parsed("1.5"), "real 1.5", "a real");
	IS_STR(parsed("3.0"), "real 3.0", "a whole real stays one");
	IS_STR(parsed("1e3"), "real 1000.0", "an exponent");
	IS_STR(parsed("-2.5E-3"), "real -0.0025", "all parts at once");
	IS_STR(parsed("1e-400"), "real 0.0", "an underflow is zero");
	IS_STR(parsed("1e400"), "a number too large for a double: '1e400'", "an overflow");
}

static void refusing(void)
{
	static const char *const bad[] = {"", "-", "+", ".5", "5.", "1e", "1e+", "0x10", "nan",
		"inf", "-inf", "Infinity", "1 ", " 1", "1,5", "1_000", "--1", "1.2.3", "1e5.0",
		"\xd9\xa1"};
	char token[NUM_TOKEN_MAX + 2], what[80];
	struct num n = num_int(42);
	struct err err = ERR_INIT;
	size_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++) {
		snprintf(what, sizeof(what), "no number: '%s'", bad[i]);
		OK(!strncmp(parsed(bad[i]), "not a number: '", 15), what);
	}
	memset(token, '0', sizeof(token));
	OK(num_parse(token, NUM_TOKEN_MAX, &n, &err) == 0 && n.i == 0, "64 bytes are a number");
	n = num_int(42);
	OK(num_parse(token, NUM_TOKEN_MAX + 1, &n, &err) == -1, "65 are not");
	OK(err.code == ERR_FORMAT && n.i == 42, "a refusal leaves the result as it was");
	err_clear(&err);
	OK(num_parse("12\0"
		     "3",
		   4, &n, &err) == -1,
		"a NUL inside");
}

static void integers(void)
{
	struct err err = ERR_INIT;
	int64_t v = 42;

	OK(num_parse_int("10", 2, 0, 10, &v, &err) == 0 && v == 10, "the bound is inside");
	OK(num_parse_int("11", 2, 0, 10, &v, &err) == -1 && v == 10, "past it is not");
	IS_STR(err.msg, "expected a whole number from 0 to 10, not '11'",
		"and the message says so");
	err_clear(&err);
	OK(num_parse_int("1.0", 3, 0, 10, &v, &err) == -1, "a real is no integer");
}

static void comparing(void)
{
	struct num big = num_int(INT64_MAX), odd = num_int((INT64_C(1) << 53) + 1);

	OK(num_cmp(num_int(1), num_int(2)) == -1 && num_cmp(num_int(2), num_int(2)) == 0,
		"integers");
	OK(num_cmp(num_real(1.5), num_real(1.25)) == 1, "reals");
	OK(num_cmp(num_int(1), num_real(1.5)) == -1 && num_cmp(num_real(1.5), num_int(1)) == 1,
		"mixed");
	OK(num_cmp(num_int(-1), num_real(-1.5)) == 1, "mixed and negative");
	OK(num_cmp(odd, num_real(9007199254740992.0)) == 1, "2^53 + 1 is more than 2^53");
	OK(num_cmp(big, num_real(9223372036854775808.0)) == -1, "2^63 - 1 is less than 2^63");
	OK(num_cmp(num_int(INT64_MIN), num_real(-9223372036854775808.0)) == 0, "-2^63 is itself");
	OK(num_cmp(num_real(DBL_MAX), big) == 1 && num_cmp(num_real(-DBL_MAX), big) == -1,
		"far beyond");
}

static void printing(void)
{
	static const double values[] = {0.1, 1.0 / 3, 1e22, 1e23, 5e-324, DBL_MAX, DBL_MIN,
		123456789.125, 0.30000000000000004, 9007199254740993.0};
	struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	struct num n;
	size_t i, missed = 0;

	for (i = 0; i < ARRAY_LEN(values); i++) {
		buf_clear(&b);
		num_format(&b, num_real(values[i]));
		missed += num_parse(b.p, b.len, &n, &err) < 0 || n.is_int || n.d != values[i];
	}
	OK(missed == 0, "what is printed reads back the same");
	buf_clear(&b);
	num_format(&b, num_real(0.1));
	IS_STR(buf_str(&b), "0.1", "in the fewest digits");
	buf_release(&b);
}

static const char *time_round(const char *s)
{
	static char text[600];
	struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	int64_t ns;

	if (time_parse(s, &ns, &err) < 0)
		return "refused";
	time_format(&b, ns);
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}

static void times(void)
{
	static const char *const bad[] = {"", "2026", "2026-09-23", "2026-09-23T21:40",
		"2026-13-01T00:00:00Z", "2026-09-23T24:00:00Z", "2026-09-23T21:40:13",
		"2026-09-23T21:40:13ZZ", "2026-09-23T21:40:13+2", "9999-01-01T00:00:00Z",
		"yesterday"};
	struct err err = ERR_INIT;
	int64_t ns = 0;
	char what[80];
	size_t i;

	OK(time_parse("1970-01-01T00:00:01Z", &ns, &err) == 0 && ns == 1000000000, "the epoch");
	IS_STR(time_round("2026-09-23T21:40:13Z"), "2026-09-23T21:40:13Z", "a time");
	IS_STR(time_round("2026-09-23T21:40:13.5Z"), "2026-09-23T21:40:13.500000000Z",
		"a fraction");
	IS_STR(time_round("2026-09-23t23:40:13+02:00"), "2026-09-23T21:40:13Z", "an offset");
	IS_STR(time_round("2026-09-23T16:10:13-05:30"), "2026-09-23T21:40:13Z", "a negative one");
	IS_STR(time_round("2000-02-29T00:00:00Z"), "2000-02-29T00:00:00Z", "a leap day");
	IS_STR(time_round("1969-12-31T23:59:59.25Z"), "1969-12-31T23:59:59.250000000Z",
		"before the epoch");
	for (i = 0; i < ARRAY_LEN(bad); i++) {
		snprintf(what, sizeof(what), "no time: '%s'", bad[i]);
		IS_STR(time_round(bad[i]), "refused", what);
	}
}

static const char *shifted(struct num n, int exponent)
{
	static char text[600];
	struct buf b = BUF_INIT;
	struct err err = ERR_INIT;

	if (num_shift(n, exponent, &n, &err) < 0)
		buf_addstr(&b, err.msg);
	else
		num_format(&b, n);
	snprintf(text, sizeof(text), "%s", buf_str(&b));
	buf_release(&b);
	return text;
}

static void shifting(void)
{
	IS_STR(shifted(num_real(91.7), -9), "9.17e-08", "a shift, not a product");
	IS_STR(shifted(num_real(3.8531922280623370e+00), -9), "3.853192228062337e-09",
		"17 digits keep their meaning");
	IS_STR(shifted(num_real(1.5e-7), -3), "1.5e-10", "of a number with an exponent");
	IS_STR(shifted(num_real(-2.5), 3), "-2500.0", "to the right");
	IS_STR(shifted(num_int(100), -9), "1e-07", "of an integer");
	IS_STR(shifted(num_int(9007199254740993), 0), "9007199254740993", "by nothing");
	IS_STR(shifted(num_real(0.0), -9), "0.0", "of zero");
	IS_STR(shifted(num_real(1e308), 3), "a number too large for a double: '1e311'",
		"an overflow");
}

int main(void)
{
	parsing();
	refusing();
	integers();
	comparing();
	printing();
	shifting();
	times();
	return tap_done();
}
