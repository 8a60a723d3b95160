#include "child.h"

#include "num.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { LOOK_MS = 50, DRIVER_LINE_MAX = 4096, CHUNK = 1 << 16, HUNG_UP_MS = 1000 };

#define MS INT64_C(1000000)

/* ---- starting ---- */

/* Above the descriptors that the child has, so that none is in the way of another. */
static int move_up(int *fd)
{
	const int up = fcntl(*fd, F_DUPFD_CLOEXEC, CHILD_WIRE + 1);

	close(*fd);
	*fd = up;
	return up;
}

static int make_pipe(struct child *c, enum child_channel channel, int *ret_theirs)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	c->fd[channel] = ends[0];
	*ret_theirs = ends[1];
	return move_up(ret_theirs) < 0 || fcntl(c->fd[channel], F_SETFL, O_NONBLOCK) < 0 ? -1 : 0;
}

/* Signals as in a new login, a process group of its own. */
static void set_attributes(posix_spawnattr_t *a)
{
	sigset_t all, none;

	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(a);
	posix_spawnattr_setsigdefault(a, &all);
	posix_spawnattr_setsigmask(a, &none);
	posix_spawnattr_setpgroup(a, 0);
	posix_spawnattr_setflags(
		a, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

static int spawn(struct child *c, char *const *argv, const int theirs[CHILD_CHANNELS])
{
	static const int numbers[CHILD_CHANNELS] = {CHILD_WIRE, STDOUT_FILENO, STDERR_FILENO};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	size_t i;
	int error;

	set_attributes(&attributes);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	for (i = 0; i < CHILD_CHANNELS; i++)
		posix_spawn_file_actions_adddup2(&actions, theirs[i], numbers[i]);
	error = posix_spawn(&c->pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (error)
		c->pid = 0;
	errno = error;
	return error ? -1 : 0;
}

int child_start(struct child *c, char *const *argv, struct err *err)
{
	int theirs[CHILD_CHANNELS] = {-1, -1, -1}, r = 0, error;
	size_t i;

	c->pid = 0;
	for (i = 0; i < CHILD_CHANNELS; i++)
		c->fd[i] = -1;
	memset(c->part, 0, sizeof(c->part));
	for (i = 0; r == 0 && i < CHILD_CHANNELS; i++)
		r = make_pipe(c, i, &theirs[i]);
	if (r == 0)
		r = spawn(c, argv, theirs);
	error = errno;
	for (i = 0; i < CHILD_CHANNELS; i++)
		closep(&theirs[i]);
	return r < 0 ? err_set(err, ERR_IO, "cannot start %s: %s", argv[0], strerror(error)) : 0;
}

/* ---- listening ---- */

static int take_line(struct child *c, enum child_channel from, const char *s, size_t n)
{
	struct buf *part = &c->part[from];
	int r;

	if (!part->len)
		return c->line(c->ctx, from, s, n);
	buf_add(part, s, n);
	r = c->line(c->ctx, from, part->p, part->len);
	buf_clear(part);
	return r;
}

/* Keeps the beginning of a line for the rest of it to come. */
static int keep_part(struct child *c, enum child_channel from, const char *s, size_t n)
{
	const size_t max = from == CHILD_SPEAKS ? c->line_max : DRIVER_LINE_MAX;

	if (c->part[from].len + n <= max) {
		buf_add(&c->part[from], s, n);
		return 0;
	}
	return from == CHILD_SPEAKS ? -1 : take_line(c, from, s, n);
}

/* CHILD_ENDED stands for nothing that ends the listening. */
static enum child_end take_bytes(struct child *c, enum child_channel from, const char *s, size_t n)
{
	const char *end;

	while ((end = memchr(s, '\n', n))) {
		if (from == CHILD_SPEAKS && c->part[from].len + (size_t)(end - s) > c->line_max)
			return CHILD_GARBAGE;
		if (take_line(c, from, s, (size_t)(end - s)))
			return CHILD_ENOUGH;
		n -= (size_t)(end - s) + 1;
		s = end + 1;
	}
	if (n && keep_part(c, from, s, n))
		return from == CHILD_SPEAKS ? CHILD_GARBAGE : CHILD_ENOUGH;
	return CHILD_ENDED;
}

/* One read: a flood is not to keep the deadline from being looked at. */
static ssize_t read_chunk(struct child *c, enum child_channel from, char chunk[CHUNK])
{
	ssize_t n = c->fd[from] < 0 ? -1 : read(c->fd[from], chunk, CHUNK);

	if (n == 0) {
		close(c->fd[from]);
		c->fd[from] = -1;
	}
	return n > 0 ? n : 0;
}

/* What a driver wrote before the program said something is no more than what a pipe holds, and
 * comes first. */
static enum child_end read_drivers(struct child *c, bool *ret_any)
{
	enum child_end end = CHILD_ENDED;
	char chunk[CHUNK];
	ssize_t n;
	size_t i;

	for (i = 0; end == CHILD_ENDED && i < 4; i++) {
		const enum child_channel from = i < 2 ? CHILD_OUTPUT : CHILD_ERRORS;

		n = read_chunk(c, from, chunk);
		*ret_any |= n > 0;
		if (n)
			end = take_bytes(c, from, chunk, (size_t)n);
	}
	return end;
}

static enum child_end read_all(struct child *c, bool *ret_any)
{
	char chunk[CHUNK];
	const ssize_t n = read_chunk(c, CHILD_SPEAKS, chunk);
	const enum child_end end = read_drivers(c, ret_any);

	*ret_any |= n > 0;
	if (end != CHILD_ENDED || !n)
		return end;
	return take_bytes(c, CHILD_SPEAKS, chunk, (size_t)n);
}

static bool has_ended(const struct child *c)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
	       info.si_pid == c->pid;
}

static void wait_for_bytes(const struct child *c)
{
	struct pollfd fds[CHILD_CHANNELS];
	size_t i;

	for (i = 0; i < CHILD_CHANNELS; i++)
		fds[i] = (struct pollfd){.fd = c->fd[i], .events = POLLIN};
	poll(fds, CHILD_CHANNELS, LOOK_MS);
}

/* Who no longer can say anything is about to end, or never will. */
static int64_t deadline_of(struct child *c)
{
	const int64_t soon = clock_ns(CLOCK_MONOTONIC) + HUNG_UP_MS * MS;

	if (c->fd[CHILD_SPEAKS] < 0 && c->deadline > soon)
		c->deadline = soon;
	return c->deadline;
}

void child_flush(struct child *c)
{
	size_t i;

	for (i = CHILD_OUTPUT; i < CHILD_CHANNELS; i++)
		if (c->part[i].len)
			take_line(c, i, "", 0);
}

/* Whoever holds the other end open, all that an ended program wrote is there: at most a pipe's
 * content. */
static enum child_end read_rest(struct child *c)
{
	enum child_end end = CHILD_ENDED;
	size_t i;
	bool any;

	for (i = 0, any = true; any && end == CHILD_ENDED && i < 64; i++) {
		any = false;
		end = read_all(c, &any);
	}
	child_flush(c);
	return end;
}

enum child_end child_listen(struct child *c, struct stop *stop)
{
	enum child_end end = CHILD_ENDED;
	bool any = false;

	while (end == CHILD_ENDED) {
		if (stop_asked(stop))
			return CHILD_STOPPED;
		if (!any && has_ended(c))
			return read_rest(c);
		if (clock_ns(CLOCK_MONOTONIC) > deadline_of(c))
			return CHILD_LATE;
		wait_for_bytes(c);
		any = false;
		end = read_all(c, &any);
	}
	return end;
}

/* ---- ending ---- */

int child_finish(struct child *c)
{
	int status = 0;

	if (c->pid <= 0)
		return 0;
	/* while it is not waited for, the group's number is nobody else's */
	kill(-c->pid, SIGKILL);
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	return status;
}

void child_release(struct child *c)
{
	size_t i;

	child_finish(c);
	for (i = 0; i < CHILD_CHANNELS; i++) {
		closep(&c->fd[i]);
		buf_release(&c->part[i]);
	}
}

static const struct {
	int number;
	const char *name;
} signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"}, {SIGILL, "SIGILL"},
	{SIGFPE, "SIGFPE"}, {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"},
	{SIGSYS, "SIGSYS"}, {SIGPIPE, "SIGPIPE"}, {SIGHUP, "SIGHUP"}, {SIGINT, "SIGINT"},
	{SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGALRM, "SIGALRM"}};

void child_status_text(struct buf *ret, int status)
{
	size_t i;

	if (!WIFSIGNALED(status)) {
		buf_addf(ret, "ended with status %d", WEXITSTATUS(status));
		return;
	}
	for (i = 0; i < ARRAY_LEN(signals); i++)
		if (signals[i].number == WTERMSIG(status)) {
			buf_addf(ret, "killed by %s", signals[i].name);
			return;
		}
	buf_addf(ret, "killed by signal %d", WTERMSIG(status));
}
