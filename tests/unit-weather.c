/* Made-up files of the kernel: what is warned of, what is said to have happened, what is kept. */
#include "weather.h"

#include "made-up.h"
#include "tap.h"

#include <unistd.h>

/* Eight cores that have nothing to complain of. */
static void fine_weather(void)
{
	char path[128];

	clear();
	put("/proc/loadavg", "0.12 0.20 0.18 1/123 4567\n");
	put("/proc/stat", "cpu  1000 0 1000 98000 0 0 0 0 0 0\n"
			  "cpu0 1 0 1 1 0 0 0 0 0 0\ncpu1 1 0 1 1 0 0 0 0 0 0\n"
			  "cpu2 1 0 1 1 0 0 0 0 0 0\ncpu3 1 0 1 1 0 0 0 0 0 0\nintr 1 2 3\n");
	put("/proc/meminfo", "MemTotal:       16000000 kB\nMemFree:         8000000 kB\n"
			     "MemAvailable:   12000000 kB\nSwapTotal:       4000000 kB\n"
			     "SwapFree:        4000000 kB\n");
	put("/proc/vmstat", "nr_free_pages 5\npswpin 100\npswpout 7\n");
	put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme\n");
	put("/sys/devices/system/cpu/online", "0-3\n");
	put("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path),
			"/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", i);
		put(path, "performance\n");
		snprintf(path, sizeof(path),
			"/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", i);
		put(path, "0\n");
		snprintf(path, sizeof(path),
			"/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", i);
		put(path, i % 2 ? "1,3\n" : "0,2\n");
	}
	put("/sys/class/power_supply/AC/type", "Mains\n");
	put("/sys/class/power_supply/BAT0/type", "Battery\n");
	put("/sys/class/power_supply/BAT0/status", "Full\n");
}

static void warns(const struct cpus *cpus, const char *expected, const char *what)
{
	_cleanup_(buf_release) struct buf got = BUF_INIT;
	const struct weather earlier = {.ticks = -1};
	struct weather w;

	weather_look(&w, root, cpus);
	weather_warnings(&earlier, &w, &got);
	IS_STR(buf_str(&got), expected, what);
}

static void test_warnings(void)
{
	fine_weather();
	warns(NULL, "", "nothing to warn of");
	put("/proc/loadavg", "2.50 1.00 1.00 1/123 4567\n");
	warns(NULL, "the load average is 2.5 on 4 cores: wait until other programs have ended\n",
		"load above half the cores");
	fine_weather();
	put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
	put("/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n");
	warns(NULL,
		"the frequency governor of 2 CPUs is 'powersave': cpupower frequency-set -g performance\n",
		"two CPUs have another governor");
	fine_weather();
	put("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	warns(NULL,
		"turbo is on, the clock depends on heat and on other cores: echo 1 >/sys/devices/system/cpu/intel_pstate/no_turbo\n",
		"turbo of Intel's driver");
	clear();
	put("/sys/devices/system/cpu/cpufreq/boost", "1\n");
	warns(NULL,
		"turbo is on, the clock depends on heat and on other cores: echo 0 >/sys/devices/system/cpu/cpufreq/boost\n",
		"boost of others");
	put("/sys/devices/system/cpu/cpufreq/boost", "0\n");
	warns(NULL, "", "... and without");
}

static void test_more_warnings(void)
{
	fine_weather();
	put("/proc/stat", "cpu  1000 0 1000 95000 0 0 0 3000 0 0\ncpu0 1 0 1 1 0 0 0 0 0 0\n");
	warns(NULL,
		"other guests took 3.0 % of this machine's time: one with CPUs of its own is steadier\n",
		"steal since boot");
	fine_weather();
	put("/proc/meminfo", "MemTotal:       16000000 kB\nMemAvailable:    1024000 kB\n"
			     "SwapTotal:       4000000 kB\nSwapFree:        2976000 kB\n");
	warns(NULL,
		"only 1000 of 15625 MiB of memory are available: end other programs\n"
		"1000 MiB lie in swap, and take time when they are needed\n",
		"little memory, and swap in use");
	fine_weather();
	put("/sys/class/power_supply/BAT0/status", "Discharging\n");
	warns(NULL, "the machine runs on battery: plug it in\n", "battery");
	put("/sys/class/power_supply/BAT0/scope", "Device\n");
	warns(NULL, "", "... of a mouse");
	put("/sys/devices/system/cpu/cpu2/thermal_throttle/core_throttle_count", "7\n");
	put("/sys/devices/system/cpu/cpu3/thermal_throttle/core_throttle_count", "5\n");
	warns(NULL,
		"heat has slowed cores down 12 times since the machine started: see to its cooling\n",
		"heat");
}

static void test_bound(void)
{
	struct cpus cpus = {0};

	fine_weather();
	put("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
	cpus_add(&cpus, 1);
	warns(&cpus,
		"CPU 1 shares its core with CPU 3: echo 0 >/sys/devices/system/cpu/cpu3/online\n",
		"the other thread of the core; the governor of other CPUs does not matter");
	cpus_add(&cpus, 3);
	warns(&cpus, "", "a whole core");
}

static void test_untold(void)
{
	_cleanup_(buf_release) struct buf facts = BUF_INIT;
	struct spell s = {0};

	clear();
	warns(NULL, "", "a machine that tells nothing");
	weather_look(&s.before, root, NULL);
	s.after = s.before;
	spell_facts(&s, &facts);
	IS_STR(buf_str(&facts), "\"seconds\":0,\"virtual\":false,\"battery\":false",
		"... has no facts");
	put("/proc/stat", "cpu x\n");
	put("/proc/loadavg", "\n");
	put("/proc/meminfo", "MemTotal:\nMemAvailable: much\n");
	put("/sys/devices/system/cpu/online", "all\n");
	warns(NULL, "", "nor one that cannot be understood");
}

static void test_lately(void)
{
	_cleanup_(buf_release) struct buf got = BUF_INIT;
	struct weather earlier = {.ticks = 100000, .stolen = 90000}, now = earlier;

	now.ticks += 1000;
	weather_warnings(&earlier, &now, &got);
	IS_STR(buf_str(&got), "", "what was stolen long ago");
	now.stolen += 20;
	weather_warnings(&earlier, &now, &got);
	IS_STR(buf_str(&got),
		"other guests take 2.0 % of this machine's time: one with CPUs of its own is steadier\n",
		"what is stolen lately");
}

/* Ten seconds of four cores, in ticks. */
static struct spell ten_seconds(void)
{
	const int64_t hz = sysconf(_SC_CLK_TCK);
	struct spell s = {.runs = 20};

	s.before = (struct weather){.ticks = 1000, .load = .5, .cores = 4, .throttled = 2};
	s.after = s.before;
	s.after.at = INT64_C(10000000000);
	s.after.ticks += 40 * hz;
	s.after.busy += 10 * hz;
	s.after.own_ns = s.after.children_ns = INT64_C(9900000000);
	s.after.displaced = 60;
	return s;
}

static void happened(const struct spell *s, const char *expected, const char *what)
{
	_cleanup_(buf_release) struct buf got = BUF_INIT;

	spell_events(s, &got);
	IS_STR(buf_str(&got), expected, what);
}

static void test_events(void)
{
	const int64_t hz = sysconf(_SC_CLK_TCK);
	struct spell s = ten_seconds();

	happened(&s, "", "nothing happened");
	s.after.busy += 15 * hz;
	happened(&s, "other programs kept 1.5 of 4 cores busy meanwhile\n", "others");
	s = ten_seconds();
	s.after.stolen += 2 * hz;
	happened(&s, "other guests took 5.0 % of this machine's time meanwhile\n", "steal");
	s = ten_seconds();
	s.after.displaced = 1030;
	happened(&s,
		"what ran had to give up its CPU 100 times a second: to other programs, or to its own threads\n",
		"displaced");
	s = ten_seconds();
	s.after.throttled++;
	s.after.swapped_in += 512;
	s.after.at = 1000;
	happened(&s,
		sysconf(_SC_PAGESIZE) == 4096
			? "heat slowed cores down 1 time meanwhile\n2.0 MiB were read back from swap meanwhile\n"
			: "heat slowed cores down 1 time meanwhile\n",
		"heat and swap, however short it was");
}

static void test_facts(void)
{
	_cleanup_(buf_release) struct buf facts = BUF_INIT;
	struct spell s = ten_seconds();
	struct cpus cpus = {0};

	cpus_add(&cpus, 2);
	cpus_add(&cpus, 3);
	s.before.cpus = &cpus;
	s.before.turbo_known = s.before.virtual_ = true;
	snprintf(s.before.governor, sizeof(s.before.governor), "powersave");
	spell_facts(&s, &facts);
	IS_STR(buf_str(&facts),
		"\"seconds\":10,\"cpus\":\"2-3\",\"load\":0.5,\"others_cores\":0.01,\"stolen_share\":0,"
		"\"displaced_per_s\":2.02,\"throttled\":0,\"swapped_in_pages\":0,"
		"\"governor\":\"powersave\",\"turbo\":false,\"virtual\":true,\"battery\":false",
		"what is kept");
}

static void test_look(void)
{
	struct weather w;

	fine_weather();
	put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n");
	weather_look(&w, root, NULL);
	OK(w.virtual_ && !w.battery, "a virtual machine");
	OK(w.cores == 4 && w.ticks == 100000 && w.busy == 2000 && w.stolen == 0,
		"cores and their time");
	OK(w.throttled == 0 && w.swapped_in == 100 && w.swapped == 0, "heat and swap");
	OK(w.governed == 4 && !strcmp(w.governor, "performance"), "the governor of all");
	weather_look(&w, "", NULL);
	OK(w.at > 0 && w.own_ns >= w.children_ns, "this machine");
}

int main(void)
{
	if (!mkdtemp(root))
		return 99;
	test_warnings();
	test_more_warnings();
	test_bound();
	test_untold();
	test_lately();
	test_events();
	test_facts();
	test_look();
	clear();
	OK(rmdir(root) == 0, "nothing is left");
	return tap_done();
}
