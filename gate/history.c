#include "history.h"

#include "exact.h"

#include <math.h>

bool step_accepted(const struct step_rule *r, struct decimal value)
{
	struct decimal d = decimal_sub(value, r->accept);

	if (!r->accepts)
		return false;
	return decimal_sign(d) * (int)r->direction <= 0 ||
	       decimal_cmp(decimal_abs(d), decimal_mul(r->tolerance, decimal_abs(r->accept))) <= 0;
}

static bool same(struct num a, struct num b)
{
	return a.is_int && b.is_int ? a.i == b.i : num_cmp(a, b) == 0;
}

/* Values that are no worse, or by so little that rounding cannot matter: most need no decimals. */
static bool is_fine(const struct step_rule *r, double tolerance, struct num value, struct num level)
{
	double size = fabs(num_double(level)), d = fabs(num_double(value) - num_double(level));

	return num_cmp(value, level) * (int)r->direction <= 0 ||
	       d + 1e-12 * size < 0.999 * tolerance * size;
}

static bool is_regressed(const struct step_rule *r, double tolerance, struct num value,
	struct num level, bool *used_accept)
{
	struct decimal x;

	if (same(value, level) || is_fine(r, tolerance, value, level))
		return false;
	x = decimal_from(value);
	if (exact_verdict(x, decimal_from(level), r->direction, r->tolerance, r->floor) !=
		VERDICT_REGRESSED)
		return false;
	if (!step_accepted(r, x))
		return true;
	*used_accept = true;
	return false;
}

void history_level(const struct past *p, const struct step_rule *r, struct level *ret)
{
	double tolerance = decimal_double(r->tolerance);
	size_t i;

	*ret = (struct level){0};
	for (i = 0; i < p->n; i++) {
		bool worse;
		if (p->commits[p->v[i].commit].own)
			continue;
		worse = ret->known && is_regressed(r, tolerance, p->v[i].median,
					      p->v[ret->at].median, &ret->used_accept);
		if (!worse)
			ret->at = i;
		else if (!ret->regressed)
			ret->culprit = i;
		ret->regressed = worse;
		ret->known = true;
	}
}
