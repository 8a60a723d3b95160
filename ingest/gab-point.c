#include "gab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_value(const struct jv *o, struct point *ret, struct err *err)
{
	const struct jv *v = jv_get(o, "value");

	if (!v || jv_kind(v) == JV_NULL)
		return 0; /* what JavaScript writes for NaN */
	switch (jv_kind(v)) {
	case JV_INT:
		snprintf(ret->own, sizeof(ret->own), "%lld", (long long)jv_num(v).i);
		ret->value = ret->own;
		return 1;
	case JV_STRING:
		ret->value = jv_string(v, NULL);
		return 1;
	default:
		return err_set(err, ERR_FORMAT, "'value' is %s, expected a number",
			jv_kind_name(jv_kind(v)));
	}
}

static int get_text(const struct jv *o, const char *key, const char **ret, struct err *err)
{
	*ret = "";
	return jv_get_string(o, key, ret, err);
}

int point_read(const struct jv *o, struct point *ret, struct err *err)
{
	const struct jv *range;

	*ret = (struct point){.range = ""};
	if (jv_kind(o) != JV_OBJECT)
		return err_set(err, ERR_FORMAT, "%s, expected an object", jv_kind_name(jv_kind(o)));
	if (get_text(o, "name", &ret->name, err) < 0 || get_text(o, "unit", &ret->unit, err) < 0 ||
		get_text(o, "extra", &ret->extra, err) < 0 || read_value(o, ret, err) < 0)
		return -1;
	if (!*ret->name)
		return err_set(err, ERR_FORMAT, "no 'name'");
	range = jv_get(o, "range");
	if (range && jv_kind(range) == JV_STRING)
		ret->range = jv_string(range, NULL);
	return 0;
}

/* ---- range ---- */

/* The first number in s, commas between its digits left out. Its end, or NULL. */
static const char *number_in(const char *s, double *ret)
{
	char digits[NUM_TOKEN_MAX + 1];
	struct err ignored = ERR_INIT;
	struct num value;
	size_t n = 0;

	s += strcspn(s, "0123456789");
	for (; *s && strchr("0123456789.,eE", *s) && n < NUM_TOKEN_MAX; s++) {
		if (*s != ',')
			digits[n++] = *s;
		if ((*s == 'e' || *s == 'E') && (s[1] == '-' || s[1] == '+') && n < NUM_TOKEN_MAX)
			digits[n++] = *++s;
	}
	if (num_parse(digits, n, &value, &ignored) < 0)
		return NULL;
	*ret = num_double(value);
	return s;
}

int point_spread(const struct point *p, const char *tool, double *ret)
{
	struct err ignored = ERR_INIT;
	struct num value;
	double number, share;
	const char *end = number_in(p->range, &number);

	if (!end || num_parse(p->value, strlen(p->value), &value, &ignored) < 0)
		return 0;
	while (*end == ' ')
		end++;
	if (*end == '%')
		share = number / 100;
	else if (!strcmp(tool, "pytest")) /* seconds, beside a value in iterations a second */
		share = number * fabs(num_double(value));
	else
		share = number / fabs(num_double(value));
	if (!isfinite(share))
		return 0;
	*ret = share;
	return 1;
}
