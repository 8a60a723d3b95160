/* Recorded gates in a batch. */
#include "batch-private.h"

#include "digest.h"

#include <stdlib.h>
#include <string.h>

/* A name may have a component before it. */
enum { JUDGEMENTS_MAX_BYTES = 96 << 20, TEXT_MAX = 4 * SINK_NAME_MAX };

static char *keep(struct batch *b, const char *s)
{
	b->judgement_bytes += strlen(s) + 1;
	return xstrdup(s);
}

static void free_text(const char *s)
{
	free((char *)(uintptr_t)s);
}

static int check_room(const struct batch *b, struct err *err)
{
	if (b->judgement_bytes > JUDGEMENTS_MAX_BYTES)
		return err_set(err, ERR_FORMAT,
			"more than 96 MiB of judgements in one document; split it");
	return 0;
}

static struct verdict_count *keep_counts(struct batch *b, const struct judgement_fact *j)
{
	struct verdict_count *ret = xcalloc(j->n_counts, sizeof(*ret));
	size_t i;

	for (i = 0; i < j->n_counts; i++)
		ret[i] = (struct verdict_count){keep(b, j->counts[i].verdict), j->counts[i].series};
	return ret;
}

int batch_add_judgement(struct sink *s, const struct judgement_fact *j, struct err *err)
{
	struct batch *b = (struct batch *)s;
	struct judgement_fact *k;

	b->judgements =
		xgrow(b->judgements, b->n_judgements, &b->cap_judgements, sizeof(*b->judgements));
	k = &b->judgements[b->n_judgements++];
	b->judgement_bytes += sizeof(*k);
	*k = (struct judgement_fact){.head = keep(b, j->head),
		.tree_state = keep(b, j->tree_state),
		.base = keep(b, j->base),
		.policy = keep(b, j->policy),
		.made_at = j->made_at,
		.exit_status = j->exit_status,
		.counts = keep_counts(b, j),
		.n_counts = j->n_counts,
		.digest = keep(b, j->digest)};
	b->cap_verdicts = 0;
	return check_room(b, err);
}

static int check_texts(const struct verdict_fact *v, struct err *err)
{
	const char *const texts[] = {v->suite, v->benchmark, v->metric, v->unit, v->variant,
		v->runner, v->class_, v->verdict, v->base, v->reason};
	size_t i;

	for (i = 0; i < ARRAY_LEN(texts); i++)
		if (strlen(texts[i]) > TEXT_MAX)
			return err_set(err, ERR_FORMAT,
				"a verdict with a text of more than 16 KiB: '%.60s...'", texts[i]);
	return 0;
}

int batch_add_verdict(struct sink *s, const struct verdict_fact *v, struct err *err)
{
	struct batch *b = (struct batch *)s;
	struct judgement_fact *j = &b->judgements[b->n_judgements - 1];
	struct verdict_fact *all = (struct verdict_fact *)(uintptr_t)j->verdicts, *k;

	if (check_texts(v, err) < 0)
		return -1;
	j->verdicts = all = xgrow(all, j->n_verdicts, &b->cap_verdicts, sizeof(*all));
	k = &all[j->n_verdicts++];
	*k = *v;
	k->suite = keep(b, v->suite);
	k->benchmark = keep(b, v->benchmark);
	k->metric = keep(b, v->metric);
	k->unit = keep(b, v->unit);
	k->variant = keep(b, v->variant);
	k->runner = keep(b, v->runner);
	k->class_ = keep(b, v->class_);
	k->verdict = keep(b, v->verdict);
	k->base = keep(b, v->base);
	k->reason = keep(b, v->reason);
	b->judgement_bytes += sizeof(*k);
	return check_room(b, err);
}

static void free_verdict(const struct verdict_fact *v)
{
	const char *const texts[] = {v->suite, v->benchmark, v->metric, v->unit, v->variant,
		v->runner, v->class_, v->verdict, v->base, v->reason};
	size_t i;

	for (i = 0; i < ARRAY_LEN(texts); i++)
		free_text(texts[i]);
}

static void free_judgement(const struct judgement_fact *j)
{
	const char *const texts[] = {j->head, j->tree_state, j->base, j->policy, j->digest};
	size_t i;

	for (i = 0; i < ARRAY_LEN(texts); i++)
		free_text(texts[i]);
	for (i = 0; i < j->n_counts; i++)
		free_text(j->counts[i].verdict);
	free((void *)(uintptr_t)j->counts);
	for (i = 0; i < j->n_verdicts; i++)
		free_verdict(&j->verdicts[i]);
	free((void *)(uintptr_t)j->verdicts);
}

void batch_free_judgements(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->n_judgements; i++)
		free_judgement(&b->judgements[i]);
	free(b->judgements);
}

int batch_check_judgements(const struct batch *b, struct err *err)
{
	char digest[65];
	size_t i;

	for (i = 0; i < b->n_judgements; i++) {
		digest_judgement(&b->judgements[i], digest);
		if (strcmp(digest, b->judgements[i].digest))
			return err_set(err, ERR_FORMAT,
				"judgement %zu says its digest is %.64s, but its content has %s: it was changed or cut",
				i + 1, b->judgements[i].digest, digest);
	}
	return 0;
}

size_t batch_judgements(const struct batch *b, const struct judgement_fact **ret)
{
	*ret = b->judgements;
	return b->n_judgements;
}
