#include "share.h"

#include "command.h"
#include "num.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

struct depot *share_open(const struct context *c, const char *remote, struct err *err)
{
	if (c->git)
		return depot_open(c->git, remote, err);
	err_set(err, ERR_GIT, "%s; sharing goes by way of a git repository", context_no_head(c));
	return NULL;
}

/* The first commit of what the store holds: as it says, else as the repository around says. */
static int own_root(const struct context *c, char ret[65], struct err *err)
{
	int r = store_root(c->store, ret, err);

	if (r != 0 || !c->own_store)
		return r;
	r = git_root(c->git, ret, err);
	if (r == 0)
		*ret = '\0';
	return r;
}

/* A repository can have several first commits. 1, 0, -1 */
static int has_both(const struct context *c, const char *a, const char *b, struct err *err)
{
	struct git_commit commit;
	int r = git_commit(c->git, a, &commit, err);

	return r > 0 ? git_commit(c->git, b, &commit, err) : r;
}

int share_check_root(
	const struct context *c, const struct depot *d, bool force, char ret[65], struct err *err)
{
	const char *theirs = depot_root(d);
	int r;

	if (own_root(c, ret, err) < 0)
		return -1;
	if (force || !*ret || !*theirs || !strcmp(ret, theirs))
		return 0;
	r = has_both(c, ret, theirs, err);
	if (r != 0)
		return r < 0 ? -1 : 0;
	return err_set(err, ERR_STORE,
		"the branch " DEPOT_BRANCH
		" of %s holds another repository (its first commit is %.12s, this one's %.12s); --force takes it for the same",
		depot_remote(d), theirs, ret);
}

/* ---- until nobody else is faster ---- */

enum { ATTEMPTS = 10, PAUSE_MAX_S = 30, PAUSE_TOLD_S = 5 };

/* At random, the longer the more attempts there were and the longer the longest of them took: where
 * many push at once, all of them are slow. */
static int64_t pause_ns(int attempts, int64_t longest_ns)
{
	const int64_t most = PAUSE_MAX_S * (int64_t)1000000000;
	int64_t span = longest_ns * 2;
	uint64_t random = 0;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		random = (uint64_t)clock_ns(CLOCK_MONOTONIC) * 0x9E3779B97F4A7C15u;
	while (attempts-- > 0 && span < most)
		span *= 2;
	span = span < most ? span : most;
	return span > 0 ? (int64_t)(random % (uint64_t)span) : 0;
}

static void wait_for_others(const struct depot *d, int attempts, int64_t ns)
{
	struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

	if (t.tv_sec >= PAUSE_TOLD_S)
		complain("note: others are pushing to %s; attempt %d of %d is in %d seconds",
			depot_remote(d), attempts + 1, ATTEMPTS, (int)t.tv_sec);
	nanosleep(&t, NULL);
}

int share_try(struct depot *d, int (*attempt)(void *ctx, struct err *err), void *ctx, int *attempts,
	struct err *err)
{
	int64_t longest = 0;

	for (*attempts = 1;; ++*attempts) {
		int64_t began = clock_ns(CLOCK_MONOTONIC), took;
		int r = attempt(ctx, err);

		if (r != 0)
			return r;
		if (*attempts == ATTEMPTS)
			return err_set(err, ERR_GIT,
				"others pushed to %s each of the %d times that this was tried; nothing is lost, try again",
				depot_remote(d), ATTEMPTS);
		took = clock_ns(CLOCK_MONOTONIC) - began;
		longest = took > longest ? took : longest;
		wait_for_others(d, *attempts, pause_ns(*attempts, longest));
	}
}
