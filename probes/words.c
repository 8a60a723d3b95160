#include "words.h"

#include <string.h>

static const char higher[] = "higher_is_better", lower[] = "lower_is_better";

static const struct unit_word units[] = {
	{"flops", "FLOPS", "flops", higher},
	{"ops", "OPS", "ops", higher},
	{"bps", "B/s", "bytes_per_second", higher},
	{"texels", "Texel/s", "items_per_second", higher},
	{"s", "s", "seconds", lower},
	{"ppm", "ppm", "ratio", lower},
};

const char *const category_words[] = {
	"compute", "crypto", "string", "bandwidth", "latency", "ai", "unknown", NULL};
const char *const device_type_words[] = {"gpu", "cpu", "accelerator", "unknown", NULL};
const char *const level_words[] = {"error", "warning", "info", "debug", NULL};

const struct unit_word *unit_word(const char *word)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].word, word))
			return &units[i];
	return NULL;
}

bool is_word(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (!strcmp(*words, word))
			return true;
	return false;
}
