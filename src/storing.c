#include "storing.h"

#include "term.h"

/* Whether the store's repository is this one: its first commit is here as well, whatever branch it
 * is the first of. 1, 0 it is not or the store does not know yet, -1. */
static int is_of_this_repository(struct storing *g, struct err *err)
{
	struct store_info info;
	struct git_commit c;

	if (store_info(g->c->store, &info, err) < 0)
		return -1;
	if (!*info.root)
		return 0;
	return g->c->own_store ? 1 : git_commit(g->c->git, info.root, &c, err);
}

/* The repository's first commit, asked for once, and only when the store has none of the commits.
 */
static int find_root(struct storing *g, bool known, const char **ret, struct err *err)
{
	int r;

	*ret = NULL;
	if (known || !g->c->git)
		return 0;
	r = is_of_this_repository(g, err);
	if (r != 0)
		return r < 0 ? -1 : 0;
	if (!g->root_asked) {
		r = git_root(g->c->git, g->root, err);
		if (r < 0)
			return -1;
		g->have_root = r > 0;
		g->root_asked = true;
	}
	*ret = g->have_root ? g->root : NULL;
	return 0;
}

int storing_add(struct storing *g, struct batch *b, const struct placing *placings,
	enum placed *placed, struct err *err)
{
	struct commit_list commits = {0};
	struct progress *progress;
	bool known = false;
	const char *root;
	size_t i;
	int r = 0;

	/* a history brings its own commits */
	for (i = 0; r == 0 && i < batch_runs(b); i++)
		if (!batch_run(b, i)->head.history)
			r = place_lineage(g->place, placings[i].sha, &commits, &known, err);
	/* a history of another repository than the one around is none of its business */
	if (r == 0)
		r = find_root(g, known || commits.n == 0, &root, err);
	progress = progress_start("storing samples");
	store_on_progress(g->c->store, progress_callback, progress);
	if (r == 0)
		r = store_add(g->c->store, b, placings, commits.v, commits.n, root, g->force,
			placed, err);
	progress_end(progress);
	commit_list_release(&commits);
	return r;
}
