#include "openmetrics.h"

#include "figure.h"
#include "text.h"

#include <math.h>
#include <string.h>

void openmetrics_family(
	struct buf *b, const char *name, const char *type, const char *unit, const char *help)
{
	buf_addf(b, "# TYPE %s %s\n", name, type);
	if (unit)
		buf_addf(b, "# UNIT %s %s\n", name, unit);
	buf_addf(b, "# HELP %s %s\n", name, help);
}

void openmetrics_label(struct buf *b, const char *name, const char *value)
{
	_cleanup_(buf_release) struct buf tame = BUF_INIT;
	const char *p;

	if (!value)
		return;
	text_escape(&tame, value, strlen(value));
	if (b->p[b->len - 1] != '{')
		buf_addch(b, ',');
	buf_addf(b, "%s=\"", name);
	for (p = buf_str(&tame); *p; p++) {
		if (*p == '\\' || *p == '"')
			buf_addch(b, '\\');
		buf_addch(b, *p);
	}
	buf_addch(b, '"');
}

void openmetrics_series(struct buf *b, const struct series_key *k)
{
	openmetrics_label(b, "suite", k->suite);
	openmetrics_label(b, "benchmark", k->benchmark ? k->benchmark : "");
	openmetrics_label(b, "metric", k->metric ? k->metric : "");
	openmetrics_label(b, "unit", k->unit ? k->unit : "");
	openmetrics_label(b, "quantity", k->quantity ? k->quantity : "");
	openmetrics_label(b, "variant", k->variant ? k->variant : "");
	openmetrics_label(b, "runner", k->runner ? k->runner : "");
}

void openmetrics_real(struct buf *b, double value)
{
	if (isinf(value))
		buf_addstr(b, value < 0 ? "-Inf" : "+Inf");
	else
		figure_real(b, value);
}
