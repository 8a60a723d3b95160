#include "command.h"

#include "forge.h"
#include "git.h"
#include "report-read.h"
#include "report-words.h"
#include "reports.h"
#include "term.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_MAX = 64, TIMEOUT_MAX = 3600 };

struct comment {
	const char *from, *head, *key;
	int64_t request;
	struct forge_options where;
	bool status, strict, dry_run;
};

static const struct comment defaults = {.where = {.timeout_s = 60}};

static const struct opt opts[] = {
	{"from", 0, OPT_STRING, offsetof(struct comment, from), "FILE",
		"the verdict: what gate --report json:FILE wrote; - is standard input"},
	{"head", 0, OPT_STRING, offsetof(struct comment, head), "SHA",
		"the commit that the verdict has to be of"},
	{"request", 0, OPT_INT, offsetof(struct comment, request), "N",
		"this change request, if its head is that commit"},
	{"key", 0, OPT_STRING, offsetof(struct comment, key), "NAME",
		"tells the comments of several gates apart"},
	{"status", 0, OPT_FLAG, offsetof(struct comment, status), NULL,
		"set a status of the commit as well"},
	{"forge", 0, OPT_STRING, offsetof(struct comment, where.forge), "NAME",
		"github or gitlab (default: as the CI system tells)"},
	{"api", 0, OPT_STRING, offsetof(struct comment, where.api), "URL",
		"the address of its REST interface"},
	{"repository", 0, OPT_STRING, offsetof(struct comment, where.repository), "NAME",
		"OWNER/NAME, or the number of the project"},
	{"timeout", 0, OPT_INT, offsetof(struct comment, where.timeout_s), "SECONDS",
		"for all of it, with pauses that the server asks for (default: 60)"},
	{"strict", 0, OPT_FLAG, offsetof(struct comment, strict), NULL,
		"exit 2 when a comment or status could not be written"},
	{"dry-run", 'n', OPT_FLAG, offsetof(struct comment, dry_run), NULL,
		"print the comment, ask nobody"},
	OPT_END};

/* ---- what is to be written ---- */

struct commenting {
	const struct comment *o;
	struct read_report *verdict;
	const struct report *r;
	const char *sha; /* the head of the change request */
	char *marker, *body, *context;
	struct buf description; /* of the status */
	bool failed;            /* something could not be written */
};

static int check_options(const struct comment *o, struct err *err)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "._-";

	if (!o->from)
		return err_set(err, ERR_USAGE,
			"--from FILE is needed: what perfgate gate --report json:FILE wrote");
	if (!o->head)
		return err_set(err, ERR_USAGE,
			"--head SHA is needed: the commit that the verdict has to be of");
	if (!git_is_sha(o->head))
		return err_set(err, ERR_USAGE,
			"--head %.80s: not a whole SHA, of 40 or 64 digits in lower case", o->head);
	if (o->key &&
		(strlen(o->key) > KEY_MAX || o->key[strspn(o->key, plain)] || strstr(o->key, "--")))
		return err_set(err, ERR_USAGE,
			"--key %.80s: at most %d letters, digits, dots, underscores and single dashes",
			o->key, KEY_MAX);
	if (o->where.timeout_s < 1 || o->where.timeout_s > TIMEOUT_MAX)
		return err_set(err, ERR_USAGE, "--timeout: expected 1 to %d seconds", TIMEOUT_MAX);
	return 0;
}

/* Whether the repository around has the commit as a merge of that one. Of what it was a merge the
 * verdict alone does not prove: 1, 0, -1. */
static int is_merge_of(const struct report_commit *h, struct err *err)
{
	struct git *g;
	struct git_commit merge;
	bool missing;
	int r = git_open(&g, &missing, err);

	if (r == 0 && g)
		r = git_commit(g, h->sha, &merge, err);
	git_close(g);
	return r <= 0 ? r
		      : merge.n_parents > 1 &&
				!strcmp(merge.parents[merge.n_parents - 1], h->merged);
}

static int refuse_head(const struct commenting *c, struct err *err)
{
	const struct report_commit *h = &c->r->head;

	return err_set(err, ERR_USAGE,
		"%s: the verdict is of %.12s%s%.12s, not of %.12s (--head): nothing written",
		c->o->from, h->sha, h->merged ? ", a merge of " : "", h->merged ? h->merged : "",
		c->o->head);
}

/* Of a merge that the CI system made, the change request has the commit that was merged. */
static int check_head(struct commenting *c, struct err *err)
{
	const struct report_commit *h = &c->r->head;
	const char *asked = c->o->head;
	int r = 1;

	if (!h->sha)
		return err_set(err, ERR_USAGE, "%s: the verdict is of documents, not of a commit",
			c->o->from);
	c->sha = h->merged ? h->merged : h->sha;
	if (!strcmp(asked, c->sha))
		return 0;
	if (strcmp(asked, h->sha) != 0)
		return refuse_head(c, err);
	r = is_merge_of(h, err);
	if (r == 0)
		return err_set(err, ERR_USAGE,
			"%s: that %.12s is a merge of %.12s is not known here: give the head of the request as --head",
			c->o->from, h->sha, h->merged);
	return r < 0 ? -1 : 0;
}

static int compose(struct commenting *c, struct err *err)
{
	const struct report_style style = {.width = 80};
	const char *key = c->o->key;
	_cleanup_(freep) char *text = reports_rendered(c->r, report_find("markdown"), &style, err);

	if (!text)
		return -1;
	c->marker = xasprintf("<!-- perfgate comment%s%s -->", key ? " " : "", key ? key : "");
	c->body = xasprintf("%s\n%s", c->marker, text);
	c->context = xasprintf("perfgate%s%s", key ? "/" : "", key ? key : "");
	buf_addf(&c->description, "%s, ", words_outcome(c->r));
	words_counts(&c->description, c->r);
	return 0;
}

static int prepare(struct commenting *c, struct err *err)
{
	struct input *in;

	if (check_options(c->o, err) < 0)
		return -1;
	in = input_file(c->o->from);
	c->verdict = report_read(in, err);
	input_free(in);
	if (!c->verdict)
		return -1;
	c->r = read_report_get(c->verdict);
	return check_head(c, err) < 0 ? -1 : compose(c, err);
}

static int print_body(const struct commenting *c, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (c->o->status)
		complain("status %s of %.12s: %s", c->context, c->sha, c->description.p);
	if (ci_present())
		text_defuse(&b, c->body);
	else
		buf_addstr(&b, c->body);
	return report_end(&b, stdout, err);
}

/* ---- writing it ---- */

static void tell_failure(struct commenting *c, const char *what, const struct err *trouble)
{
	c->failed = true;
	complain("no %s written: %s", what, trouble->msg);
}

static void write_comment(struct commenting *c, struct forge *f, const struct change *change)
{
	static const char *const did[] = {[FORGE_CREATED] = "wrote a comment on",
		[FORGE_UPDATED] = "updated the comment on",
		[FORGE_UNCHANGED] = "nothing to change in the comment on"};
	struct err trouble = ERR_INIT;
	enum forge_wrote wrote;

	if (forge_comment(f, change, c->marker, c->body, &wrote, &trouble) < 0)
		tell_failure(c, "comment", &trouble);
	else
		print_line("%s %s %lld of %s", did[wrote], forge_kind_of(f)->request,
			(long long)change->number, forge_repository(f));
}

static void write_status(struct commenting *c, struct forge *f)
{
	const int status = c->r->exit_counts ? c->r->exit : 0;
	struct err trouble = ERR_INIT;

	if (forge_set_status(f, c->sha, status, c->context, c->description.p, &trouble) < 0)
		tell_failure(c, "status", &trouble);
	else
		print_line("set the status %s of %.12s", c->context, c->sha);
}

/* Whether there is more to do. */
static bool tell_absence(const struct commenting *c, const struct forge *f, enum forge_found found)
{
	const char *request = forge_kind_of(f)->request;

	if (found == FORGE_MOVED)
		print_line("a newer commit than %.12s was pushed to the %s: nothing written",
			c->sha, request);
	else if (found == FORGE_CLOSED)
		print_line("%s %lld is not open: no comment written", request,
			(long long)c->o->request);
	else
		print_line("no open %s of %s has the head %.12s: no comment written", request,
			forge_repository(f), c->sha);
	return found != FORGE_MOVED;
}

static void write_all_of_it(struct commenting *c, struct forge *f)
{
	struct err trouble = ERR_INIT;
	enum forge_found found = FORGE_NONE;
	struct change change;

	if (forge_find(f, c->sha, c->o->request, &change, &found, &trouble) < 0)
		tell_failure(c, "comment", &trouble);
	else if (found == FORGE_FOUND)
		write_comment(c, f, &change);
	else if (!tell_absence(c, f, found))
		return;
	if (c->o->status)
		write_status(c, f);
}

static int send(struct commenting *c, struct err *err)
{
	struct err lacking = ERR_INIT;
	struct forge *f;
	int r = forge_open(&f, &c->o->where, &lacking);

	if (r > 0)
		write_all_of_it(c, f);
	else if (r == 0)
		tell_failure(c, "comment", &lacking);
	else
		*err = lacking;
	forge_close(f);
	return r < 0 ? -1 : c->failed && c->o->strict ? 2 : 0;
}

static void release(struct commenting *c)
{
	read_report_free(c->verdict);
	free(c->marker);
	free(c->body);
	free(c->context);
	buf_release(&c->description);
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct commenting c = {.o = values};
	int r = prepare(&c, err);

	(void)args;
	(void)n;
	if (r == 0)
		r = c.o->dry_run ? print_body(&c, err) : send(&c, err);
	release(&c);
	return r;
}

const struct command cmd_comment = {.name = "comment",
	.args = "--from FILE --head SHA",
	.summary = "write a verdict to its pull or merge request",
	.help = "Creates or updates one comment on the open request whose head is SHA, in GitHub or GitLab.\n"
		"The token comes from the environment: PERFGATE_TOKEN, else GITHUB_TOKEN or GH_TOKEN,\n"
		"else GITLAB_TOKEN or CI_JOB_TOKEN. Without the right to write it says so and exits 0.",
	.opts = opts,
	.values_size = sizeof(struct comment),
	.defaults = &defaults,
	.max_args = 0,
	.run = run};
