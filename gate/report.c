#include "report.h"

#include "report-words.h"

#include <errno.h>
#include <string.h>

extern const struct report_format report_text;
extern const struct report_format report_json;
extern const struct report_format report_markdown;
extern const struct report_format report_junit;
extern const struct report_format report_github;
extern const struct report_format report_openmetrics;
extern const struct report_format report_csv;

/*
 * To add a format: its const struct in gate/report-NAME.c, a line here and one above, the file in
 * gate/local.mk, tests/cases-report/every.NAME and checks in tests/reports.sh, an item in REPORTS
 * of docs/perfgate.1 and a line in README.md.
 */
const struct report_format *const report_formats[] = {&report_text, &report_json, &report_markdown,
	&report_junit, &report_github, &report_openmetrics, &report_csv, NULL};

const struct report_format *report_find(const char *name)
{
	size_t i;

	for (i = 0; report_formats[i]; i++)
		if (!strcmp(report_formats[i]->name, name))
			return report_formats[i];
	return NULL;
}

int report_status(const struct report *r, const struct judged *j)
{
	return r->unmeasured && j->verdict == VERDICT_NOT_MEASURED ? 3
								   : verdict_status(j, &r->options);
}

void report_count(struct report *r)
{
	size_t i;
	int v;

	memset(r->counts, 0, sizeof(r->counts));
	for (i = 0; i < r->n; i++)
		r->counts[r->verdicts[i].verdict]++;
	for (r->judged = 0, v = 0; v < VERDICT_COUNT; v++)
		r->judged += words_is_judged((enum verdict)v) ? r->counts[v] : 0;
	r->exit = verdicts_status(r->verdicts, r->n, &r->options);
	if (r->unmeasured)
		r->exit = 3;
}

static int write_error(struct err *err)
{
	return err_set(err, errno == EPIPE ? ERR_PIPE : ERR_IO, "cannot write the report: %s",
		strerror(errno));
}

int report_put(struct buf *b, FILE *out, struct err *err)
{
	if (b->len && fwrite(b->p, 1, b->len, out) != b->len)
		return write_error(err);
	buf_clear(b);
	return 0;
}

int report_end(struct buf *b, FILE *out, struct err *err)
{
	if (report_put(b, out, err) < 0)
		return -1;
	if (fflush(out) != 0 || ferror(out))
		return write_error(err);
	return 0;
}
