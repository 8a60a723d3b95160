/*
 * opt: command line options from one table: parsing, help, and what the tests compare the manual
 * with.
 */
#ifndef OPT_H
#define OPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "err.h"

enum opt_type {
	OPT_FLAG,   /* bool */
	OPT_STRING, /* const char * */
	OPT_INT,    /* int64_t, not negative */
	OPT_COUNT,  /* int64_t, at least 1; 0: not given */
	OPT_LIST,   /* struct opt_list, one element a use */
	OPT_REST    /* struct opt_rest: all that stands behind "--"; its name is "" */
};

struct opt_list {
	const char **v;
	size_t n, cap;
};

/* Part of argv; v NULL: there was no "--". */
struct opt_rest {
	char **v;
	int n;
};

struct opt {
	const char *name; /* without "--" */
	char letter;      /* or 0 */
	enum opt_type type;
	size_t offset;   /* in the command's struct */
	const char *arg; /* what the help calls its argument; NULL for a flag */
	const char *help;
};

/*
 * Parses argv[0..argc) (without the program and the command) into values; operands are moved to the
 * front of argv and counted. "--" ends options (and operands, where there is an OPT_REST); "-" is
 * an operand. -h and --help set *help. Returns how many operands, or -1 with err set (ERR_USAGE,
 * the nearest option named; an empty value is one).
 */
int opt_parse(
	const struct opt *opts, int argc, char **argv, void *values, bool *help, struct err *err);

void opt_release(const struct opt *opts, void *values); /* the lists' arrays */

void opt_help(const struct opt *opts, FILE *out); /* one line an option */

#endif
