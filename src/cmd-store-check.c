#include "command.h"

#include "context.h"
#include "term.h"

#include <string.h>

struct check {
	const char *store;
};

static const struct opt opts[] = {OPT_STORE(struct check), OPT_END};

static void finding(void *ctx, const char *text)
{
	(void)ctx;
	print_line("%s", text);
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct check *o = values;
	struct progress *p;
	struct context c;
	int r = context_init(&c, o->store, err), findings = 0;

	(void)args;
	(void)n;
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0) {
		p = progress_start("checking runs");
		store_on_progress(c.store, progress_callback, p);
		findings = store_check(c.store, finding, NULL, err);
		progress_end(p);
		r = findings < 0 ? -1 : 0;
	}
	if (r == 0 && findings == 0)
		puts("ok");
	else if (r == 0)
		complain(
			"%d finding%s; the store is left as it is: put a copy or a snapshot in its place",
			findings, findings == 1 ? "" : "s");
	context_release(&c);
	return r < 0 ? -1 : findings ? 2 : 0;
}

const struct command cmd_store_check = {.name = "check",
	.args = "",
	.summary = "check the file's structure and every run's digest",
	.help = "Prints \"ok\", or one line a finding and exits 2. Changes nothing.",
	.opts = opts,
	.values_size = sizeof(struct check),
	.max_args = 0,
	.run = run};
