#include "unit.h"

#include "text.h"

#include <string.h>
#include <strings.h>

static const char time_[] = "time", bytes[] = "bytes", bytes_per_s[] = "bytes per second",
		  frequency[] = "frequency", flops[] = "floating-point operations per second",
		  ops[] = "operations per second", texels[] = "texels per second",
		  shares[] = "shares", counts[] = "counts";

/* Factors of a thousand are those of the SI, those of 1024 IEC 80000-13's. */
const struct unit units[] = {
	{"ns", time_, {1, 0}, true},
	{"us", time_, {1, 3}, true},
	{"\u00b5s", time_, {1, 3}, false}, /* MICRO SIGN */
	{"\u03bcs", time_, {1, 3}, false}, /* GREEK SMALL LETTER MU */
	{"ms", time_, {1, 6}, true},
	{"s", time_, {1, 9}, true},
	{"min", time_, {6, 10}, false},
	{"h", time_, {36, 11}, false},

	{"B", bytes, {1, 0}, true},
	{"kB", bytes, {1, 3}, false},
	{"KiB", bytes, {1 << 10, 0}, true},
	{"MB", bytes, {1, 6}, false},
	{"MiB", bytes, {1 << 20, 0}, true},
	{"GB", bytes, {1, 9}, false},
	{"GiB", bytes, {1 << 30, 0}, true},
	{"TB", bytes, {1, 12}, false},
	{"TiB", bytes, {INT64_C(1) << 40, 0}, true},

	{"B/s", bytes_per_s, {1, 0}, true},
	{"kB/s", bytes_per_s, {1, 3}, true},
	{"KiB/s", bytes_per_s, {1 << 10, 0}, false},
	{"MB/s", bytes_per_s, {1, 6}, true},
	{"MiB/s", bytes_per_s, {1 << 20, 0}, false},
	{"GB/s", bytes_per_s, {1, 9}, true},
	{"GiB/s", bytes_per_s, {1 << 30, 0}, false},
	{"TB/s", bytes_per_s, {1, 12}, true},
	{"TiB/s", bytes_per_s, {INT64_C(1) << 40, 0}, false},

	{"Hz", frequency, {1, 0}, true},
	{"kHz", frequency, {1, 3}, true},
	{"MHz", frequency, {1, 6}, true},
	{"GHz", frequency, {1, 9}, true},

	{"FLOPS", flops, {1, 0}, true},
	{"kFLOPS", flops, {1, 3}, false},
	{"MFLOPS", flops, {1, 6}, true},
	{"GFLOPS", flops, {1, 9}, true},
	{"TFLOPS", flops, {1, 12}, true},
	{"PFLOPS", flops, {1, 15}, true},

	{"OPS", ops, {1, 0}, true},
	{"kOPS", ops, {1, 3}, false},
	{"MOPS", ops, {1, 6}, true},
	{"GOPS", ops, {1, 9}, true},
	{"TOPS", ops, {1, 12}, true},
	{"POPS", ops, {1, 15}, true},

	{"Texel/s", texels, {1, 0}, true},
	{"kTexel/s", texels, {1, 3}, false},
	{"MTexel/s", texels, {1, 6}, true},
	{"GTexel/s", texels, {1, 9}, true},

	{"pp", shares, {1, 0}, false},
	{"%", shares, {1, 0}, false},
	{"ratio", shares, {1, 2}, false},

	{"count", counts, {1, 0}, false},
	{"k", counts, {1, 3}, false},
	{"M", counts, {1, 6}, false},
	{"G", counts, {1, 9}, false},
};

const size_t units_count = ARRAY_LEN(units);

const struct unit *unit_find(const char *name)
{
	size_t i;

	for (i = 0; i < units_count; i++)
		if (units[i].name[0] == name[0] && !strcmp(units[i].name, name))
			return &units[i];
	return NULL;
}

/* ---- reading ---- */

/* Bytes of text that are a number, as far as their characters tell. */
static size_t number_length(const char *text)
{
	static const char digits[] = "0123456789";
	size_t n = strspn(text, "+-.0123456789"), sign;

	if (n && (text[n] == 'e' || text[n] == 'E')) {
		sign = text[n + 1] == '-' || text[n + 1] == '+';
		if (strspn(text + n + 1 + sign, digits))
			n += 1 + sign + strspn(text + n + 1 + sign, digits);
	}
	return n;
}

/* In the wrong case, or a few letters off. */
static const char *nearest(const char *name)
{
	const char *names[ARRAY_LEN(units)];
	size_t i;

	for (i = 0; i < units_count; i++) {
		names[i] = units[i].name;
		if (!strcasecmp(name, names[i]))
			return names[i];
	}
	return text_nearest(name, names, units_count);
}

static int refuse_unit(const char *name, struct err *err)
{
	const char *near = nearest(name);

	if (near)
		return err_set(err, ERR_POLICY, "no unit '%.40s'; did you mean '%s'?", name, near);
	return err_set(err, ERR_POLICY,
		"no unit '%.40s'; there are ns to h, B to TB and TiB, and the same per second, Hz, FLOPS, OPS, Texel/s, pp, %%, k, M and G",
		name);
}

int unit_parse(const char *text, struct decimal *ret, const struct unit **ret_unit, struct err *err)
{
	size_t n = number_length(text);
	const char *name = text + n + strspn(text + n, " \t");
	const struct unit *unit = NULL;
	struct err why = ERR_INIT;
	struct decimal value;

	if (decimal_parse(text, n, &value, &why) < 0) {
		if (n)
			return err_set(err, ERR_POLICY, "%s", why.msg);
		return err_set(err, ERR_POLICY,
			"expected a number, with a unit or without, not '%.60s'", text);
	}
	if (*name) {
		unit = unit_find(name);
		if (!unit)
			return refuse_unit(name, err);
	}
	*ret = value;
	*ret_unit = unit;
	return 0;
}

/* ---- converting ---- */

/* a by the twos and the fives of whole, one at a time, so that zeros fall off on the way; what is
 * left of whole. */
static __int128 by_twos_and_fives(
	struct decimal *a, __int128 whole, struct decimal two, struct decimal five)
{
	for (; whole % 2 == 0; whole /= 2)
		*a = decimal_mul(*a, two);
	for (; whole % 5 == 0; whole /= 5)
		*a = decimal_mul(*a, five);
	return whole;
}

static struct decimal multiply(struct decimal a, struct decimal by)
{
	struct decimal rest = {0, 0};

	a.e += by.e;
	rest.m = by_twos_and_fives(&a, by.m, (struct decimal){2, 0}, (struct decimal){5, 0});
	return decimal_mul(a, rest);
}

/* What is neither a two nor a five goes as far as 38 digits do. */
static struct decimal divide(struct decimal a, struct decimal by)
{
	const __int128 room = (__int128)1000000000000000000 * 10000000000000000000u; /* 10^37 */
	__int128 rest;

	a.e -= by.e;
	rest = by_twos_and_fives(&a, by.m, (struct decimal){5, -1}, (struct decimal){2, -1});
	for (; a.m % rest != 0 && a.m < room && a.m > -room; a.e--)
		a.m *= 10;
	a.m /= rest;
	return a;
}

static bool fits(const struct unit *from, const struct unit *to)
{
	return to ? from->dimension == to->dimension : from->dimension == counts;
}

int unit_convert(struct decimal value, const struct unit *from, const char *to, struct decimal *ret,
	struct err *err)
{
	const struct unit *target;

	if (!from || !strcmp(from->name, to)) {
		*ret = value;
		return 0;
	}
	target = unit_find(to);
	if (!fits(from, target))
		return err_set(err, ERR_POLICY, "%s is a unit of %s, and the metric is in '%.40s'",
			from->name, from->dimension, to);
	value = multiply(value, from->size);
	*ret = target ? divide(value, target->size) : value;
	return 0;
}
