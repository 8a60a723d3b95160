#include "forge-private.h"

#include "git.h"

#include <stdio.h>
#include <string.h>

/* ---- paths ---- */

static bool is_name(const char *s, size_t len)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "._-";

	if (!len || len > 100 || strspn(s, plain) < len)
		return false;
	return !(s[0] == '.' && (len == 1 || (len == 2 && s[1] == '.')));
}

static bool check_repository(const char *repository)
{
	const char *slash = strchr(repository, '/');

	return slash && is_name(repository, (size_t)(slash - repository)) &&
	       is_name(slash + 1, strlen(slash + 1));
}

static void add_base(struct buf *b, const char *repository)
{
	buf_addf(b, "/repos/%s", repository);
}

static void add_of_commit(struct buf *b, const char *sha)
{
	buf_addf(b, "/commits/%s/pulls?per_page=100", sha);
}

static void add_open(struct buf *b)
{
	buf_addstr(b, "/pulls?state=open&per_page=100");
}

static void add_one(struct buf *b, int64_t number)
{
	buf_addf(b, "/pulls/%lld", (long long)number);
}

static void add_notes(struct buf *b, int64_t number)
{
	buf_addf(b, "/issues/%lld/comments", (long long)number);
}

static void add_notes_query(struct buf *b)
{
	buf_addstr(b, "?per_page=50");
}

static void add_note(struct buf *b, int64_t number, int64_t id)
{
	(void)number;
	buf_addf(b, "/issues/comments/%lld", (long long)id);
}

static void add_status(struct buf *b, const char *sha)
{
	buf_addf(b, "/statuses/%s", sha);
}

/* ---- answers ---- */

static int read_change(const struct jv *v, struct change *ret, struct err *err)
{
	const struct jv *head = NULL;
	const char *sha = NULL, *state = NULL;

	*ret = (struct change){0};
	if (jv_get_int(v, "number", &ret->number, err) < 0 ||
		jv_get_string(v, "state", &state, err) < 0 ||
		jv_get_object(v, "head", &head, err) < 0 ||
		(head && jv_get_string(head, "sha", &sha, err) < 0))
		return -1;
	if (ret->number <= 0 || !state || !sha || !git_is_sha(sha))
		return err_set(err, ERR_FORMAT, "a pull request without number, state or head");
	snprintf(ret->head, sizeof(ret->head), "%s", sha);
	ret->open = !strcmp(state, "open");
	return 0;
}

static int read_note(const struct jv *v, struct note *ret, struct err *err)
{
	const struct jv *user = NULL;
	const char *type = NULL;

	*ret = (struct note){0};
	if (jv_get_int(v, "id", &ret->id, err) < 0 ||
		jv_get_string(v, "body", &ret->body, err) < 0 ||
		jv_get_object(v, "user", &user, err) < 0)
		return -1;
	if (user && (jv_get_string(user, "login", &ret->author, err) < 0 ||
			    jv_get_string(user, "type", &type, err) < 0))
		return -1;
	ret->bot = type && !strcmp(type, "Bot");
	return ret->id > 0 ? 0 : err_set(err, ERR_FORMAT, "a comment without 'id'");
}

/* ---- a status ---- */

static const char *state(int status)
{
	return status == 0 ? "success" : status == 1 ? "failure" : "error";
}

static const char *const tokens[] = {"PERFGATE_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", NULL};
static const char *const headers[] = {
	"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28", NULL};

const struct forge_kind forge_github = {.name = "github",
	.title = "GitHub",
	.request = "pull request",
	.api = "https://api.github.com",
	.pages = "https://github.com/",
	.commit_page = "/commit/",
	.tokens = tokens,
	.headers = headers,
	.note_right =
		"pull-requests: write (in permissions: of the workflow; jobs for pull requests from forks do not get it, one on workflow_run does)",
	.status_right = "statuses: write (in permissions: of the workflow)",
	.check_repository = check_repository,
	.add_base = add_base,
	.add_of_commit = add_of_commit,
	.add_open = add_open,
	.add_one = add_one,
	.add_notes = add_notes,
	.add_notes_query = add_notes_query,
	.update_method = "PATCH",
	.add_note = add_note,
	.add_status = add_status,
	.read_change = read_change,
	.read_note = read_note,
	.login_key = "login",
	.state = state,
	.context_key = "context",
	.description_max = 140,
	.bots_are_marked = true};
