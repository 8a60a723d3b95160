/*
 * publish-tree: the folder that a site is written into. A file is written only where it differs
 * from the one that is there, beside its place, which it takes when it is whole. What is written
 * is listed in a file of its own, TREE_LIST, so that what the site no longer has can be removed,
 * and nothing that others put there. Links in the folder are never followed. One process writes
 * into it at a time.
 */
#ifndef PUBLISH_TREE_H
#define PUBLISH_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

#define TREE_LIST "perfgate-site.txt"

struct tree;

struct tree_counts {
	size_t written, unchanged, removed;
	int64_t bytes; /* of all files that the site has */
};

/* Makes the folder where there is none. Refuses one that holds anything (but what begins with '.')
 * and no TREE_LIST, unless force. NULL with err set (ERR_IO, ERR_USAGE). */
struct tree *tree_open(const char *dir, bool force, struct err *err);
void tree_close(struct tree *t); /* NULL is fine */

/* path: below the folder, of letters, digits, '-', '_', '.' and '/'. Both return 0, or -1 with err
 * set (ERR_IO). */
int tree_put(struct tree *t, const char *path, const void *data, size_t len, struct err *err);
/* Removes what was listed and has not been put again, and lists what has. */
int tree_finish(struct tree *t, struct tree_counts *ret, struct err *err);

#endif
