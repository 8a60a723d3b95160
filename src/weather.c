#include "weather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STEAL_SHARE .01

/* The first line of a file of the kernel; false when there is none. */
static bool kernel_says(const char *path, char *ret, size_t size)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");

	if (!f || !fgets(ret, (int)size, f))
		return false;
	ret[strcspn(ret, "\n")] = '\0';
	return *ret != '\0';
}

static void warn_load(struct buf *ret)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	double load;

	if (cores > 0 && getloadavg(&load, 1) == 1 && load > (double)cores / 2)
		buf_addf(ret, "the load average is %.1f on %ld core%s: other programs run\n", load,
			cores, cores == 1 ? "" : "s");
}

static void warn_governor(struct buf *ret)
{
	char governor[64];

	if (kernel_says("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", governor,
		    sizeof(governor)) &&
		strcmp(governor, "performance") != 0)
		buf_addf(ret, "the frequency governor is '%s', not 'performance'\n", governor);
}

static void warn_turbo(struct buf *ret)
{
	char text[16];

	if ((kernel_says("/sys/devices/system/cpu/intel_pstate/no_turbo", text, sizeof(text)) &&
		    !strcmp(text, "0")) ||
		(kernel_says("/sys/devices/system/cpu/cpufreq/boost", text, sizeof(text)) &&
			!strcmp(text, "1")))
		buf_addstr(ret, "turbo is on: the clock depends on heat and on the other cores\n");
}

/* proc(5): user nice system idle iowait irq softirq steal */
static void warn_steal(struct buf *ret)
{
	unsigned long long v[8], all = 0;
	char line[256];
	size_t i;

	if (!kernel_says("/proc/stat", line, sizeof(line)) ||
		sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2],
			&v[3], &v[4], &v[5], &v[6], &v[7]) != 8)
		return;
	for (i = 0; i < ARRAY_LEN(v); i++)
		all += v[i];
	if (all && (double)v[7] > STEAL_SHARE * (double)all)
		buf_addf(ret,
			"other guests of this machine took %.1f %% of its time since it started\n",
			100 * (double)v[7] / (double)all);
}

void weather_warnings(struct buf *ret)
{
	warn_load(ret);
	warn_governor(ret);
	warn_turbo(ret);
	warn_steal(ret);
}
