#include "proc.h"

#include "num.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ERRORS_MAX = 64 * 1024 };

static bool same_variable(const char *a, const char *b)
{
	size_t n = strcspn(a, "=");

	return n == strcspn(b, "=") && !strncmp(a, b, n);
}

char **proc_environment(const char *const *env)
{
	static const char *const nothing[] = {NULL};
	size_t n = 0, k = 0, i, j;
	char **ret;

	env = env ? env : nothing;
	for (i = 0; environ[i]; i++)
		n++;
	for (i = 0; env[i]; i++)
		n++;
	ret = xcalloc(n + 1, sizeof(*ret));
	for (i = 0; environ[i]; i++) {
		for (j = 0; env[j] && !same_variable(env[j], environ[i]); j++)
			;
		if (!env[j])
			ret[k++] = environ[i];
	}
	for (i = 0; env[i]; i++)
		if (strchr(env[i], '='))
			ret[k++] = (char *)(uintptr_t)env[i];
	return ret;
}

/* All six ends at once, close-on-exec; [0] is for reading. */
static int make_pipes(int in[2], int out[2], int errors[2])
{
	if (pipe2(in, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(out, O_CLOEXEC) == 0) {
		if (pipe2(errors, O_CLOEXEC) == 0)
			return 0;
		close(out[0]);
		close(out[1]);
	}
	close(in[0]);
	close(in[1]);
	return -1;
}

int proc_start(struct proc *p, const char *const *argv, const char *const *env, bool with_input,
	int timeout_s, struct err *err)
{
	int in[2], out[2], errors[2], rc;
	posix_spawn_file_actions_t actions;
	char **environment;

	if (make_pipes(in, out, errors) < 0)
		return err_set(err, ERR_IO, "cannot start %s: %s", argv[0], strerror(errno));
	posix_spawn_file_actions_init(&actions);
	if (with_input)
		posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
	else
		posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
	environment = proc_environment(env);
	rc = posix_spawnp(
		&p->pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environment);
	free(environment);
	posix_spawn_file_actions_destroy(&actions);
	close(in[0]);
	close(out[1]);
	close(errors[1]);
	if (rc) {
		close(in[1]);
		close(out[0]);
		close(errors[0]);
		errno = rc;
		return err_set(err, ERR_IO, "cannot start %s: %s", argv[0], strerror(rc));
	}
	p->in = in[1];
	if (!with_input) {
		close(in[1]);
		p->in = -1;
	}
	p->out = out[0];
	p->errfd = errors[0];
	proc_rearm(p, timeout_s);
	return 0;
}

void proc_rearm(struct proc *p, int timeout_s)
{
	p->deadline = clock_ns(CLOCK_MONOTONIC) + (int64_t)timeout_s * 1000000000;
}

static void drain_errors(struct proc *p, struct buf *errors)
{
	char chunk[4096];
	ssize_t n = read(p->errfd, chunk, sizeof(chunk));

	if (n > 0 && errors->len < ERRORS_MAX)
		buf_add(errors, chunk, (size_t)n);
	if (n <= 0 && !(n < 0 && errno == EINTR)) {
		close(p->errfd);
		p->errfd = -1;
	}
}

long proc_read(struct proc *p, void *data, size_t n, struct buf *errors, struct err *err)
{
	for (;;) {
		struct pollfd fds[2] = {
			{.fd = p->out, .events = POLLIN}, {.fd = p->errfd, .events = POLLIN}};
		int64_t left = p->deadline - clock_ns(CLOCK_MONOTONIC);
		ssize_t got;

		if (left <= 0)
			return err_set(
				err, ERR_IO, "a program that perfgate started does not answer");
		if (poll(fds, 2, (int)(left / 1000000) + 1) < 0 && errno != EINTR)
			return err_set(err, ERR_IO, "poll: %s", strerror(errno));
		if (fds[1].revents)
			drain_errors(p, errors);
		if (!fds[0].revents)
			continue;
		got = read(p->out, data, n);
		if (got >= 0)
			return (long)got;
		if (errno != EINTR)
			return err_set(err, ERR_IO, "reading from a program: %s", strerror(errno));
	}
}

int proc_write(struct proc *p, const void *data, size_t n, struct err *err)
{
	const char *s = data;

	while (n) {
		ssize_t w = write(p->in, s, n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return err_set(err, ERR_IO, "writing to a program: %s", strerror(errno));
		s += w;
		n -= (size_t)w;
	}
	return 0;
}

int proc_finish(struct proc *p, bool wait_ok, struct buf *errors)
{
	int status = 0;

	if (p->in >= 0)
		close(p->in);
	if (!wait_ok)
		kill(p->pid, SIGKILL);
	while (p->errfd >= 0 && wait_ok)
		drain_errors(p, errors);
	close(p->out);
	if (p->errfd >= 0)
		close(p->errfd);
	while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int proc_capture(const char *const *argv, const char *const *env, int timeout_s, size_t max,
	struct buf *out, struct buf *errors, int *status, struct err *err)
{
	struct proc p;
	char chunk[16384];
	long n;

	if (proc_start(&p, argv, env, false, timeout_s, err) < 0)
		return -1;
	while ((n = proc_read(&p, chunk, sizeof(chunk), errors, err)) > 0) {
		if (out->len + (size_t)n > max) {
			n = err_set(err, ERR_GIT, "%s %s: too much output", argv[0], argv[1]);
			break;
		}
		buf_add(out, chunk, (size_t)n);
	}
	*status = proc_finish(&p, n == 0, errors);
	return n < 0 ? -1 : 0;
}
