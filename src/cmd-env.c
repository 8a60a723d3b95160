#include "command.h"

#include "machine.h"
#include "place.h"
#include "text.h"

#include <string.h>

struct env {
	struct place_options place;
};

#define O(field) offsetof(struct env, field)

static const struct opt opts[] = {
	{"runner", 'r', OPT_STRING, O(place.runner), "NAME",
		"the class of machine (default: architecture, CPU, cores, memory)"},
	OPT_SESSION_BRANCH(struct env), OPT_TREE_STATE(struct env), OPT_END};

#undef O

static void add_commit(struct buf *b, const struct git_commit *c)
{
	int i;

	buf_addf(b, "{\"sha\": \"%s\", \"tree\": ", c->sha);
	text_json_str(b, *c->tree ? c->tree : NULL);
	if (c->n_parents >= 0) {
		buf_addstr(b, ", \"parents\": [");
		for (i = 0; i < c->n_parents; i++)
			buf_addf(b, "%s\"%s\"", i ? ", " : "", c->parents[i]);
		buf_addch(b, ']');
	}
	if (c->committed_at) {
		buf_addstr(b, ", \"committed_at\": \"");
		time_format(b, c->committed_at);
		buf_addch(b, '"');
	}
	buf_addch(b, '}');
}

static int print_env(struct place *p, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	const struct place_options *o = p->opts;
	const char *branch = o->branch         ? o->branch
			     : p->c->ci.branch ? p->c->ci.branch
			     : p->c->git       ? git_branch(p->c->git)
					       : NULL;
	const char *state;

	if (place_tree_state(p, &state, err) < 0)
		return -1;
	buf_addstr(&b, "{\n  \"schema\": \"perfgate/env\",\n  \"version\": 1,\n  \"commit\": ");
	if (p->have_head)
		add_commit(&b, &p->head);
	else
		buf_addstr(&b, "null");
	buf_addstr(&b, ",\n  \"tree_state\": ");
	text_json_str(&b, state);
	buf_addstr(&b, ",\n  \"branch\": ");
	text_json_str(&b, branch);
	buf_addstr(&b, ",\n  \"session\": ");
	text_json_str(&b, o->session ? o->session : p->this_session);
	buf_addstr(&b, ",\n  \"runner\": {\"key\": ");
	text_json_str(&b, o->runner ? o->runner : p->this_runner);
	buf_addf(&b, "},\n  \"facts\": %s\n}\n", p->this_facts);
	fputs(b.p, stdout);
	return 0;
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct env *o = values;
	struct context c;
	struct place p = {0};
	int r;

	(void)args;
	(void)n;
	r = context_init(&c, NULL, err);
	if (r == 0)
		r = context_load_policy(&c, NULL, err);
	if (r == 0)
		r = place_init(&p, &c, &o->place, err);
	if (r == 0)
		r = print_env(&p, err);
	place_release(&p);
	context_release(&c);
	return r;
}

const struct command cmd_env = {.name = "env",
	.args = "",
	.summary = "print commit, runner and session as JSON, for ingest --env elsewhere",
	.help = "Run it in the job that measures; hand the output to `perfgate ingest --env FILE` in the\n"
		"job that stores, so that runs are kept under the machine and commit they came from.",
	.opts = opts,
	.values_size = sizeof(struct env),
	.max_args = 0,
	.run = run};
