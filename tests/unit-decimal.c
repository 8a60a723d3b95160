/* Known answers by hand and by Python's integers. */
#include "decimal.h"
#include "figure.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static struct decimal dec(const char *s)
{
	struct decimal d = {0, 0};
	struct err err = ERR_INIT;

	if (decimal_parse(s, strlen(s), &d, &err) < 0)
		printf("# %s\n", err.msg);
	return d;
}

static void is(struct decimal got, const char *expected, const char *what)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	decimal_format(&b, got);
	IS_STR(buf_str(&b), expected, what);
}

static void refused(const char *s)
{
	struct decimal d = {42, 0};
	struct err err = ERR_INIT;

	OK(decimal_parse(s, strlen(s), &d, &err) < 0 && d.m == 42 && err.code == ERR_FORMAT, s);
}

static void test_parse(void)
{
	is(dec("0"), "0", "zero");
	is(dec("-0.00"), "0", "minus zero is zero");
	is(dec("0.001"), "0.001", "0.001");
	is(dec("1e3"), "1000", "1e3");
	is(dec("1200e-2"), "12", "1200e-2");
	is(dec("-12.50"), "-12.5", "-12.50");
	is(dec("000000000000000000000000000000000000000000007"), "7",
		"leading zeros are no digits");
	is(dec("1e300"), "1e+300", "1e300");
	is(dec("1.25e-300"), "1.25e-300", "1.25e-300");
	is(dec("12345678901234567890123456789012345678"),
		"1.2345678901234567890123456789012345678e+37", "38 digits");
	refused("");
	refused("-");
	refused(".5");
	refused("5.");
	refused("1.2.3");
	refused("1e");
	refused("0x10");
	refused("1 ");
	refused("nan");
	refused("1e999");
	refused("1e-999");
	refused("1e99999999999999999999");
	refused("123456789012345678901234567890123456789");
	refused("00000000000000000000000000000000000000000000000000000000000000000");
}

static void test_from(void)
{
	is(decimal_from(num_int(INT64_MAX)), "9223372036854775807", "2^63-1");
	is(decimal_from(num_int(INT64_MIN)), "-9223372036854775808", "-2^63");
	is(decimal_from(num_real(0.9)), "0.9", "0.9 is nine tenths");
	is(decimal_from(num_real(0.1 + 0.2)), "0.30000000000000004", "17 digits");
	is(decimal_from(num_real(-0.0)), "0", "-0.0");
	is(decimal_from(num_real(6.888489e-06)), "0.000006888489", "clpeak's 7 digits");
	is(decimal_from(num_real(2.111093e+13)), "21110930000000", "clpeak's 2.111093e+13");
	is(decimal_from(num_real(DBL_MAX)), "1.7976931348623157e+308", "DBL_MAX");
	is(decimal_from(num_real(5e-324)), "4.94065645841247e-324", "the smallest double");
}

/* Every double comes back as itself. */
static void test_round_trip(void)
{
	unsigned long long x = 1;
	bool good = true;
	int i;

	for (i = 0; i < 20000; i++) {
		union {
			unsigned long long u;
			double d;
		} v;
		x = x * 6364136223846793005ull + 1442695040888963407ull;
		v.u = x;
		if (i % 2)
			v.d = (double)(x >> 44) / 1000;
		if (isfinite(v.d) && decimal_double(decimal_from(num_real(v.d))) != v.d)
			good = false;
	}
	OK(good, "20000 doubles survive");
}

static void test_arithmetic(void)
{
	is(decimal_add(dec("0.1"), dec("0.2")), "0.3", "0.1 + 0.2");
	is(decimal_sub(dec("32854.5"), dec("32178.5")), "676", "32854.5 - 32178.5");
	is(decimal_sub(dec("1"), dec("1.000")), "0", "1 - 1.000");
	is(decimal_add(dec("-5"), dec("3")), "-2", "-5 + 3");
	is(decimal_add(dec("5"), dec("-3")), "2", "5 - 3");
	is(decimal_mul(dec("0.05"), dec("0.9")), "0.045", "5 % of 0.9");
	is(decimal_mul(dec("-0.02"), dec("33131")), "-662.62", "-2 % of 33131");
	is(decimal_mul(dec("0"), dec("1e300")), "0", "0 x 1e300");
	is(decimal_add(dec("1e300"), dec("1")), "1e+300", "1e300 + 1 keeps the large one");
	is(decimal_add(dec("1"), dec("1e300")), "1e+300", "1 + 1e300");
	is(decimal_mul(dec("1e300"), dec("1e300")), "1e+600", "1e300 x 1e300 does not overflow");
	is(decimal_mul(dec("12345678901234567890"), dec("98765432109876543210")),
		"1.2193263113702179522374638011112635269e+39", "39 digits, of which 38 remain");
	is(decimal_abs(dec("-7.5")), "7.5", "|-7.5|");
	is(decimal_add(dec("99999999999999999999999999999999999999"), dec("1")), "1e+38",
		"38 nines + 1");
}

static void test_compare(void)
{
	OK(decimal_cmp(dec("0.045"), decimal_mul(dec("0.05"), dec("0.9"))) == 0,
		"0.045 = 5 % of 0.9");
	OK(decimal_cmp(dec("1e300"), dec("1e-300")) > 0, "1e300 > 1e-300");
	OK(decimal_cmp(dec("-1e300"), dec("1e-300")) < 0, "-1e300 < 1e-300");
	OK(decimal_cmp(dec("-1e300"), dec("-1")) < 0, "-1e300 < -1");
	OK(decimal_cmp(dec("9223372036854775807"), dec("9223372036854775806.999")) > 0,
		"19 digits and more");
	OK(decimal_cmp(dec("0"), dec("1e-400")) < 0 && decimal_cmp(dec("0"), dec("-1")) > 0,
		"zero");
	OK(decimal_cmp(dec("10000000000000000000000000000000000000"), dec("1e37")) == 0,
		"1e37 in two ways");
	OK(decimal_cmp(dec("10000000000000000000000000000000000001"), dec("1e37")) > 0, "1e37 + 1");
	OK(decimal_sign(dec("-0.1")) == -1 && decimal_sign(dec("0")) == 0 &&
			decimal_sign(dec("2")) == 1,
		"signs");
}

static void test_median(void)
{
	const struct num odd[] = {num_int(9), num_int(1), num_int(5)};
	const struct num even[] = {num_int(33131), num_int(33120), num_int(33129), num_int(33130)};
	const struct num large[] = {num_int(INT64_MAX), num_int(INT64_MAX)};
	const struct num mixed[] = {num_int(0), num_real(0.75)};
	struct num many[200];
	int i;

	for (i = 0; i < 200; i++)
		many[i] = num_int((i * 7) % 200);
	is(decimal_median(odd, 3), "5", "the middle one");
	is(decimal_median(even, 4), "33129.5", "halfway between the middle two");
	is(decimal_median(large, 2), "9223372036854775807", "2^63 - 1");
	is(decimal_median(mixed, 2), "0.375", "an integer and a double");
	is(decimal_median(many, 200), "99.5", "200 values");
	OK(many[1].i == 7, "the values stay as they were");
}

static void is_num(const char *text, const char *expected, const char *what)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	num_format(&b, decimal_num(dec(text)));
	IS_STR(buf_str(&b), expected, what);
}

static void test_num(void)
{
	is_num("33130", "33130", "an integer stays one");
	is_num("-1.20e1", "-12", "written otherwise, too");
	is_num("9223372036854775807", "9223372036854775807", "2^63 - 1");
	is_num("9223372036854775808", "9.223372036854776e+18", "2^63 is a double");
	is_num("1e18", "1000000000000000000", "a power of ten");
	is_num("1e19", "1e+19", "one that is too large");
	is_num("33129.5", "33129.5", "a half");
	is_num("0.0", "0", "zero");
}

static void is_real(double value, const char *expected)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	figure_real(&b, value);
	IS_STR(buf_str(&b), expected, expected);
}

static void test_real(void)
{
	is_real(-0.0, "0");
	is_real(0, "0");
	is_real(-0.25, "-0.25");
	is_real(38e9, "38000000000.0");
}

static void is_figure(struct decimal a, struct decimal b, const char *unit, const char *expected)
{
	_cleanup_(buf_release) struct buf x = BUF_INIT, y = BUF_INIT;

	figure_pair(&x, &y, &a, &b, unit);
	buf_addf(&x, " -> %s", buf_str(&y));
	IS_STR(buf_str(&x), expected, expected);
}

static void is_change(double change, const char *limit, int places, const char *expected)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	figure_change(&b, change, dec(limit), places);
	IS_STR(buf_str(&b), expected, expected);
}

static void test_figures(void)
{
	is_figure(dec("33131"), dec("33823"), "count", "33131 -> 33823");
	is_figure(dec("32178.5"), dec("32854.5"), "count", "32178.5 -> 32854.5");
	is_figure(dec("1530000"), dec("1540000"), "ns", "1.53 ms -> 1.54 ms");
	is_figure(dec("1530000"), dec("1530100"), "ns", "1.5300 ms -> 1.5301 ms");
	is_figure(dec("67108864"), dec("67108865"), "B", "64.0000000 MiB -> 64.0000010 MiB");
	is_figure(dec("67108864"), dec("70464307"), "B", "64.0 MiB -> 67.2 MiB");
	is_figure(dec("0"), dec("512"), "B", "0 B -> 512 B");
	is_figure(dec("2731"), dec("2731"), "B", "2.67 KiB -> 2.67 KiB");
	is_figure(dec("2.1e13"), dec("1.9e13"), "FLOPS", "21.0 TFLOPS -> 19.0 TFLOPS");
	is_figure(dec("6.9e-6"), dec("7.2e-6"), "s", "6.90 us -> 7.20 us");
	is_figure(dec("0.9"), dec("0.855"), "ratio", "0.9 -> 0.855");
	is_figure(dec("12"), dec("13"), "tokens", "12 tokens -> 13 tokens");
	is_figure(dec("99999999999"), dec("99999999998"), "count", "99999999999 -> 99999999998");
	is_change(0.020886, "0.02", 1, "+2.1 %");
	is_change(-0.020886, "0.02", 2, "-2.09 %");
	is_change(0.02001, "0.02", 1, "+2.001 %");
	is_change(0.019999, "0.02", 1, "+1.9999 %");
	is_change(0.02, "0.02", 1, "+2.0 %");
	is_change(0, "0", 1, "0 %");
	is_change(0.0000001, "0", 1, "+0.00001 %");
	is_change(123456789.0, "0.02", 1, "+1.23e+10 %");
	is_change(-1, "0.05", 1, "-100.0 %");
}

int main(void)
{
	test_parse();
	test_from();
	test_round_trip();
	test_arithmetic();
	test_compare();
	test_median();
	test_num();
	test_real();
	test_figures();
	return tap_done();
}
