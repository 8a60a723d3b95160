#include "command.h"

#include "measure.h"
#include "measuring.h"

#define O(field) offsetof(struct measure, field)

static const struct opt opts[] = {OPT_STORE(struct measure), OPT_JUDGE(struct measure),
	{"pairs", 'p', OPT_COUNT, O(pairs), "N",
		"how often each side runs (default: measure.pairs of perfgate.conf, else 10)"},
	{"setup", 0, OPT_STRING, O(setup), "CMD",
		"a line for the shell, run once in each work tree before (default: measure.setup)"},
	{"timeout", 0, OPT_STRING, O(timeout), "TIME",
		"when a run counts as hanging: 90, 90s, 5m, 2h (default: measure.timeout, else 1h)"},
	{"cpus", 0, OPT_STRING, O(cpus), "LIST",
		"bind the command to CPUs, such as 2 or 0-3,8; none; auto: isolated ones (default)"},
	{"jobs", 0, OPT_STRING, O(jobs), "PATTERN",
		"only those of perfgate.conf's [measure \"NAME\"] whose name matches (PCRE2)"},
	{"name", 0, OPT_STRING, O(name), "NAME",
		"the benchmark's name where no document has one (default: the command's)"},
	{"alone", 0, OPT_FLAG, O(alone), NULL, "measure the revision, compare it with nothing"},
	{"keep", 0, OPT_FLAG, O(keep), NULL, "leave the temporary work trees there"},
	{"exit-code", 0, OPT_FLAG, O(exit_code), NULL,
		"exit as the gate would (default: 0 whatever there is)"},
	{"", 0, OPT_REST, O(command), NULL, NULL}, OPT_END};

#undef O

static int run(void *values, char **args, int n, struct err *err)
{
	const struct measure *o = values;
	int status;

	if (measure(o, args, n, &status, err) < 0)
		return -1;
	return o->exit_code ? status : 0;
}

const struct command cmd_measure = {.name = "measure",
	.args = "[REV|.]... [-- COMMAND [ARG...]]",
	.summary = "run a benchmark of revisions in turns and judge them",
	.help = "Runs COMMAND in a temporary work tree of each revision, in pairs whose order alternates,\n"
		"stores what it measured and judges the pairs, each revision against the first. '.' is\n"
		"the work tree as it is. A revision alone is compared with the work tree; '.', or a\n"
		"revision with --alone, is only measured. COMMAND writes its documents into the folder\n"
		"$PERFGATE_OUT, which is a fresh one for each run; where it writes none, its own time and\n"
		"memory are what is measured. What it needs is built by --setup. Without a COMMAND those\n"
		"of the [measure] sections in perfgate.conf run, one after the other.",
	.opts = opts,
	.values_size = sizeof(struct measure),
	.max_args = TREES_MAX,
	.run = run};
