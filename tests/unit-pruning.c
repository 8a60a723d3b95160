/* Which runs go by their age: by hand. */
#include "pruning.h"

#include "tap.h"

#include <stdlib.h>
#include <string.h>

#define DAY ((int64_t)86400 * 1000000000)

/* Days since 1970 of the runs, as many as commits; the newest is the last. */
enum { NOW = 28 * 1000, MAX = 64 };

static struct store_run runs[MAX];
static struct pruned v[MAX];
static char shas[MAX][8];
static size_t n;

static char *text(const char *s)
{
	return (char *)(uintptr_t)s;
}

static struct store_run *add(int day, const char *suite, const char *branch, const char *session)
{
	struct store_run *r = &runs[n];

	snprintf(shas[n], sizeof(shas[n]), "c%d", day);
	*r = (struct store_run){.id = (int64_t)n + 1,
		.sha = shas[n],
		.tree_state = text("clean"),
		.branch = text(branch),
		.session = text(session),
		.runner_key = text("lab"),
		.suite = text(suite),
		.component = text(""),
		.started_at = day * DAY};
	v[n] = (struct pruned){.run = r, .branch = branch};
	n++;
	return r;
}

/* "+" stays, "-" goes, in the order of adding. */
static const char *decide(const char *keep, bool thin)
{
	static char said[MAX + 1];
	struct prune_rule rule = {.thin = thin, .now = NOW * DAY};
	static struct err err;
	size_t i;

	if (prune_rule_parse(keep, &rule, &err) < 0)
		return err.msg;
	prune_decide(v, n, &rule);
	for (i = 0; i < n; i++)
		said[i] = prune_goes(&v[i]) ? '-' : '+';
	said[n] = '\0';
	n = 0;
	return said;
}

static void by_age(void)
{
	add(NOW - 20, "a", "main", "1");
	add(NOW - 15, "a", "main", "2");
	add(NOW - 14, "a", "main", "3");
	add(NOW - 1, "a", "main", "4");
	IS_STR(decide("2w", false), "--++", "two weeks ago to the moment is not older than that");
	add(NOW - 400, "a", "main", "1");
	add(NOW - 364, "a", "main", "2");
	IS_STR(decide("1y", false), "-+", "a year has 365 days");
}

static void by_number(void)
{
	add(NOW - 900, "a", "main", "1");
	add(NOW - 800, "a", "main", "2");
	add(NOW - 700, "b", "main", "3");
	add(NOW - 600, "a", "topic", "4");
	add(NOW - 500, "a", "main", "5");
	IS_STR(decide("2", false), "-++++", "each suite and branch counts for itself");
	add(NOW - 900, "a", "main", "1");
	add(NOW - 900, "a", "main", "2");
	add(NOW - 500, "a", "main", "3");
	add(NOW - 400, "a", "main", "4");
	IS_STR(decide("2", false), "--++", "two runs of a commit are one commit");
	add(NOW - 900, "a", "", "1");
	add(NOW - 800, "a", "", "2");
	IS_STR(decide("1", false), "-+", "branches that are gone are one");
}

static void thinned(void)
{
	/* NOW is where weeks and four weeks begin */
	add(NOW - 21, "a", "main", "1");
	add(NOW - 20, "a", "main", "2");
	add(NOW - 15, "a", "main", "3");
	add(NOW - 14, "a", "main", "4");
	add(NOW - 13, "a", "main", "5");
	add(NOW - 1, "a", "main", "6");
	IS_STR(decide("7d", true), "+--+-+", "the first commit of each week");
	add(NOW - 28 * 20, "a", "main", "1");
	add(NOW - 28 * 20 + 7, "a", "main", "2");
	add(NOW - 28 * 20 + 27, "a", "main", "3");
	add(NOW - 28 * 19, "a", "main", "4");
	IS_STR(decide("7d", true), "+--+", "after a year, of each four weeks");
	add(NOW - 21, "a", "main", "1");
	add(NOW - 20, "b", "main", "2");
	add(NOW - 19, "b", "main", "3");
	IS_STR(decide("7d", true), "++-", "each suite for itself");
	add(NOW - 14, "a", "main", "1")->committed_at = (NOW - 70) * DAY;
	add(NOW - 13, "a", "main", "1")->committed_at = (NOW - 69) * DAY;
	add(NOW - 12, "a", "main", "1")->committed_at = (NOW - 63) * DAY;
	add(NOW - 11, "a", "main", "1")->committed_at = (NOW - 14) * DAY;
	add(NOW - 10, "a", "main", "1")->committed_at = (NOW - 10) * DAY;
	IS_STR(decide("7d", true), "+-++-",
		"of what was measured long after, of each week of its own");
}

static void together(void)
{
	add(NOW - 90, "a", "main", "s");
	add(NOW - 90, "b", "main", "s");
	add(NOW - 90, "c", "main", "t");
	add(NOW - 80, "a", "main", "s");
	v[1].stays = STAYS_GATE;
	IS_STR(decide("7d", false), "++--", "of a session and commit all stays, or nothing");
	add(NOW - 90, "clpeak", "main", "s");
	add(NOW - 90, "clpeak", "main", "t");
	add(NOW - 80, "a", "main", "s");
	v[2].stays = STAYS_LEVEL;
	IS_STR(decide("7d", false), "+-+", "probes stay with their session");
	add(NOW - 90, "a", "main", "")->tree_state = text("dirty:00");
	add(NOW - 80, "a", "main", "x");
	IS_STR(decide("1", false), "++", "changed work trees are no commits of the branch");
}

static void words(void)
{
	static const char *const bad[] = {"", "0", "0d", "-1", "1.5d", "90 d", "d", "90days",
		"9999999999", "201y", "2147483648d", " 1", "1d1"};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct prune_rule rule = {0};
		struct err err = ERR_INIT;
		OK(prune_rule_parse(bad[i], &rule, &err) < 0 && strstr(err.msg, "--keep"), bad[i]);
	}
}

int main(void)
{
	by_age();
	by_number();
	thinned();
	together();
	words();
	return tap_done();
}
