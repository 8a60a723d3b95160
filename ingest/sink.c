#include "sink.h"

#include <string.h>

const char *direction_name(enum direction d)
{
	return d == DIRECTION_LOWER ? "lower" : d == DIRECTION_HIGHER ? "higher" : "none";
}

int direction_parse(const char *s, enum direction *ret)
{
	static const enum direction all[] = {DIRECTION_LOWER, DIRECTION_HIGHER, DIRECTION_NONE};
	size_t i;

	for (i = 0; i < ARRAY_LEN(all); i++) {
		if (!strcmp(s, direction_name(all[i]))) {
			*ret = all[i];
			return 0;
		}
	}
	return -1;
}

static const char *const statuses[] = {
	[SINK_UNSUPPORTED] = "unsupported", [SINK_SKIPPED] = "skipped", [SINK_ERROR] = "error"};

const char *sink_status_name(enum sink_status s)
{
	return statuses[s];
}

int sink_status_parse(const char *s, enum sink_status *ret)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(statuses); i++) {
		if (!strcmp(s, statuses[i])) {
			*ret = (enum sink_status)i;
			return 0;
		}
	}
	return -1;
}
