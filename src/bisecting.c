#include "bisecting.h"

#include "proc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_S = 600, ARGS_MAX = 16, OUTPUT_MAX = 64 << 20, LINE_MAX_BYTES = 65536 };

/* What asks: fixed text, in which no name has a place. The answer is the exit status that git
 * bisect run looks at; without one, 255 ends the bisect. */
#define ASKS "perfgate-asks "
static const char question[] = "printf '\\n" ASKS "'; git rev-parse --verify BISECT_HEAD && "
			       "read -r answer && exit \"$answer\"; exit 255";

struct bisecting {
	char *git_dir, *alternates;
	bool first_parent;
};

/* ---- lists of commits ---- */

void shas_add(struct shas *s, const char *sha)
{
	s->v = xgrow(s->v, s->n, &s->cap, sizeof(*s->v));
	snprintf(s->v[s->n++], sizeof(*s->v), "%.64s", sha);
}

bool shas_have(const struct shas *s, const char *sha)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->v[i], sha))
			return true;
	return false;
}

void shas_release(struct shas *s)
{
	free(s->v);
	*s = (struct shas){0};
}

/* ---- the private repository ---- */

static void whole_argv(const struct bisecting *b, const char **ret, const char *const *argv)
{
	const char *const lead[] = {"git", "--git-dir", b->git_dir, "-c",
		"core.hooksPath=/dev/null", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c",
		"log.showSignature=false"};
	size_t n = ARRAY_LEN(lead), i;

	memcpy(ret, lead, sizeof(lead));
	for (i = 0; argv[i] && i < ARGS_MAX; i++)
		ret[n++] = argv[i];
	ret[n] = NULL;
}

static int start(struct bisecting *b, struct proc *p, const char *const *argv, struct err *err)
{
	const char *const env[] = {"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1", "GIT_PAGER=cat", "LC_ALL=C", b->alternates, "GIT_DIR",
		"GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH",
		"GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_SHALLOW_FILE", "GIT_PREFIX", NULL};
	const char *whole[ARGS_MAX + 16];

	whole_argv(b, whole, argv);
	return proc_start(p, whole, env, true, TIMEOUT_S, err);
}

static int failed(const char *doing, const struct buf *errors, struct err *err)
{
	const char *s = buf_str(errors);

	if (!strncmp(s, "fatal: ", 7) || !strncmp(s, "error: ", 7))
		s += 7;
	return err_set(err, ERR_GIT, "git cannot %s: %.*s", doing, (int)strcspn(s, "\n"),
		*s ? s : "it failed without a word");
}

static long give(struct proc *p, const struct buf *in, struct err *err)
{
	if (in && proc_write(p, in->p, in->len, err) < 0)
		return -1;
	close(p->in);
	p->in = -1;
	return 1;
}

/* To its end. in: NULL, or what fits into a pipe or is read before anything is written. */
static int run(struct bisecting *b, const char *const *argv, const struct buf *in,
	const char *doing, struct buf *out, struct err *err)
{
	_cleanup_(buf_release) struct buf errors = BUF_INIT;
	char chunk[16384];
	struct proc p;
	int status;
	long n;

	if (start(b, &p, argv, err) < 0)
		return -1;
	n = give(&p, in, err);
	while (n > 0 && (n = proc_read(&p, chunk, sizeof(chunk), &errors, err)) > 0) {
		if (out->len + (size_t)n > OUTPUT_MAX) {
			n = err_set(err, ERR_GIT, "git cannot %s: too much output", doing);
			break;
		}
		buf_add(out, chunk, (size_t)n);
	}
	status = proc_finish(&p, n == 0, &errors);
	if (n < 0)
		return -1;
	return status ? failed(doing, &errors, err) : 0;
}

/* As git takes a path that may hold a ':' : like a string in C. */
static char *alternates_of(const char *common_dir)
{
	struct buf b = BUF_INIT;
	const char *s;

	buf_addstr(&b, "GIT_ALTERNATE_OBJECT_DIRECTORIES=\"");
	for (s = common_dir; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_addch(&b, '\\');
		buf_addch(&b, *s);
	}
	buf_addstr(&b, "/objects\"");
	return buf_take(&b);
}

/* Where the history of a shallow clone ends is in a file beside the objects. */
static int copy_shallow(const struct bisecting *b, const char *common_dir, struct err *err)
{
	_cleanup_(freep) char *from = xasprintf("%s/shallow", common_dir),
			      *to = xasprintf("%s/shallow", b->git_dir);
	_cleanup_(fclosep) FILE *in = fopen(from, "re"), *out = NULL;
	char chunk[16384];
	size_t n;

	if (!in)
		return errno == ENOENT ? 0 : err_set(err, ERR_IO, "%s: %s", from, strerror(errno));
	out = fopen(to, "we");
	while (out && (n = fread(chunk, 1, sizeof(chunk), in)) > 0)
		if (fwrite(chunk, 1, n, out) != n)
			break;
	if (!out || ferror(in) || ferror(out) || fflush(out) != 0)
		return err_set(err, ERR_IO, "%s: %s", to, strerror(errno));
	return 0;
}

static int make_repository(
	struct bisecting *b, const struct git *g, const char *sha, struct err *err)
{
	const char *init[] = {"init", "--bare", "-q", "--template=", "--object-format",
		strlen(sha) == 64 ? "sha256" : "sha1", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT;

	if (run(b, init, NULL, "make a repository to bisect in", &out, err) < 0)
		return -1;
	return copy_shallow(b, git_common_dir(g), err);
}

int bisecting_open(struct bisecting **ret, const struct git *g, const char *folder, const char *sha,
	bool first_parent, struct err *err)
{
	struct bisecting *b = xcalloc(1, sizeof(*b));

	*b = (struct bisecting){.git_dir = xasprintf("%s/git", folder),
		.alternates = alternates_of(git_common_dir(g)),
		.first_parent = first_parent};
	*ret = b;
	return make_repository(b, g, sha, err);
}

void bisecting_close(struct bisecting *b)
{
	if (!b)
		return;
	free(b->git_dir);
	free(b->alternates);
	free(b);
}

/* ---- commits between ---- */

static void add_lines(struct shas *ret, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if (git_is_sha(line))
			shas_add(ret, line);
}

int bisecting_range(struct bisecting *b, const char *bad, const struct shas *good, struct shas *ret,
	struct err *err)
{
	const char *argv[] = {"rev-list", "--topo-order", "--stdin",
		b->first_parent ? "--first-parent" : NULL, NULL};
	_cleanup_(buf_release) struct buf in = BUF_INIT, out = BUF_INIT;
	size_t i;

	buf_addf(&in, "%s\n", bad);
	for (i = 0; i < good->n; i++)
		buf_addf(&in, "^%s\n", good->v[i]);
	buf_addstr(&out, "");
	if (run(b, argv, &in, "list the commits between", &out, err) < 0)
		return -1;
	add_lines(ret, out.p);
	return 0;
}

int bisecting_date(struct bisecting *b, const char *sha, struct buf *ret, struct err *err)
{
	const char *argv[] = {"show", "-s", "--date=short", "--format=%ad", sha, NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT;

	if (run(b, argv, NULL, "read a commit", &out, err) < 0)
		return -1;
	buf_addf(ret, "%.*s", (int)strcspn(buf_str(&out), "\n"), buf_str(&out));
	return 0;
}

/* ---- the bisect ---- */

struct asking {
	struct proc p;
	struct buf line;
	int more; /* what git expects after the next answer; -1 not known */
	int (*say)(void *ctx, const char *sha, int more, enum bisect_say *ret, struct err *err);
	void *ctx;
};

static int answer(struct asking *a, const char *sha, struct err *err)
{
	static const char *const statuses[] = {
		[BISECT_GOOD] = "0\n", [BISECT_BAD] = "1\n", [BISECT_SKIP] = "125\n"};
	enum bisect_say say;

	if (!git_is_sha(sha))
		return err_set(
			err, ERR_GIT, "git bisect asks about '%.80s', which is no commit", sha);
	if (a->say(a->ctx, sha, a->more, &say, err) < 0)
		return -1;
	a->more = -1;
	proc_rearm(&a->p, TIMEOUT_S);
	return proc_write(&a->p, statuses[say], strlen(statuses[say]), err);
}

static int hear(struct asking *a, struct err *err)
{
	static const char expects[] = "(roughly ";
	const char *line = buf_str(&a->line), *at = strstr(line, expects);

	if (!strncmp(line, ASKS, strlen(ASKS)))
		return answer(a, line + strlen(ASKS), err);
	if (!strncmp(line, "Bisecting: ", 11) && at)
		a->more = (int)strtol(at + strlen(expects), NULL, 10);
	return 0;
}

static int hear_all(struct asking *a, const char *text, size_t n, struct err *err)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < n; i++) {
		if (text[i] != '\n') {
			if (a->line.len < LINE_MAX_BYTES)
				buf_addch(&a->line, text[i]);
			continue;
		}
		r = hear(a, err);
		buf_clear(&a->line);
	}
	return r;
}

static int ask(struct bisecting *b, struct asking *a, struct err *err)
{
	static const char *const argv[] = {"bisect", "run", "sh", "-c", question, NULL};
	_cleanup_(buf_release) struct buf errors = BUF_INIT;
	char chunk[4096];
	long n;

	if (start(b, &a->p, argv, err) < 0)
		return -1;
	while ((n = proc_read(&a->p, chunk, sizeof(chunk), &errors, err)) > 0)
		if (hear_all(a, chunk, (size_t)n, err) < 0)
			break;
	/* how it ended does not matter: it is told apart by what is left */
	proc_finish(&a->p, n == 0, &errors);
	return err->code ? -1 : 0;
}

int bisecting_run(struct bisecting *b, const char *bad, const char *good,
	int (*say)(void *ctx, const char *sha, int more, enum bisect_say *ret, struct err *err),
	void *ctx, struct err *err)
{
	const char *head[] = {"update-ref", "--no-deref", "HEAD", bad, NULL};
	const char *all[] = {"bisect", "start", "--no-checkout", bad, good, NULL};
	const char *first[] = {
		"bisect", "start", "--no-checkout", "--first-parent", bad, good, NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT;
	struct asking a = {.say = say, .ctx = ctx, .more = -1};
	int r;

	if (run(b, head, NULL, "begin a bisect", &out, err) < 0 ||
		run(b, b->first_parent ? first : all, NULL, "begin a bisect", &out, err) < 0)
		return -1;
	r = hear_all(&a, buf_str(&out), out.len, err);
	if (r == 0)
		r = ask(b, &a, err);
	buf_release(&a.line);
	return r;
}

int bisecting_log(struct bisecting *b, struct buf *ret, struct err *err)
{
	static const char *const argv[] = {"bisect", "log", NULL};

	return run(b, argv, NULL, "show its bisect log", ret, err);
}
