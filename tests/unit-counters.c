/*
 * The CPU's counters where there are any; and how counting works by events that the kernel makes
 * itself, which every machine has that lets a user count.
 */
#include "counters.h"

#include "tap.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SOFTWARE = 1, PAGE_FAULTS = 2 }; /* PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS */

/* A shell that starts one more, and that does what it says. Its faults. */
static long run(const char *line)
{
	struct rusage usage = {0};
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) < 0 || status != 0)
		return -1;
	return usage.ru_minflt + usage.ru_majflt;
}

static void test_software(void)
{
	const char *why, *none = NULL;
	int fd = counter_open(SOFTWARE, PAGE_FAULTS, &why);
	long faults;
	int64_t counted, both;

	if (fd < 0) {
		printf("ok %d - counting # SKIP %s\n", ++tap_count, why);
		return;
	}
	OK(!why, "no reason not to count");
	OK(counter_read(fd, &none) < 0 && none, "nothing was executed: no count");
	none = NULL;
	faults = run("exit 0");
	counted = counter_read(fd, &none);
	OK(faults > 0 && counted > 0 && counted <= faults && !none,
		"a child's faults are counted from its execve() on");
	run("sh -c 'sh -c :; :'; :");
	both = counter_read(fd, &none);
	OK(both - counted > counted, "those of its descendants too");
	close(fd);
}

static void test_hardware(void)
{
	struct counters c;
	struct counts counts;

	counters_open(&c);
	run("exit 0");
	counters_read(&c, &counts);
	counters_close(&c);
	for (int i = 0; i < COUNTER_COUNT; i++) {
		OK(counts.v[i] > 0 ? !counts.why[i] : counts.v[i] == -1 && counts.why[i],
			"a count, or why there is none");
		printf("# %lld %s\n", (long long)counts.v[i], counts.why[i] ? counts.why[i] : "");
	}
}

int main(void)
{
	test_software();
	test_hardware();
	return tap_done();
}
