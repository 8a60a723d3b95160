/* libperfgate: what a capture sees, which results it takes, how they are written, whose file it is.
 */
#include "perfgate/kpi.h"

#include "probes/kpi/file.h"
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void nap(long ms)
{
	struct timespec t = {.tv_nsec = ms * 1000000};

	nanosleep(&t, NULL);
}

/* ---- capture ---- */

static pthread_barrier_t leave;

static void *wait_for_leave(void *arg)
{
	pthread_barrier_wait(&leave);
	return arg;
}

static void *end_at_once(void *arg)
{
	return arg;
}

/* What a capture sees of op. */
static struct perfgate_metrics capture(void (*op)(void))
{
	struct perfgate_metrics m = {.threads_left = -1};
	struct perfgate_capture *c = NULL;

	if (!OK(!perfgate_capture_begin(&c, 1), "a capture opens"))
		return m;
	op();
	OK(!perfgate_capture_end(c, &m), "and closes");
	return m;
}

static void nothing(void)
{
}

static void sleep_20_ms(void)
{
	nap(20);
}

static char *touched;
enum { TOUCHED = 32 << 20 };

static void touch(void)
{
	touched = malloc(TOUCHED);
	if (touched)
		memset(touched, 1, TOUCHED);
}

static pthread_t left;

static void leave_one(void)
{
	pthread_create(&left, NULL, wait_for_leave, NULL);
}

static void take_it_back(void)
{
	pthread_barrier_wait(&leave);
	pthread_join(left, NULL);
}

static void join_five(void)
{
	pthread_t t[5];
	int i;

	for (i = 0; i < 5; i++)
		pthread_create(&t[i], NULL, end_at_once, NULL);
	for (i = 0; i < 5; i++)
		pthread_join(t[i], NULL);
}

static void test_capture(void)
{
	struct perfgate_metrics m = capture(sleep_20_ms);

	OK(m.wall_ns >= 20000000, "the time is that of CLOCK_MONOTONIC, in ns");
	OK(perfgate_capture_end(NULL, &m) == EINVAL, "no capture: EINVAL");
	m = capture(touch);
	if (m.rss_peak_bytes == 0) {
		printf("ok %d - resident memory # SKIP there is no /proc\n", ++tap_count);
	} else {
		OK(m.rss_peak_bytes >= TOUCHED, "the peak holds what was touched");
		OK(m.rss_final_bytes >= TOUCHED, "and so does the last sample");
		OK(m.rss_peak_bytes >= m.rss_final_bytes, "which is never above the peak");
	}
	free(touched);
}

static void test_threads(void)
{
	struct perfgate_metrics m;
	int before = perfgate_threads_settled(20, 1);

	if (!before) {
		printf("ok %d - threads # SKIP there is no /proc\n", ++tap_count);
		return;
	}
	pthread_barrier_init(&leave, NULL, 2);
	m = capture(nothing);
	OK(m.threads_left == 0, "the sampler is no thread that is left");
	m = capture(join_five);
	OK(m.threads_left == 0, "nor are threads that were joined");
	m = capture(leave_one);
	OK(m.threads_left == 1, "one that goes on is");
	m = capture(take_it_back);
	OK(m.threads_left == 0, "fewer than before is 0");
	OK(perfgate_threads_settled(50, before) == before, "and then there are as many as before");
	leave_one();
	OK(perfgate_threads_settled(20, before) == before + 1, "then one more");
	OK(perfgate_threads_left(before, 20) == 1, "which is left over");
	OK(perfgate_threads_left(0, 20) == 0, "unless there was no count before");
	take_it_back();
	pthread_barrier_destroy(&leave);
}

static volatile sig_atomic_t handled;
static pthread_t handler_thread;

static void on_signal(int number)
{
	(void)number;
	handler_thread = pthread_self();
	handled++;
}

/* A signal to the process goes to any thread that does not block it. */
static void signal_ourselves(void)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	kill(getpid(), SIGUSR1);
	nap(5);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}

static void test_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGUSR1, &action, NULL);
	capture(signal_ourselves);
	OK(handled > 0 && pthread_equal(handler_thread, pthread_self()),
		"no handler of the program's runs in the sampler");
}

/* ---- results ---- */

static struct perfgate_result plain(const char *name)
{
	struct perfgate_metrics m = {0};
	struct perfgate_result r;

	perfgate_result_init(&r, name, &m, 1);
	r.git_sha = "";
	r.timestamp = 1790199613;
	return r;
}

static void test_init(void)
{
	struct perfgate_metrics m = {.allocs = 29,
		.bytes = 1999,
		.rss_peak_bytes = 3,
		.rss_final_bytes = 2,
		.wall_ns = 77,
		.threads_left = 4};
	struct perfgate_result r;

	perfgate_result_init(&r, "n", &m, 10);
	OK(r.allocs_per_op == 2 && r.bytes_per_op == 199, "per operation, rounded down");
	OK(r.wall_clock_ns == 77 && r.rss_peak_bytes == 3 && r.rss_final_bytes == 2,
		"time and memory are those of the whole");
	OK(r.goroutines_end == 4 && r.iterations == 10, "threads and iterations");
	perfgate_result_init(&r, "n", &m, 0);
	OK(r.iterations == 1 && r.allocs_per_op == 29, "no iterations are one");
}

static char *contents(const char *path)
{
	FILE *f = fopen(path, "r");
	char *s = calloc(1, 65536);

	if (f && s && fread(s, 1, 65535, f) == 0)
		s[0] = '\0';
	if (f)
		fclose(f);
	return s;
}

static void written(
	const struct perfgate_result *r, size_t n, const char *expected, const char *what)
{
	int status = perfgate_write("written.json", r, n);
	char *s = contents("written.json");

	OK(status == 0, what);
	IS_STR(s, expected, what);
	free(s);
}

#define REST                                                                                       \
	"    \"timestamp\": \"2026-09-23T21:40:13Z\",\n"                                           \
	"    \"iterations\": 1,\n    \"allocs_per_op\": 0,\n    \"bytes_per_op\": 0,\n"            \
	"    \"goroutines_end\": 0,\n    \"tokens_input\": 0,\n    \"tokens_output\": 0,\n"        \
	"    \"tokens_cache_read\": 0,\n    \"cache_hit_rate\": 0,\n"                              \
	"    \"rss_peak_bytes\": 0,\n    \"rss_final_bytes\": 0,\n    \"wall_clock_ns\": 0\n  }"
#define ELEMENT(name)                                                                              \
	"  {\n    \"schema_version\": 1,\n    \"name\": " name ",\n    \"sample\": 0,\n"           \
	"    \"git_sha\": \"\",\n" REST

static void test_write(void)
{
	struct perfgate_result r[2] = {
		plain("a\"\\\n\001\x7f</b>"), plain("\xff\xc3\xa9\xed\xa0\x80")};
	struct perfgate_result all = {"all", 3, "0123456789012345678901234567890123456789", 1, 1, 2,
		3, 4, 5, 6, 7, 0.125, 9, 8, INT64_MAX};

	written(NULL, 0, "[]\n", "no results are an empty array");
	r[0].cache_hit_rate = -0.0;
	written(r, 2,
		"[\n" ELEMENT("\"a\\\"\\\\\\n\\u0001\\u007f\\u003c/b\\u003e\"") ",\n" ELEMENT(
			"\"\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"") "\n]\n",
		"hostile names are escaped");
	written(&all, 1,
		"[\n  {\n    \"schema_version\": 1,\n    \"name\": \"all\",\n    \"sample\": 3,\n"
		"    \"git_sha\": \"0123456789012345678901234567890123456789\",\n"
		"    \"timestamp\": \"1970-01-01T00:00:01Z\",\n    \"iterations\": 1,\n"
		"    \"allocs_per_op\": 2,\n    \"bytes_per_op\": 3,\n    \"goroutines_end\": 4,\n"
		"    \"tokens_input\": 5,\n    \"tokens_output\": 6,\n    \"tokens_cache_read\": 7,\n"
		"    \"cache_hit_rate\": 0.125,\n    \"rss_peak_bytes\": 9,\n"
		"    \"rss_final_bytes\": 8,\n    \"wall_clock_ns\": 9223372036854775807\n  }\n]\n",
		"every field has its place");
}

/* The number that is written reads back as itself. */
static void test_real(double v, const char *expected)
{
	struct perfgate_result r = plain("n");
	char *s, *at;

	r.cache_hit_rate = v;
	OK(!perfgate_write("real.json", &r, 1), expected);
	s = contents("real.json");
	at = strstr(s, "cache_hit_rate\": ");
	if (at && strchr(at, ','))
		*strchr(at, ',') = '\0';
	IS_STR(at ? at + 17 : NULL, expected, expected);
	free(s);
}

static void test_reals(void)
{
	test_real(0.9, "0.9");
	test_real(1.0 / 3, "0.3333333333333333");
	test_real(0.1 + 0.2, "0.30000000000000004");
	if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8"))
		test_real(0.75, "0.75");
	else
		printf("ok %d - a locale with a comma # SKIP there is none\n", ++tap_count);
	setlocale(LC_ALL, "C");
}

static void refused(const struct perfgate_result *r, const char *what)
{
	OK(perfgate_record(r) == EINVAL && perfgate_write("refused.json", r, 1) == EINVAL &&
			access("refused.json", F_OK) < 0,
		what);
}

#define REFUSED(field, value, what)                                                                \
	do {                                                                                       \
		struct perfgate_result r = plain("n");                                             \
		r.field = value;                                                                   \
		refused(&r, what);                                                                 \
	} while (0)

static void test_refused(void)
{
	static char long_name[4098];

	memset(long_name, 'x', 4097);
	REFUSED(name, NULL, "refused: no name");
	REFUSED(name, "", "refused: an empty name");
	REFUSED(name, long_name, "refused: a name of 4097 bytes");
	long_name[1366] = '\0';
	memset(long_name, '\xff', 1366);
	REFUSED(name, long_name, "refused: a name that becomes longer than that");
	REFUSED(git_sha, "HEAD", "refused: a git_sha that is none");
	REFUSED(git_sha, "01234", "refused: half a git_sha");
	REFUSED(cache_hit_rate, NAN, "refused: a number that is none");
	REFUSED(cache_hit_rate, INFINITY, "refused: infinity");
	REFUSED(cache_hit_rate, -0.5, "refused: a negative rate");
	REFUSED(iterations, -1, "refused: negative iterations");
	REFUSED(wall_clock_ns, -1, "refused: a negative time");
	REFUSED(allocs_per_op, (uint64_t)INT64_MAX + 1, "refused: more than 2^63-1");
	REFUSED(timestamp, -1, "refused: a time before 1970");
	REFUSED(timestamp, 9214646400, "refused: a time that nanoseconds do not reach");
}

static void test_trouble(void)
{
	struct perfgate_result r = plain("n");
	char *s;

	OK(perfgate_write("no-folder/x.json", &r, 1) == ENOENT, "a folder that is not there");
	OK(!perfgate_write("kept.json", NULL, 0), "a file");
	r.name = "";
	OK(perfgate_write("kept.json", &r, 1) == EINVAL, "that is written again, and fails");
	s = contents("kept.json");
	IS_STR(s, "[]\n", "holds what it held");
	free(s);
}

/* ---- the file of this process ---- */

static int entries(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	int n = 0;

	while (d && (e = readdir(d)))
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
	if (d)
		closedir(d);
	return n;
}

static int count(const char *s, const char *what)
{
	int n = 0;

	for (; (s = strstr(s, what)); s++)
		n++;
	return n;
}

static void *record_hundred(void *arg)
{
	struct perfgate_result r = plain(arg);
	int i;

	for (i = 0; i < 100; i++) {
		if (perfgate_record(&r))
			return arg;
		if (i % 25 == 0)
			perfgate_flush();
	}
	return NULL;
}

static void test_many_threads(void)
{
	static char odd[] = "odd", even[] = "even";
	pthread_t t[8];
	void *failed = NULL;
	char *s;
	int i;

	for (i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, record_hundred, i % 2 ? odd : even);
	for (i = 0; i < 8; i++)
		pthread_join(t[i], i ? NULL : &failed);
	OK(!failed && !perfgate_flush(), "eight threads record and flush");
	s = contents(perfgate_file());
	OK(strlen(s) > 60000, "a file of all");
	free(s);
	OK(entries("out") == 1, "and one file it is");
}

/* A name that is taken, and one whose temporary file somebody else holds, are left alone. */
static void test_taken(void)
{
	char *s;

	OK(!perfgate_file_put("taken", "taken.part", "old", 3, 1), "a new file");
	OK(perfgate_file_put("taken", "taken.part", "new", 3, 1) == EEXIST, "is not written anew");
	OK(access("taken.part", F_OK) < 0, "which leaves no other behind");
	OK(!perfgate_file_put("held.part", "x", "", 0, 0) &&
			perfgate_file_put("held", "held.part", "new", 3, 1) == EEXIST &&
			access("held", F_OK) < 0 && !access("held.part", F_OK),
		"nor is one that another process is about to write");
	s = contents("taken");
	IS_STR(s, "old", "what was there stays");
	free(s);
}

/* What a child of fork() does, which exits as a program does; the number of files afterwards. */
static int in_child(void (*op)(void))
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		op();
		exit(0);
	}
	waitpid(pid, &status, 0);
	OK(status == 0, "a child ends well");
	return entries("out");
}

static void record_one(void)
{
	struct perfgate_result r = plain("child");

	if (perfgate_record(&r) || perfgate_file())
		_exit(1);
}

static void record_and_flush(void)
{
	char *s;

	record_one();
	if (perfgate_flush())
		_exit(1);
	s = contents(perfgate_file());
	if (count(s, "\"name\"") != 1 || !strstr(s, "\"sample\": 0"))
		_exit(2);
	free(s);
	if (chdir("/"))
		_exit(3);
}

static void test_files(void)
{
	struct perfgate_result r = plain("n");
	char *s;

	OK(perfgate_flush() == PERFGATE_UNSET && !perfgate_file(),
		"no PERFGATE_OUT: no file, and said");
	if (setenv("PERFGATE_OUT", "out", 1))
		return;
	OK(perfgate_flush() == ENOENT, "a folder that is not there");
	if (mkdir("out", 0777))
		return;
	OK(!perfgate_flush(), "nothing recorded");
	s = contents(perfgate_file());
	IS_STR(s, "[]\n", "is an empty array");
	free(s);
	OK(!perfgate_record(&r) && !perfgate_record(&r), "two results");
	r.name = "m";
	OK(!perfgate_record(&r) && !perfgate_flush(), "and one of another name");
	s = contents(perfgate_file());
	OK(count(s, "\"sample\": 0") == 2 && count(s, "\"sample\": 1") == 1, "counted by name");
	free(s);
	OK(entries("out") == 1, "one file, and no other beside it");
	test_many_threads();
	OK(in_child(nothing) == 1, "a child that records nothing has no file");
	OK(in_child(record_one) == 2, "one that does has a file of its own");
	OK(in_child(record_and_flush) == 3, "with its own results only");
}

static void clean(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			unlinkat(dirfd(d), e->d_name, 0);
	}
	if (d)
		closedir(d);
	rmdir(folder);
}

int main(void)
{
	char folder[] = "/tmp/perfgate-unit-kpi.XXXXXX";

	unsetenv("PERFGATE_OUT");
	unsetenv("PERFGATE_SHA");
	if (!mkdtemp(folder) || chdir(folder))
		return 99;
	test_capture();
	test_threads();
	test_signals();
	test_init();
	test_write();
	test_reals();
	test_refused();
	test_trouble();
	test_taken();
	test_files();
	clean("out");
	clean(folder);
	return tap_done();
}
