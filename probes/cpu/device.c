#include "cpu.h"

#include "caches.h"
#include "isa.h"
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first number of a file, from behind the first line that begins with `key` if that is given;
 * 0 when there is none. */
static double number_in(const char *path, const char *key)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	char line[256];
	const char *colon;

	while (f && fgets(line, sizeof(line), f)) {
		if (!*key)
			return strtod(line, NULL);
		if (!strncmp(line, key, strlen(key)) && (colon = strchr(line, ':')))
			return strtod(colon + 1, NULL);
	}
	return 0;
}

/* In MHz; -1 when nobody says. A virtual machine has the nominal one at best. */
static int64_t find_clock(void)
{
	double mhz = number_in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "") / 1000;

	if (mhz < 1)
		mhz = number_in("/proc/cpuinfo", "cpu MHz");
	return mhz >= 1 && mhz < 1e6 ? (int64_t)(mhz + 0.5) : -1;
}

static void add_size(struct plan *plan, const char *key, int64_t bytes)
{
	if (bytes >= 1 << 20)
		plan_property(plan, key, plan_text(plan, "%lld MB", (long long)(bytes >> 20)));
	else if (bytes > 0)
		plan_property(plan, key, plan_text(plan, "%lld KB", (long long)(bytes >> 10)));
}

static const char *all_sets(struct plan *plan)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	enum isa i;

	for (i = 0; i < ISA_COUNT; i++)
		if (isa_has(i))
			buf_addf(&b, "%s%s", b.len ? ", " : "", isa_name(i));
	return b.len ? plan_text(plan, "%s", b.p) : NULL;
}

static void add_properties(struct plan *plan, int64_t cpus, int64_t clock_mhz, int64_t memory)
{
	const char *sets = all_sets(plan);
	struct caches caches;

	caches_find(&caches);
	if (sets)
		plan_property(plan, "ISA", sets);
	if (cpus > 0)
		plan_property(plan, "Cores", plan_text(plan, "%lld", (long long)cpus));
	if (clock_mhz > 0)
		plan_property(plan, "Clock", plan_text(plan, "%lld MHz", (long long)clock_mhz));
	add_size(plan, "L1d", caches.l1d);
	add_size(plan, "L2", caches.l2);
	add_size(plan, "L3", caches.l3);
	add_size(plan, "RAM", memory);
}

void cpu_device(struct plan *plan)
{
	int64_t cpus = sysconf(_SC_NPROCESSORS_ONLN), clock_mhz = find_clock(),
		memory = machine_memory();
	struct device d = {DEVICE_UNKNOWN, .platform = "CPU", .name = "CPU", .type = "cpu"};
	struct utsname u;
	char name[256];

	machine_cpu(name, sizeof(name));
	if (*name)
		d.name = plan_text(plan, "%s", name);
	if (uname(&u) == 0)
		d.arch = plan_text(plan, "%s", u.machine);
	d.compute_units = cpus;
	d.clock_mhz = clock_mhz;
	d.global_mem_bytes = memory > 0 ? memory : -1;
	d.fp64 = 1;
	plan_device(plan, &d);
	add_properties(plan, cpus, clock_mhz, memory);
}
