/*
 * command: one subcommand of perfgate. The table is in main.c, whose comment lists the steps of
 * adding one.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stddef.h>

#include "err.h"
#include "opt.h"

struct command {
	const char *name;
	const char *args;    /* operands for the usage line: "[BASE [HEAD]]" */
	const char *summary; /* one line, begins in lower case */
	const char *help;    /* more paragraphs for -h; may be NULL */
	const struct opt *opts;
	size_t values_size;     /* of the struct that opts fill */
	const void *defaults;   /* what it holds before; NULL: zeros */
	int min_args, max_args; /* -1: any */
	/* Returns the exit status, or -1 with err set (main prints it and exits 2). */
	int (*run)(void *values, char **args, int n, struct err *err);
	const struct command *const *subcommands; /* instead of run; ends with NULL */
};

extern const struct command *const commands[]; /* ends with NULL */

/* In a table of commands that ends with NULL: by name, and the name most like a mistyped one; NULL
 * none. */
const struct command *command_find(const struct command *const *table, const char *name);
const char *command_nearest(const struct command *const *table, const char *name);

/* Says something on standard error as "perfgate: ...", escaped. */
void complain(const char *fmt, ...) PRINTF_LIKE(1, 2);
void note(const char *fmt, ...) PRINTF_LIKE(1, 2); /* the same for what is no error: "note: ..." */
/* A line on standard output, escaped. */
void print_line(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Writes the help of a command ("" or "store " before its name). */
void command_help(const struct command *c, const char *parent, FILE *out);

#define OPT_STORE(type)                                                                            \
	{                                                                                          \
		"store", 0, OPT_STRING, offsetof(type, store), "FILE",                             \
			"the store (default: in the repository's git folder, or $PERFGATE_STORE)"  \
	}
#define OPT_JSON(type)                                                                             \
	{                                                                                          \
		"json", 0, OPT_FLAG, offsetof(type, json), NULL, "print JSON"                      \
	}
#define OPT_END                                                                                    \
	{                                                                                          \
		0                                                                                  \
	}

#endif
