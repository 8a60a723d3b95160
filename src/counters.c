#include "counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint64_t events[] = {
	[COUNTER_INSTRUCTIONS] = PERF_COUNT_HW_INSTRUCTIONS,
	[COUNTER_CYCLES] = PERF_COUNT_HW_CPU_CYCLES,
};

static const char *reason(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return "the kernel does not permit it (perf_event_paranoid, or the container)";
	case EMFILE:
	case ENFILE:
		return "there are too many open files";
	default:
		return "this machine has no such counter";
	}
}

/* The kernel's own work is never counted: whether it may be depends on the machine's settings, and
 * the number would with it. */
int counter_open(uint32_t type, uint64_t config, const char **why)
{
	struct perf_event_attr attr = {.type = type,
		.size = sizeof(attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.enable_on_exec = 1};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	*why = fd < 0 ? reason(errno) : NULL;
	return (int)fd;
}

int64_t counter_read(int fd, const char **why)
{
	struct {
		uint64_t value, enabled, running;
	} got;

	if (read(fd, &got, sizeof(got)) != (ssize_t)sizeof(got) || got.value > INT64_MAX)
		*why = "the counter cannot be read";
	else if (got.running < got.enabled)
		*why = "others used the counter too, so that it ran a part of the time only";
	else if (!got.running || !got.value)
		*why = "the counter counted nothing";
	else
		return (int64_t)got.value;
	return -1;
}

void counters_open(struct counters *c)
{
	size_t i;

	for (i = 0; i < COUNTER_COUNT; i++)
		c->fd[i] = counter_open(PERF_TYPE_HARDWARE, events[i], &c->why[i]);
}

void counters_read(const struct counters *c, struct counts *ret)
{
	size_t i;

	for (i = 0; i < COUNTER_COUNT; i++) {
		ret->why[i] = c->why[i];
		ret->v[i] = c->fd[i] < 0 ? -1 : counter_read(c->fd[i], &ret->why[i]);
	}
}

void counters_close(struct counters *c)
{
	size_t i;

	for (i = 0; i < COUNTER_COUNT; i++)
		closep(&c->fd[i]);
}
