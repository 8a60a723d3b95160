#include "pin.h"

#include <errno.h>

int pin_self(const struct cpus *c)
{
	(void)c;
	errno = ENOSYS;
	return -1;
}

int pin_bound(struct cpus *ret)
{
	*ret = (struct cpus){0};
	errno = ENOSYS;
	return -1;
}

int pin_check(const struct cpus *c, struct err *err)
{
	(void)c;
	return err_set(err, ERR_USAGE, "this system cannot bind a process to CPUs");
}
