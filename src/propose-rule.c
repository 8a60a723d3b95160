#include "propose-private.h"

#include "conf-edit.h"
#include "figure.h"
#include "pattern.h"

#include <math.h>
#include <string.h>

/* Metrics in a rule, and figures in a block. */
enum { METRICS_MOST = 40, FIGURES_MOST = 200 };

/* Bytes for what is written between two looks at how much there is: titles, figures and a rule with
 * three patterns, or what wobbles. */
enum { ROOM = 96 << 10 };

/* ---- a block: comments, and a rule ---- */

static void add_spreads(struct buf *b, const struct noise *x)
{
	if (!isnan(x->seen_within)) {
		buf_addstr(b, "#     Samples of a session spread by ");
		figure_rough_percent(b, x->within);
		buf_addf(b, ": with %zu a side ", x->usual_n);
		if (isfinite(x->seen_within))
			figure_rough_percent(b, x->seen_within);
		else
			buf_addstr(b, "no change");
		buf_addstr(b, " would be seen.\n");
	}
	if (!isnan(x->seen_between)) {
		buf_addstr(b, "#     Medians of sessions spread by ");
		figure_rough_percent(b, x->between);
		buf_addstr(b, ": from one to the next ");
		figure_rough_percent(b, x->seen_between);
		buf_addstr(b, " would be seen.\n");
	}
}

static void add_figures(struct buf *b, const struct noise *x)
{
	buf_addstr(b, "#   ");
	conf_edit_name(b, x->metric);
	buf_addf(b, ": %zu series, up to %zu session%s, %zu sample%s.\n", x->series, x->sessions,
		x->sessions == 1 ? "" : "s", x->samples, x->samples == 1 ? "" : "s");
	add_spreads(b, x);
}

static void add_title(struct buf *b, const struct entry *e)
{
	static const char *const endings[] = {[FATE_RULE] = " is too little for the noise",
		[FATE_INFO] = " is far too little; not judged until that changes",
		[FATE_HOLDS] = " holds, which the noise allows",
		[FATE_UNKNOWN] = " holds; too few samples and sessions to tell"};

	buf_addstr(b, "\n# ");
	conf_edit_name(b, e->x->suite);
	if (e->runner) {
		buf_addstr(b, " on ");
		conf_edit_name(b, e->x->runner);
	}
	buf_addstr(b, ": ");
	figure_rough_percent(b, e->x->tolerance);
	buf_addf(b, "%s.\n", endings[e->fate]);
}

/* The name of a rule that no other has. */
static void add_rule_name(
	struct writing *w, struct buf *b, const struct noise *x, size_t n, const char *runner)
{
	_cleanup_(buf_release) struct buf title = BUF_INIT;

	buf_addf(&title, "%s %s", x->suite, x->metric);
	if (n > 1)
		buf_addf(&title, " and %zu more", n - 1);
	if (runner)
		buf_addf(&title, " on %s", runner);
	conf_edit_free_name(b, w->names, title.p);
}

/* "lead[rule "SUITE METRIC"]" and what it selects. */
static int add_heading(struct writing *w, struct buf *b, const char *lead, const struct noise *x,
	const char *const *metrics, size_t n, const char *runner, struct err *err)
{
	buf_addf(b, "%s[rule \"", lead);
	add_rule_name(w, b, x, n, runner);
	buf_addf(b, "\"]\n%s\tsuite = ", lead);
	if (pattern_exact(b, &x->suite, 1, err) < 0)
		return -1;
	buf_addf(b, "\n%s\tmetric = ", lead);
	if (pattern_exact(b, metrics, n, err) < 0)
		return -1;
	if (runner) {
		buf_addf(b, "\n%s\trunner = ", lead);
		if (pattern_exact(b, &runner, 1, err) < 0)
			return -1;
	}
	buf_addch(b, '\n');
	return 0;
}

/* A rule for n metrics of one block; a comment where no pattern can hold their names. */
static void add_rule(struct writing *w, const struct entry *v, size_t n)
{
	_cleanup_(buf_release) struct buf rule = BUF_INIT;
	const char *metrics[METRICS_MOST];
	struct err err = ERR_INIT;
	size_t i;

	for (i = 0; i < n; i++)
		metrics[i] = v[i].x->metric;
	if (add_heading(w, &rule, "", v->x, metrics, n, v->runner ? v->x->runner : NULL, &err) <
		0) {
		buf_addstr(w->b, "#   No rule: such a name does not fit into a pattern.\n");
		return;
	}
	buf_add(w->b, rule.p, rule.len);
	if (v->fate == FATE_INFO)
		buf_addstr(w->b, "\tclass = info\n");
	else
		buf_addf(w->b, "\ttolerance = %g%%\n", 100 * v->tolerance);
	w->n_rules++;
}

/* A metric may be there twice, once for each way to judge it. */
static bool is_same(const struct entry *a, const struct entry *b)
{
	return !strcmp(a->x->metric, b->x->metric) && !strcmp(a->x->runner, b->x->runner);
}

/* How many of a block go into one rule: what surely fits into a pattern, or a single one. */
static size_t rule_length(const struct entry *v, size_t n)
{
	size_t bytes = 0, i;

	for (i = 0; i < n && i < METRICS_MOST; i++) {
		/* an escaped character has up to ten bytes */
		bytes += 10 * strlen(v[i].x->metric) + 1;
		if (i && (bytes > 4000 || is_same(&v[i], &v[i - 1])))
			break;
	}
	return i;
}

/* Whatever one step adds, the file stays one that can be read. */
static bool is_full(const struct writing *w)
{
	return w->b->len > CONF_MAX - ROOM;
}

/* The figures of a block up to FIGURES_MOST, of which done stand above. */
static void add_all_figures(struct buf *b, const struct entry *v, size_t n, size_t done)
{
	size_t i;

	for (i = 0; i < n && done + i < FIGURES_MOST; i++)
		add_figures(b, v[i].x);
	if (i < n)
		buf_addf(b, "#   %zu metrics%s.\n", n - i, i ? " more" : "");
}

void proposal_block(struct writing *w, const struct entry *v, size_t n)
{
	const bool rules = v->fate <= FATE_INFO;
	size_t i, length;

	for (i = 0; i < n; i += length) {
		if (is_full(w)) {
			w->n_left += n - i;
			return;
		}
		length = rules || i < FIGURES_MOST ? rule_length(v + i, n - i) : n - i;
		add_title(w->b, v + i);
		add_all_figures(w->b, v + i, length, i);
		if (rules)
			add_rule(w, v + i, length);
	}
}

/* ---- what wobbles ---- */

/* A suggestion in comments: the metric may be meant to be exact, and what differs be a mistake. */
void proposal_wobble(struct writing *w, const struct noise *x)
{
	struct buf *b = w->b;
	_cleanup_(buf_release) struct buf rule = BUF_INIT;
	bool few = x->wobbling <= NOISE_NAMES && x->wobbling < x->series;
	struct err err = ERR_INIT;

	if (is_full(w)) {
		w->n_left++;
		return;
	}
	buf_addstr(b, "\n# ");
	conf_edit_name(b, x->suite);
	buf_addch(b, ' ');
	conf_edit_name(b, x->metric);
	buf_addf(b, " is exact, but %zu of %zu series wobble at one commit, by up to ", x->wobbling,
		x->series);
	figure_rough_percent(b, x->wobble);
	buf_addstr(b, ".\n");
	if (add_heading(w, &rule, "# ", x, &x->metric, 1, NULL, &err) < 0)
		return;
	if (few) {
		buf_addstr(&rule, "# \tbenchmark = ");
		if (pattern_exact(&rule, x->wobblers, x->wobbling, &err) < 0)
			return;
		buf_addch(&rule, '\n');
	}
	buf_addstr(b, "# To have it judged by rank statistics:\n");
	buf_add(b, rule.p, rule.len);
	buf_addstr(b, "# \tjudge = noisy\n");
}
