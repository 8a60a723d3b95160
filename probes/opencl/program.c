#include "ocl.h"

#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#define LOG_MAX 65536 /* bytes of what a compiler says */

/* The first line that says something. */
static void first_line(struct err *err, const char *log)
{
	log += strspn(log, " \t\r\n");
	if (*log)
		err_set(err, ERR_IO, "the kernel does not build: %.*s", (int)strcspn(log, "\r\n"),
			log);
}

static int build_failed(struct ocl_device *d, cl_int code, struct err *err)
{
	_cleanup_(freep) char *log = xcalloc(LOG_MAX + 1, 1);
	size_t n = 0;

	if (clGetProgramBuildInfo(d->program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &n) ==
			CL_SUCCESS &&
		n <= LOG_MAX &&
		clGetProgramBuildInfo(d->program, d->id, CL_PROGRAM_BUILD_LOG, n, log, NULL) ==
			CL_SUCCESS &&
		*log) {
		back_end_log("error", "opencl", "%s", log);
		first_line(err, log);
	}
	return ocl_fail(err, "clBuildProgram", code);
}

static int build(struct ocl_device *d, struct err *err)
{
	const char *sources[] = {opencl_vectors, d->test->source};
	cl_int code = CL_SUCCESS;

	d->program = clCreateProgramWithSource(d->context, 2, sources, NULL, &code);
	if (!d->program)
		return ocl_fail(err, "clCreateProgramWithSource", code);
	code = clBuildProgram(d->program, 1, &d->id, d->test->options, NULL, NULL);
	return code == CL_SUCCESS ? 0 : build_failed(d, code, err);
}

cl_kernel ocl_kernel(struct ocl_device *d, const char *name, struct err *err)
{
	cl_int code = CL_SUCCESS;
	cl_kernel k;

	if (!d->program && !d->build.code)
		build(d, &d->build);
	if (d->build.code) {
		err_set(err, d->build.code, "%s", d->build.msg);
		return NULL;
	}
	k = clCreateKernel(d->program, name, &code);
	if (!k)
		ocl_fail(err, "clCreateKernel", code);
	return k;
}

void ocl_kernelp(cl_kernel *k)
{
	if (*k)
		clReleaseKernel(*k);
}

/* CL_KERNEL_WORK_GROUP_SIZE is what registers leave of the device's maximum. */
size_t ocl_group(const struct ocl_device *d, cl_kernel k, size_t most)
{
	size_t max = 0, group = 1;

	if (clGetKernelWorkGroupInfo(
		    k, d->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(max), &max, NULL) != CL_SUCCESS)
		max = 1;
	if (max > d->group_max)
		max = d->group_max;
	while (group * 2 <= max && group * 2 <= most)
		group *= 2;
	return group;
}
