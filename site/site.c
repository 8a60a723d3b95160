#include "site.h"

#include <math.h>

bool site_is_recent(const struct site *s, uint32_t commit)
{
	return commit != SITE_NONE && commit + (size_t)SITE_RECENT >= s->n_commits;
}

const char *site_state_name(enum site_state s)
{
	static const char *const names[STATE_COUNT] = {[STATE_WORSE] = "worse",
		[STATE_MISSING] = "missing",
		[STATE_SUSPECT] = "suspect",
		[STATE_ACCEPTED] = "accepted",
		[STATE_BETTER] = "better",
		[STATE_STEADY] = "steady"};

	return names[s];
}

/* A level that was 0 before changed beyond all measure. */
static double size_of(const struct site_step *s)
{
	return isnan(s->change) ? INFINITY : fabs(s->change);
}

bool site_is_sure(const struct site_step *s)
{
	return s->strength != STEP_WEAK && !s->machine;
}

int site_compare_worst(const void *a, const void *b)
{
	const struct site_step *x = a, *y = b;
	const bool sure_x = site_is_sure(x), sure_y = site_is_sure(y);

	if (x->sense != y->sense)
		return (x->sense == SENSE_WORSE) > (y->sense == SENSE_WORSE) ? -1 : 1;
	if (sure_x != sure_y)
		return sure_x ? -1 : 1;
	if (size_of(x) != size_of(y))
		return size_of(x) > size_of(y) ? -1 : 1;
	if (x->at != y->at)
		return x->at > y->at ? -1 : 1;
	return x->series < y->series ? -1 : x->series > y->series;
}

static void add(
	struct buf *b, const char *folder, const char *const *names, size_t n, const char *ending)
{
	char name[SLUG_MAX];

	slug(name, names, n);
	buf_addf(b, "%s/%s%s", folder, name, ending);
}

void site_suite_path(struct buf *b, const char *suite, const char *ending)
{
	add(b, "suite", &suite, 1, ending);
}

void site_benchmark_path(struct buf *b, const char *suite, const char *name)
{
	const char *const names[] = {suite, name};

	add(b, "bench", names, 2, ".html");
}

void site_data_path(struct buf *b, const char *suite, const char *name)
{
	const char *const names[] = {suite, name};

	add(b, "data/b", names, 2, ".json");
}

void site_badge_path(struct buf *b, const char *suite)
{
	add(b, "badge", &suite, 1, ".svg");
}

void site_anchor(struct buf *b, const struct series_key *k)
{
	const char *const names[] = {k->metric, k->unit, k->quantity, direction_name(k->direction),
		k->variant, k->runner};
	char digest[SLUG_DIGEST + 1];

	slug_digest(digest, names, sizeof(names) / sizeof(names[0]));
	buf_addf(b, "s-%s", digest);
}
