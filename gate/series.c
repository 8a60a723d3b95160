#include "series.h"

#include <string.h>

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

int series_names_compare(const struct series_key *a, const struct series_key *b)
{
	int r = compare_text(a->suite, b->suite);

	r = r ? r : compare_text(a->benchmark, b->benchmark);
	r = r ? r : compare_text(a->metric, b->metric);
	return r ? r : compare_text(a->variant, b->variant);
}

int series_key_compare(const struct series_key *a, const struct series_key *b)
{
	int r = series_names_compare(a, b);

	r = r ? r : compare_text(a->runner, b->runner);
	r = r ? r : compare_text(a->unit, b->unit);
	return r ? r : compare_text(a->quantity, b->quantity);
}
