/*
 * conf-file: perfgate.conf as a file: read with bounds, and replaced as a whole or not at all.
 */
#ifndef CONF_FILE_H
#define CONF_FILE_H

#include "buf.h"
#include "err.h"

/* 1 read, 0 there is no such file, -1 with err set (ERR_POLICY: over 1 MiB, a pipe, a link to
 * nothing). */
int conf_file_read(const char *path, struct buf *ret, struct err *err);

/*
 * Writes a new file beside the old one, flushes it to the disk and renames it into place. Links are
 * followed, and a file that is there keeps its mode and, where allowed, its owner. old is what
 * conf_file_read() gave before (empty: no file), and has to be there still; NULL: whatever is there
 * goes. On an error (ERR_IO) the file is as it was.
 */
int conf_file_write(
	const char *path, const struct buf *text, const struct buf *old, struct err *err);

/* How git is told of the file from the current folder: "perfgate.conf", ":/perfgate.conf". */
const char *conf_file_pathspec(const char *path);

#endif
