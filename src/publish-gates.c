/* The gates that were recorded, for the overview. */
#include "publish-private.h"

#include "verdict.h"

#include <stdlib.h>
#include <string.h>

enum { GATES_MAX = 20 };

/* What is not known here comes last. */
static int rank_of(const char *verdict)
{
	int v = 0;

	while (v < VERDICT_COUNT && strcmp(verdict_name((enum verdict)v), verdict) != 0)
		v++;
	return v;
}

/* "2 regressed, 40 pass", in the order of reports */
static char *counts_of(const struct judgement_fact *j)
{
	struct buf b = BUF_INIT;
	size_t i;
	int v;

	for (v = 0; v <= VERDICT_COUNT; v++)
		for (i = 0; i < j->n_counts; i++)
			if (rank_of(j->counts[i].verdict) == v)
				buf_addf(&b, "%s%lld %s", b.len ? ", " : "",
					(long long)j->counts[i].series, j->counts[i].verdict);
	return buf_take(&b);
}

static const char *keep(struct publishing *p, const char *s)
{
	return intern_get(p->texts, intern_add(p->texts, s, strlen(s)), NULL);
}

static int add_gate(void *ctx, const struct judgement_fact *j, struct err *err)
{
	struct publishing *p = ctx;

	(void)err;
	p->gates = xgrow(p->gates, p->n_gates, &p->cap_gates, sizeof(*p->gates));
	p->gates[p->n_gates++] = (struct site_gate){.at = j->made_at,
		.head = keep(p, j->head),
		.base = keep(p, j->base),
		.exit_status = j->exit_status,
		.counts = counts_of(j)};
	return 0;
}

int publish_gates(struct publishing *p, struct err *err)
{
	return store_judgements(p->c->store, GATES_MAX, add_gate, p, err);
}
