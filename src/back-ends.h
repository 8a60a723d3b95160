/*
 * back-ends: the programs that `perfgate probe` measures with, and where they are.
 */
#ifndef BACK_ENDS_H
#define BACK_ENDS_H

#include <stddef.h>

#include "err.h"

enum back_end_id { BACK_END_CPU, BACK_END_OPENCL, BACK_END_CUDA, BACK_END_COUNT };

struct back_end_kind {
	const char *name;    /* clpeak's */
	const char *flag;    /* the option, and the device's prefix: cpu:0 */
	const char *program; /* its file */
	const char *absent;  /* what to do where there is no such file */
	const char *mend;    /* what to do where it finds nothing; NULL: nothing */
};

extern const struct back_end_kind back_ends[BACK_END_COUNT];

/*
 * The path of a back end's program, which the caller frees; NULL: it is not there. Looked for in
 * the folder that PERFGATE_LIBEXEC names and nowhere else, where it is set; else beside this
 * program, as in a build tree, and where it was or would have been installed.
 */
char *back_end_path(const struct back_end_kind *k);

#endif
