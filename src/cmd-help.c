#include "command.h"

#include "buf.h"
#include "text.h"

#include <string.h>

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
	     "perfgate COMMAND -h explains a command, man perfgate everything. perfgate --version");
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct command *c = NULL;
	const char *names[64];
	size_t i;

	(void)values;
	if (n == 0) {
		overview();
		return 0;
	}
	for (i = 0; commands[i] && i < ARRAY_LEN(names); i++) {
		names[i] = commands[i]->name;
		if (!strcmp(commands[i]->name, args[0]))
			c = commands[i];
	}
	if (!c) {
		const char *near = text_nearest(args[0], names, i);
		return err_set(err, ERR_USAGE, near ? "no command '%.100s'; did you mean '%s'?" : "no command '%.100s'", args[0],
			near);
	}
	command_help(c, "", stdout);
	return 0;
}

const struct command cmd_help = {.name = "help",
	.args = "[COMMAND]",
	.summary = "explain perfgate or a command",
	.values_size = sizeof(struct help),
	.max_args = 1,
	.run = run};
