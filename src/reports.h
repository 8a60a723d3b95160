/*
 * reports: which reports a run of gate or diff writes, and where: those of --report, else what the
 * CI system shows by itself, else the text.
 */
#ifndef REPORTS_H
#define REPORTS_H

#include "context.h"
#include "opt.h"
#include "report.h"

/* Whether each FORMAT[:FILE] names a format. Returns 0, or -1 with err set (ERR_USAGE). */
int reports_check(const struct opt_list *reports, struct err *err);

/*
 * Writes them. Without a FORMAT[:FILE], gate adds in GitHub Actions annotations and the step
 * summary, and in GitLab CI two files for its artifacts; where that fails a line on standard error
 * says so. Returns 0, or -1 with err set (ERR_IO, ERR_PIPE).
 */
int reports_write(const struct report *r, const struct opt_list *reports, bool all,
	const struct context *c, struct err *err);

/* The report as a string; the caller frees. NULL with err set (ERR_IO). */
char *reports_rendered(const struct report *r, const struct report_format *f,
	const struct report_style *style, struct err *err);

#endif
