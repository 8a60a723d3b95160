#include "counters.h"

static const char none[] = "perfgate knows no counters of this system";

int counter_open(uint32_t type, uint64_t config, const char **why)
{
	(void)type;
	(void)config;
	*why = none;
	return -1;
}

int64_t counter_read(int fd, const char **why)
{
	(void)fd;
	*why = none;
	return -1;
}

void counters_open(struct counters *c)
{
	size_t i;

	for (i = 0; i < COUNTER_COUNT; i++)
		c->fd[i] = counter_open(0, 0, &c->why[i]);
}

void counters_read(const struct counters *c, struct counts *ret)
{
	size_t i;

	for (i = 0; i < COUNTER_COUNT; i++) {
		ret->v[i] = -1;
		ret->why[i] = c->why[i];
	}
}

void counters_close(struct counters *c)
{
	(void)c;
}
