#include "git.h"

#include "proc.h"
#include "sha256.h"
#include "stage.h"
#include "text.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT_S = 120, FILE_MAX = 1 << 20 };

struct git {
	char *toplevel, *dir, *common_dir, *branch, *upstream;
	bool shallow;
	bool started; /* objects is running */
	struct proc objects;
	struct buf in, errors;
	size_t in_pos;
};

static const char *const environment[] = {"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
	"GIT_NO_LAZY_FETCH=1", "GIT_LITERAL_PATHSPECS=0", "GIT_PAGER=cat", "LC_ALL=C", NULL};

bool git_is_sha(const char *s)
{
	size_t n = strlen(s);

	return (n == 40 || n == 64) && strspn(s, "0123456789abcdef") == n;
}

static int capture(
	const char *const *argv, struct buf *out, struct buf *errors, int *status, struct err *err)
{
	PERFGATE_SCOPE("git");

	return proc_capture(argv, environment, TIMEOUT_S, FILE_MAX, out, errors, status, err);
}

/* git's own words, without "fatal: " and the lines after the first. */
static int git_failed(const char *doing, struct buf *errors, struct err *err)
{
	const char *s = buf_str(errors);

	if (!strncmp(s, "fatal: ", 7))
		s += 7;
	return err_set(err, ERR_GIT, "git cannot %s: %.*s", doing, (int)strcspn(s, "\n"),
		*s ? s : "it failed without a word");
}

static int explain_ownership(const char *errors, struct err *err)
{
	const char *line = strstr(errors, "git config --global --add safe.directory");

	return err_set(err, ERR_GIT,
		"git refuses this repository because another user owns it (dubious ownership); if you trust it, type:  %.*s",
		line ? (int)strcspn(line, "\n") : 55,
		line ? line : "git config --global --add safe.directory \"$PWD\"");
}

static char *branch_name(const char *ref)
{
	struct buf b = BUF_INIT;

	text_sanitize(&b, ref, strlen(ref));
	return buf_take(&b);
}

/* Whether a line is what rev-parse was asked for there: a path with a newline shifts the rest. */
static bool is_place(int i, const char *line)
{
	switch (i) {
	case 0:
	case 1:
	case 3:
		return *line == '/';
	case 2:
		return !strcmp(line, "true") || !strcmp(line, "false");
	case 4:
		return !strcmp(line, "HEAD") || !strncmp(line, "refs/", 5);
	default:
		return i == 5;
	}
}

/* The lines that rev-parse printed, in the order asked for; it stops at what there is not: a bare
 * repository at the fourth, most branches at the last. */
static int read_places(struct git *g, char *text, struct err *err)
{
	char *line, *rest = text;
	int i;

	for (i = 0; (line = strsep(&rest, "\n")) && (*line || rest); i++) {
		if (!is_place(i, line))
			return err_set(err, ERR_GIT,
				"the path of this repository holds a line break, or git printed something else than its places: '%.200s'",
				line);
		if (i == 0)
			g->common_dir = xstrdup(line);
		else if (i == 1)
			g->dir = xstrdup(line);
		else if (i == 2)
			g->shallow = !strcmp(line, "true");
		else if (i == 3)
			g->toplevel = xstrdup(line);
		else if (i == 4 && !strncmp(line, "refs/heads/", 11))
			g->branch = branch_name(line + 11);
		else if (i == 5)
			g->upstream = xstrdup(line);
	}
	if (i < 3)
		return err_set(err, ERR_GIT, "git rev-parse printed nothing of use");
	return 0;
}

int git_open(struct git **ret, bool *missing, struct err *err)
{
	static const char *const argv[] = {"git", "rev-parse", "--path-format=absolute",
		"--git-common-dir", "--git-dir", "--is-shallow-repository", "--show-toplevel",
		"--symbolic-full-name", "HEAD", "--abbrev-ref", "@{upstream}", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	struct err start = ERR_INIT;
	int status;

	*ret = NULL;
	*missing = false;
	if (capture(argv, &out, &errors, &status, &start) < 0) {
		*missing = errno == ENOENT;
		if (*missing)
			return 0;
		*err = start;
		return -1;
	}
	if (status && strstr(buf_str(&errors), "dubious ownership"))
		return explain_ownership(errors.p, err);
	if (status && out.len == 0) {
		if (strstr(buf_str(&errors), "not a git repository"))
			return 0;
		return git_failed("read the repository", &errors, err);
	}
	*ret = xcalloc(1, sizeof(**ret));
	if (read_places(*ret, out.p, err) < 0) {
		git_close(*ret);
		*ret = NULL;
		return -1;
	}
	signal(SIGPIPE, SIG_IGN); /* a git that died is an error to report, not to die of */
	return 0;
}

void git_close(struct git *g)
{
	if (!g)
		return;
	if (g->started)
		proc_finish(&g->objects, true, &g->errors);
	free(g->toplevel);
	free(g->dir);
	free(g->common_dir);
	free(g->branch);
	free(g->upstream);
	buf_release(&g->in);
	buf_release(&g->errors);
	free(g);
}

const char *git_toplevel(const struct git *g)
{
	return g->toplevel;
}

const char *git_dir(const struct git *g)
{
	return g->dir;
}

const char *git_common_dir(const struct git *g)
{
	return g->common_dir;
}

const char *git_branch(const struct git *g)
{
	return g->branch;
}

const char *git_upstream(const struct git *g)
{
	return g->upstream;
}

bool git_shallow(const struct git *g)
{
	return g->shallow;
}

int git_origin_head(char **ret, struct err *err)
{
	static const char lead[] = "refs/remotes/origin/";
	static const char *const argv[] = {
		"git", "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	int status;

	if (capture(argv, &out, &errors, &status, err) < 0)
		return -1;
	if (status || strncmp(buf_str(&out), lead, strlen(lead)) != 0)
		return 0;
	out.p[strcspn(out.p, "\n")] = 0;
	*ret = xstrdup(out.p + strlen(lead));
	return 1;
}

/* ---- objects: one git cat-file --batch for all questions ---- */

static int fill(struct git *g, struct err *err)
{
	char chunk[16384];
	long n = proc_read(&g->objects, chunk, sizeof(chunk), &g->errors, err);

	if (n < 0)
		return -1;
	if (n == 0)
		return git_failed("read an object", &g->errors, err);
	buf_add(&g->in, chunk, (size_t)n);
	return 0;
}

static int read_line(struct git *g, struct buf *line, struct err *err)
{
	char *nl;

	buf_clear(line);
	while (!(nl = g->in.len > g->in_pos
			      ? memchr(g->in.p + g->in_pos, '\n', g->in.len - g->in_pos)
			      : NULL))
		if (fill(g, err) < 0)
			return -1;
	buf_add(line, g->in.p + g->in_pos, (size_t)(nl - (g->in.p + g->in_pos)));
	g->in_pos = (size_t)(nl - g->in.p) + 1;
	return 0;
}

static int read_bytes(struct git *g, size_t n, struct buf *ret, struct err *err)
{
	while (n) {
		size_t held = g->in.len - g->in_pos, k = held < n ? held : n;
		if (ret->len + k <= FILE_MAX)
			buf_add(ret, g->in.p + g->in_pos, k);
		g->in_pos += k;
		n -= k;
		if (g->in_pos == g->in.len) {
			buf_clear(&g->in);
			g->in_pos = 0;
		}
		if (n && fill(g, err) < 0)
			return -1;
	}
	return 0;
}

static int start_objects(struct git *g, struct err *err)
{
	static const char *const argv[] = {"git", "cat-file", "--batch", NULL};

	if (g->started)
		return 0;
	if (proc_start(&g->objects, argv, environment, true, TIMEOUT_S, err) < 0)
		return -1;
	g->started = true;
	return 0;
}

/* git ends, instead of answering, when it is asked for an upstream or reflog entry that is not
 * there. The next question starts it again. */
static int no_answer(struct git *g, const char *name, struct err *err)
{
	if (!strstr(name, "@{"))
		return -1;
	proc_finish(&g->objects, true, &g->errors);
	g->started = false;
	buf_clear(&g->in);
	g->in_pos = 0;
	buf_clear(&g->errors);
	err_clear(err);
	return 0;
}

/* "SHA TYPE SIZE", and nothing else: for a name that is not there git prints the name instead. */
static bool read_header(const char *line, char sha[65], char type[16], size_t *size)
{
	size_t n = strspn(line, "0123456789abcdef"), k, digits;
	const char *word = line + n + 1, *number;

	if ((n != 40 && n != 64) || line[n] != ' ')
		return false;
	k = strspn(word, "abcdefghijklmnopqrstuvwxyz");
	if (k == 0 || k > 15 || word[k] != ' ')
		return false;
	number = word + k + 1;
	digits = strspn(number, "0123456789");
	if (digits == 0 || digits > 18 || number[digits])
		return false;
	snprintf(sha, 65, "%.*s", (int)n, line);
	snprintf(type, 16, "%.*s", (int)k, word);
	*size = (size_t)strtoull(number, NULL, 10);
	return true;
}

/* Asks for one object. 1 with its sha, type and content, 0 when there is none by that name, -1. */
static int ask(struct git *g, const char *name, char sha[65], char type[16], struct buf *content,
	struct err *err)
{
	_cleanup_(buf_release) struct buf line = BUF_INIT, last = BUF_INIT;
	size_t size;

	if (strpbrk(name, "\n\r") || strlen(name) > 4096 || !*name)
		return 0;
	if (start_objects(g, err) < 0)
		return -1;
	proc_rearm(&g->objects, TIMEOUT_S);
	buf_addf(&line, "%s\n", name);
	if (proc_write(&g->objects, line.p, line.len, err) < 0 || read_line(g, &line, err) < 0)
		return no_answer(g, name, err);
	if (!read_header(buf_str(&line), sha, type, &size))
		return 0;
	buf_clear(content);
	if (read_bytes(g, size, content, err) < 0 || read_bytes(g, 1, &last, err) < 0)
		return -1;
	if (content->len != size && !strcmp(type, "blob"))
		return err_set(err, ERR_GIT, "%.200s: more than 1 MiB", name);
	return 1;
}

/* In ns; 0 where they do not fit (beyond 2262). */
static int64_t seconds_time(const char *text)
{
	const int64_t most = INT64_MAX / 1000000000;
	const long long s = strtoll(text, NULL, 10);

	return s > most || s < -most ? 0 : s * 1000000000;
}

/* "NAME <MAIL> SECONDS ZONE" */
static int64_t committer_time(const char *line, const char *end)
{
	while (end > line && *end != '>')
		end--;
	return seconds_time(end + 1);
}

static void parse_commit(const char *text, struct git_commit *c)
{
	const char *line = text, *end;
	size_t n;

	c->n_parents = 0;
	c->committed_at = 0;
	for (; *line && *line != '\n'; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return;
		if (!strncmp(line, "tree ", 5))
			sscanf(line + 5, "%64[0-9a-f]", c->tree);
		else if (!strncmp(line, "parent ", 7) && c->n_parents < GIT_PARENTS_MAX)
			sscanf(line + 7, "%64[0-9a-f]", c->parents[c->n_parents++]);
		else if (!strncmp(line, "committer ", 10))
			c->committed_at = committer_time(line, end);
	}
	if (*line == '\n')
		line++;
	n = strcspn(line, "\n");
	n = n < sizeof(c->subject) - 1 ? n : sizeof(c->subject) - 1;
	memcpy(c->subject, line, n);
	c->subject[n] = '\0';
}

int git_commit(struct git *g, const char *rev, struct git_commit *ret, struct err *err)
{
	_cleanup_(buf_release) struct buf content = BUF_INIT;
	_cleanup_(freep) char *name = xasprintf("%s^{commit}", rev);
	char type[16], sha[65];
	int r = ask(g, name, sha, type, &content, err);

	if (r <= 0)
		return r;
	if (strcmp(type, "commit"))
		return 0;
	*ret = (struct git_commit){0};
	memcpy(ret->sha, sha, sizeof(sha));
	parse_commit(buf_str(&content), ret);
	return 1;
}

int git_file(struct git *g, const char *sha, const char *path, struct buf *ret, struct err *err)
{
	_cleanup_(freep) char *name = xasprintf("%s:%s", sha, path);
	char type[16], blob[65];
	int r = ask(g, name, blob, type, ret, err);

	return r > 0 && strcmp(type, "blob") ? 0 : r;
}

/* ---- the other two processes ---- */

int git_merge_base(struct git *g, const char *a, const char *b, char ret[65], struct err *err)
{
	const char *argv[] = {"git", "merge-base", "--end-of-options", a, b, NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	int status;

	(void)g;
	if (capture(argv, &out, &errors, &status, err) < 0)
		return -1;
	if (status == 1 && out.len == 0)
		return 0;
	if (status || sscanf(buf_str(&out), "%64[0-9a-f]", ret) != 1)
		return git_failed("find a merge base", &errors, err);
	return 1;
}

/* git diff HEAD, told how, but for files matching one of the globs; release_argv() frees. */
static const char **diff_argv(const char *how, const char *const *ignore, size_t n_ignore)
{
	/* not -C, which a relative GIT_DIR does not survive */
	const char *const fixed[] = {"git", "-c", "core.fsmonitor=false", "diff", how,
		"--no-ext-diff", "--no-textconv", "--no-color", "--no-relative",
		"--ignore-submodules=untracked", "HEAD", "--", ":(top)"};
	const char **argv = xcalloc(ARRAY_LEN(fixed) + n_ignore + 1, sizeof(*argv));
	size_t i;

	for (i = 0; i < ARRAY_LEN(fixed); i++)
		argv[i] = xstrdup(fixed[i]);
	for (i = 0; i < n_ignore; i++)
		argv[ARRAY_LEN(fixed) + i] = xasprintf(":(top,exclude,glob)%s", ignore[i]);
	return argv;
}

static void release_argv(const char **argv)
{
	size_t i;

	for (i = 0; argv[i]; i++)
		free((char *)(uintptr_t)argv[i]);
	free(argv);
}

int git_dirty(struct git *g, const char *const *ignore, size_t n_ignore, char ret_digest[65],
	struct err *err)
{
	_cleanup_(buf_release) struct buf errors = BUF_INIT;
	const char **argv = diff_argv("--binary", ignore, n_ignore);
	struct sha256 *h = sha256_new();
	char chunk[16384];
	struct proc p;
	bool any = false;
	long n = -1;
	int status = 0;

	(void)g;
	if (proc_start(&p, argv, environment, false, TIMEOUT_S, err) == 0) {
		while ((n = proc_read(&p, chunk, sizeof(chunk), &errors, err)) > 0) {
			sha256_add(h, chunk, (size_t)n);
			any = true;
		}
		status = proc_finish(&p, n == 0, &errors);
	}
	sha256_end(h, ret_digest);
	release_argv(argv);
	if (n < 0)
		return -1;
	if (status)
		return git_failed("compare the work tree with HEAD", &errors, err);
	return any;
}

int git_differing(
	struct git *g, const char *const *ignore, size_t n_ignore, struct buf *ret, struct err *err)
{
	_cleanup_(buf_release) struct buf errors = BUF_INIT;
	const char **argv = diff_argv("--name-only", ignore, n_ignore);
	int status = 0, r;

	(void)g;
	r = capture(argv, ret, &errors, &status, err);
	release_argv(argv);
	if (r == 0 && status)
		return git_failed("compare the work tree with HEAD", &errors, err);
	return r;
}

/* A row for each line that a git command prints. */
struct lines {
	int (*take)(void *ctx, const char *line, struct err *err);
	void *ctx;
	struct buf held;
};

/* Hands on the lines that are complete. 1: no more are wanted, 0, -1. */
static int give_lines(struct lines *l, struct err *err)
{
	struct buf *b = &l->held;
	char *line = b->p, *nl;
	int r = 0;

	while (r == 0 && (nl = memchr(line, '\n', b->len - (size_t)(line - b->p)))) {
		*nl = '\0';
		r = l->take(l->ctx, line, err);
		line = nl + 1;
	}
	b->len -= (size_t)(line - b->p);
	memmove(b->p, line, b->len);
	return r;
}

static int each_line(const char *const *argv, const char *doing, struct lines *l, struct err *err)
{
	_cleanup_(buf_release) struct buf errors = BUF_INIT;
	char chunk[16384];
	struct proc p;
	int r = 0, status;
	long n;

	if (proc_start(&p, argv, environment, false, TIMEOUT_S, err) < 0)
		return -1;
	while (r == 0 && (n = proc_read(&p, chunk, sizeof(chunk), &errors, err)) != 0) {
		buf_add(&l->held, chunk, n > 0 ? (size_t)n : 0);
		r = n < 0 ? -1 : give_lines(l, err);
	}
	status = proc_finish(&p, r == 0, &errors);
	buf_release(&l->held);
	if (r == 0 && status)
		return git_failed(doing, &errors, err);
	return r < 0 ? -1 : 0;
}

struct first_parents {
	int (*row)(void *ctx, const char *sha, int64_t committed_at, struct err *err);
	void *ctx;
};

/* "SECONDS SHA" */
static int take_parent(void *ctx, const char *line, struct err *err)
{
	const struct first_parents *f = ctx;
	const char *sha = strchr(line, ' ');

	if (!sha || !git_is_sha(sha + 1))
		return err_set(err, ERR_GIT, "git rev-list printed '%.100s'", line);
	return f->row(f->ctx, sha + 1, seconds_time(line), err);
}

int git_first_parents(struct git *g, const char *sha,
	int (*row)(void *ctx, const char *sha, int64_t committed_at, struct err *err), void *ctx,
	struct err *err)
{
	const char *const argv[] = {
		"git", "rev-list", "--first-parent", "--timestamp", sha, "--", NULL};
	struct first_parents f = {.row = row, .ctx = ctx};
	struct lines l = {.take = take_parent, .ctx = &f};

	(void)g;
	return each_line(argv, "list the line of a commit", &l, err);
}

struct heads {
	int (*row)(void *ctx, const char *sha, const char *name, struct err *err);
	void *ctx;
};

/* Without refs/heads/, refs/remotes/REMOTE/ or refs/tags/. */
static const char *short_name(const char *ref)
{
	static const char remotes[] = "refs/remotes/";
	int folders = strncmp(ref, remotes, strlen(remotes)) ? 2 : 3;

	while (folders-- > 0 && strchr(ref, '/'))
		ref = strchr(ref, '/') + 1;
	return ref;
}

/* "SHA refs/..." */
static int take_head(void *ctx, const char *line, struct err *err)
{
	const struct heads *h = ctx;
	const size_t n = strcspn(line, " ");
	_cleanup_(freep) char *sha = xstrndup(line, n);

	if (!git_is_sha(sha) || !line[n])
		return err_set(err, ERR_GIT, "git for-each-ref printed '%.100s'", line);
	return h->row(h->ctx, sha, short_name(line + n + 1), err);
}

int git_heads(struct git *g, enum git_refs which,
	int (*row)(void *ctx, const char *sha, const char *name, struct err *err), void *ctx,
	struct err *err)
{
	static const char *const branches[] = {"git", "for-each-ref",
		"--format=%(objectname) %(refname)", "refs/heads", "refs/remotes", NULL};
	static const char *const tags[] = {"git", "for-each-ref",
		"--format=%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname)",
		"refs/tags", NULL};
	struct heads h = {.row = row, .ctx = ctx};
	struct lines l = {.take = take_head, .ctx = &h};

	(void)g;
	return each_line(which == GIT_BRANCHES ? branches : tags, "list the refs", &l, err);
}

int git_root(struct git *g, char ret[65], struct err *err)
{
	static const char *const argv[] = {
		"git", "rev-list", "--first-parent", "--max-parents=0", "HEAD", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	int status;

	if (g->shallow)
		return 0;
	if (capture(argv, &out, &errors, &status, err) < 0)
		return -1;
	return status == 0 && sscanf(buf_str(&out), "%64[0-9a-f]", ret) == 1;
}
