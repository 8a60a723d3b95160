#include "caches.h"

#include "buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FOLDER "/sys/devices/system/cpu/cpu0/cache"

/* The first word of a file of a cache; -1 when there is no such file. */
static int read_word(const char *folder, int index, const char *name, char ret[32])
{
	_cleanup_(freep) char *path = xasprintf("%s/index%d/%s", folder, index, name);
	_cleanup_(fclosep) FILE *f = fopen(path, "re");

	return f && fscanf(f, "%31s", ret) == 1 ? 0 : -1;
}

/* "48K" to 49152; 0 for what makes no sense. */
static int64_t read_size(const char *folder, int index, const char *name)
{
	char word[32], *end;
	long long n;

	if (read_word(folder, index, name, word) < 0)
		return 0;
	n = strtoll(word, &end, 10);
	if (n <= 0 || n > INT64_C(1) << 32)
		return 0;
	return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : *end == 'G' ? n << 30 : n;
}

static void take(int64_t *size, int64_t found)
{
	if (found > 0)
		*size = found;
}

void caches_read(struct caches *ret, const char *folder)
{
	char level[32], type[32];
	int i;

	for (i = 0; i < 16 && read_word(folder, i, "level", level) == 0; i++) {
		if (read_word(folder, i, "type", type) < 0 || !strcmp(type, "Instruction"))
			continue;
		if (*level == '1')
			take(&ret->line, read_size(folder, i, "coherency_line_size"));
		if (*level >= '1' && *level <= '3')
			take(*level == '1'      ? &ret->l1d
				: *level == '2' ? &ret->l2
						: &ret->l3,
				read_size(folder, i, "size"));
	}
}

void caches_find(struct caches *ret)
{
	*ret = (struct caches){.line = 64};
#ifdef _SC_LEVEL1_DCACHE_SIZE
	take(&ret->l1d, sysconf(_SC_LEVEL1_DCACHE_SIZE));
	take(&ret->line, sysconf(_SC_LEVEL1_DCACHE_LINESIZE));
	take(&ret->l2, sysconf(_SC_LEVEL2_CACHE_SIZE));
	take(&ret->l3, sysconf(_SC_LEVEL3_CACHE_SIZE));
#endif
	caches_read(ret, FOLDER);
}
