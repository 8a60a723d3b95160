#include "machine.h"

#include "json-out.h"
#include "runner.h"
#include "weather.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first line of a small file; "" when it cannot be read. */
static void first_line(const char *path, char *out, size_t size)
{
	FILE *f = fopen(path, "re");

	out[0] = '\0';
	if (!f)
		return;
	if (fgets(out, (int)size, f))
		out[strcspn(out, "\n")] = '\0';
	fclose(f);
}

/* The value of the first line "KEY : VALUE" of /proc/cpuinfo that has the earliest of n keys. */
static void cpuinfo(const char *const *keys, size_t n_keys, char *out, size_t size)
{
	char line[512];
	size_t i, best = n_keys;
	FILE *f = fopen("/proc/cpuinfo", "re");

	out[0] = '\0';
	while (f && best && fgets(line, sizeof(line), f)) {
		char *colon = strchr(line, ':');
		size_t n;
		if (!colon)
			continue;
		for (n = (size_t)(colon - line); n && strchr(" \t", line[n - 1]); n--)
			;
		for (i = 0; i < best; i++) {
			if (n == strlen(keys[i]) && !strncmp(line, keys[i], n)) {
				colon += 1 + strspn(colon + 1, " \t");
				snprintf(out, size, "%s", colon);
				out[strcspn(out, "\n")] = '\0';
				best = i;
			}
		}
	}
	if (f)
		fclose(f);
}

/* Arm kernels name no model; the implementer and part numbers stand for it. */
void machine_cpu(char *out, size_t size)
{
	static const char *const keys[] = {"model name", "Model", "cpu model", "CPU part", "uarch"};

	cpuinfo(keys, ARRAY_LEN(keys), out, size);
}

static void cpuinfo_microcode(char *out, size_t size)
{
	static const char *const keys[] = {"microcode"};

	cpuinfo(keys, ARRAY_LEN(keys), out, size);
}

int64_t machine_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (int64_t)pages * size : 0;
}

void machine_runner(struct buf *out)
{
	struct utsname u;
	char cpu[512];

	if (uname(&u) < 0)
		u.machine[0] = '\0';
	machine_cpu(cpu, sizeof(cpu));
	runner_key(out, u.machine, cpu, sysconf(_SC_NPROCESSORS_ONLN), machine_memory());
}

void machine_session(struct buf *out, const struct ci *ci)
{
	char boot[64], login[32];
	const char *xdg = getenv("XDG_SESSION_ID");
	struct utsname u;

	first_line("/proc/sys/kernel/random/boot_id", boot, sizeof(boot));
	if (ci->session) {
		/* jobs of a matrix share their name, not their machine */
		buf_addf(out, "%s/%.8s", ci->session, boot);
		return;
	}
	if (!*boot && uname(&u) == 0)
		snprintf(boot, sizeof(boot), "%.60s", u.nodename);
	first_line("/proc/self/sessionid", login, sizeof(login));
	if (xdg && *xdg)
		snprintf(login, sizeof(login), "%.30s", xdg);
	else if (!strcmp(login, "4294967295"))
		login[0] = '\0';
	buf_addf(out, "boot/%s", boot);
	if (*login)
		buf_addf(out, "/%s", login);
}

/* clpeak's word for the system. */
static const char *system_word(const struct utsname *u)
{
	static const struct {
		const char *system, *machine, *word;
	} words[] = {{"Linux", "x86_64", "Linux x64"}, {"Linux", "aarch64", "Linux ARM64"},
		{"Linux", "arm", "Linux ARM"}, {"Linux", "i", "Linux x86"},
		{"Linux", "", "Linux unknown"}, {"FreeBSD", "", "FreeBSD"},
		{"Darwin", "", "Macintosh"}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(words); i++)
		if (!strcmp(u->sysname, words[i].system) &&
			!strncmp(u->machine, words[i].machine, strlen(words[i].machine)))
			return words[i].word;
	return "Unknown";
}

void machine_host(struct machine_host *ret)
{
	struct utsname u = {0};

	uname(&u);
	*ret = (struct machine_host){
		.logical_cores = sysconf(_SC_NPROCESSORS_ONLN), .memory_bytes = machine_memory()};
	machine_cpu(ret->cpu, sizeof(ret->cpu));
	snprintf(ret->os, sizeof(ret->os), "%s", system_word(&u));
	snprintf(ret->os_version, sizeof(ret->os_version), "%.120s", u.release);
	snprintf(ret->arch, sizeof(ret->arch), "%.70s", u.machine);
}

static void add_text(struct buf *out, const char *key, const char *value)
{
	if (value && *value)
		json_tight_string(out, key, value);
}

static void add_number(struct buf *out, const char *key, int64_t value)
{
	if (value <= 0)
		return;
	json_tight_key(out, key);
	buf_addf(out, "%lld", (long long)value);
}

void machine_facts(struct buf *out, const struct ci *ci)
{
	struct utsname u = {0};
	struct weather w;
	char cpu[512], firmware[128];

	uname(&u);
	machine_cpu(cpu, sizeof(cpu));
	buf_addch(out, '{');
	add_text(out, "os", u.sysname);
	add_text(out, "kernel", u.release);
	add_text(out, "host", u.nodename);
	add_text(out, "arch", u.machine);
	add_text(out, "cpu", cpu);
	add_number(out, "logical_cores", sysconf(_SC_NPROCESSORS_ONLN));
	add_number(out, "memory_bytes", machine_memory());
	cpuinfo_microcode(firmware, sizeof(firmware));
	add_text(out, "microcode", firmware);
	first_line("/sys/class/dmi/id/bios_version", firmware, sizeof(firmware));
	add_text(out, "bios", firmware);
	weather_look(&w, "", NULL);
	weather_facts(&w, out);
	add_text(out, "ci", ci->name);
	buf_addch(out, '}');
}
