#include "rules.h"
#include "text.h"

#include <string.h>

/* A setter takes a value and returns 0, or -1 with err set to what was expected, without the place.
 */

int value_expected(const char *what, const char *value, const char *nearest, struct err *err)
{
	if (nearest)
		return err_set(err, ERR_POLICY, "expected %s, not '%.80s'; did you mean '%s'?",
			what, value, nearest);
	return err_set(err, ERR_POLICY, "expected %s, not '%.80s'", what, value);
}

int value_word(
	const char *value, const char *const *words, size_t n, const char *what, struct err *err)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(value, words[i]))
			return (int)i;
	return value_expected(what, value, text_nearest(value, words, n), err);
}

static int parse_class(const char *value, struct decision *d, struct err *err)
{
	static const char *const words[] = {"hard", "advisory", "info"};
	int i = value_word(value, words, ARRAY_LEN(words), "hard, advisory or info", err);

	if (i < 0)
		return -1;
	d->class_ = (enum gate_class)i;
	return 0;
}

static int parse_judge(const char *value, struct decision *d, struct err *err)
{
	static const char *const words[] = {"exact", "noisy"};
	int i = value_word(value, words, ARRAY_LEN(words), "exact or noisy", err);

	if (i < 0)
		return -1;
	d->judge = (enum judge)i;
	return 0;
}

static int parse_direction(const char *value, struct decision *d, struct err *err)
{
	static const char *const words[] = {"lower", "higher", "none"};

	if (direction_parse(value, &d->direction) < 0)
		return value_expected("lower, higher (which is better) or none", value,
			text_nearest(value, words, ARRAY_LEN(words)), err);
	return 0;
}

static int parse_missing(const char *value, struct decision *d, struct err *err)
{
	static const char *const words[] = {"error", "warn", "ignore"};
	int i = value_word(value, words, ARRAY_LEN(words), "error, warn or ignore", err);

	if (i < 0)
		return -1;
	d->missing = (enum missing_rule)i;
	return 0;
}

static int parse_across(const char *value, struct decision *d, struct err *err)
{
	static const char *const words[] = {"no", "fallback", "yes"};
	int i = value_word(value, words, ARRAY_LEN(words), "no, fallback or yes", err);

	if (i < 0)
		return -1;
	d->across = (enum across)i;
	return 0;
}

/* "2%", "2 %", "0.02". A bare 1 or more is refused: who writes 2 means 2 %, not 200 %. */
static int parse_share(const char *value, struct decimal *ret, struct err *err)
{
	const struct decimal most = {10, 0}, one = {1, 0};
	struct err ignored = ERR_INIT;
	size_t len = strlen(value);
	struct decimal d;
	bool percent = len && value[len - 1] == '%';

	for (len -= percent; percent && len && (value[len - 1] == ' ' || value[len - 1] == '\t');)
		len--;
	if (decimal_parse(value, len, &d, &ignored) < 0)
		return value_expected("a share such as 2% or 0.02", value, NULL, err);
	if (percent)
		d = decimal_mul(d, (struct decimal){1, -2});
	if (decimal_sign(d) < 0 || decimal_cmp(d, most) > 0)
		return value_expected("a share from 0 to 1000%", value, NULL, err);
	if (!percent && decimal_cmp(d, one) >= 0)
		return err_set(err, ERR_POLICY, "'%.60s' is ambiguous: write %.60s%% for per cent",
			value, value);
	*ret = d;
	return 0;
}

static int parse_tolerance(const char *value, struct decision *d, struct err *err)
{
	return parse_share(value, &d->tolerance, err);
}

static int parse_cross_tolerance(const char *value, struct decision *d, struct err *err)
{
	return parse_share(value, &d->cross_tolerance, err);
}

static int parse_floor(const char *value, struct decision *d, struct err *err)
{
	struct err ignored = ERR_INIT;
	size_t number = strspn(value, "+-0123456789.");
	struct decimal floor;

	if (decimal_parse(value, strlen(value), &floor, &ignored) < 0) {
		if (number && value[number] && decimal_parse(value, number, &floor, &ignored) == 0)
			return err_set(err, ERR_POLICY,
				"'%.80s' has a unit, which this version does not know yet: write the plain "
				"number in the metric's own unit",
				value);
		return value_expected("a number in the metric's unit", value, NULL, err);
	}
	if (decimal_sign(floor) < 0)
		return value_expected("a number of at least 0", value, NULL, err);
	d->floor = floor;
	return 0;
}

const struct attribute_key attribute_keys[ATTR_COUNT] = {
	[ATTR_CLASS] = {"class", parse_class},
	[ATTR_JUDGE] = {"judge", parse_judge},
	[ATTR_DIRECTION] = {"direction", parse_direction},
	[ATTR_TOLERANCE] = {"tolerance", parse_tolerance},
	[ATTR_FLOOR] = {"floor", parse_floor},
	[ATTR_CROSS_TOLERANCE] = {"cross-tolerance", parse_cross_tolerance},
	[ATTR_MISSING] = {"missing", parse_missing},
	[ATTR_ACROSS] = {"across-runners", parse_across},
};
