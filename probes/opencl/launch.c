#include "ocl.h"

#include "host.h"
#include "num.h"
#include "sane.h"

#include <stdlib.h>

#define CHUNK (1u << 20) /* words written at a time */

cl_mem ocl_buffer(struct ocl_device *d, cl_mem_flags flags, size_t bytes, struct err *err)
{
	cl_int code = CL_SUCCESS;
	cl_mem m = clCreateBuffer(d->context, flags, bytes, NULL, &code);

	if (!m)
		ocl_fail(err, "clCreateBuffer", code);
	return m;
}

void ocl_memp(cl_mem *m)
{
	if (*m)
		clReleaseMemObject(*m);
	*m = NULL;
}

int ocl_write(struct ocl_device *d, cl_mem m, size_t at, const void *p, size_t n, struct err *err)
{
	cl_int code = clEnqueueWriteBuffer(d->queue, m, CL_TRUE, at, n, p, 0, NULL, NULL);

	return code == CL_SUCCESS ? 0 : ocl_fail(err, "clEnqueueWriteBuffer", code);
}

int ocl_read(struct ocl_device *d, cl_mem m, size_t at, void *p, size_t n, struct err *err)
{
	cl_int code = clEnqueueReadBuffer(d->queue, m, CL_TRUE, at, n, p, 0, NULL, NULL);

	return code == CL_SUCCESS ? 0 : ocl_fail(err, "clEnqueueReadBuffer", code);
}

static int fill(struct ocl_device *d, cl_mem m, size_t bytes, struct err *err)
{
	_cleanup_(freep) uint32_t *words = xmalloc(CHUNK * sizeof(*words));
	size_t at, n, total = bytes / sizeof(*words);

	for (at = 0; at < total; at += n) {
		n = total - at < CHUNK ? total - at : CHUNK;
		host_fill(words, (uint32_t)at, n);
		if (ocl_write(d, m, at * sizeof(*words), words, n * sizeof(*words), err) < 0)
			return -1;
	}
	return 0;
}

int ocl_data(struct ocl_device *d, size_t bytes, struct err *err)
{
	_cleanup_(ocl_memp) cl_mem m = NULL;

	if (d->data && d->data_bytes == bytes)
		return 0;
	ocl_memp(&d->data);
	m = ocl_buffer(d, CL_MEM_READ_ONLY, bytes, err);
	if (!m || fill(d, m, bytes, err) < 0)
		return -1;
	d->data = m;
	d->data_bytes = bytes;
	m = NULL;
	return 0;
}

size_t ocl_bytes_max(const struct ocl_device *d, const struct settings *s, size_t bytes)
{
	uint64_t most = bytes;

	if (d->max_alloc / 2 < most)
		most = d->max_alloc / 2;
	if (d->memory / 4 < most)
		most = d->memory / 4;
	if ((uint64_t)s->memory_max < most)
		most = (uint64_t)s->memory_max;
	if (s->quick && most > (64u << 20))
		most = 64u << 20;
	return (size_t)most;
}

int ocl_event_ns(cl_event first, cl_profiling_info from, cl_event last, cl_profiling_info to,
	int64_t *ret, struct err *err)
{
	cl_ulong start = 0, end = 0;
	cl_int code = clGetEventProfilingInfo(first, from, sizeof(start), &start, NULL);

	if (code == CL_SUCCESS)
		code = clGetEventProfilingInfo(last, to, sizeof(end), &end, NULL);
	if (code != CL_SUCCESS)
		return ocl_fail(err, "clGetEventProfilingInfo", code);
	*ret = (int64_t)(end - start);
	return 0;
}

void ocl_eventp(cl_event *e)
{
	if (*e)
		clReleaseEvent(*e);
}

double ocl_seconds(struct ocl_device *d, double wall_s, int64_t event_ns)
{
	const char *doubt;
	double seconds = sane_seconds(wall_s, event_ns, &doubt);

	if (doubt && !d->doubted)
		back_end_log("warning", "opencl", "%s (%.3g s, %.3g s); the wall clock counts",
			doubt, (double)event_ns * 1e-9, wall_s);
	d->doubted |= doubt != NULL;
	return seconds;
}

static int enqueue(struct ocl_device *d, cl_kernel k, const struct ocl_range *r, cl_event *event,
	struct err *err)
{
	cl_int code = clEnqueueNDRangeKernel(
		d->queue, k, r->dims, NULL, r->global, r->local, 0, NULL, event);

	return code == CL_SUCCESS ? 0 : ocl_fail(err, "clEnqueueNDRangeKernel", code);
}

/* A kernel that failed on the device says so here alone. */
static int check_event(cl_event e, struct err *err)
{
	cl_int status = CL_COMPLETE;
	cl_int code =
		clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL);

	if (code != CL_SUCCESS)
		return ocl_fail(err, "clGetEventInfo", code);
	return status < 0 ? ocl_fail(err, "a kernel ended with", status) : 0;
}

int ocl_launch(struct ocl_device *d, cl_kernel k, const struct ocl_range *r, int64_t n,
	double *ret_seconds, struct err *err)
{
	_cleanup_(ocl_eventp) cl_event first = NULL;
	_cleanup_(ocl_eventp) cl_event last = NULL;
	int64_t i, before = clock_ns(CLOCK_MONOTONIC), event_ns, wall_ns;
	cl_int code;

	for (i = 0; i < n; i++)
		if (enqueue(d, k, r, i == 0 ? &first : i == n - 1 ? &last : NULL, err) < 0)
			return -1;
	code = clFinish(d->queue);
	wall_ns = clock_ns(CLOCK_MONOTONIC) - before;
	if (code != CL_SUCCESS)
		return ocl_fail(err, "clFinish", code);
	if (check_event(last ? last : first, err) < 0)
		return -1;
	if (!ret_seconds)
		return 0;
	if (ocl_event_ns(first, CL_PROFILING_COMMAND_START, last ? last : first,
		    CL_PROFILING_COMMAND_END, &event_ns, err) < 0)
		return -1;
	*ret_seconds = ocl_seconds(d, (double)wall_ns * 1e-9, event_ns);
	return 0;
}

void ocl_limit(struct outcome *o, double limit, const char *what)
{
	int i;

	for (i = 0; i < o->n; i++)
		if (o->values[i] > limit)
			outcome_refuse(o, OUTCOME_ERROR,
				"a reading of %.3g cannot be true: more than any %s (%.3g)",
				o->values[i], what, limit);
}
