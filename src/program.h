/*
 * program: what a command is started with: the file that its first word names, its environment, and
 * the shell for a script that does not say what runs it. Made before there is a process for it.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "launch.h"

struct program {
	char *path;         /* as execve() takes it in the command's folder */
	char **environment; /* the array and variable are its own */
	char *variable;
	char **shell; /* for a file that the kernel cannot run itself */
};

/* A name without a slash is looked for in PATH, any other in l->dir. 0, or -1 with err set
 * (ERR_USAGE) to what is wrong with it; to be released in any case. */
int program_init(struct program *p, const struct launch *l, struct err *err);
void program_release(struct program *p);

/* Says why execve() refused it. Always returns -1. */
int program_refused(const struct program *p, const struct launch *l, int error, struct err *err);

#endif
