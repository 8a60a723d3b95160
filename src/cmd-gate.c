#include "command.h"

#include "gating.h"
#include "recording.h"

struct gate {
	const char *store;
	struct judge_settings judge;
	bool record;
};

static const struct opt opts[] = {OPT_STORE(struct gate), OPT_JUDGE(struct gate),
	{"record", 0, OPT_FLAG, offsetof(struct gate, record), NULL,
		"keep the verdict in the store, for people to look at"},
	OPT_END};

static int run(void *values, char **args, int n, struct err *err)
{
	const struct gate *o = values;
	struct gating g;
	int r = gating_judge(
		&g, o->store, n > 0 ? args[0] : NULL, n > 1 ? args[1] : NULL, &o->judge, err);

	if (r == 0)
		r = judge_report(&g.r, &o->judge, &g.c, err);
	if (r == 0 && o->record)
		r = gating_record(&g, clock_ns(CLOCK_REALTIME), err);
	if (r == 0)
		r = g.r.exit;
	gating_release(&g);
	return r;
}

const struct command cmd_gate = {.name = "gate",
	.args = "[BASE [HEAD]]",
	.summary = "judge a commit against its base: pass or fail",
	.help = "Compares the runs of HEAD (default: the commit checked out) with those of BASE (default:\n"
		"the branch a change request targets, else base in perfgate.conf, else the upstream\n"
		"branch, else HEAD's first parent). The base is the nearest commit with a run, from the\n"
		"merge base along first parents, and the report says which it is and why.\n"
		"Exit status: 0 pass, 1 a regression that gates, 3 something could not be judged that\n"
		"had to be, 2 usage, unreadable input or trouble with the store.",
	.opts = opts,
	.values_size = sizeof(struct gate),
	.max_args = 2,
	.run = run};
