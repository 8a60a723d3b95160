#include "command.h"

#include "accepts.h"
#include "conf-file.h"
#include "gating.h"
#include "pattern.h"
#include "tidy.h"

#include <stdlib.h>
#include <string.h>

struct accept {
	const char *store, *from, *reason, *only;
	bool dry_run, tidy;
};

static const struct opt opts[] = {
	{"from", 0, OPT_STRING, offsetof(struct accept, from), "FILE",
		"a report in JSON to take the verdicts from; - is standard input"},
	{"reason", 'm', OPT_STRING, offsetof(struct accept, reason), "TEXT",
		"why, for those who read perfgate.conf; needed"},
	{"only", 0, OPT_STRING, offsetof(struct accept, only), "PATTERN",
		"only benchmarks whose name matches (PCRE2)"},
	{"tidy", 0, OPT_FLAG, offsetof(struct accept, tidy), NULL,
		"remove the sections that the base meets already"},
	{"dry-run", 'n', OPT_FLAG, offsetof(struct accept, dry_run), NULL,
		"print what would be written or removed, write nothing"},
	OPT_STORE(struct accept), OPT_END};

/* ---- which outcomes ---- */

/* Marks what is regressed and matches. Returns how many, or -1. */
static int choose(const struct outcomes *o, const char *only, bool *chosen, struct err *err)
{
	struct pattern *pattern = only ? pattern_new(only, err) : NULL;
	bool any = !only;
	int n = 0;
	size_t i;

	if (only && !pattern) {
		err->code = ERR_USAGE;
		return err_prefix(err, "--only");
	}
	for (i = 0; i < o->n; i++) {
		const char *b = o->v[i].key.benchmark;
		int match = pattern ? pattern_match(pattern, b, strlen(b), err) : 1;
		if (match < 0)
			break;
		any |= match > 0;
		chosen[i] = match && o->v[i].verdict == VERDICT_REGRESSED;
		n += chosen[i];
	}
	pattern_free(pattern);
	if (!any && !err->code)
		err_set(err, ERR_USAGE, "--only %.100s: matches no benchmark", only);
	return err->code ? -1 : n;
}

static int note_head(struct context *c, const struct outcomes *o, struct err *err)
{
	struct git_commit head;
	int r = c->git && *o->head ? git_commit(c->git, "HEAD", &head, err) : 0;

	if (r > 0 && strcmp(head.sha, o->head) != 0)
		complain("note: the report is about %.12s, and %.12s is checked out", o->head,
			head.sha);
	return r < 0 ? -1 : 0;
}

/* ---- what is said ---- */

static void print_section(const struct conf_section *s)
{
	size_t i;

	print_line("[%s \"%s\"]", s->kind, s->name ? s->name : "");
	for (i = 0; i < s->n; i++) {
		fputs("    ", stdout);
		print_line("%s = %s", s->entries[i].key, s->entries[i].value);
	}
}

static bool was_written(const struct accepts *a, const struct conf_section *s)
{
	size_t i;

	for (i = 0; !strcmp(s->kind, "accept") && i < a->n_written; i++)
		if (s->name && !strcmp(a->written[i], s->name))
			return true;
	return false;
}

static int print_written(
	const struct accepts *a, const char *path, const struct buf *text, struct err *err)
{
	struct conf *now = conf_parse(path, buf_str(text), text->len, err);
	bool first = true;
	size_t i;

	if (!now)
		return -1;
	for (i = 0; i < now->n; i++) {
		if (!was_written(a, &now->sections[i]))
			continue;
		if (!first)
			putchar('\n');
		print_section(&now->sections[i]);
		first = false;
	}
	conf_free(now);
	return 0;
}

/* ---- the file ---- */

/* That the new text is a policy which accepts what it was written for. */
static int check_text(
	const struct buf *text, const struct outcomes *o, const bool *chosen, struct err *err)
{
	struct policy *p = policy_new("perfgate.conf", buf_str(text), text->len, err);
	size_t i;
	int r = p ? 0 : err_prefix(err, "it would be no perfgate.conf any more");

	for (i = 0; r == 0 && i < o->n; i++) {
		struct turn turn;
		if (!chosen[i])
			continue;
		if (policy_accept(p, &o->v[i].key, &turn, err) < 0)
			r = -1;
		else if (decimal_cmp(turn.to, o->v[i].head) != 0)
			r = err_set(err, ERR_POLICY,
				"%.60s %.200s %.60s would be held to another section's level",
				o->v[i].key.suite, o->v[i].key.benchmark, o->v[i].key.metric);
	}
	policy_free(p);
	return r;
}

static int write_sections(struct accepts *a, const char *path, bool existed, const struct buf *old,
	const struct buf *text, const struct accept *o, struct err *err)
{
	if (o->dry_run)
		return print_written(a, path, text, err);
	if (conf_file_write(path, text, old, err) < 0)
		return -1;
	print_line("perfgate.conf: %zu accepted (%zu section%s new, %zu renewed)", a->n_written,
		a->n_added, a->n_added == 1 ? "" : "s", a->n_written - a->n_added);
	putchar('\n');
	if (print_written(a, path, text, err) < 0)
		return -1;
	printf("\nIt has to be committed, together with what made it necessary:\n"
	       "    git add %s && git commit\n",
		conf_file_pathspec(path));
	if (!existed)
		complain(
			"note: perfgate.conf is new; with it, what has to be judged and cannot be fails the gate (exit status 3)");
	return 0;
}

static int accept(struct context *c, const struct accept *a, const struct outcomes *o,
	const bool *chosen, struct err *err)
{
	_cleanup_(freep) char *path = context_policy_path(c, err);
	_cleanup_(buf_release) struct buf old = BUF_INIT, text = BUF_INIT;
	struct accepts sections = {0};
	int existed = path ? conf_file_read(path, &old, err) : -1, r = existed;

	if (r >= 0)
		r = accepts_init(&sections, "perfgate.conf", buf_str(&old), old.len, err);
	if (r == 0)
		r = accepts_write(&sections, o, chosen, a->reason, err);
	if (err->code == ERR_FORMAT && a->from)
		err_prefix(err, "%s", a->from);
	if (r == 0)
		r = accepts_text(&sections, &text, err);
	if (r == 0)
		r = check_text(&text, o, chosen, err);
	if (r == 0)
		r = write_sections(&sections, path, existed, &old, &text, a, err);
	accepts_release(&sections);
	return r;
}

/* c is that of the work tree whose perfgate.conf is written. */
static int accept_outcomes(
	struct context *c, const struct accept *a, struct outcomes *o, struct err *err)
{
	bool *chosen = xcalloc(o->n, sizeof(*chosen));
	int n, r = -1;

	outcomes_sort(o);
	n = choose(o, a->only, chosen, err);
	if (n > 0)
		r = accept(c, a, o, chosen, err);
	else if (n == 0)
		r = puts("nothing is regressed; perfgate.conf stays as it is") < 0 ? -1 : 0;
	free(chosen);
	return r;
}

static int accept_report(const struct accept *a, struct outcomes *o, struct err *err)
{
	struct input *in = input_file(a->from);
	struct context c;
	int r = context_init(&c, a->store, err);

	if (r == 0)
		r = outcomes_read(o, in, err);
	input_free(in);
	if (r == 0)
		r = note_head(&c, o, err);
	if (r == 0)
		r = accept_outcomes(&c, a, o, err);
	context_release(&c);
	return r;
}

static int accept_judged(
	struct gating *g, const struct accept *a, struct outcomes *o, struct err *err)
{
	size_t i;

	for (i = 0; i < g->r.n; i++)
		outcomes_add(o, &g->r.verdicts[i]);
	return accept_outcomes(&g->c, a, o, err);
}

/* ---- --tidy ---- */

static int check_policy(const struct buf *text, struct err *err)
{
	struct policy *p = policy_new("perfgate.conf", buf_str(text), text->len, err);

	policy_free(p);
	return p ? 0 : -1;
}

static int drop_marked(struct accepts *sections, const char *path, const struct buf *old,
	bool dry_run, struct err *err)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;

	accepts_drop(sections);
	if (accepts_text(sections, &text, err) < 0)
		return -1;
	if (check_policy(&text, err) < 0)
		return err_prefix(err, "it would be no perfgate.conf any more");
	return dry_run ? 0 : conf_file_write(path, &text, old, err);
}

/* What was judged by may be another commit's policy: the file is checked by itself. */
static int tidy_text(struct gating *g, const char *path, const struct buf *old,
	const struct accept *a, struct err *err)
{
	struct accepts sections = {0};
	int n = -1, r = check_policy(old, err);

	if (r == 0)
		r = accepts_init(&sections, "perfgate.conf", buf_str(old), old->len, err);
	if (r == 0)
		n = tidy_mark(&sections, g, err);
	if (n > 0)
		r = drop_marked(&sections, path, old, a->dry_run, err);
	if (n > 0 && r == 0)
		tidy_report(&sections, a->dry_run ? NULL : conf_file_pathspec(path));
	else if (n == 0)
		puts("no [accept] section can go; perfgate.conf stays as it is");
	accepts_release(&sections);
	return n < 0 ? -1 : r;
}

static int tidy(struct gating *g, const struct accept *a, struct err *err)
{
	_cleanup_(freep) char *path = context_policy_path(&g->c, err);
	_cleanup_(buf_release) struct buf old = BUF_INIT;
	int found = path ? conf_file_read(path, &old, err) : -1;

	return found < 0 ? -1 : tidy_text(g, path, &old, a, err);
}

/* ---- the command ---- */

static int run_judging(const struct accept *a, const char *base, const char *head,
	struct outcomes *o, struct err *err)
{
	const struct judge_settings settings = {0};
	struct gating g;
	int r = gating_judge(&g, a->store, base, head, &settings, err);

	if (r == 0)
		r = a->tidy ? tidy(&g, a, err) : accept_judged(&g, a, o, err);
	gating_release(&g);
	return r;
}

static int check_options(const struct accept *a, char **args, int n, struct err *err)
{
	if (a->tidy && (a->from || a->reason || a->only))
		return err_set(err, ERR_USAGE,
			"--tidy removes sections and writes none: it goes with --dry-run and --store alone");
	if (a->from && n > 0)
		return err_set(err, ERR_USAGE,
			"--from names a report, and '%.60s' a commit to judge; only one of them",
			args[0]);
	return a->tidy ? 0 : accepts_check_reason(a->reason, err);
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct accept *a = values;
	struct outcomes o;
	int r;

	if (check_options(a, args, n, err) < 0)
		return -1;
	outcomes_init(&o);
	r = a->from ? accept_report(a, &o, err)
		    : run_judging(a, n > 0 ? args[0] : NULL, n > 1 ? args[1] : NULL, &o, err);
	outcomes_release(&o);
	return r;
}

const struct command cmd_accept = {.name = "accept",
	.args = "[BASE [HEAD]]",
	.summary = "accept what is regressed, by sections in perfgate.conf",
	.help = "Writes an [accept] section for every series that is regressed: by the report that --from\n"
		"names, else as `perfgate gate BASE HEAD` judges. The file is then to be reviewed and\n"
		"committed with the change. --tidy takes sections away that are no longer needed.",
	.opts = opts,
	.values_size = sizeof(struct accept),
	.max_args = 2,
	.run = run};
