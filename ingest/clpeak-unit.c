#include "clpeak-unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clpeak's quantities that have a base unit. */
static const struct base {
	const char *unit, *quantity;
	enum direction direction;
} bases[] = {
	{"FLOPS", "flops", DIRECTION_HIGHER},
	{"OPS", "ops", DIRECTION_HIGHER},
	{"B/s", "bytes_per_second", DIRECTION_HIGHER},
	{"Texel/s", "items_per_second", DIRECTION_HIGHER},
	{"s", "seconds", DIRECTION_LOWER},
};

static const struct prefix {
	const char *text;
	double factor;
} prefixes[] = {
	{"", 1},
	{"k", 1e3},
	{"K", 1e3},
	{"M", 1e6},
	{"G", 1e9},
	{"T", 1e12},
	{"P", 1e15},
	{"E", 1e18},
	{"m", 1e-3},
	{"u", 1e-6},
	{"\xC2\xB5", 1e-6}, /* U+00B5, the micro sign */
	{"\xCE\xBC", 1e-6}, /* U+03BC, the Greek letter */
	{"n", 1e-9},
	{"p", 1e-12},
};

static const struct base *base_of_quantity(const char *quantity)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(bases); i++)
		if (!strcmp(bases[i].quantity, quantity))
			return &bases[i];
	return NULL;
}

/* Items per second are texels in the one unit that is known, and may be anything else. */
static bool counts_items(const struct base *b)
{
	return !strcmp(b->quantity, "items_per_second");
}

static const struct prefix *find_prefix(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(prefixes); i++)
		if (strlen(prefixes[i].text) == len && !memcmp(prefixes[i].text, s, len))
			return &prefixes[i];
	return NULL;
}

/* Takes a unit apart: "GB/s" is 1e9 times "B/s". NULL when it is not made of known parts. */
static const struct base *base_of_unit(const char *unit, double *ret_factor)
{
	const struct prefix *p;
	size_t i, len = strlen(unit), n;

	for (i = 0; i < ARRAY_LEN(bases); i++) {
		n = strlen(bases[i].unit);
		if (len < n || strcmp(unit + len - n, bases[i].unit) != 0)
			continue;
		p = find_prefix(unit, len - n);
		if (p) {
			*ret_factor = p->factor;
			return &bases[i];
		}
	}
	return NULL;
}

static const char *quantity_of_unit(const char *unit)
{
	const struct base *b;
	double factor;

	if (!unit)
		return NULL;
	if (!strcmp(unit, "ppm"))
		return "ratio";
	b = base_of_unit(unit, &factor);
	return b ? b->quantity : NULL;
}

int clpeak_text(const struct jv *o, const char *key, const char **ret, struct err *err)
{
	const char *s;
	int r = jv_get_string(o, key, &s, err);

	if (r <= 0 || !*s)
		return r < 0 ? -1 : 0;
	if (strlen(s) > SINK_NAME_MAX)
		return err_set(err, ERR_FORMAT, "'%s' is longer than %d bytes", key, SINK_NAME_MAX);
	*ret = s;
	return 1;
}

static int read_scale(const struct jv *o, double *ret, struct err *err)
{
	struct num n;
	int r = jv_get_num(o, "scale", &n, err);

	if (r <= 0)
		return r;
	if (num_double(n) <= 0)
		return err_set(
			err, ERR_FORMAT, "'scale' is %g, expected a number above 0", num_double(n));
	*ret = num_double(n);
	return 0;
}

int clpeak_unit_read(const struct jv *o, struct clpeak_unit *ret, struct err *err)
{
	struct clpeak_unit u = {0};

	if (clpeak_text(o, "unit", &u.unit, err) < 0 ||
		clpeak_text(o, "quantity", &u.quantity, err) < 0 ||
		clpeak_text(o, "direction", &u.direction, err) < 0 ||
		read_scale(o, &u.scale, err) < 0)
		return -1;
	if (u.direction && strcmp(u.direction, "higher_is_better") != 0 &&
		strcmp(u.direction, "lower_is_better") != 0)
		return err_set(err, ERR_FORMAT,
			"'direction' is '%.80s', expected higher_is_better or lower_is_better",
			u.direction);
	*ret = u;
	return 0;
}

static const char *test_quantity(const struct clpeak_unit *test)
{
	return test->quantity ? test->quantity : quantity_of_unit(test->unit);
}

static const char *resolve_quantity(
	const struct clpeak_unit *test, const struct clpeak_unit *reading)
{
	const char *q = reading->quantity;

	if (!q)
		q = quantity_of_unit(reading->unit);
	if (!q && (!reading->unit || (test->unit && !strcmp(reading->unit, test->unit))))
		q = test_quantity(test);
	return q ? q : "unknown";
}

/* The unit as written. A test's unit says nothing of a reading with another quantity. */
static const char *resolve_unit(
	const struct clpeak_unit *test, const struct clpeak_unit *reading, const char *quantity)
{
	const char *of_test = test_quantity(test);
	const struct base *b;

	if (reading->unit)
		return reading->unit;
	if (test->unit && (!of_test || !strcmp(of_test, quantity)))
		return test->unit;
	b = base_of_quantity(quantity);
	return b && !counts_items(b) ? b->unit : "";
}

static enum direction resolve_direction(const struct clpeak_unit *test,
	const struct clpeak_unit *reading, const char *quantity, const char *unit)
{
	const char *said = reading->direction ? reading->direction : test->direction;
	const struct base *b = base_of_quantity(quantity);

	if (said)
		return *said == 'h' ? DIRECTION_HIGHER : DIRECTION_LOWER;
	if (b)
		return b->direction;
	return !strcmp(quantity, "ratio") && !strcmp(unit, "ppm") ? DIRECTION_LOWER
								  : DIRECTION_NONE;
}

/* Items per second other than texels: "GPixel/s" at scale 1e9 is "Pixel/s". */
static const char *without_prefix(const char *unit, double scale)
{
	const struct prefix *p = *unit ? find_prefix(unit, 1) : NULL;

	return p && p->factor == scale && unit[1] >= 'A' && unit[1] <= 'Z' ? unit + 1 : unit;
}

static const char *base_unit(
	const struct base *b, const struct base *written, const char *unit, double scale)
{
	return counts_items(b) && b != written ? without_prefix(unit, scale) : b->unit;
}

int clpeak_unit_resolve(const struct clpeak_unit *test, const struct clpeak_unit *reading,
	struct metric *ret, double *ret_factor, struct err *err)
{
	const char *quantity = resolve_quantity(test, reading);
	const char *unit = resolve_unit(test, reading, quantity);
	double scale = reading->scale > 0 ? reading->scale : test->scale, factor = 1;
	const struct base *b = base_of_quantity(quantity), *written = base_of_unit(unit, &factor);

	ret->quantity = quantity;
	ret->direction = resolve_direction(test, reading, quantity, unit);
	if (written != b)
		written = NULL;
	if (!b || (!written && scale <= 0)) {
		scale = 1;
	} else if (scale <= 0) {
		scale = factor;
		unit = b->unit;
	} else {
		bool of_test = reading->scale <= 0;
		if (written && factor != 1 && factor != scale) {
			if (!of_test || !reading->unit)
				return err_set(err, ERR_FORMAT,
					"'scale' is %g, which does not fit the unit '%.80s'", scale,
					unit);
			scale = factor;
		}
		unit = base_unit(b, written, unit, scale);
	}
	ret->unit = unit;
	*ret_factor = scale;
	return 0;
}

/* The k of a factor that is the double nearest 10^k. */
static bool power_of_ten(double factor, int *ret)
{
	char text[16];
	struct num n;
	struct err ignored = ERR_INIT;
	int k = (int)lround(log10(factor)), len = snprintf(text, sizeof(text), "1e%d", k);

	if (num_parse(text, (size_t)len, &n, &ignored) < 0 || n.d != factor)
		return false;
	*ret = k;
	return true;
}

int clpeak_unit_convert(struct num value, double factor, struct num *ret, struct err *err)
{
	int exponent;
	double d;

	if (factor == 1) {
		*ret = value;
		return 0;
	}
	if (power_of_ten(factor, &exponent)) {
		if (num_shift(value, exponent, ret, err) < 0)
			return err_prefix(err, "'value' times 'scale'");
		return 0;
	}
	d = num_double(value) * factor;
	if (!isfinite(d))
		return err_set(err, ERR_FORMAT, "'value' times 'scale' is too large");
	*ret = num_real(d);
	return 0;
}
