/*
 * file: a file that is there whole or not at all, and the name of the one that is this process's.
 */
#ifndef PERFGATE_FILE_H
#define PERFGATE_FILE_H

#include <stddef.h>

/*
 * Writes the bytes to part, which must not exist yet, synchronises it and renames it to path. With
 * fresh, path must not exist either: whoever has made part is then alone in asking. Returns 0,
 * EEXIST, or what else the system said; part is gone then.
 */
int perfgate_file_put(const char *path, const char *part, const char *bytes, size_t len, int fresh);

/* FOLDER/NAME becomes FOLDER/.NAME.NUMBER.part, and NAME .NAME.NUMBER.part: hidden, so that nobody
 * reads it. The caller frees; NULL: no memory. */
char *perfgate_file_part(const char *path, unsigned number);

/* FOLDER/kpi-PROGRAM-PID-NUMBER.json. The caller frees; NULL: no memory. */
char *perfgate_file_name(const char *folder, long long number);

#endif
