#include "launch.h"

#include "num.h"
#include "pin.h"
#include "program.h"
#include "stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TAIL_BYTES = 2048, TAIL_LINES = 10, GRACE_MS = 2000, LOOK_MS = 200, OUTPUT_MAX = 16 << 20 };

#define MS INT64_C(1000000)

/* ---- signals ---- */

static const int stops[] = {SIGINT, SIGTERM, SIGHUP};

static void suspending(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigprocmask(how, &set, NULL);
}

void stop_hold(struct stop *s)
{
	struct sigaction hup;
	size_t i;

	s->got = 0;
	/* where it is ignored, no child can be waited for */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&s->held);
	sigaddset(&s->held, SIGCHLD);
	for (i = 0; i < ARRAY_LEN(stops); i++)
		sigaddset(&s->held, stops[i]);
	/* nohup(1) */
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler == SIG_IGN)
		sigdelset(&s->held, SIGHUP);
	sigprocmask(SIG_BLOCK, &s->held, &s->before);
	suspending(SIG_BLOCK);
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

	suspending(SIG_UNBLOCK);
	suspending(SIG_BLOCK);
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

/* All that the child needs is made before there is one: what it touches itself counts as its peak
 * memory, beneath which the command's cannot be seen. */
struct child {
	const struct launch *l;
	struct program program;
	struct counters counters;
	int in, out, report[2];
	int64_t began;
};

static _Noreturn void fail(const struct child *c)
{
	const int error = errno;

	_exit(write(c->report[1], &error, sizeof(error)) < 0 ? 126 : 127);
}

/* Whoever started perfgate may have had signals ignored or held back; the command's are as in a
 * new login. */
static void forget_signals(void)
{
	const struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t none;
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		sigaction(sig, &usual, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void child(const struct child *c)
{
	const struct program *p = &c->program;

	/* no terminal either: nothing to be stopped by */
	setsid();
	forget_signals();
	if (dup2(c->in, 0) < 0 || dup2(c->out, 1) < 0 || dup2(c->out, 2) < 0 ||
		chdir(c->l->dir) < 0 || (c->l->cpus && pin_self(c->l->cpus) < 0))
		fail(c);
	execve(p->path, c->l->argv, p->environment);
	if (errno == ENOEXEC)
		execve(p->shell[0], p->shell, p->environment);
	fail(c);
}

static int prepare_child(struct child *c, const struct launch *l, struct err *err)
{
	size_t i;

	*c = (struct child){.l = l, .in = -1, .out = -1, .report = {-1, -1}};
	for (i = 0; i < COUNTER_COUNT; i++)
		c->counters.fd[i] = -1;
	if (program_init(&c->program, l, err) < 0)
		return -1;
	c->in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	c->out = open(l->output, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	if (c->in < 0 || c->out < 0)
		return err_set(err, ERR_IO, "%s: %s", c->in < 0 ? "/dev/null" : l->output,
			strerror(errno));
	if (pipe2(c->report, O_CLOEXEC) < 0)
		return err_set(err, ERR_IO, "cannot start %s: %s", l->argv[0], strerror(errno));
	if (l->counted)
		counters_open(&c->counters);
	return 0;
}

static void release_child(struct child *c)
{
	program_release(&c->program);
	counters_close(&c->counters);
	closep(&c->in);
	closep(&c->out);
	closep(&c->report[0]);
	closep(&c->report[1]);
}

/* ---- waiting ---- */

enum state { RUNS, HALTED, ENDED };

static enum state state_of(pid_t pid)
{
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) < 0)
		return ENDED;
	return !info.si_pid ? RUNS : info.si_code == CLD_STOPPED ? HALTED : ENDED;
}

/* Its whole group: asked first, and made to when it does not listen. */
static void end_group(const struct launch *l, pid_t pid, struct stop *stop)
{
	const int64_t grace = l->grace ? l->grace : GRACE_MS * MS,
		      until = clock_ns(CLOCK_MONOTONIC) + grace;

	kill(-pid, SIGTERM);
	kill(-pid, SIGCONT);
	while (state_of(pid) != ENDED && clock_ns(CLOCK_MONOTONIC) < until)
		stop_wait(stop, 50 * MS);
}

/* Only the last of what it says is of interest: a disk is not filled with the rest. It is appended,
 * so that it goes on at the new end. */
static void bound_output(const struct child *c)
{
	struct stat st;

	if (fstat(c->out, &st) == 0 && (int64_t)st.st_blocks * 512 > OUTPUT_MAX &&
		ftruncate(c->out, 0) < 0)
		return;
}

static enum launch_end wait_for_end(const struct child *c, pid_t pid, struct stop *stop)
{
	const int64_t until = c->l->timeout ? c->began + c->l->timeout : INT64_MAX;
	enum launch_end end = LAUNCH_EXITED;
	enum state state;

	while ((state = state_of(pid)) != ENDED && end == LAUNCH_EXITED) {
		const int64_t left = until - clock_ns(CLOCK_MONOTONIC);

		bound_output(c);
		if (state == HALTED)
			end = LAUNCH_HALTED;
		else if (left <= 0)
			end = LAUNCH_TIMED_OUT;
		else
			stop_wait(stop, left < LOOK_MS * MS ? left : LOOK_MS * MS);
		if (stop->got)
			end = LAUNCH_STOPPED;
	}
	if (end != LAUNCH_EXITED)
		end_group(c->l, pid, stop);
	return end;
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
static int start_error(struct child *c)
{
	int error = 0;
	ssize_t n;

	closep(&c->report[1]);
	c->report[1] = -1;
	while ((n = read(c->report[0], &error, sizeof(error))) < 0 && errno == EINTR)
		;
	return n == (ssize_t)sizeof(error) ? error : 0;
}

/* What still runs of the group is not to disturb the next run. While the leader is not reaped the
 * group's number is nobody else's. */
static void run_child(struct child *c, pid_t pid, struct stop *stop, struct launched *ret)
{
	ret->end = wait_for_end(c, pid, stop);
	ret->wall = clock_ns(CLOCK_MONOTONIC) - c->began;
	if (ret->end != LAUNCH_EXITED || !c->l->leaves)
		kill(-pid, SIGKILL);
	reap(pid, ret);
	counters_read(&c->counters, &ret->counts);
}

int launch(const struct launch *l, struct stop *stop, struct launched *ret, struct err *err)
{
	_cleanup_(release_child) struct child c;
	int error;
	pid_t pid;

	PERFGATE_SCOPE("run what is measured");
	*ret = (struct launched){.started_at = clock_ns(CLOCK_REALTIME)};
	if (prepare_child(&c, l, err) < 0)
		return -1;
	c.began = clock_ns(CLOCK_MONOTONIC);
	pid = fork();
	if (pid == 0)
		child(&c);
	if (pid < 0)
		return err_set(err, ERR_IO, "cannot start %s: %s", l->argv[0], strerror(errno));
	error = start_error(&c);
	run_child(&c, pid, stop, ret);
	return error ? program_refused(&c.program, l, error, err) : 0;
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
	/* holes of what was cut off, in a file that the command opened anew */
	for (; from < n; from++)
		if (text[from])
			buf_addch(ret, text[from]);
}
