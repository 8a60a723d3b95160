#include "scale.h"

#include "tap.h"

#include <stdio.h>
#include <string.h>

/* The printed form of a token times 10^shift, or its error. */
static const char *scaled(const char *s, int shift)
{
	static char text[600];
	struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	struct num n;

	if (scale_parse(s, strlen(s), shift, &n, &err) < 0)
		snprintf(text, sizeof(text), "%s", err.msg);
	else {
		num_format(&b, n);
		snprintf(text, sizeof(text), "%s %s", n.is_int ? "int" : "real", buf_str(&b));
	}
	buf_release(&b);
	return text;
}

/* What a unit is brought to: "s time 10^-9 lower". */
static const char *unit(const char *written)
{
	static char text[200];
	struct scale s;
	bool known = scale_of_unit(written, &s);

	snprintf(text, sizeof(text), "%s%s %s 10^%d %s", known ? "" : "unknown: ", s.unit,
		s.quantity, s.shift, direction_name(s.direction));
	return text;
}

static void numbers(void)
{
	IS_STR(scaled("43.6", -9), "real 4.36e-08", "the nearest double, not that of a product");
	IS_STR(scaled("577.4276499366405", -9), "real 5.774276499366405e-07", "many digits");
	IS_STR(scaled("0.1", -3), "real 0.0001", "a fraction");
	IS_STR(scaled("1000000000", -9), "real 1.0", "a whole number of seconds");
	IS_STR(scaled("9007199254740993", 0), "int 9007199254740993", "no shift: an integer stays");
	IS_STR(scaled("2.50", 0), "real 2.5", "no shift: a fraction");
	IS_STR(scaled("343.87", 6), "int 343870000", "a fraction that becomes whole");
	IS_STR(scaled("12", 6), "int 12000000", "an integer");
	IS_STR(scaled("-1.5", 3), "int -1500", "a negative one");
	IS_STR(scaled("0.1234567", 6), "real 123456.7", "one that stays a fraction");
	IS_STR(scaled("1e3", -9), "real 1e-06", "an exponent");
	IS_STR(scaled("1.5E+2", 3), "real 150000.0", "an exponent with a sign");
	IS_STR(scaled("9223372036854775807", 3), "real 9.223372036854776e+21", "beyond 2^63");
	IS_STR(scaled("0", -9), "real 0.0", "zero");
	IS_STR(scaled("0.00000000000000000000000000000000000000000000000000000000000012", -9),
		"real 1.2e-70", "a long token");
	IS_STR(scaled("NaN", -9), "not a number: 'NaN'", "not a number");
	IS_STR(scaled("1e308", 6), "a number too large for a double: '1e314'", "too large");
	IS_STR(scaled("", 3), "not a number: ''", "nothing");
}

static void unit_names(void)
{
	IS_STR(unit("ns"), "s time 10^-9 lower", "ns");
	IS_STR(unit("ns/iter"), "s time 10^-9 lower", "ns/iter");
	IS_STR(unit("us/op"), "s time 10^-6 lower", "us/op");
	IS_STR(unit("\u00b5s"), "s time 10^-6 lower", "the micro sign");
	IS_STR(unit("\u03bcs"), "s time 10^-6 lower", "the Greek letter");
	IS_STR(unit("sec"), "s time 10^0 lower", "sec");
	IS_STR(unit("KB"), "B bytes 10^3 lower", "KB");
	IS_STR(unit("MB/s"), "B/s bytes_per_second 10^6 higher", "MB/s");
	IS_STR(unit("ops/sec"), "ops/s rate 10^0 higher", "ops/sec");
	IS_STR(unit("ops/ms"), "ops/s rate 10^3 higher", "ops/ms");
	IS_STR(unit("iter/sec"), "ops/s rate 10^0 higher", "iter/sec");
	IS_STR(unit(""), "unknown:  unknown 10^0 none", "nothing");
	IS_STR(unit("ns/"), "s time 10^-9 lower", "nothing behind the stroke");
	IS_STR(unit("allocs/op"), "unknown: allocs/op unknown 10^0 none", "something else");
	IS_STR(unit("ns/op/x"), "unknown: ns/op/x unknown 10^0 none", "two strokes");
}

int main(void)
{
	numbers();
	unit_names();
	return tap_done();
}
