/* The environment in which git works for a depot: what the user's settings for this repository say
 * of remotes and credentials, nothing of a hook's repository, and no question that nobody answers.
 */
#include "depot-private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONFIG_MAX = 1 << 20 };

static void add_env(struct depot *d, char *text)
{
	d->env = xgrow(d->env, d->n_env + 1, &d->cap_env, sizeof(*d->env));
	d->env[d->n_env++] = text;
	d->env[d->n_env] = NULL;
}

void depot_plain_env(struct depot *d)
{
	static const char *const fixed[] = {"GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS",
		"GIT_CONFIG", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat", "LC_ALL=C",
		GIT_HOOK_VARIABLES};
	size_t i;

	for (i = 0; i < ARRAY_LEN(fixed); i++)
		add_env(d, xstrdup(fixed[i]));
}

static bool ends_with(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return n >= k && !strcmp(s + n - k, suffix);
}

/* Settings that say how to reach a remote and in whose name. */
static bool is_wanted(const char *key)
{
	static const char *const sections[] = {
		"http.", "credential.", "url.", "protocol.", "ssh.", "user.", "committer."};
	static const char *const keys[] = {"core.sshcommand", "core.askpass", "core.gitproxy"};
	static const char *const of_remotes[] = {
		".url", ".pushurl", ".proxy", ".proxyauthmethod", ".uploadpack", ".receivepack"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(sections); i++)
		if (!strncmp(key, sections[i], strlen(sections[i])))
			return true;
	for (i = 0; i < ARRAY_LEN(keys); i++)
		if (!strcmp(key, keys[i]))
			return true;
	for (i = 0; i < ARRAY_LEN(of_remotes); i++)
		if (!strncmp(key, "remote.", 7) && ends_with(key, of_remotes[i]))
			return true;
	return false;
}

/* Settings go by way of the environment, since they can hold tokens. */
struct settings {
	struct depot *d;
	size_t n;
	bool ssh, speed; /* the user says how */
};

static void pass_on(struct settings *s, const char *key, const char *value)
{
	add_env(s->d, xasprintf("GIT_CONFIG_KEY_%zu=%s", s->n, key));
	add_env(s->d, xasprintf("GIT_CONFIG_VALUE_%zu=%s", s->n, value));
	s->n++;
}

/* One that the private repository has by itself: the system's and the user's, but for what is
 * included for this repository only. */
static bool is_there(const struct buf *own, const char *scope, const char *end)
{
	if (strcmp(scope, "system") && strcmp(scope, "global"))
		return false;
	return own->len && memmem(own->p, own->len, scope, (size_t)(end - scope));
}

static void look_at(struct settings *s, const char *key)
{
	s->ssh |= !strcmp(key, "core.sshcommand") || !strcmp(key, "ssh.variant");
	s->speed |= !strncmp(key, "http.", 5) && ends_with(key, ".lowspeedtime");
	s->d->named |= !strncmp(key, "remote.", 7) && ends_with(key, "url") &&
		       !strncmp(key + 7, s->d->remote, strlen(s->d->remote)) &&
		       key[7 + strlen(s->d->remote)] == '.';
}

/* "SCOPE\0KEY\nVALUE\0", again and again; a key without a value stands for true. */
static void read_settings(struct settings *s, struct buf *text, const struct buf *own)
{
	char *at = text->p, *end = text->p + text->len;

	while (at && at < end) {
		char *scope = at, *key = scope + strlen(scope) + 1, *value;
		bool there;

		if (key >= end)
			break;
		at = key + strlen(key) + 1;
		there = is_there(own, scope, at < end ? at : end);
		value = strchr(key, '\n');
		if (value)
			*value++ = '\0';
		look_at(s, key);
		if (!there && is_wanted(key))
			pass_on(s, key, value ? value : "true");
	}
}

/* On a terminal git and ssh may ask; elsewhere nobody would answer. A remote that is silent is
 * given up before the job is. */
static void be_patient(struct settings *s)
{
	static const char batch[] = "GIT_SSH_COMMAND=ssh -o BatchMode=yes -o ConnectTimeout=30 "
				    "-o ServerAliveInterval=15 -o ServerAliveCountMax=4";
	bool asks = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);

	if (!asks)
		add_env(s->d, xstrdup("GIT_TERMINAL_PROMPT=0"));
	if (!asks && !s->ssh && !getenv("GIT_SSH_COMMAND") && !getenv("GIT_SSH") &&
		!getenv("GIT_SSH_VARIANT"))
		add_env(s->d, xstrdup(batch));
	if (!s->speed) {
		pass_on(s, "http.lowSpeedLimit", "1");
		pass_on(s, "http.lowSpeedTime", "120");
	}
}

static const char *const list[] = {
	"git", "config", "--list", "--show-scope", "--includes", "-z", NULL};

/* Whether the objects of the repository around are named by SHA-256. */
static bool is_sha256(const struct buf *text)
{
	static const char entry[] = "local\0extensions.objectformat\nsha256";

	return text->len && memmem(text->p, text->len, entry, sizeof(entry));
}

int depot_read_settings(struct depot *d, struct buf *text, bool *sha256, struct err *err)
{
	static const char *const env[] = {"LC_ALL=C", "GIT_CONFIG", NULL};
	_cleanup_(buf_release) struct buf errors = BUF_INIT;
	int status;

	if (proc_capture(list, env, DEPOT_LOCAL_S, CONFIG_MAX, text, &errors, &status, err) < 0)
		return -1;
	if (status)
		return depot_failed(d, "read the configuration for", &errors, err);
	*sha256 = is_sha256(text);
	return 0;
}

int depot_pass_settings(struct depot *d, struct buf *text, struct err *err)
{
	_cleanup_(buf_release) struct buf own = BUF_INIT, errors = BUF_INIT;
	struct settings s = {.d = d};
	int status;

	if (depot_git(d, list + 1, DEPOT_LOCAL_S, &own, &errors, &status, err) < 0)
		return -1;
	if (status)
		return depot_failed(d, "read the configuration for", &errors, err);
	read_settings(&s, text, &own);
	be_patient(&s);
	free(d->env[0]);
	d->env[0] = xasprintf("GIT_CONFIG_COUNT=%zu", s.n);
	return 0;
}
