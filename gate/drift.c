#include "drift.h"

#include "figure.h"
#include "noisy.h"
#include "order.h"

#include <math.h>
#include <string.h>

const char *drift_say_name(enum drift_say s)
{
	static const char *const names[] = {[DRIFT_ALONE] = "alone",
		[DRIFT_FEW] = "few",
		[DRIFT_NONE] = "none",
		[DRIFT_SLOWER] = "slower",
		[DRIFT_FASTER] = "faster"};

	return names[s];
}

/* ---- which series are probes ---- */

static const struct probe {
	const char *test, *quick; /* what the metric of the quick probe ends with */
} probes[BOUND_NONE] = {
	[BOUND_COMPUTE] = {"single_precision_compute", "ST"},
	[BOUND_BANDWIDTH] = {"global_memory_bandwidth", "read"},
	[BOUND_LATENCY] = {"memory_latency", "DRAM"},
};

static enum bound bound_of_quantity(const char *quantity)
{
	static const struct {
		const char *quantity;
		enum bound bound;
	} known[] = {{"flops", BOUND_COMPUTE}, {"ops", BOUND_COMPUTE},
		{"bytes_per_second", BOUND_BANDWIDTH}, {"seconds", BOUND_LATENCY}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(known); i++)
		if (!strcmp(quantity, known[i].quantity))
			return known[i].bound;
	return BOUND_NONE;
}

bool drift_is_probe(const struct series_key *k, enum bound *ret)
{
	const char *test = strrchr(k->benchmark, '/');
	const enum bound bound = bound_of_quantity(k->quantity);

	if (strcmp(k->suite, "clpeak") != 0 || strncmp(k->benchmark, "CPU/", 4) != 0 ||
		bound == BOUND_NONE || strcmp(test + 1, probes[bound].test) != 0)
		return false;
	*ret = bound;
	return true;
}

/* ---- two sides ---- */

void drift_side_of(double *v, size_t n, struct drift_side *ret)
{
	*ret = (struct drift_side){.n = n};
	if (!n)
		return;
	order_doubles(v, n);
	ret->low = v[0];
	ret->median = order_median(v, n);
	ret->high = v[n - 1];
}

static bool overlap(const struct drift_side *a, const struct drift_side *b)
{
	return a->low <= b->high && b->low <= a->high;
}

/* Of times more is slower, of rates less. */
static double slower(const struct drift *d)
{
	const double ratio = d->head.median / d->base.median;
	const double log_ratio = log(d->bound == BOUND_LATENCY ? ratio : 1 / ratio);

	return isfinite(log_ratio) ? log_ratio : 0;
}

void drift_compare(struct drift *d)
{
	const struct drift_side *h = &d->head, *b = &d->base;

	d->slower = 0;
	d->say = DRIFT_ALONE;
	if (!h->n || !b->n)
		return;
	d->slower = slower(d);
	d->say = DRIFT_FEW;
	if (h->n < READINGS_NEEDED || b->n < READINGS_NEEDED)
		return;
	d->say = overlap(h, b) || d->slower == 0 ? DRIFT_NONE
		 : d->slower > 0                 ? DRIFT_SLOWER
						 : DRIFT_FASTER;
}

static bool is_quick(const struct drift *d)
{
	const char *ends = probes[d->bound].quick, *metric = d->key.metric;
	const size_t n = strlen(metric), len = strlen(ends);

	return n >= len && !strcmp(metric + n - len, ends);
}

static size_t readings(const struct drift *d)
{
	return d->head.n < d->base.n ? d->head.n : d->base.n;
}

static double speed(const struct drift *d)
{
	const double median = d->head.n ? d->head.median : d->base.median;

	return d->bound == BOUND_LATENCY ? -median : median;
}

bool drift_is_preferred(const struct drift *a, const struct drift *b)
{
	if ((a->say == DRIFT_ALONE) != (b->say == DRIFT_ALONE))
		return b->say == DRIFT_ALONE;
	if (is_quick(a) != is_quick(b))
		return is_quick(a);
	if (readings(a) != readings(b))
		return readings(a) > readings(b);
	if (speed(a) != speed(b))
		return speed(a) > speed(b);
	return series_key_compare(&a->key, &b->key) < 0;
}

/* ---- what it explains ---- */

const struct drift *drift_explains(const struct judged *j, const struct drifts *d)
{
	const double worse = j->has_change ? log1p(j->change) * (lower_is_better(j) ? 1 : -1) : NAN;
	size_t i;

	if ((j->verdict != VERDICT_REGRESSED && j->verdict != VERDICT_SUSPECT) ||
		j->decision.judge != JUDGE_NOISY)
		return NULL;
	for (i = 0; i < d->n; i++)
		if (d->v[i].bound == j->decision.bound && d->v[i].say == DRIFT_SLOWER &&
			worse > 0 && d->v[i].slower >= worse)
			return &d->v[i];
	return NULL;
}

/* ---- in words ---- */

void drift_size(struct buf *b, const struct drift *d)
{
	/* of a time that is longer more than 100 % is possible, of a rate that fell not */
	const double share = expm1(d->bound == BOUND_LATENCY ? d->slower : -d->slower);

	figure_rough_percent(b, fabs(share));
}

static void add_change(struct buf *b, const struct drift *d)
{
	switch (d->say) {
	case DRIFT_SLOWER:
	case DRIFT_FASTER:
		buf_addstr(b, ", ");
		drift_size(b, d);
		buf_addf(b, " %s", drift_say_name(d->say));
		break;
	case DRIFT_NONE:
		buf_addstr(b, ", no more apart than its readings");
		break;
	case DRIFT_FEW:
		buf_addf(b, ", of fewer than %d readings a side", READINGS_NEEDED);
		break;
	default:
		buf_addf(b, " (%s has no probe)", d->head.n ? "the base" : "head");
	}
}

static void add_drift(struct buf *b, const struct drift *d)
{
	const struct decimal base = decimal_from(num_real(d->base.median)),
			     head = decimal_from(num_real(d->head.median));
	_cleanup_(buf_release) struct buf base_text = BUF_INIT, head_text = BUF_INIT;

	figure_pair(&base_text, &head_text, d->base.n ? &base : NULL, d->head.n ? &head : NULL,
		d->key.unit);
	buf_addf(b, "%s ", bound_name(d->bound));
	if (d->say == DRIFT_ALONE)
		buf_addstr(b, d->head.n ? buf_str(&head_text) : buf_str(&base_text));
	else
		buf_addf(b, "%s -> %s", buf_str(&base_text), buf_str(&head_text));
	add_change(b, d);
}

void drift_line(struct buf *b, const struct drifts *d)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		buf_addstr(b, i ? "; " : "");
		add_drift(b, &d->v[i]);
	}
}
