#include "show-number.h"

#include "words.h"

#include <string.h>

static const struct {
	double size;
	const char *prefix;
} ladder[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "K"}, {1, ""},
	{1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};

void show_number(struct buf *b, double value, const char *unit)
{
	const struct unit_word *u = unit_word(unit);
	size_t i;

	if (!strcmp(u->quantity, "ratio")) {
		buf_addf(b, "%.7g %s", value, u->unit);
		return;
	}
	for (i = 0; i < ARRAY_LEN(ladder) - 1 && value < ladder[i].size; i++)
		;
	value /= ladder[i].size;
	buf_addf(b, "%.*f %s%s",
		value < 10    ? 2
		: value < 100 ? 1
			      : 0,
		value, ladder[i].prefix, u->unit);
}
