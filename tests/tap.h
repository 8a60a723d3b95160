/*
 * tap: a C test prints "ok N - what" or "not ok N - what" for each check and its plan at the end.
 *
 * A failed check does not change the exit status, which is left to the sanitizers.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count;

static inline bool tap_ok(bool good, const char *what, const char *file, int line)
{
	printf("%sok %d - %s\n", good ? "" : "not ", ++tap_count, what);
	if (!good)
		printf("# %s:%d\n", file, line);
	return good;
}

static inline bool tap_str(
	const char *got, const char *expected, const char *what, const char *file, int line)
{
	bool good = tap_ok(got && !strcmp(got, expected), what, file, line);

	if (!good)
		printf("# expected: %s\n#      got: %s\n", expected, got ? got : "(null)");
	return good;
}

#define OK(good, what) tap_ok(good, what, __FILE__, __LINE__)
#define IS_STR(got, expected, what) tap_str(got, expected, what, __FILE__, __LINE__)

static inline int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return 0;
}

#endif
