#include "command.h"

#include "context.h"
#include "term.h"
#include "text.h"

#include <string.h>

struct merge {
	const char *store;
	struct merge_options how;
};

static const struct opt opts[] = {OPT_STORE(struct merge),
	{"force", 0, OPT_FLAG, offsetof(struct merge, how.force), NULL,
		"even if it holds another repository"},
	{"runs-only", 0, OPT_FLAG, offsetof(struct merge, how.runs_only), NULL,
		"take its runs, and drop nothing that it dropped"},
	OPT_END};

static int merge_one(
	struct store *to, const char *path, const struct merge_options *how, struct err *err)
{
	size_t n[PLACED_PRUNED + 1] = {0};
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct store *from = store_open(path, STORE_READ, err);
	struct progress *p;
	int r;

	if (!from)
		return -1;
	p = progress_start("merging");
	store_on_progress(to, progress_callback, p);
	r = store_merge(to, from, how, n, err);
	store_on_progress(to, NULL, NULL);
	progress_end(p);
	buf_addf(&b, "%s: %zu new run%s, %zu already here", store_path(from), n[PLACED_STORED],
		plural(n[PLACED_STORED]), n[PLACED_ALREADY]);
	if (n[PLACED_DROPPED])
		buf_addf(&b, ", %zu dropped earlier", n[PLACED_DROPPED]);
	if (n[PLACED_PRUNED])
		buf_addf(&b, ", %zu pruned earlier", n[PLACED_PRUNED]);
	if (r < 0)
		err_prefix(err, "merging %s", store_path(from));
	else
		print_line("%s", b.p);
	store_close(from);
	return r;
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct merge *o = values;
	struct context c;
	int r = context_init(&c, o->store, err), i;

	if (r == 0)
		r = context_open_store(&c, STORE_WRITE, err);
	for (i = 0; r == 0 && i < n; i++)
		r = merge_one(c.store, args[i], &o->how, err);
	context_release(&c);
	return r;
}

const struct command cmd_store_merge = {.name = "merge",
	.args = "FILE...",
	.summary = "unite other stores into this one",
	.help = "Each FILE is merged in one transaction. The order does not matter, and merging again\n"
		"changes nothing. Runs that were dropped on either side stay dropped until that is undone.",
	.opts = opts,
	.values_size = sizeof(struct merge),
	.min_args = 1,
	.max_args = -1,
	.run = run};
