#include "weather.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "num.h"

enum { LINE_MAX_BYTES = 8192, ENOUGH_TICKS = 200 };

#define CPU_FOLDER "/sys/devices/system/cpu"

/* ---- files of the kernel ---- */

static FILE *open_file(const char *root, const char *path)
{
	_cleanup_(freep) char *full = xasprintf("%s%s", root, path);

	return fopen(full, "re");
}

/* The first line; false when there is none. */
static bool first_line(const char *root, const char *path, char *ret, size_t size)
{
	_cleanup_(fclosep) FILE *f = open_file(root, path);

	if (!f || !fgets(ret, (int)size, f))
		return false;
	ret[strcspn(ret, "\n")] = '\0';
	return *ret != '\0';
}

static int64_t to_number(const char *text)
{
	struct err err = ERR_INIT;
	int64_t ret;

	return num_parse_int(text, strspn(text, "0123456789"), 0, INT64_MAX, &ret, &err) < 0 ? -1
											     : ret;
}

static int64_t number_in(const char *root, const char *path)
{
	char line[64];

	return first_line(root, path, line, sizeof(line)) ? to_number(line) : -1;
}

/* The number behind a key at the beginning of a line; -1 when there is none. */
static int64_t number_behind(FILE *f, const char *key)
{
	const size_t n = strlen(key);
	char line[256];

	rewind(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, key, n) && strchr(": ", line[n]))
			return to_number(line + n + strspn(line + n, ": "));
	return -1;
}

/* ---- what there is to see ---- */

static void look_at_load(struct weather *w)
{
	char line[128], *end;

	w->load = -1;
	if (first_line(w->root, "/proc/loadavg", line, sizeof(line))) {
		w->load = strtod(line, &end);
		if (end == line)
			w->load = -1;
	}
}

/* proc(5): user nice system idle iowait irq softirq steal; then a line a core */
static void look_at_time(struct weather *w)
{
	_cleanup_(fclosep) FILE *f = open_file(w->root, "/proc/stat");
	long long v[8];
	char line[LINE_MAX_BYTES];
	size_t i;

	w->ticks = w->busy = w->stolen = w->cores = -1;
	if (!f || !fgets(line, sizeof(line), f) ||
		sscanf(line, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &v[0], &v[1], &v[2],
			&v[3], &v[4], &v[5], &v[6], &v[7]) != 8)
		return;
	w->ticks = w->cores = 0;
	for (i = 0; i < ARRAY_LEN(v); i++)
		w->ticks += v[i];
	w->stolen = v[7];
	w->busy = w->ticks - v[3] - v[4] - v[7];
	while (fgets(line, sizeof(line), f) && !strncmp(line, "cpu", 3))
		w->cores++;
}

static void look_at_memory(struct weather *w)
{
	_cleanup_(fclosep) FILE *f = open_file(w->root, "/proc/meminfo");
	_cleanup_(fclosep) FILE *vm = open_file(w->root, "/proc/vmstat");
	int64_t total, left;

	w->memory = w->available = w->swapped = -1;
	w->swapped_in = vm ? number_behind(vm, "pswpin") : -1;
	if (!f)
		return;
	w->memory = number_behind(f, "MemTotal") * 1024;
	w->available = number_behind(f, "MemAvailable") * 1024;
	total = number_behind(f, "SwapTotal");
	left = number_behind(f, "SwapFree");
	if (total >= 0 && left >= 0)
		w->swapped = (total - left) * 1024;
}

static void look_at_turbo(struct weather *w)
{
	static const struct {
		const char *path, *off, *command;
	} files[] = {
		{CPU_FOLDER "/intel_pstate/no_turbo", "1",
			"echo 1 >" CPU_FOLDER "/intel_pstate/no_turbo"},
		{CPU_FOLDER "/cpufreq/boost", "0", "echo 0 >" CPU_FOLDER "/cpufreq/boost"},
	};
	char line[16];
	size_t i;

	for (i = 0; i < ARRAY_LEN(files) && !w->turbo_known; i++) {
		w->turbo_known = first_line(w->root, files[i].path, line, sizeof(line));
		if (w->turbo_known && strcmp(line, files[i].off) != 0)
			w->turbo_off = files[i].command;
	}
}

static void look_at_governor(struct weather *w, size_t cpu)
{
	char path[128], line[sizeof(w->governor)];

	snprintf(path, sizeof(path), CPU_FOLDER "/cpu%zu/cpufreq/scaling_governor", cpu);
	if (!first_line(w->root, path, line, sizeof(line)))
		return;
	if (!*w->governor || (!strcmp(w->governor, "performance") && strcmp(line, "performance")))
		w->governed = 0;
	if (!w->governed)
		memcpy(w->governor, line, sizeof(line));
	w->governed += !strcmp(w->governor, line);
}

static void look_at_heat(struct weather *w, size_t cpu)
{
	char path[128];
	int64_t count;

	snprintf(
		path, sizeof(path), CPU_FOLDER "/cpu%zu/thermal_throttle/core_throttle_count", cpu);
	count = number_in(w->root, path);
	if (count >= 0)
		w->throttled = (w->throttled < 0 ? 0 : w->throttled) + count;
}

static void look_at_cpus(struct weather *w)
{
	char line[LINE_MAX_BYTES];
	struct err err = ERR_INIT;
	struct cpus online;
	size_t cpu;

	w->throttled = -1;
	if (!first_line(w->root, CPU_FOLDER "/online", line, sizeof(line)) ||
		cpus_parse(&online, line, &err) < 0)
		return;
	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (!cpus_have(&online, cpu) || (w->cpus && !cpus_have(w->cpus, cpu)))
			continue;
		look_at_governor(w, cpu);
		look_at_heat(w, cpu);
	}
}

/* A flag that a CPU has for whom there is a hypervisor. */
static bool is_virtual(const char *root)
{
	_cleanup_(fclosep) FILE *f = open_file(root, "/proc/cpuinfo");
	char line[LINE_MAX_BYTES];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "flags", 5))
			return strstr(line, " hypervisor") != NULL;
	return false;
}

static bool is_draining(const char *root, const char *supply)
{
	static const struct {
		const char *file, *is;
	} signs[] = {{"type", "Battery"}, {"status", "Discharging"}};
	char path[512], line[64];
	size_t i;

	for (i = 0; i < ARRAY_LEN(signs); i++) {
		snprintf(path, sizeof(path), "/sys/class/power_supply/%.200s/%s", supply,
			signs[i].file);
		if (!first_line(root, path, line, sizeof(line)) || strcmp(line, signs[i].is) != 0)
			return false;
	}
	snprintf(path, sizeof(path), "/sys/class/power_supply/%.200s/scope", supply);
	/* a mouse has one too */
	return !first_line(root, path, line, sizeof(line)) || strcmp(line, "Device") != 0;
}

static bool runs_on_battery(const char *root)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/class/power_supply", root);
	DIR *d = opendir(path);
	struct dirent *e;
	bool ret = false;

	while (d && !ret && (e = readdir(d)))
		ret = *e->d_name != '.' && is_draining(root, e->d_name);
	if (d)
		closedir(d);
	return ret;
}

static int64_t cpu_time(const struct rusage *u)
{
	return ((int64_t)u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000000000 +
	       ((int64_t)u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000;
}

static void look_at_self(struct weather *w)
{
	struct rusage self, children;
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	w->at = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	w->children_ns = cpu_time(&children);
	w->own_ns = w->children_ns + cpu_time(&self);
	w->displaced = children.ru_nivcsw;
}

void weather_look(struct weather *ret, const char *root, const struct cpus *cpus)
{
	*ret = (struct weather){.root = root, .cpus = cpus};
	look_at_self(ret);
	look_at_time(ret);
	look_at_load(ret);
	look_at_memory(ret);
	look_at_turbo(ret);
	look_at_cpus(ret);
	ret->virtual_ = is_virtual(root);
	ret->battery = runs_on_battery(root);
}

/* ---- what there is to say before ---- */

static void warn_load(const struct weather *w, struct buf *ret)
{
	if (w->load >= 0 && w->cores > 0 && w->load > (double)w->cores / 2)
		buf_addf(ret,
			"the load average is %.1f on %lld core%s: wait until other programs have ended\n",
			w->load, (long long)w->cores, w->cores == 1 ? "" : "s");
}

static void warn_clock(const struct weather *w, struct buf *ret)
{
	if (*w->governor && strcmp(w->governor, "performance") != 0)
		buf_addf(ret,
			"the frequency governor of %zu CPU%s is '%s': cpupower frequency-set -g performance\n",
			w->governed, w->governed == 1 ? "" : "s", w->governor);
	if (w->turbo_off)
		buf_addf(ret, "turbo is on, the clock depends on heat and on other cores: %s\n",
			w->turbo_off);
	if (w->throttled > 0)
		buf_addf(ret,
			"heat has slowed cores down %lld times since the machine started: see to its cooling\n",
			(long long)w->throttled);
	if (w->battery)
		buf_addstr(ret, "the machine runs on battery: plug it in\n");
}

double weather_stolen(const struct weather *from, const struct weather *to)
{
	const int64_t ticks = to->ticks - (from ? from->ticks : 0);

	if (to->ticks < 0 || (from && from->ticks < 0) || ticks <= 0)
		return -1;
	return (double)(to->stolen - (from ? from->stolen : 0)) / (double)ticks;
}

static void warn_steal(const struct weather *earlier, const struct weather *w, struct buf *ret)
{
	const bool lately = earlier->ticks >= 0 && w->ticks - earlier->ticks >= ENOUGH_TICKS;
	const double share = weather_stolen(lately ? earlier : NULL, w);

	if (share > STOLEN_SHARE)
		buf_addf(ret,
			"other guests %s %.1f %% of this machine's time: one with CPUs of its own is steadier\n",
			lately ? "take" : "took", 100 * share);
}

static void warn_memory(const struct weather *w, struct buf *ret)
{
	const double MIB = 1 << 20;

	if (w->memory > 0 && w->available >= 0 && w->available < w->memory / 10)
		buf_addf(ret, "only %.0f of %.0f MiB of memory are available: end other programs\n",
			(double)w->available / MIB, (double)w->memory / MIB);
	if (w->memory > 0 && w->swapped > w->memory / 20)
		buf_addf(ret, "%.0f MiB lie in swap, and take time when they are needed\n",
			(double)w->swapped / MIB);
}

/* A core's other threads, where one of them is measured on and another is not. */
static void warn_siblings(const struct weather *w, struct buf *ret)
{
	char path[128], line[256];
	struct cpus siblings;
	size_t cpu, other;

	for (cpu = 0; w->cpus && cpu < CPUS_MAX; cpu++) {
		struct err err = ERR_INIT;
		snprintf(path, sizeof(path), CPU_FOLDER "/cpu%zu/topology/thread_siblings_list",
			cpu);
		if (!cpus_have(w->cpus, cpu) || !first_line(w->root, path, line, sizeof(line)) ||
			cpus_parse(&siblings, line, &err) < 0)
			continue;
		for (other = 0; other < CPUS_MAX; other++)
			if (cpus_have(&siblings, other) && !cpus_have(w->cpus, other))
				buf_addf(ret,
					"CPU %zu shares its core with CPU %zu: echo 0 >" CPU_FOLDER
					"/cpu%zu/online\n",
					cpu, other, other);
	}
}

void weather_warnings(const struct weather *earlier, const struct weather *now, struct buf *ret)
{
	warn_load(now, ret);
	warn_clock(now, ret);
	warn_steal(earlier, now, ret);
	warn_memory(now, ret);
	warn_siblings(now, ret);
}
