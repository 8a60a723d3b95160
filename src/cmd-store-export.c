#include "command.h"

#include "context.h"
#include "export.h"

struct export_options {
	const char *store;
};

static const struct opt opts[] = {OPT_STORE(struct export_options), OPT_END};

static int run(void *values, char **args, int n, struct err *err)
{
	const struct export_options *o = values;
	struct context c;
	int r = context_init(&c, o->store, err);

	(void)args;
	(void)n;
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = export_all(stdout, c.store, err);
	context_release(&c);
	return r;
}

const struct command cmd_store_export = {.name = "export",
	.args = "",
	.summary = "write everything as text (NDJSON) that ingest reads back",
	.help = "The output is in a fixed order, so that equal stores give equal bytes; ingesting it into\n"
		"a store that has the runs adds nothing. man perfgate-formats describes it.",
	.opts = opts,
	.values_size = sizeof(struct export_options),
	.max_args = 0,
	.run = run};
