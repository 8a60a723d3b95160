#include "recording.h"

#include "explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REASON_MAX = 1000 };

/* What passes, is new or could not be told, and need not be, is in the counts alone. */
static bool is_kept(const struct report *r, const struct judged *j)
{
	static const bool tells[VERDICT_COUNT] = {[VERDICT_REGRESSED] = true,
		[VERDICT_LOST] = true,
		[VERDICT_MISSING] = true,
		[VERDICT_NOT_MEASURED] = true,
		[VERDICT_SUSPECT] = true,
		[VERDICT_INHERITED] = true,
		[VERDICT_ACCEPTED] = true,
		[VERDICT_WAIVED] = true,
		[VERDICT_IMPROVED] = true};

	return tells[j->verdict] || report_status(r, j) != 0;
}

static const char *text(const char *s)
{
	return s ? s : "";
}

/* The caller frees. Cut where no character is. */
static char *reason_of(const struct judged *j)
{
	struct buf b = BUF_INIT;
	size_t n = REASON_MAX;

	explain(&b, j, 0);
	if (b.len > n) {
		while ((b.p[n] & 0xC0) == 0x80)
			n--;
		b.p[n] = '\0';
	}
	return b.p ? buf_take(&b) : xstrdup("");
}

static double number(bool known, double v)
{
	return known && isfinite(v) ? v : NAN;
}

static struct verdict_fact fact_of(const struct report *r, const struct judged *j)
{
	const struct series_key *k = &j->pair->key;
	const struct side *base = &j->pair->base;

	return (struct verdict_fact){.suite = text(k->suite),
		.benchmark = text(k->benchmark),
		.metric = text(k->metric),
		.unit = text(k->unit),
		.variant = text(k->variant),
		.runner = text(k->runner),
		.class_ = gate_class_name(j->decision.class_),
		.verdict = verdict_name(j->verdict),
		.gates = report_status(r, j) != 0,
		.base = text(base->sha),
		.base_median = number(base->n > 0, j->base_median),
		.head_median = number(j->pair->head.n > 0, j->head_median),
		.change = number(j->has_change, j->change),
		.reason = reason_of(j)};
}

static int compare_counts(const void *pa, const void *pb)
{
	const struct verdict_count *a = pa, *b = pb;

	return strcmp(a->verdict, b->verdict);
}

/* By their names, which tells equal ones from each other wherever they are read. */
static size_t fill_counts(const struct report *r, struct verdict_count *ret)
{
	size_t n = 0;
	int v;

	for (v = 0; v < VERDICT_COUNT; v++)
		if (r->counts[v])
			ret[n++] = (struct verdict_count){
				verdict_name((enum verdict)v), (int64_t)r->counts[v]};
	qsort(ret, n, sizeof(*ret), compare_counts);
	return n;
}

static size_t fill_verdicts(const struct report *r, struct verdict_fact *ret)
{
	size_t n = 0, i;

	for (i = 0; i < r->n; i++)
		if (is_kept(r, &r->verdicts[i]))
			ret[n++] = fact_of(r, &r->verdicts[i]);
	return n;
}

static int write_it(const struct gating *g, const struct judgement_fact *j, struct err *err)
{
	struct store *s = store_open(g->c.store_path, STORE_WRITE, err);
	int r = s ? store_record(s, j, err) : -1;

	store_close(s);
	return r < 0 ? err_prefix(err, "the verdict is not recorded") : 0;
}

int gating_record(const struct gating *g, int64_t made_at, struct err *err)
{
	const struct report *r = &g->r;
	struct verdict_count counts[VERDICT_COUNT];
	_cleanup_(freep) struct verdict_fact *verdicts = xcalloc(r->n + 1, sizeof(*verdicts));
	struct judgement_fact j = {.head = g->head.commit.sha,
		.tree_state = g->head.tree_state,
		.base = text(r->base.sha),
		.policy = policy_digest(g->c.policy),
		.made_at = made_at,
		.exit_status = r->exit,
		.counts = counts,
		.n_counts = fill_counts(r, counts),
		.verdicts = verdicts,
		.n_verdicts = fill_verdicts(r, verdicts)};
	int ret = write_it(g, &j, err);
	size_t i;

	for (i = 0; i < j.n_verdicts; i++)
		free((char *)(uintptr_t)verdicts[i].reason);
	return ret;
}
