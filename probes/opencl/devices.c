#include "ocl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PLATFORMS_MAX 32
#define DEVICES_MAX 64
#define TEXT_MAX 65536 /* bytes of a text that a driver tells */
#define SHORT_MAX 256  /* ... of a name or version, beyond which it is cut */

/* Without blanks around it. */
static char *trimmed(const char *s, size_t max)
{
	size_t n;

	while (isspace((unsigned char)*s))
		s++;
	n = strnlen(s, max);
	while (n > 0 && isspace((unsigned char)s[n - 1]))
		n--;
	return xstrndup(s, n);
}

/* A driver may forget the NUL, or claim any size. */
static char *device_text(cl_device_id id, cl_device_info what)
{
	_cleanup_(freep) char *raw = NULL;
	size_t n = 0;

	if (clGetDeviceInfo(id, what, 0, NULL, &n) != CL_SUCCESS || n > TEXT_MAX)
		return xstrdup("");
	raw = xcalloc(n + 1, 1);
	if (clGetDeviceInfo(id, what, n, raw, NULL) != CL_SUCCESS)
		return xstrdup("");
	return trimmed(raw, what == CL_DEVICE_EXTENSIONS ? TEXT_MAX : SHORT_MAX);
}

static char *platform_text(cl_platform_id id, cl_platform_info what)
{
	_cleanup_(freep) char *raw = NULL;
	size_t n = 0;

	if (clGetPlatformInfo(id, what, 0, NULL, &n) != CL_SUCCESS || n > TEXT_MAX)
		return xstrdup("");
	raw = xcalloc(n + 1, 1);
	if (clGetPlatformInfo(id, what, n, raw, NULL) != CL_SUCCESS)
		return xstrdup("");
	return trimmed(raw, SHORT_MAX);
}

/* Of whatever width the property has; 0 where the driver does not know it. */
static uint64_t device_number(cl_device_id id, cl_device_info what)
{
	uint64_t wide = 0;
	uint32_t narrow = 0;
	size_t n = 0;

	if (clGetDeviceInfo(id, what, 0, NULL, &n) != CL_SUCCESS)
		return 0;
	if (n == sizeof(wide) && clGetDeviceInfo(id, what, n, &wide, NULL) == CL_SUCCESS)
		return wide;
	if (n == sizeof(narrow) && clGetDeviceInfo(id, what, n, &narrow, NULL) == CL_SUCCESS)
		return narrow;
	return 0;
}

bool ocl_has(const struct ocl_device *d, const char *extension)
{
	size_t n = strlen(extension);
	const char *s = d->extensions;

	while ((s = strstr(s, extension))) {
		if ((s == d->extensions || s[-1] == ' ') && (s[n] == ' ' || !s[n]))
			return true;
		s += n;
	}
	return false;
}

bool ocl_is_cpu(const struct ocl_device *d)
{
	return d->type & CL_DEVICE_TYPE_CPU;
}

static void ask_texts(struct ocl_device *d)
{
	d->platform_name = platform_text(d->platform, CL_PLATFORM_NAME);
	d->name = device_text(d->id, CL_DEVICE_NAME);
	d->driver = device_text(d->id, CL_DRIVER_VERSION);
	d->version = device_text(d->id, CL_DEVICE_VERSION);
	d->vendor = device_text(d->id, CL_DEVICE_VENDOR);
	d->extensions = device_text(d->id, CL_DEVICE_EXTENSIONS);
}

static void ask_numbers(struct ocl_device *d)
{
	d->type = device_number(d->id, CL_DEVICE_TYPE);
	d->units = device_number(d->id, CL_DEVICE_MAX_COMPUTE_UNITS);
	d->clock_mhz = device_number(d->id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
	d->memory = device_number(d->id, CL_DEVICE_GLOBAL_MEM_SIZE);
	d->max_alloc = device_number(d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
	d->local_memory = device_number(d->id, CL_DEVICE_LOCAL_MEM_SIZE);
	d->local_type = device_number(d->id, CL_DEVICE_LOCAL_MEM_TYPE);
	d->group_max = device_number(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
	d->images = device_number(d->id, CL_DEVICE_IMAGE_SUPPORT);
	d->image_width = device_number(d->id, CL_DEVICE_IMAGE2D_MAX_WIDTH);
	d->image_height = device_number(d->id, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
	d->fp16 = ocl_has(d, "cl_khr_fp16");
	d->fp64 = ocl_has(d, "cl_khr_fp64");
}

/* Those of one platform, behind the others. One that has none of its own is no error. */
static void add_devices(
	struct ocl_device **all, size_t *n, size_t *cap, cl_platform_id platform, int index)
{
	cl_device_id ids[DEVICES_MAX] = {NULL};
	cl_uint count = 0, i;

	if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, ids, &count) != CL_SUCCESS)
		return;
	for (i = 0; i < count && i < DEVICES_MAX && ids[i]; i++) {
		*all = xgrow(*all, *n, cap, sizeof(**all));
		(*all)[*n] = (struct ocl_device){.platform = platform,
			.id = ids[i],
			.platform_index = index,
			.device_index = (int)i};
		ask_texts(&(*all)[*n]);
		ask_numbers(&(*all)[(*n)++]);
	}
}

int ocl_devices(struct ocl_device **ret, size_t *ret_n, struct err *err)
{
	cl_platform_id ids[PLATFORMS_MAX] = {NULL};
	cl_uint count = 0, i;
	size_t cap = 0;

	if (clGetPlatformIDs(PLATFORMS_MAX, ids, &count) != CL_SUCCESS || !count)
		return err_set(err, ERR_IO,
			"no OpenCL platform (install a driver's ICD, such as pocl-opencl-icd)");
	for (i = 0; i < count && i < PLATFORMS_MAX && ids[i]; i++)
		add_devices(ret, ret_n, &cap, ids[i], (int)i);
	if (!*ret_n)
		return err_set(err, ERR_IO, "no OpenCL device on %u platform%s", count,
			count == 1 ? "" : "s");
	return 0;
}

static void leave(struct ocl_device *d)
{
	ocl_memp(&d->data);
	if (d->program)
		clReleaseProgram(d->program);
	d->program = NULL;
	d->test = NULL;
	err_clear(&d->build);
}

static void device_release(struct ocl_device *d)
{
	leave(d);
	if (d->queue)
		clReleaseCommandQueue(d->queue);
	if (d->context)
		clReleaseContext(d->context);
	free(d->platform_name);
	free(d->name);
	free(d->driver);
	free(d->version);
	free(d->vendor);
	free(d->extensions);
}

void ocl_devices_free(struct ocl_device *d, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		device_release(&d[i]);
	free(d);
}

int ocl_enter(struct ocl_device *d, const struct ocl_test *t, struct err *err)
{
	cl_int code = CL_SUCCESS;

	if (d->test != t)
		leave(d);
	d->test = t;
	if (!d->context)
		d->context = clCreateContext(NULL, 1, &d->id, NULL, NULL, &code);
	if (!d->context)
		return ocl_fail(err, "clCreateContext", code);
	if (!d->queue)
		d->queue =
			clCreateCommandQueue(d->context, d->id, CL_QUEUE_PROFILING_ENABLE, &code);
	if (!d->queue)
		return ocl_fail(err, "clCreateCommandQueue", code);
	return 0;
}
