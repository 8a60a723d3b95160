#include "sweep.h"

#include "sane.h"

#define LAUNCHES_MAX 10000

struct sweeping {
	struct ocl_device *d;
	struct sweep *w;
};

static int check(struct ocl_device *d, const struct sweep *w, struct err *err)
{
	size_t columns = w->range.global[0], rows = w->range.dims > 1 ? w->range.global[1] : 1;
	const size_t at[] = {0, columns / 2 + 1, columns * rows / 2 + 1, columns * rows - 1};
	uint32_t got;
	size_t i;

	for (i = 0; i < ARRAY_LEN(at) && at[i] < columns * rows; i++) {
		if (ocl_read(d, w->out, at[i] * sizeof(got), &got, sizeof(got), err) < 0)
			return -1;
		if (got != w->expected(w, at[i] % columns, at[i] / columns))
			return err_set(err, ERR_FORMAT, "wrong result: the sum of item %zu", at[i]);
	}
	return 0;
}

static int batch(void *arg, int64_t launches, double *ret_seconds, struct err *err)
{
	struct sweeping *g = arg;

	if (ocl_launch(g->d, g->w->kernel, &g->w->range, launches, ret_seconds, err) < 0)
		return -1;
	return check(g->d, g->w, err);
}

int sweep_try(struct ocl_device *d, struct sweep *w, double *ret_seconds, struct err *err)
{
	struct sweeping g = {.d = d, .w = w};

	if (ocl_launch(d, w->kernel, &w->range, 1, NULL, err) < 0)
		return -1;
	return batch(&g, 1, ret_seconds, err);
}

void sweep_measure(
	struct ocl_device *d, struct sweep *w, const struct settings *s, struct outcome *ret)
{
	struct sweeping g = {.d = d, .w = w};

	outcome_rate(ret, s, batch, &g, w->bytes, LAUNCHES_MAX);
	ocl_limit(ret, SANE_MEMORY_LIMIT, "memory");
}
