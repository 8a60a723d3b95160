#include "command.h"

#include "context.h"

struct snapshot {
	const char *store;
};

static const struct opt opts[] = {OPT_STORE(struct snapshot), OPT_END};

static int run(void *values, char **args, int n, struct err *err)
{
	const struct snapshot *o = values;
	struct context c;
	int r = context_init(&c, o->store, err);

	(void)n;
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = store_snapshot(c.store, args[0], err);
	context_release(&c);
	return r;
}

const struct command cmd_store_snapshot = {.name = "snapshot",
	.args = "FILE",
	.summary = "copy the store, as it is at one moment, into one file",
	.help = "The copy needs no log beside it: fit for artifacts, caches and network folders. An\n"
		"existing FILE is not overwritten. Others may write to the store meanwhile.",
	.opts = opts,
	.values_size = sizeof(struct snapshot),
	.min_args = 1,
	.max_args = 1,
	.run = run};
