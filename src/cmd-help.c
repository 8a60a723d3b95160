#include "command.h"

#include "buf.h"

#include <stdlib.h>

struct help {
	bool unused;
};

static void overview(void)
{
	size_t i;

	puts("perfgate keeps what benchmarks measured and says whether a commit made it worse.\n\n"
	     "usage: perfgate COMMAND [option...] [argument...]\n");
	for (i = 0; commands[i]; i++)
		printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
	puts("\nIn a repository whose benchmarks leave documents in results/:\n"
	     "  perfgate ingest results/     keep them, under the commit checked out\n"
	     "  perfgate gate main           pass or fail (exit status 0 or 1)\n"
	     "  perfgate diff HEAD~1         what changed since the last commit\n\n"
	     "perfgate COMMAND -h explains a command, man perfgate everything. perfgate --version\n"
	     "perfgate --trace FILE COMMAND records where perfgate spends its time");
}

static const struct command *find(
	const struct command *const *table, const char *name, const char *parent, struct err *err)
{
	const struct command *c = command_find(table, name);
	const char *near;

	if (c)
		return c;
	near = command_nearest(table, name);
	if (near)
		err_set(err, ERR_USAGE, "no command '%s%.100s'; did you mean '%s%s'?", parent, name,
			parent, near);
	else
		err_set(err, ERR_USAGE, "no command '%s%.100s'", parent, name);
	return NULL;
}

static int run(void *values, char **args, int n, struct err *err)
{
	_cleanup_(freep) char *parent = xstrdup("");
	const struct command *c = NULL;
	int i;

	(void)values;
	if (n == 0) {
		overview();
		return 0;
	}
	for (i = 0; i < n; i++) {
		if (c) {
			char *longer = xasprintf("%s%s ", parent, c->name);
			free(parent);
			parent = longer;
		}
		if (c && !c->subcommands)
			return err_set(err, ERR_USAGE, "'%s' has no commands of its own", c->name);
		c = find(c ? c->subcommands : commands, args[i], parent, err);
		if (!c)
			return -1;
	}
	command_help(c, parent, stdout);
	return 0;
}

const struct command cmd_help = {.name = "help",
	.args = "[COMMAND...]",
	.summary = "explain perfgate or a command",
	.values_size = sizeof(struct help),
	.max_args = 2,
	.run = run};
