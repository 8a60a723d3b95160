#include "ci.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

/*
 * One row a system; variables as its documentation names them. A system that is not here still
 * works: perfgate takes what git says. To add one: a row here, a line in tests/ci.sh.
 */
struct system {
	const char *name, *marker;
	const char *sha, *branch, *target;
	const char *session[3];
	bool (*is_merge)(void);
};

static const char *get(const char *name)
{
	const char *v = name ? getenv(name) : NULL;

	return v && *v ? v : NULL;
}

static bool starts(const char *s, const char *prefix)
{
	return s && !strncmp(s, prefix, strlen(prefix));
}

static bool ends(const char *s, const char *suffix)
{
	size_t n = s ? strlen(s) : 0, k = strlen(suffix);

	return n >= k && !strcmp(s + n - k, suffix);
}

static const char github_queue[] = "refs/heads/gh-readonly-queue/";

static bool github_merge(void)
{
	const char *ref = get("GITHUB_REF");

	return starts(ref, github_queue) || (starts(ref, "refs/pull/") && ends(ref, "/merge"));
}

static bool gitlab_merge(void)
{
	const char *type = get("CI_MERGE_REQUEST_EVENT_TYPE");

	return type && (!strcmp(type, "merged_result") || !strcmp(type, "merge_train"));
}

static bool azure_merge(void)
{
	return starts(get("BUILD_SOURCEBRANCH"), "refs/pull/") &&
	       ends(get("BUILD_SOURCEBRANCH"), "/merge");
}

static bool travis_merge(void)
{
	const char *pr = get("TRAVIS_PULL_REQUEST");

	return pr && strcmp(pr, "false") != 0;
}

static const struct system systems[] = {
	{"github", "GITHUB_ACTIONS", "GITHUB_SHA", "GITHUB_REF_NAME", "GITHUB_BASE_REF",
		{"GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "GITHUB_JOB"}, github_merge},
	{"gitlab", "GITLAB_CI", "CI_COMMIT_SHA", "CI_COMMIT_BRANCH",
		"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", {"CI_JOB_ID"}, gitlab_merge},
	{"jenkins", "JENKINS_URL", "GIT_COMMIT", "BRANCH_NAME", "CHANGE_TARGET", {"BUILD_TAG"},
		NULL},
	{"buildkite", "BUILDKITE", "BUILDKITE_COMMIT", "BUILDKITE_BRANCH",
		"BUILDKITE_PULL_REQUEST_BASE_BRANCH", {"BUILDKITE_JOB_ID"}, NULL},
	{"circleci", "CIRCLECI", "CIRCLE_SHA1", "CIRCLE_BRANCH", NULL, {"CIRCLE_WORKFLOW_JOB_ID"},
		NULL},
	{"azure", "TF_BUILD", "BUILD_SOURCEVERSION", "BUILD_SOURCEBRANCH",
		"SYSTEM_PULLREQUEST_TARGETBRANCH", {"SYSTEM_JOBID", "SYSTEM_JOBATTEMPT"},
		azure_merge},
	{"bitbucket", "BITBUCKET_BUILD_NUMBER", "BITBUCKET_COMMIT", "BITBUCKET_BRANCH",
		"BITBUCKET_PR_DESTINATION_BRANCH", {"BITBUCKET_STEP_UUID"}, NULL},
	{"travis", "TRAVIS", "TRAVIS_COMMIT", "TRAVIS_BRANCH", NULL, {"TRAVIS_JOB_ID"},
		travis_merge},
	{"drone", "DRONE", "DRONE_COMMIT_SHA", "DRONE_SOURCE_BRANCH", "DRONE_TARGET_BRANCH",
		{"DRONE_BUILD_NUMBER", "DRONE_STEP_NUMBER"}, NULL},
	{"cirrus", "CIRRUS_CI", "CIRRUS_CHANGE_IN_REPO", "CIRRUS_BRANCH", "CIRRUS_BASE_BRANCH",
		{"CIRRUS_TASK_ID"}, NULL},
};

static char *github_link(void)
{
	const char *server = get("GITHUB_SERVER_URL"), *repository = get("GITHUB_REPOSITORY"),
		   *run = get("GITHUB_RUN_ID");

	return server && repository && run
		       ? xasprintf("%s/%s/actions/runs/%s", server, repository, run)
		       : NULL;
}

static char *gitlab_link(void)
{
	const char *link = get("CI_JOB_URL");

	return link ? xstrdup(link) : NULL;
}

/* The systems that belong to a forge. */
static const struct home {
	const char *name, *api, *repository, *of_request;
	char *(*link)(void);
} homes[] = {{"github", "GITHUB_API_URL", "GITHUB_REPOSITORY", NULL, github_link},
	{"gitlab", "CI_API_V4_URL", "CI_PROJECT_ID", "CI_MERGE_REQUEST_PROJECT_ID", gitlab_link}};

static void find_home(struct ci *ci)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(homes); i++) {
		if (strcmp(homes[i].name, ci->name) != 0)
			continue;
		ci->api = get(homes[i].api);
		ci->repository = get(homes[i].of_request);
		if (!ci->repository)
			ci->repository = get(homes[i].repository);
		ci->link = homes[i].link();
	}
}

static char *session_of(const struct system *s)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct buf safe = BUF_INIT;
	size_t i;

	if (!get(s->session[0]))
		return NULL;
	buf_addstr(&b, s->name);
	for (i = 0; i < ARRAY_LEN(s->session); i++)
		if (get(s->session[i]))
			buf_addf(&b, "/%s", get(s->session[i]));
	text_sanitize(&safe, b.p, b.len);
	return buf_take(&safe);
}

/* refs/heads/gh-readonly-queue/BRANCH/pr-12-SHA; BRANCH may hold slashes. */
static char *github_queue_target(const char *ref)
{
	const char *branch, *last;

	if (!starts(ref, github_queue))
		return NULL;
	branch = ref + strlen(github_queue);
	last = strrchr(branch, '/');
	return last ? xstrndup(branch, (size_t)(last - branch)) : NULL;
}

static const char *branch_name(const char *ref)
{
	static const char heads[] = "refs/heads/";

	return starts(ref, heads) ? ref + strlen(heads) : ref;
}

/* A name to record, as UTF-8. */
static char *recorded_name(const char *name)
{
	struct buf b = BUF_INIT;

	if (!name)
		return NULL;
	text_sanitize(&b, name, strlen(name));
	return buf_take(&b);
}

static const struct system *present(void)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(systems); i++)
		if (get(systems[i].marker))
			return &systems[i];
	return NULL;
}

bool ci_present(void)
{
	return present() != NULL;
}

void ci_detect(struct ci *ret)
{
	const struct system *s = present();
	const char *target;

	*ret = (struct ci){0};
	if (!s)
		return;
	ret->name = s->name;
	ret->sha = get(s->sha);
	target = branch_name(get(s->target));
	ret->branch = recorded_name(branch_name(get(s->branch)));
	ret->target = target ? xstrdup(target) : NULL;
	ret->merge = s->is_merge && s->is_merge();
	ret->queue = !strcmp(s->name, "github") && starts(get("GITHUB_REF"), github_queue);
	ret->session = session_of(s);
	find_home(ret);
	if (!ret->target && !strcmp(s->name, "github"))
		ret->target = github_queue_target(get("GITHUB_REF"));
	if (!strcmp(s->name, "travis") && ret->merge) {
		/* there the variable names the target */
		ret->target = ret->branch;
		ret->branch = NULL;
	}
}

void ci_release(struct ci *ci)
{
	free(ci->branch);
	free(ci->target);
	free(ci->session);
	free(ci->link);
}
