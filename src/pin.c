#include "pin.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

int pin_self(const struct cpus *c)
{
	return sched_setaffinity(0, sizeof(c->set), (const cpu_set_t *)(const void *)c->set);
}

int pin_bound(struct cpus *ret)
{
	*ret = (struct cpus){0};
	return sched_getaffinity(0, sizeof(ret->set), (cpu_set_t *)(void *)ret->set);
}

/* As many as the system lets a process have, whatever this one was bound to. */
static void find_allowed(struct cpus *ret)
{
	struct cpus all;

	memset(&all, 0xff, sizeof(all));
	if (pin_self(&all) < 0 || pin_bound(ret) < 0)
		*ret = (struct cpus){0};
}

/* A container's share of the CPUs narrows what is asked for without a word: so it is tried. */
int pin_check(const struct cpus *c, struct err *err)
{
	_cleanup_(buf_release) struct buf wanted = BUF_INIT, has = BUF_INIT;
	struct cpus before, got = {0}, allowed;
	int error = 0;

	if (pin_bound(&before) < 0)
		return err_set(err, ERR_USAGE, "cannot bind to CPUs: %s", strerror(errno));
	if (pin_self(c) < 0 || pin_bound(&got) < 0)
		error = errno;
	find_allowed(&allowed);
	pin_self(&before);
	if (!error && !memcmp(&got, c, sizeof(got)))
		return 0;
	cpus_format(&wanted, c);
	cpus_format(&has, &allowed);
	return err_set(err, ERR_USAGE, "CPU %.100s: not all of it can be had here; there is %.100s",
		buf_str(&wanted), has.len ? has.p : strerror(error));
}
