#include "counted.h"

#include "sane.h"

#include <math.h>

#define COUNT_MAX (INT64_C(1) << 20)
#define TRIES 5 /* of a comparison that noise can spoil */

struct counting {
	struct ocl_device *d;
	const struct counted *c;
	cl_kernel kernel;
	cl_mem out;
	struct ocl_range range;
	/* of the largest batch: its iterations, and the least seconds they took */
	uint32_t count;
	double seconds;
};

static int check(const struct counting *g, uint32_t count, struct err *err)
{
	const size_t items = g->range.global[0], at[] = {0, 1, items / 2 + 1, items - 1};
	double out = 0; /* room for either width, aligned */
	size_t i;

	for (i = 0; i < ARRAY_LEN(at) && at[i] < items; i++) {
		if (ocl_read(g->d, g->out, at[i] * g->c->out_bytes, &out, g->c->out_bytes, err) < 0)
			return -1;
		if (!g->c->ok(g->c->data, (uint32_t)at[i], g->range.local[0], count, &out))
			return err_set(err, ERR_FORMAT,
				"wrong result: item %zu of %s after %u iterations", at[i],
				g->c->kernel, count);
	}
	return 0;
}

static int launch(struct counting *g, uint32_t count, double *ret_seconds, struct err *err)
{
	cl_uint arg = count;
	cl_int code = clSetKernelArg(g->kernel, 1, sizeof(arg), &arg);

	if (code != CL_SUCCESS)
		return ocl_fail(err, "clSetKernelArg", code);
	if (ocl_launch(g->d, g->kernel, &g->range, 1, ret_seconds, err) < 0)
		return -1;
	return check(g, count, err);
}

static int batch(void *arg, int64_t iterations, double *ret_seconds, struct err *err)
{
	struct counting *g = arg;
	uint32_t count = sane_count(iterations, 1);
	double seconds;

	if (launch(g, count, &seconds, err) < 0)
		return -1;
	if (count > g->count || (count == g->count && seconds < g->seconds)) {
		g->count = count;
		g->seconds = seconds;
	}
	*ret_seconds = seconds * (double)iterations / count;
	return 0;
}

/* An eighth of the work, or eight times where that is too little, against the best batch: threads
 * that one core fewer runs make a factor of 2, which must not look like a folded loop. */
static int check_growth(struct counting *g, struct err *err)
{
	uint32_t other = sane_count(g->count > 8 ? g->count / 8 : g->count * INT64_C(8), 2);
	double most = g->seconds, seconds, best = INFINITY;
	double more = (double)other / g->count;
	struct err why = ERR_INIT;
	int i;

	for (i = 0; i < TRIES; i++) {
		if (launch(g, other, &seconds, err) < 0)
			return -1;
		best = fmin(best, seconds);
		err_clear(&why);
		if ((more > 1 ? sane_growth(most, more, best, &why)
			      : sane_growth(best, 1 / more, most, &why)) == 0)
			return 0;
		/* The other side may be the one that something disturbed. */
		if (launch(g, g->count, &seconds, err) < 0)
			return -1;
		most = fmin(most, seconds);
	}
	return err_set(err, why.code, "%s", why.msg);
}

static int set_up(struct counting *g, struct err *err)
{
	size_t group;
	cl_int code;

	g->kernel = ocl_kernel(g->d, g->c->kernel, err);
	if (!g->kernel)
		return -1;
	group = ocl_group(g->d, g->kernel, g->c->group_max);
	g->range = (struct ocl_range){.dims = 1,
		.local = {group},
		.global = {group * sane_groups(g->d->units, ocl_is_cpu(g->d))}};
	g->out = ocl_buffer(g->d, CL_MEM_WRITE_ONLY, g->range.global[0] * g->c->out_bytes, err);
	if (!g->out)
		return -1;
	code = clSetKernelArg(g->kernel, 0, sizeof(g->out), &g->out);
	if (code == CL_SUCCESS && g->c->local_bytes)
		code = clSetKernelArg(g->kernel, 2, g->c->local_bytes * group, NULL);
	return code == CL_SUCCESS ? 0 : ocl_fail(err, "clSetKernelArg", code);
}

void counted_measure(struct ocl_device *d, const struct counted *c, const struct settings *s,
	struct outcome *ret)
{
	struct counting g = {.d = d, .c = c};
	struct err err = ERR_INIT;

	/* The first launch may compile: it counts for nothing. */
	if (set_up(&g, &err) == 0 && launch(&g, 1, NULL, &err) == 0) {
		outcome_rate(ret, s, batch, &g, c->amount * (double)g.range.global[0], COUNT_MAX);
		if (ret->status == OUTCOME_OK)
			check_growth(&g, &err);
	}
	if (err.code)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	ocl_limit(ret, c->limit, "device does");
	ocl_memp(&g.out);
	ocl_kernelp(&g.kernel);
}
