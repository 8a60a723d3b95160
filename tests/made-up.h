/*
 * made-up: files of the kernel as a test wants them, in a folder that stands for /.
 */
#ifndef MADE_UP_H
#define MADE_UP_H

#include "buf.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/perfgate-test.XXXXXX";

/* A file below root, with its folders. */
static void put(const char *path, const char *text)
{
	_cleanup_(freep) char *full = xasprintf("%s%s", root, path);
	FILE *f;

	for (char *slash = full + strlen(root); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(full, 0700);
		*slash = '/';
	}
	f = fopen(full, "we");
	if (!f)
		exit(99);
	fputs(text, f);
	fclose(f);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

/* Leaves the folder empty. */
static void clear(void)
{
	nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	mkdir(root, 0700);
}

#endif
