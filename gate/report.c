#include "report.h"

#include <errno.h>
#include <string.h>

extern const struct report_format report_text;
extern const struct report_format report_json;

/*
 * To add a format: its const struct in gate/report-NAME.c, a line here and one above, the file in
 * gate/local.mk, its checks in tests/unit-report.c and its section in the manual page of gate.
 */
const struct report_format *const report_formats[] = {&report_text, &report_json, NULL};

const struct report_format *report_find(const char *name)
{
	size_t i;

	for (i = 0; report_formats[i]; i++)
		if (!strcmp(report_formats[i]->name, name))
			return report_formats[i];
	return NULL;
}

void report_count(struct report *r)
{
	size_t i;

	memset(r->counts, 0, sizeof(r->counts));
	for (i = 0; i < r->n; i++)
		r->counts[r->verdicts[i].verdict]++;
	r->judged = r->counts[VERDICT_PASS] + r->counts[VERDICT_IMPROVED] +
		    r->counts[VERDICT_REGRESSED];
	r->exit = verdicts_status(r->verdicts, r->n, &r->options);
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
