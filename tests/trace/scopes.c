/*
 * What a program can do with perfgate/trace.h, for tests/trace-header.sh:  scopes MODE FILE [FILE2]
 *
 * Exits 0 when the calls answered as they should; what is in the files the script looks at.
 */
#include <perfgate/trace.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void cxx_part(void);

#define CHECK(what) check((what) != 0, #what, __LINE__)

static void check(int holds, const char *what, int line)
{
	if (holds)
		return;
	fprintf(stderr, "line %d: not so: %s (errno %d)\n", line, what, errno);
	exit(1);
}

/* ---- what is recorded ---- */

static void two_in_a_block(void)
{
	/* clang-format off */
	PERFGATE_SCOPE("first"); PERFGATE_SCOPE("second");
	/* clang-format on */
	PERFGATE_FUNCTION();
}

static void nested(int depth)
{
	PERFGATE_SCOPE("nested");

	if (depth > 0)
		nested(depth - 1);
}

static void scopes(const char *file, const char *unused)
{
	int i;

	(void)unused;
	CHECK(perfgate_trace_begin(file) == 0);
	PERFGATE_THREAD("the \"main\" thread");
	two_in_a_block();
	for (i = 0; i < 1000; i++) {
		PERFGATE_SCOPE("empty");
	}
	nested(9);
	PERFGATE_BEGIN("pair");
	PERFGATE_BEGIN_COPY(file);
	PERFGATE_END();
	PERFGATE_END();
	PERFGATE_END(); /* ends nothing */
	PERFGATE_INSTANT("moment");
	for (i = -1; i < 2; i++)
		PERFGATE_COUNTER("level", i * 9223372036854775807LL);
	cxx_part();
	CHECK(perfgate_trace_end() == 0);
	CHECK(perfgate_trace_dropped() == 0);
}

static void names(const char *file, const char *unused)
{
	char *name = malloc(8);
	char longest[5000];
	int c;

	(void)unused;
	CHECK(perfgate_trace_begin(file) == 0);
	for (c = 1; c < 256; c++) {
		snprintf(name, 8, "n%c-%c", c, c);
		PERFGATE_SCOPE_COPY(name);
		PERFGATE_INSTANT_COPY(name);
		PERFGATE_COUNTER_COPY(name, c);
		memset(name, 'x', 7);
	}
	free(name);
	PERFGATE_SCOPE("quote \" and \\ and \n and \x01 and \xff");
	PERFGATE_SCOPE("C:\\Users\\x");
	PERFGATE_SCOPE("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80");
	PERFGATE_SCOPE("surrogate \xed\xa0\x80, overlong \xc0\xaf, cut \xe2\x82");
	PERFGATE_SCOPE("");
	memset(longest, 'a', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	longest[3000] = '\xff';
	PERFGATE_SCOPE_COPY(longest);
	memset(longest, '\x01', sizeof(longest) - 1);
	PERFGATE_SCOPE_COPY(longest);
	CHECK(perfgate_trace_end() == 0);
}

/* Lines of many lengths, so that they end everywhere, also where a page does. */
static void lengths(const char *file, const char *unused)
{
	char name[100];
	unsigned random = 1;
	int i;

	(void)unused;
	CHECK(perfgate_trace_begin(file) == 0);
	for (i = 0; i < 20000; i++) {
		memset(name, 'a' + i % 7, sizeof(name));
		random = random * 1103515245 + 12345;
		name[(random >> 16) % 97] = '\0';
		PERFGATE_INSTANT_COPY(name);
	}
	CHECK(perfgate_trace_end() == 0);
}

/* More levels than are kept, and a jump out of some. */
static jmp_buf out;

static void jump(void)
{
	PERFGATE_SCOPE("left by a jump");
	PERFGATE_SCOPE("left by a jump");

	longjmp(out, 1);
}

static void deep(const char *file, const char *unused)
{
	(void)unused;
	CHECK(perfgate_trace_begin(file) == 0);
	{
		PERFGATE_SCOPE("around");
		if (!setjmp(out))
			jump();
		PERFGATE_SCOPE("after");
	}
	nested(1999);
	CHECK(perfgate_trace_end() == 0);
	CHECK(perfgate_trace_dropped() == 2000 - 1024);
}

/* Lines of many lengths, among them 128 bytes, which end where a page of the file does, and where a
 * buffer does. */
static void pages(const char *file, const char *unused)
{
	char name[64];
	size_t len;
	int i;

	(void)unused;
	CHECK(perfgate_trace_begin(file) == 0);
	memset(name, 'n', sizeof(name));
	for (len = sizeof(name); len-- > 24;) {
		name[len] = '\0';
		for (i = 0; i < 1500; i++)
			PERFGATE_COUNTER_COPY(name, 1);
	}
	CHECK(perfgate_trace_end() == 0);
	CHECK(perfgate_trace_dropped() == 0);
}

/* ---- threads ---- */

enum { THREADS = 8, PER_THREAD = 5000 };

static void *work(void *arg)
{
	char name[32];
	int i;

	snprintf(name, sizeof(name), "worker %d", *(int *)arg);
	PERFGATE_THREAD(name);
	for (i = 0; i < PER_THREAD; i++) {
		PERFGATE_SCOPE("job");
		PERFGATE_SCOPE_COPY(name);
		PERFGATE_COUNTER("jobs", i);
	}
	return arg;
}

static void run_threads(void *(*body)(void *), int n)
{
	pthread_t thread[THREADS];
	int number[THREADS], i;

	for (i = 0; i < n; i++) {
		number[i] = i;
		CHECK(pthread_create(&thread[i], NULL, body, &number[i]) == 0);
	}
	for (i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

static void threads(const char *file, const char *unused)
{
	(void)unused;
	CHECK(perfgate_trace_begin(file) == 0);
	{
		PERFGATE_SCOPE("all");
		run_threads(work, THREADS);
	}
	CHECK(perfgate_trace_end() == 0);
	CHECK(perfgate_trace_dropped() == 0);
}

static int stop;

static void *busy(void *arg)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		PERFGATE_SCOPE("busy");
		PERFGATE_SCOPE_COPY("busy inside");
		PERFGATE_INSTANT("tick");
	}
	return arg;
}

/* Sessions that begin, are flushed and end while threads record, and threads that come and go. */
static void races(const char *file, const char *second)
{
	pthread_t thread[4];
	int i;

	for (i = 0; i < 4; i++)
		CHECK(pthread_create(&thread[i], NULL, busy, NULL) == 0);
	for (i = 0; i < 40; i++) {
		CHECK(perfgate_trace_begin(i % 2 ? second : file) == 0);
		run_threads(i % 8 ? NULL : work, i % 8 ? 0 : 2);
		usleep(2000);
		CHECK(perfgate_trace_flush() == 0);
		(void)perfgate_trace_dropped();
		CHECK(perfgate_trace_end() == 0);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

/* ---- sessions ---- */

static void late(const char *file, const char *second)
{
	CHECK(perfgate_trace_end() == 0);
	{
		PERFGATE_SCOPE("before the session");
		CHECK(perfgate_trace_begin(file) == 0);
		PERFGATE_SCOPE("open at the end");
		{
			PERFGATE_SCOPE("ended");
		}
		PERFGATE_SCOPE_COPY("inside, open at the end");
		CHECK(perfgate_trace_end() == 0);
		PERFGATE_SCOPE("between sessions");
		CHECK(perfgate_trace_begin(second) == 0);
		PERFGATE_SCOPE("in the second");
		PERFGATE_INSTANT("in the second");
	}
	CHECK(perfgate_trace_end() == 0);
	CHECK(perfgate_trace_dropped() == 0);
}

static void twice(const char *file, const char *second)
{
	CHECK(perfgate_trace_begin(NULL) < 0 && errno == EINVAL);
	CHECK(perfgate_trace_begin("no/such/folder/x.json") < 0 && errno == ENOENT);
	CHECK(perfgate_trace_begin(file) == 0);
	PERFGATE_INSTANT("one");
	CHECK(perfgate_trace_begin(second) < 0 && errno == EBUSY);
	CHECK(perfgate_trace_begin(file) < 0 && errno == EBUSY);
	PERFGATE_INSTANT("two");
	if (fork() == 0)
		_exit(perfgate_trace_begin(file) == 0 || errno != EBUSY);
	int status = -1;
	wait(&status);
	CHECK(status == 0);
	CHECK(perfgate_trace_end() == 0);
}

static void leaves(const char *file, const char *unused)
{
	(void)unused;
	CHECK(perfgate_trace_begin(file) == 0);
	PERFGATE_SCOPE("never left");
	PERFGATE_INSTANT("bye");
	exit(0);
}

static void forks(const char *file, const char *second)
{
	int status = -1;
	pid_t pid;

	CHECK(perfgate_trace_begin(file) == 0);
	PERFGATE_SCOPE("in the parent");
	PERFGATE_SCOPE_COPY("copied in the parent");
	PERFGATE_INSTANT("before");
	CHECK(perfgate_trace_flush() == 0);
	PERFGATE_INSTANT("not yet written");
	pid = fork();
	if (pid == 0) {
		PERFGATE_SCOPE("in the child");
		PERFGATE_INSTANT("in the child");
		CHECK(perfgate_trace_end() == 0 && perfgate_trace_dropped() == 0);
		CHECK(perfgate_trace_begin(second) == 0);
		PERFGATE_SCOPE("of the child");
		run_threads(work, 1);
		exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
	PERFGATE_INSTANT("after");
	CHECK(perfgate_trace_end() == 0);
}

static void full(const char *file, const char *unused)
{
	struct rlimit limit = {20000, 20000};
	int i;

	(void)unused;
	CHECK(perfgate_trace_begin("/dev/full") < 0 && errno == ENOSPC);
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(perfgate_trace_begin(file) == 0);
	for (i = 0; i < 10000; i++)
		PERFGATE_INSTANT("i");
	CHECK(perfgate_trace_end() < 0 && errno == EFBIG);
	CHECK(perfgate_trace_dropped() > 9000);
}

/* ---- crashes ---- */

static void killed(const char *file, const char *unused)
{
	(void)unused;
	CHECK(perfgate_trace_begin(file) == 0);
	alarm(60);
	run_threads(busy, 2);
}

static void aborts(const char *file, const char *unused)
{
	struct rlimit none = {0, 0};

	(void)unused;
	setrlimit(RLIMIT_CORE, &none);
	CHECK(perfgate_trace_begin(file) == 0);
	PERFGATE_SCOPE("open");
	run_threads(work, 1);
	abort();
}

static const struct {
	const char *name;
	void (*run)(const char *, const char *);
} modes[] = {{"scopes", scopes}, {"names", names}, {"lengths", lengths}, {"deep", deep},
	{"pages", pages}, {"threads", threads}, {"races", races}, {"late", late}, {"twice", twice},
	{"leaves", leaves}, {"forks", forks}, {"full", full}, {"killed", killed},
	{"aborts", aborts}};

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 2 && i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(argv[1], modes[i].name)) {
			modes[i].run(argv[2], argv[3]);
			return 0;
		}
	return 2;
}
