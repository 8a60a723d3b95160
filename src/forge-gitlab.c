#include "forge-private.h"

#include "git.h"
#include "markup.h"

#include <stdio.h>
#include <string.h>

enum { PATH_MAX_BYTES = 400 };

/* ---- paths ---- */

/* A number, or group/subgroup/project. */
static bool check_repository(const char *repository)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "._-/";
	const size_t len = strlen(repository);

	if (!len || len > PATH_MAX_BYTES)
		return false;
	if (strspn(repository, "0123456789") == len)
		return true;
	return strspn(repository, plain) == len && strchr(repository, '/') &&
	       repository[0] != '/' && repository[len - 1] != '/' && !strstr(repository, "//") &&
	       !strstr(repository, "./") && repository[len - 1] != '.';
}

static void add_base(struct buf *b, const char *repository)
{
	buf_addstr(b, "/projects/");
	markup_url(b, repository);
}

static void add_of_commit(struct buf *b, const char *sha)
{
	buf_addf(b, "/repository/commits/%s/merge_requests?per_page=100", sha);
}

static void add_open(struct buf *b)
{
	buf_addstr(b, "/merge_requests?state=opened&per_page=100");
}

static void add_one(struct buf *b, int64_t number)
{
	buf_addf(b, "/merge_requests/%lld", (long long)number);
}

static void add_notes(struct buf *b, int64_t number)
{
	buf_addf(b, "/merge_requests/%lld/notes", (long long)number);
}

static void add_notes_query(struct buf *b)
{
	buf_addstr(b, "?order_by=created_at&sort=asc&per_page=50");
}

static void add_note(struct buf *b, int64_t number, int64_t id)
{
	add_notes(b, number);
	buf_addf(b, "/%lld", (long long)id);
}

static void add_status(struct buf *b, const char *sha)
{
	buf_addf(b, "/statuses/%s", sha);
}

/* ---- answers ---- */

static int read_change(const struct jv *v, struct change *ret, struct err *err)
{
	const char *sha = NULL, *state = NULL;

	*ret = (struct change){0};
	if (jv_get_int(v, "iid", &ret->number, err) < 0 ||
		jv_get_string(v, "state", &state, err) < 0 ||
		jv_get_string(v, "sha", &sha, err) < 0)
		return -1;
	if (ret->number <= 0 || !state || (sha && !git_is_sha(sha)))
		return err_set(err, ERR_FORMAT, "a merge request without iid, state or sha");
	snprintf(ret->head, sizeof(ret->head), "%s", sha ? sha : "");
	ret->open = !strcmp(state, "opened");
	return 0;
}

static int read_note(const struct jv *v, struct note *ret, struct err *err)
{
	const struct jv *author = NULL;

	*ret = (struct note){0};
	if (jv_get_int(v, "id", &ret->id, err) < 0 ||
		jv_get_string(v, "body", &ret->body, err) < 0 ||
		jv_get_object(v, "author", &author, err) < 0 ||
		(author && jv_get_string(author, "username", &ret->author, err) < 0))
		return -1;
	return ret->id > 0 ? 0 : err_set(err, ERR_FORMAT, "a note without 'id'");
}

/* ---- a status ---- */

static const char *state(int status)
{
	return status == 0 ? "success" : "failed";
}

static const char *const tokens[] = {"PERFGATE_TOKEN", "GITLAB_TOKEN", "CI_JOB_TOKEN", NULL};
static const char *const headers[] = {"Accept: application/json", NULL};

const struct forge_kind forge_gitlab = {.name = "gitlab",
	.title = "GitLab",
	.request = "merge request",
	.api = "https://gitlab.com/api/v4",
	.pages = "https://gitlab.com/",
	.commit_page = "/-/commit/",
	.tokens = tokens,
	.job_token = "CI_JOB_TOKEN",
	.job_auth = "JOB-TOKEN:",
	.headers = headers,
	.note_right =
		"an access token of the project with the scope api and the role Reporter or more, in GITLAB_TOKEN (CI_JOB_TOKEN may not comment; pipelines for forks get no such variable)",
	.status_right =
		"an access token of the project with the scope api and the role Developer or more, in GITLAB_TOKEN",
	.check_repository = check_repository,
	.add_base = add_base,
	.add_of_commit = add_of_commit,
	.add_open = add_open,
	.add_one = add_one,
	.add_notes = add_notes,
	.add_notes_query = add_notes_query,
	.update_method = "PUT",
	.add_note = add_note,
	.add_status = add_status,
	.read_change = read_change,
	.read_note = read_note,
	.login_key = "username",
	.state = state,
	.context_key = "name",
	.description_max = 255};
