/*
 * The session rule. Values are turned so that more is worse; a row is of one sign: 1 worse than all
 * of the history, -1 better.
 */
#include "history.h"

#include "changepoint.h"
#include "level-scale.h"
#include "order.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum place { OUT, GOOD, WAITING };

/* Of the rank test between levels: stricter than for a picture, since a false change forgets the
 * history. */
#define CHANGE_P 5e-5

struct walk {
	const struct past *p;
	const struct step_rule *r;
	double tolerance, floor;
	double *y; /* of each observation, turned */
	double head;
	unsigned char *place; /* enum place of each */
	size_t *good;         /* the observations that are GOOD, ascending */
	size_t n_good;

	bool known;      /* the history as below is that of good */
	size_t from;     /* it begins with good[from] */
	double *sorted;  /* its values */
	double *scratch; /* room for all observations */
	size_t *changes;

	int sign;       /* of the row, 0 none */
	size_t row;     /* commits in it; in a stretch, of those that seem mended */
	size_t first;   /* its first observation */
	size_t waiting; /* the first that may be WAITING */
	bool regressed; /* a row was completed: */
	size_t culprit;
	bool used_accept;
};

static size_t history_size(const struct walk *w)
{
	return w->n_good - w->from;
}

/* ---- the history ---- */

static size_t find_changes(struct walk *w)
{
	struct changepoint_settings s = changepoint_defaults(w->n_good);
	size_t i, n = w->n_good;

	for (i = 0; i < n; i++)
		w->sorted[i] = w->y[w->good[i]];
	to_level_scale(w->sorted, n, w->scratch);
	s.p = CHANGE_P;
	s.min_effect = fmax(s.min_effect, w->tolerance / 2);
	return changepoints(w->sorted, n, &s, w->changes);
}

/* The median of good[from] and those after it, up to end. */
static double level_of(struct walk *w, size_t from, size_t end)
{
	size_t i;

	for (i = from; i < end; i++)
		w->scratch[i - from] = w->y[w->good[i]];
	order_doubles(w->scratch, end - from);
	return order_median(w->scratch, end - from);
}

static bool beyond(const struct walk *w, double y, double than)
{
	double by = y - than;

	return by > w->tolerance * fabs(than) && by >= w->floor;
}

static bool accepted(struct walk *w, struct num value)
{
	bool yes = w->r->accepts && step_accepted(w->r, decimal_from(value));

	w->used_accept |= yes;
	return yes;
}

/* Whether the change with that number is one for the worse beyond the tolerance, to a level that
 * nobody accepted. */
static bool is_regression(struct walk *w, size_t k, size_t n_changes)
{
	size_t before = k ? w->changes[k - 1] : 0, at = w->changes[k];
	size_t end = k + 1 < n_changes ? w->changes[k + 1] : w->n_good;
	double was = level_of(w, before, at), is = level_of(w, at, end);

	return beyond(w, is, was) && !accepted(w, num_real((int)w->r->direction * is));
}

/* What begins at good[at] is a regressed stretch, and no history. */
static void take_out(struct walk *w, size_t at)
{
	size_t i;

	w->culprit = w->good[at];
	for (i = at; i < w->n_good; i++)
		w->place[w->good[i]] = OUT;
	for (i = w->waiting; i < w->p->n; i++)
		if (w->place[i] == WAITING)
			w->place[i] = OUT;
	w->n_good = at;
	w->regressed = true;
	w->row = 0;
	w->sign = 0;
}

/* The history begins with the last change of level. One for the worse is no new level: it is a
 * regression that crept in without three in a row that were worse than all. */
static void look_back(struct walk *w)
{
	size_t i, n, k;

	if (w->known)
		return;
	n = w->n_good ? find_changes(w) : 0;
	for (k = 0; k < n && !is_regression(w, k, n); k++)
		;
	if (k < n) {
		size_t at = w->changes[k];
		w->from = k ? w->changes[k - 1] : 0;
		take_out(w, at);
	} else {
		w->from = n ? w->changes[n - 1] : 0;
	}
	w->known = true;
	for (i = w->from; i < w->n_good; i++)
		w->sorted[i - w->from] = w->y[w->good[i]];
	order_doubles(w->sorted, history_size(w));
}

/* ---- a value and the history ---- */

/* The sign that y has against the last SESSIONS_NEEDED, which any history that counts includes. */
static int far_out(const struct walk *w, double y)
{
	bool worse = true, better = true;
	size_t i;

	if (w->n_good < SESSIONS_NEEDED)
		return 0;
	for (i = w->n_good - SESSIONS_NEEDED; i < w->n_good && (worse || better); i++) {
		worse &= y > w->y[w->good[i]];
		better &= y < w->y[w->good[i]];
	}
	return worse ? 1 : better ? -1 : 0;
}

/* 1 worse than all of the history, -1 better; 0 neither, or there are too few. */
static int against_all(struct walk *w, double y)
{
	int sign = far_out(w, y);

	if (!sign)
		return 0;
	look_back(w);
	if (history_size(w) < SESSIONS_NEEDED)
		return 0;
	return (sign > 0 ? y > w->sorted[history_size(w) - 1] : y < w->sorted[0]) ? sign : 0;
}

/* against_all(), and by more than the tolerance. */
static int sign_of(struct walk *w, double y, struct num value)
{
	int sign = against_all(w, y);
	double middle;

	if (!sign)
		return 0;
	middle = order_median(w->sorted, history_size(w));
	if (!(sign > 0 ? beyond(w, y, middle) : beyond(w, -y, -middle)))
		return 0;
	return sign > 0 && accepted(w, value) ? 0 : sign;
}

static int sign_at(struct walk *w, size_t i)
{
	return sign_of(w, w->y[i], w->p->v[i].median);
}

/* Whether a value still belongs to a regressed stretch: it is beyond the tolerance against the
 * level before it. To be worse than all of it, night after night, is asked of the first three only.
 */
static bool still_worse(struct walk *w, double y, struct num value)
{
	look_back(w);
	return history_size(w) && beyond(w, y, order_median(w->sorted, history_size(w))) &&
	       !accepted(w, value);
}

static bool is_worse(struct walk *w, size_t i)
{
	return still_worse(w, w->y[i], w->p->v[i].median);
}

/* ---- commit after commit ---- */

static bool is_own(const struct walk *w, size_t i)
{
	return w->p->commits[w->p->v[i].commit].own;
}

static void add_good(struct walk *w, size_t i)
{
	size_t at = w->n_good++;

	w->place[i] = GOOD;
	for (; at && w->good[at - 1] > i; at--)
		w->good[at] = w->good[at - 1];
	w->good[at] = i;
	w->known = false;
}

static void put(struct walk *w, size_t i, enum place place)
{
	if (is_own(w, i))
		return;
	if (place == GOOD)
		add_good(w, i);
	else
		w->place[i] = (unsigned char)place;
}

static size_t commit_end(const struct past *p, size_t i)
{
	size_t end = i + 1;

	while (end < p->n && p->v[end].commit == p->v[i].commit)
		end++;
	return end;
}

/* The observations that waited, up to end, find their place. */
static void end_row(struct walk *w, size_t end, enum place place)
{
	size_t i;

	for (i = w->waiting; i < end; i++)
		if (w->place[i] == WAITING)
			put(w, i, place);
	w->row = 0;
	w->sign = 0;
}

/* The sessions i <= . < end of a commit within a regressed stretch. It takes as many commits in a
 * row to end it as it took to begin: a lucky night mends nothing. */
static void step_regressed(struct walk *w, size_t i, size_t end)
{
	if (is_worse(w, end - 1)) {
		end_row(w, i, OUT);
		return;
	}
	if (!w->row++)
		w->waiting = i;
	for (; i < end; i++)
		if (i + 1 == end || !is_worse(w, i))
			put(w, i, WAITING);
	if (w->row < SESSIONS_IN_A_ROW)
		return;
	end_row(w, end, GOOD);
	w->regressed = false;
}

static void complete(struct walk *w, size_t end)
{
	w->regressed = w->sign > 0;
	w->culprit = w->first;
	end_row(w, end, w->regressed ? OUT : GOOD);
}

static void step_good(struct walk *w, size_t i, size_t end)
{
	int sign = sign_at(w, end - 1);

	if (w->regressed) { /* which the change points told just now */
		step_regressed(w, i, end);
		return;
	}
	if (sign != w->sign)
		end_row(w, i, GOOD);
	if (sign && !w->row++) {
		w->first = end - 1;
		w->waiting = i;
	}
	w->sign = sign;
	for (; i < end; i++)
		put(w, i, sign && (i + 1 == end || sign_at(w, i) == sign) ? WAITING : GOOD);
	if (w->row == SESSIONS_IN_A_ROW)
		complete(w, end);
}

/* All observations; notes whether the base is regressed after the last that is not an own commit's.
 */
static void walk_all(struct walk *w, struct sessions *ret)
{
	size_t i, end;

	for (i = 0; i < w->p->n; i = end) {
		end = commit_end(w->p, i);
		if (w->regressed)
			step_regressed(w, i, end);
		else
			step_good(w, i, end);
		if (is_own(w, i))
			continue;
		ret->base_regressed = w->regressed && !w->row;
		ret->culprit = w->culprit;
	}
}

/* ---- head ---- */

/* The noise of a session: what is a standard deviation where it is normal. */
static double deviation(const struct walk *w, double middle)
{
	size_t i, n = history_size(w);

	for (i = 0; i < n; i++)
		w->scratch[i] = fabs(w->sorted[i] - middle);
	order_doubles(w->scratch, n);
	return MAD_SD * order_median(w->scratch, n);
}

/* Whether the noise would hide what is not allowed for good. */
static bool is_blind(const struct walk *w)
{
	double middle = order_median(w->sorted, history_size(w));

	return deviation(w, middle) > SESSIONS_SEEN * fmax(w->tolerance * fabs(middle), w->floor);
}

static enum sessions_say say(const struct walk *w, int sign)
{
	size_t row = sign && sign == w->sign ? w->row + 1 : 1;

	if (history_size(w) < SESSIONS_NEEDED && !w->regressed)
		return SESSIONS_FEW;
	if (sign > 0)
		return w->regressed || row >= SESSIONS_IN_A_ROW ? SESSIONS_REGRESSED
								: SESSIONS_SUSPECT;
	if (sign < 0 && row >= SESSIONS_IN_A_ROW)
		return SESSIONS_IMPROVED;
	return is_blind(w) ? SESSIONS_BLIND : SESSIONS_PASS;
}

static size_t culprit(const struct walk *w, const struct sessions *s)
{
	if (s->worse && w->regressed)
		return w->culprit;
	if (s->worse && w->sign > 0)
		return w->first;
	return s->base_regressed && !s->worse ? s->culprit : w->p->n;
}

/* The values of the base's regressed stretch, sorted into scratch. */
static size_t stretch_of(struct walk *w)
{
	size_t i, n = 0;

	for (i = w->culprit; i < w->p->n; i++)
		if (w->place[i] == OUT && !is_own(w, i))
			w->scratch[n++] = w->y[i];
	order_doubles(w->scratch, n);
	return n;
}

/* How many of head's own commits in a row, head the last of them, are worse than all of the stretch
 * that the base is in, and beyond the tolerance: that is their doing. */
static size_t beyond_base(struct walk *w)
{
	size_t n = stretch_of(w), i, row = 0;
	double most, middle;

	if (!n)
		return 0;
	most = w->scratch[n - 1];
	middle = order_median(w->scratch, n);
	if (w->head > most && beyond(w, w->head, middle))
		row = 1;
	for (i = w->p->n; row && i && is_own(w, i - 1); i--) {
		if (i < w->p->n && w->p->v[i].commit == w->p->v[i - 1].commit)
			continue; /* the newest session of a commit counts */
		if (!(w->y[i - 1] > most && beyond(w, w->y[i - 1], middle)))
			break;
		row++;
	}
	return row;
}

/* What a level has to be worse by for its fifth best value of a hundred to be worse than all. */
static double detectable(const struct walk *w, double middle)
{
	size_t n = history_size(w);
	double lucky = order_quantile(w->sorted, n, 0.05), bar = w->sorted[n - 1];

	if (n < SESSIONS_NEEDED || middle == 0)
		return INFINITY;
	bar = fmax(bar, middle + fmax(w->tolerance * fabs(middle), w->floor));
	return (bar - lucky) / fabs(middle);
}

static double rank_p(const struct walk *w, double y)
{
	size_t i, n = history_size(w), not_better = 0;

	for (i = 0; i < n; i++)
		not_better += w->sorted[i] >= y;
	return (double)(1 + not_better) / (double)(1 + n);
}

static double share(double d, double size)
{
	return fmax(-DBL_MAX, fmin(DBL_MAX, d / size));
}

/* The interval is turned back with the values. */
static void measure(const struct walk *w, double y, struct sessions *ret)
{
	int direction = (int)w->r->direction;
	size_t n = history_size(w);
	double middle = order_median(w->sorted, n), size = fabs(middle), a, b;

	ret->median = direction * middle;
	ret->detectable = detectable(w, middle);
	if (middle == 0)
		return;
	ret->change = share(direction * (y - middle), size);
	a = share(direction * (y - order_quantile(w->sorted, n, 0.975)), size);
	b = share(direction * (y - order_quantile(w->sorted, n, 0.025)), size);
	ret->low = fmin(a, b);
	ret->high = fmax(a, b);
}

static int sign_of_head(struct walk *w)
{
	const struct num value = num_real((int)w->r->direction * w->head);
	int sign = sign_of(w, w->head, value);

	look_back(w);
	return w->regressed ? still_worse(w, w->head, value) : sign;
}

/* It may find that the newest observations are a regression. */
static void look_back_at_last(struct walk *w, struct sessions *ret)
{
	const bool known = w->regressed;
	size_t i = w->p->n;

	look_back(w);
	if (known || !w->regressed)
		return;
	while (i && is_own(w, i - 1))
		i--;
	ret->base_regressed = i && w->place[i - 1] == OUT;
	ret->culprit = w->culprit;
}

static void judge(struct walk *w, struct sessions *ret)
{
	int sign;

	look_back_at_last(w, ret);
	sign = sign_of_head(w);
	ret->n = history_size(w);
	if (ret->n)
		measure(w, w->head, ret);
	ret->say = say(w, sign);
	ret->worse = sign > 0;
	ret->culprit = culprit(w, ret);
	ret->p = rank_p(w, w->head);
	if (ret->worse && w->regressed)
		ret->beyond_base = beyond_base(w);
	ret->used_accept = w->used_accept;
}

void history_sessions(
	const struct past *p, const struct step_rule *r, double head, struct sessions *ret)
{
	_cleanup_(freep) double *values = xmalloc((3 * p->n + 1) * sizeof(*values));
	_cleanup_(freep) size_t *indices = xmalloc((2 * p->n + 1) * sizeof(*indices));
	_cleanup_(freep) unsigned char *place = xcalloc(p->n + 1, 1);
	struct walk w = {.p = p,
		.r = r,
		.tolerance = decimal_double(r->tolerance),
		.floor = decimal_double(r->floor),
		.head = (int)r->direction * head,
		.y = values,
		.sorted = values + p->n,
		.scratch = values + 2 * p->n,
		.place = place,
		.good = indices,
		.changes = indices + p->n};
	size_t i;

	*ret = (struct sessions){
		.change = NAN, .low = -INFINITY, .high = INFINITY, .detectable = INFINITY};
	for (i = 0; i < p->n; i++)
		w.y[i] = (int)r->direction * num_double(p->v[i].median);
	walk_all(&w, ret);
	judge(&w, ret);
}
