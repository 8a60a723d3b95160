/* Units: what a policy may write, and exact conversion. Factors: SI brochure (9th edition), IEC
 * 80000-13. */
#include "unit.h"

#include "buf.h"
#include "figure.h"
#include "tap.h"

/* "VALUE UNIT" in the metric's unit, as text; or the error. */
static void is_converted(const char *text, const char *to, const char *expected)
{
	_cleanup_(buf_release) struct buf got = BUF_INIT;
	_cleanup_(freep) char *what = xasprintf("%s in %s", text, to);
	const struct unit *unit;
	struct err err = ERR_INIT;
	struct decimal d;

	if (unit_parse(text, &d, &unit, &err) < 0 || unit_convert(d, unit, to, &d, &err) < 0)
		buf_addstr(&got, err.msg);
	else
		decimal_format(&got, d);
	IS_STR(buf_str(&got), expected, what);
}

static void test_conversions(void)
{
	is_converted("64KiB", "B", "65536");
	is_converted("64 KiB", "B", "65536");
	is_converted("64\tKiB", "MiB", "0.0625");
	is_converted("1 kB", "KiB", "0.9765625");
	is_converted("1 B", "TiB", "9.094947017729282379150390625e-13");
	is_converted("1.5TiB", "B", "1649267441664");
	is_converted("10us", "ns", "10000");
	is_converted("10\xC2\xB5s", "ns", "10000");
	is_converted("10\xCE\xBCs", "us", "10");
	is_converted("10 us", "s", "0.00001");
	is_converted("1.53 ms", "ns", "1530000");
	is_converted("2min", "s", "120");
	is_converted("1.5h", "ms", "5400000");
	is_converted("90 s", "min", "1.5");
	is_converted("1 s", "h", "0.0002777777777777777777777777777777777777");
	is_converted("0.5pp", "ratio", "0.005");
	is_converted("0.5 pp", "%", "0.5");
	is_converted("91%", "ratio", "0.91");
	is_converted("91%", "%", "91");
	is_converted("1.2 TFLOPS", "FLOPS", "1200000000000");
	is_converted("3GHz", "MHz", "3000");
	is_converted("2 GiB/s", "MB/s", "2147.483648");
	is_converted("7 MTexel/s", "Texel/s", "7000000");
	is_converted("5 POPS", "kOPS", "5000000000000");
	is_converted("2k", "count", "2000");
	is_converted("1.5M", "points", "1500000");
	is_converted("-3 G", "", "-3000000000");
	is_converted("1e3", "ns", "1000");
	is_converted("1e3us", "ns", "1000000");
	is_converted("12", "furlongs", "12");
	is_converted("0.1 s", "s", "0.1");
	is_converted("99999999999999999999999999999999999999 h", "h",
		"9.9999999999999999999999999999999999999e+37");
}

static void test_refusals(void)
{
	is_converted("64KIB", "B", "no unit 'KIB'; did you mean 'KiB'?");
	is_converted("64kb", "B", "no unit 'kb'; did you mean 'kB'?");
	is_converted("1 sec", "s", "no unit 'sec'; did you mean 's'?");
	is_converted("1 KiB", "ns", "KiB is a unit of bytes, and the metric is in 'ns'");
	is_converted("1 KiB", "B/s", "KiB is a unit of bytes, and the metric is in 'B/s'");
	is_converted("1 pp", "count", "pp is a unit of shares, and the metric is in 'count'");
	is_converted("1 s", "points", "s is a unit of time, and the metric is in 'points'");
	is_converted("1 k", "B", "k is a unit of counts, and the metric is in 'B'");
	is_converted("", "B", "expected a number, with a unit or without, not ''");
	is_converted("KiB", "B", "expected a number, with a unit or without, not 'KiB'");
	is_converted(".5 KiB", "B", "not a number: '.5'");
}

/* One of A is `factor` of B, and back. */
static void test_table(void)
{
	struct decimal one = {1, 0}, there, back;
	struct err err = ERR_INIT;
	bool exact = true, ordered = true;
	size_t i, k;

	for (i = 0; i < units_count; i++) {
		if (i && units[i].dimension == units[i - 1].dimension)
			ordered &= decimal_cmp(units[i - 1].size, units[i].size) <= 0;
		for (k = 0; k < units_count; k++) {
			if (units[k].dimension != units[i].dimension)
				continue;
			unit_convert(one, &units[i], units[k].name, &there, &err);
			unit_convert(there, &units[k], units[i].name, &back, &err);
			/* a third of a unit has no end */
			if (units[k].size.m % 3 != 0)
				exact &= decimal_cmp(one, back) == 0;
		}
	}
	OK(exact && err.code == ERR_NONE, "there and back again, without loss");
	OK(ordered, "the table is ordered by size");
}

static void is_shown(struct decimal d, const char *unit, const char *expected)
{
	_cleanup_(buf_release) struct buf a = BUF_INIT, b = BUF_INIT;

	figure_pair(&a, &b, &d, NULL, unit);
	IS_STR(buf_str(&a), expected, expected);
}

/* figure prints by the same table. */
static void test_figures(void)
{
	is_shown((struct decimal){1530000, 0}, "ns", "1.53 ms");
	is_shown((struct decimal){153, -2}, "ms", "1.53 ms");
	is_shown((struct decimal){153, -5}, "s", "1.53 ms");
	is_shown((struct decimal){65536, 0}, "B", "64.0 KiB");
	is_shown((struct decimal){512, 0}, "KiB", "512 KiB");
	is_shown((struct decimal){15, 8}, "FLOPS", "1.50 GFLOPS");
	is_shown((struct decimal){15, 3}, "MB/s", "15.0 GB/s");
	is_shown((struct decimal){5, -1}, "%", "0.5 %");
	is_shown((struct decimal){90, 0}, "min", "90 min");
	is_shown((struct decimal){12345, 0}, "count", "12345");
}

int main(void)
{
	test_conversions();
	test_refusals();
	test_table();
	test_figures();
	return tap_done();
}
