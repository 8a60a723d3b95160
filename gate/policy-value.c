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

static int parse_class(const char *value, struct rule *r, struct err *err)
{
	int i = value_word(
		value, class_words, ARRAY_LEN(class_words), "hard, advisory or info", err);

	if (i < 0)
		return -1;
	r->decision.class_ = (enum gate_class)i;
	return 0;
}

static int parse_judge(const char *value, struct rule *r, struct err *err)
{
	int i = value_word(value, judge_words, ARRAY_LEN(judge_words), "exact or noisy", err);

	if (i < 0)
		return -1;
	r->decision.judge = (enum judge)i;
	return 0;
}

static int parse_direction(const char *value, struct rule *r, struct err *err)
{
	static const char *const words[] = {"lower", "higher", "none"};

	if (direction_parse(value, &r->decision.direction) < 0)
		return value_expected("lower, higher (which is better) or none", value,
			text_nearest(value, words, ARRAY_LEN(words)), err);
	return 0;
}

static int parse_missing(const char *value, struct rule *r, struct err *err)
{
	int i = value_word(
		value, missing_words, ARRAY_LEN(missing_words), "error, warn or ignore", err);

	if (i < 0)
		return -1;
	r->decision.missing = (enum missing_rule)i;
	return 0;
}

static int parse_across(const char *value, struct rule *r, struct err *err)
{
	int i = value_word(
		value, across_words, ARRAY_LEN(across_words), "no, fallback or yes", err);

	if (i < 0)
		return -1;
	r->decision.across = (enum across)i;
	return 0;
}

/* "2%", "2 %", "0.02". A bare 1 or more is refused: who writes 2 means 2 %, not 200 %. */
int value_share(const char *value, struct decimal *ret, struct err *err)
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

static int parse_tolerance(const char *value, struct rule *r, struct err *err)
{
	return value_share(value, &r->decision.tolerance, err);
}

static int parse_cross_tolerance(const char *value, struct rule *r, struct err *err)
{
	return value_share(value, &r->decision.cross_tolerance, err);
}

static int parse_sessions(const char *value, struct rule *r, struct err *err)
{
	int i = value_word(
		value, sessions_words, ARRAY_LEN(sessions_words), "separate or pool", err);

	if (i < 0)
		return -1;
	r->decision.sessions = (enum sessions_rule)i;
	return 0;
}

static int parse_bound(const char *value, struct rule *r, struct err *err)
{
	int i = value_word(value, bound_words, ARRAY_LEN(bound_words),
		"compute, bandwidth, latency or none", err);

	if (i < 0)
		return -1;
	r->decision.bound = (enum bound)i;
	return 0;
}

static int parse_creep(const char *value, struct rule *r, struct err *err)
{
	return value_share(value, &r->decision.creep, err);
}

static int parse_floor(const char *value, struct rule *r, struct err *err)
{
	struct decimal floor;

	if (unit_parse(value, &floor, &r->floor_unit, err) < 0)
		return -1;
	if (decimal_sign(floor) < 0)
		return value_expected("a number of at least 0", value, NULL, err);
	r->decision.floor = floor;
	return 0;
}

/* What is said of 2027-02-30 is not what time_parse() would make of it, the 2nd of March. */
int value_day(const char *value, int64_t *ret, struct err *err)
{
	static const char form[] = "dddd-dd-dd";
	_cleanup_(freep) char *start = xasprintf("%.10sT00:00:00Z", value);
	_cleanup_(buf_release) struct buf again = BUF_INIT;
	struct err ignored = ERR_INIT;
	int64_t ns = 0;
	size_t i;

	for (i = 0; form[i] && value[i]; i++)
		if (form[i] == 'd' ? value[i] < '0' || value[i] > '9' : value[i] != '-')
			break;
	if (form[i] || value[i] || time_parse(start, &ns, &ignored) < 0)
		return value_expected("a day such as 2027-01-31", value, NULL, err);
	time_format(&again, ns);
	if (strcmp(again.p, start) != 0)
		return err_set(err, ERR_POLICY, "'%s': that month has no such day", value);
	if (value[0] < '2')
		return value_expected("a day from 2000-01-01 on", value, NULL, err);
	*ret = ns + INT64_C(86400) * 1000000000;
	return 0;
}

enum field value_field(const char *key)
{
	size_t i = 0;

	while (i < FIELD_COUNT && strcmp(key, field_keys[i]) != 0)
		i++;
	return (enum field)i;
}

int value_pattern(struct selector *s, enum field field, const char *value, struct err *err)
{
	if (!*value)
		return err_set(err, ERR_POLICY, "an empty pattern; without the key, any %s matches",
			field_keys[field]);
	s->patterns[field] = pattern_new(value, err);
	return s->patterns[field] ? 0 : -1;
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
	[ATTR_SESSIONS] = {"sessions", parse_sessions},
	[ATTR_CREEP] = {"creep", parse_creep},
	[ATTR_BOUND] = {"bound", parse_bound},
};
