#include "phrase.h"

#include "figure.h"

#include <math.h>

/* decimals of what is no number do not exist */
static bool decimal_of(double x, struct decimal *ret)
{
	if (!isfinite(x))
		return false;
	*ret = decimal_from(x == floor(x) && fabs(x) < 1e15 ? num_int((int64_t)x) : num_real(x));
	return true;
}

void phrase_pair(struct buf *ret_a, struct buf *ret_b, double a, double b, const char *unit)
{
	struct decimal da, db;
	const bool has_a = decimal_of(a, &da), has_b = decimal_of(b, &db);

	figure_pair(ret_a, ret_b, has_a ? &da : NULL, has_b ? &db : NULL, unit);
	if (!has_a)
		buf_addstr(ret_a, "–");
	if (!has_b)
		buf_addstr(ret_b, "–");
}

void phrase_value(struct buf *b, double value, const char *unit)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT, none = BUF_INIT;

	phrase_pair(&text, &none, value, NAN, unit);
	buf_addstr(b, text.p);
}

void phrase_change(struct buf *b, double change)
{
	if (isnan(change))
		buf_addstr(b, "from 0");
	else
		figure_change(b, change, (struct decimal){0, 0}, fabs(change) < 0.1 ? 2 : 1);
}

void phrase_noise(struct buf *b, const struct site_series *s)
{
	if (s->exact)
		buf_addstr(b, "exact");
	else if (!isfinite(s->noise))
		buf_addstr(b, "–");
	else if (s->logarithmic)
		figure_rough_percent(b, s->noise);
	else
		phrase_value(b, s->noise, s->key.unit);
}

bool phrase_estimate(struct buf *b, double value)
{
	if (!isfinite(value))
		return false;
	buf_addf(b, "%.5g", value == 0 ? 0 : value);
	return true;
}

void phrase_metric(struct buf *b, const struct series_key *k)
{
	buf_addstr(b, k->metric);
	if (*k->variant)
		buf_addf(b, " [%s]", k->variant);
}

void phrase_series(struct buf *b, const struct series_key *k)
{
	buf_addf(b, "%s: %s ", k->suite, k->benchmark);
	phrase_metric(b, k);
}

const char *phrase_step_class(const struct site_step *s)
{
	if (s->sense == SENSE_NONE)
		return "";
	if (!site_is_sure(s))
		return "weak";
	return s->sense == SENSE_WORSE ? "worse" : "better";
}

void phrase_step(struct buf *b, const struct site_step *s)
{
	static const char *const words[] = {
		[SENSE_NONE] = "no matter", [SENSE_WORSE] = "worse", [SENSE_BETTER] = "better"};

	buf_addstr(b, words[s->sense]);
	if (s->strength == STEP_WEAK)
		buf_addstr(b, ", weak");
	if (s->machine)
		buf_addf(b, ", the machine's: %s stepped with it", s->machine);
}
