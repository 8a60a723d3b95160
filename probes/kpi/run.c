#include "perfgate/kpi.h"

#include <errno.h>

int perfgate_run(const char *name, int64_t iterations, void (*op)(void *arg), void *arg)
{
	struct perfgate_capture *c;
	struct perfgate_metrics m;
	struct perfgate_result r;
	int64_t i;
	int status;

	if (iterations < 1)
		return EINVAL;
	op(arg);
	status = perfgate_capture_begin(&c, 0);
	if (status)
		return status;
	for (i = 0; i < iterations; i++)
		op(arg);
	perfgate_capture_end(c, &m);
	perfgate_result_init(&r, name, &m, iterations);
	return perfgate_record(&r);
}
