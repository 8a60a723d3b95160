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

/* Of one child, as launch() counts it. -1: there is none, and why. */
static int64_t count(const char *line, long *ret_faults, const char **why)
{
	int fd = counter_open(SOFTWARE, PAGE_FAULTS, why);
	int64_t counted = -1;

	if (fd < 0)
		return -1;
	*ret_faults = line ? run(line) : 0;
	counted = counter_read(fd, why);
	close(fd);
	return counted;
}

static void test_software(void)
{
	const char *why = NULL, *none = NULL;
	int64_t one, three;
	long faults;

	one = count("exit 0", &faults, &why);
	if (why) {
		printf("ok %d - counting # SKIP %s\n", ++tap_count, why);
		return;
	}
	OK(one > 0 && one <= faults, "a child's faults are counted from its execve() on");
	OK(count(NULL, &faults, &none) < 0 && none, "nothing was executed: no count");
	none = NULL;
	three = count("sh -c 'sh -c :; :'; :", &faults, &none);
	OK(three > 2 * one && !none, "those of its descendants too");
	printf("# %lld %lld\n", (long long)one, (long long)three);
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
