#include "host-memory.h"

#include "buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number behind key in a file of the kernel, its first one when key is "". -1: none. */
static int64_t number_in(const char *root, const char *path, const char *key)
{
	_cleanup_(freep) char *full = xasprintf("%s%s", root, path);
	_cleanup_(fclosep) FILE *f = fopen(full, "re");
	char line[256], *end;
	int64_t n;

	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, key, strlen(key)))
			continue;
		n = strtoll(line + strlen(key), &end, 10);
		return end == line + strlen(key) || n < 0 ? -1 : n;
	}
	return -1;
}

static int64_t at_most(int64_t n, int64_t limit)
{
	return limit >= 0 && limit < n ? limit : n;
}

/* The two kinds of control groups: the name of the controller in /proc/self/cgroup and the files.
 */
static const struct group_kind {
	const char *controller, *folder, *limit, *used;
} group_kinds[] = {{"", "/sys/fs/cgroup", "memory.max", "anon "},
	{"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "total_rss "}};

static void look_at_group(
	struct memory *m, const char *root, const struct group_kind *k, const char *group)
{
	_cleanup_(freep) char *limit_file = xasprintf("%s%s/%s", k->folder, group, k->limit);
	_cleanup_(freep) char *stat = xasprintf("%s%s/memory.stat", k->folder, group);
	int64_t limit = number_in(root, limit_file, ""), used = number_in(root, stat, k->used);

	if (limit < 0)
		return;
	m->total = at_most(m->total, limit);
	if (used >= 0)
		m->free = at_most(m->free, used < limit ? limit - used : 0);
}

/* A line of /proc/self/cgroup: NUMBER:CONTROLLER:PATH. The limits of all groups above hold too. */
static void look_at_groups(struct memory *m, const char *root, char *line)
{
	char *controller = strchr(line, ':'),
	     *path = controller ? strchr(controller + 1, ':') : NULL;
	size_t i;

	if (!path)
		return;
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	for (i = 0; i < ARRAY_LEN(group_kinds); i++) {
		if (strcmp(controller + 1, group_kinds[i].controller))
			continue;
		for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
			*end = '\0';
			look_at_group(m, root, &group_kinds[i], path);
		}
	}
}

static int64_t kib(int64_t n)
{
	return n < 0 || n > INT64_MAX / 1024 ? -1 : n * 1024;
}

void memory_look(struct memory *ret, const char *root)
{
	_cleanup_(freep) char *full = xasprintf("%s/proc/self/cgroup", root);
	_cleanup_(fclosep) FILE *f = fopen(full, "re");
	char line[4096];

	ret->total = at_most(INT64_MAX, kib(number_in(root, "/proc/meminfo", "MemTotal:")));
	ret->free = at_most(INT64_MAX, kib(number_in(root, "/proc/meminfo", "MemAvailable:")));
	while (f && fgets(line, sizeof(line), f))
		look_at_groups(ret, root, line);
}
