#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TAIL_BYTES = 2048, TAIL_LINES = 10, GRACE_MS = 2000 };

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- signals ---- */

static const int stops[] = {SIGINT, SIGTERM, SIGHUP};

void stop_hold(struct stop *s)
{
	size_t i;

	struct sigaction hup;

	s->got = 0;
	sigemptyset(&s->held);
	sigaddset(&s->held, SIGCHLD);
	for (i = 0; i < ARRAY_LEN(stops); i++)
		sigaddset(&s->held, stops[i]);
	/* nohup(1) */
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler == SIG_IGN)
		sigdelset(&s->held, SIGHUP);
	sigprocmask(SIG_BLOCK, &s->held, &s->before);
}

/* Waits for one of the signals; those that are no stop are only a reason to look. */
static void stop_wait(struct stop *s, int64_t ns)
{
	const struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	int sig = sigtimedwait(&s->held, NULL, &t);

	if (sig > 0 && sig != SIGCHLD && !s->got)
		s->got = sig;
}

bool stop_asked(struct stop *s)
{
	sigset_t pending;
	size_t i;

	sigpending(&pending);
	for (i = 0; i < ARRAY_LEN(stops) && !s->got; i++)
		if (sigismember(&s->held, stops[i]) && sigismember(&pending, stops[i]))
			s->got = stops[i];
	return s->got != 0;
}

void stop_release(struct stop *s)
{
	const struct timespec now = {0};

	while (sigtimedwait(&s->held, NULL, &now) > 0)
		;
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}

/* ---- the child ---- */

static void forget_git(void)
{
	static const char *const names[] = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE",
		"GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++)
		unsetenv(names[i]);
}

static int prepare_child(const struct launch *l)
{
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int out = open(l->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 ||
		chdir(l->dir) < 0)
		return -1;
	if (l->elsewhere)
		forget_git();
	if (!l->documents)
		return unsetenv("PERFGATE_OUT");
	return setenv("PERFGATE_OUT", l->documents, 1);
}

static _Noreturn void child(const struct launch *l, const struct stop *stop, int report)
{
	int error;

	setpgid(0, 0);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &stop->before, NULL);
	if (prepare_child(l) == 0)
		execvp(l->argv[0], l->argv);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

/* ---- waiting ---- */

static bool has_ended(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid;
}

/* Its whole group: asked first, and made to when it does not listen. */
static void end_group(const struct launch *l, pid_t pid, struct stop *stop)
{
	const int64_t grace = l->grace ? l->grace : GRACE_MS * INT64_C(1000000),
		      until = clock_ns(CLOCK_MONOTONIC) + grace;

	kill(-pid, SIGTERM);
	while (!has_ended(pid) && clock_ns(CLOCK_MONOTONIC) < until)
		stop_wait(stop, 50000000);
	kill(-pid, SIGKILL);
}

static enum launch_end wait_for_end(
	const struct launch *l, pid_t pid, int64_t began, struct stop *stop)
{
	while (!has_ended(pid)) {
		int64_t left = l->timeout ? began + l->timeout - clock_ns(CLOCK_MONOTONIC)
					  : INT64_C(3600000000000);
		if (left <= 0) {
			end_group(l, pid, stop);
			return LAUNCH_TIMED_OUT;
		}
		stop_wait(stop, left);
		if (stop->got) {
			end_group(l, pid, stop);
			return LAUNCH_STOPPED;
		}
	}
	return LAUNCH_EXITED;
}

static void reap(pid_t pid, struct launched *ret)
{
	int status = 0;

	while (wait4(pid, &status, 0, &ret->usage) < 0 && errno == EINTR)
		;
	if (ret->end != LAUNCH_EXITED)
		return;
	ret->status = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	if (!WIFEXITED(status))
		ret->end = LAUNCH_KILLED;
}

/* 0 when the program runs, else why it does not. */
static int start_error(int report)
{
	int error = 0;
	ssize_t n;

	while ((n = read(report, &error, sizeof(error))) < 0 && errno == EINTR)
		;
	close(report);
	return n == (ssize_t)sizeof(error) ? error : 0;
}

int launch(const struct launch *l, struct stop *stop, struct launched *ret, struct err *err)
{
	int report[2], error;
	int64_t began;
	pid_t pid;

	*ret = (struct launched){.started_at = clock_ns(CLOCK_REALTIME)};
	if (pipe2(report, O_CLOEXEC) < 0)
		return err_set(err, ERR_IO, "cannot start %s: %s", l->argv[0], strerror(errno));
	began = clock_ns(CLOCK_MONOTONIC);
	pid = fork();
	if (pid == 0)
		child(l, stop, report[1]);
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		return err_set(err, ERR_IO, "cannot start %s: %s", l->argv[0], strerror(errno));
	}
	setpgid(pid, pid);
	error = start_error(report[0]);
	ret->end = wait_for_end(l, pid, began, stop);
	ret->wall = clock_ns(CLOCK_MONOTONIC) - began;
	reap(pid, ret);
	if (error)
		return err_set(err, ERR_USAGE, "cannot run '%.200s' in %.200s: %s", l->argv[0],
			l->dir, strerror(error));
	return 0;
}

/* ---- what it said ---- */

void launch_last_lines(const char *path, struct buf *ret)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	char text[TAIL_BYTES + 1];
	size_t n, lines = 0, from;

	if (!f || fseek(f, -TAIL_BYTES, SEEK_END) < 0)
		if (!f || fseek(f, 0, SEEK_SET) < 0)
			return;
	n = fread(text, 1, TAIL_BYTES, f);
	while (n > 0 && text[n - 1] == '\n')
		n--;
	for (from = n; from > 0 && (text[from - 1] != '\n' || ++lines < TAIL_LINES);)
		from--;
	buf_add(ret, text + from, n - from);
}
