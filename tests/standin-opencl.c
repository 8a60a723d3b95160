/*
 * A stand-in for an OpenCL driver in trouble, to be preloaded: it passes calls on to the real
 * loader but for what STANDIN tells, words with blanks between:
 *
 *   NAME=CODE   the call of that name fails with that error
 *   garbage     texts without a NUL, with escape codes and bytes that are no UTF-8; absurd counts
 *   noclock     profiling times are 0             longclock   an hour passes in every event
 *   wrong       kernels do not run                lazy        copies move next to nothing
 *   fold        a launch takes 20 ms, whatever it does
 *   hang        nothing ever finishes
 *   syntax      the source does not compile
 *   half dot local   the device claims what it lacks: halves (which are floats then), dot products,
 *                    local memory of its own
 *
 * At its end it writes how many objects were made and not released to the file STANDIN_LEFT.
 *
 * It proves what the probe says and checks, not speed.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GARBAGE "\033[31mred\r\n\xff\xc2\x9b name \xe2\x80\xae\""
#define EXTRA " cl_khr_fp16 cl_khr_integer_dot_product"

/* Behind the word in STANDIN, or NULL. */
static const char *told(const char *word)
{
	const char *s = getenv("STANDIN");
	size_t n = strlen(word);

	for (; s && *s; s += strcspn(s, " "), s += strspn(s, " "))
		if (!strncmp(s, word, n) && (s[n] == ' ' || s[n] == '=' || !s[n]))
			return s + n;
	return NULL;
}

static cl_int failure(const char *name)
{
	const char *s = told(name);

	return s && *s == '=' ? (cl_int)strtol(s + 1, NULL, 10) : CL_SUCCESS;
}

/* The loader's function of the same name, once it is known not to fail. */
#define REAL(name)                                                                                 \
	__typeof__(&name) real;                                                                    \
	*(void **)&real = dlsym(RTLD_NEXT, #name)
#define FAIL(name)                                                                                 \
	do {                                                                                       \
		if (failure(#name))                                                                \
			return failure(#name);                                                     \
	} while (0)
#define FAIL_WITH(name, code)                                                                      \
	do {                                                                                       \
		if (failure(#name)) {                                                              \
			*(code) = failure(#name);                                                  \
			return NULL;                                                               \
		}                                                                                  \
	} while (0)

static int left; /* objects made less objects released */

static void *made(void *object)
{
	left += object != NULL;
	return object;
}

static cl_int event_made(cl_int code, const cl_event *event)
{
	left += event && code == CL_SUCCESS;
	return code;
}

__attribute__((destructor)) static void say_what_is_left(void)
{
	FILE *f = getenv("STANDIN_LEFT") ? fopen(getenv("STANDIN_LEFT"), "w") : NULL;

	if (f) {
		fprintf(f, "%d\n", left);
		fclose(f);
	}
}

#define RELEASE(name, type)                                                                        \
	cl_int name(type object)                                                                   \
	{                                                                                          \
		REAL(name);                                                                        \
                                                                                                   \
		left--;                                                                            \
		return real(object);                                                               \
	}

RELEASE(clReleaseContext, cl_context)
RELEASE(clReleaseCommandQueue, cl_command_queue)
RELEASE(clReleaseProgram, cl_program)
RELEASE(clReleaseKernel, cl_kernel)
RELEASE(clReleaseMemObject, cl_mem)
RELEASE(clReleaseEvent, cl_event)

static cl_int text(const char *s, size_t len, size_t size, void *value, size_t *ret)
{
	if (ret)
		*ret = len;
	if (value)
		memcpy(value, s, len < size ? len : size);
	return CL_SUCCESS;
}

cl_int clGetPlatformIDs(cl_uint n, cl_platform_id *ids, cl_uint *count)
{
	REAL(clGetPlatformIDs);
	cl_int code;

	FAIL(clGetPlatformIDs);
	code = real(n, ids, count);
	if (told("garbage") && count)
		*count = 0xffffffff;
	return code;
}

cl_int clGetDeviceIDs(
	cl_platform_id p, cl_device_type type, cl_uint n, cl_device_id *ids, cl_uint *count)
{
	REAL(clGetDeviceIDs);
	cl_int code;

	FAIL(clGetDeviceIDs);
	code = real(p, type, n, ids, count);
	if (told("garbage") && count)
		*count = 0xffffffff;
	return code;
}

cl_int clGetPlatformInfo(
	cl_platform_id p, cl_platform_info what, size_t size, void *value, size_t *ret)
{
	REAL(clGetPlatformInfo);

	if (told("garbage"))
		return text(GARBAGE, sizeof(GARBAGE) - 1, size, value, ret);
	return real(p, what, size, value, ret);
}

cl_int clGetDeviceInfo(cl_device_id d, cl_device_info what, size_t size, void *value, size_t *ret)
{
	REAL(clGetDeviceInfo);
	static char extensions[8192];
	const cl_device_local_mem_type own = CL_LOCAL;
	const size_t absurd = (size_t)-1;

	FAIL(clGetDeviceInfo);
	if (told("garbage") && what == CL_DEVICE_VERSION)
		return text((const char *)&absurd, 0, size, value, ret), *ret = absurd, CL_SUCCESS;
	if (told("garbage") && (what == CL_DEVICE_NAME || what == CL_DRIVER_VERSION))
		return text(GARBAGE, sizeof(GARBAGE) - 1, size, value, ret);
	if (told("local") && what == CL_DEVICE_LOCAL_MEM_TYPE)
		return text((const char *)&own, sizeof(own), size, value, ret);
	if ((told("half") || told("dot")) && what == CL_DEVICE_EXTENSIONS) {
		real(d, what, sizeof(extensions) - sizeof(EXTRA), extensions, NULL);
		memcpy(extensions + strlen(extensions), EXTRA, sizeof(EXTRA));
		return text(extensions, strlen(extensions) + 1, size, value, ret);
	}
	return real(d, what, size, value, ret);
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint n,
	const cl_device_id *devices,
	void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data,
	cl_int *code)
{
	REAL(clCreateContext);

	FAIL_WITH(clCreateContext, code);
	return made(real(properties, n, devices, notify, data, code));
}

cl_command_queue clCreateCommandQueue(
	cl_context c, cl_device_id d, cl_command_queue_properties properties, cl_int *code)
{
	REAL(clCreateCommandQueue);

	FAIL_WITH(clCreateCommandQueue, code);
	return made(real(c, d, properties, code));
}

static const char half_is_float[] =
	"#define half float\n#define half2 float2\n#define half4 float4\n#define half8 float8\n"
	"#define half16 float16\n#define convert_half convert_float\n"
	"#define convert_half2 convert_float2\n#define convert_half4 convert_float4\n"
	"#define convert_half8 convert_float8\n#define convert_half16 convert_float16\n";
static const char dot_product[] =
	"uint dot_4x8packed_uu_uint(uint a, uint b);\n"
	"uint dot_4x8packed_uu_uint(uint a, uint b)\n"
	"{ uint s = 0; for (int i = 0; i < 32; i += 8) s += (a >> i & 255u) * (b >> i & 255u);"
	" return s; }\n";

cl_program clCreateProgramWithSource(
	cl_context c, cl_uint n, const char **sources, const size_t *lengths, cl_int *code)
{
	REAL(clCreateProgramWithSource);
	const char *all[3] = {told("half")     ? half_is_float
			      : told("dot")    ? dot_product
			      : told("syntax") ? "#error \033[31mno such\xff thing\n"
					       : "",
		sources[0], sources[1]};

	FAIL_WITH(clCreateProgramWithSource, code);
	(void)n;
	(void)lengths;
	return made(real(c, 3, all, NULL, code));
}

cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *devices, const char *options,
	void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	REAL(clBuildProgram);

	FAIL(clBuildProgram);
	return real(p, n, devices, options, notify, data);
}

cl_kernel clCreateKernel(cl_program p, const char *name, cl_int *code)
{
	REAL(clCreateKernel);

	FAIL_WITH(clCreateKernel, code);
	return made(real(p, name, code));
}

cl_int clSetKernelArg(cl_kernel k, cl_uint index, size_t size, const void *value)
{
	REAL(clSetKernelArg);

	FAIL(clSetKernelArg);
	return real(k, index, size, value);
}

cl_mem clCreateBuffer(cl_context c, cl_mem_flags flags, size_t size, void *host, cl_int *code)
{
	REAL(clCreateBuffer);

	FAIL_WITH(clCreateBuffer, code);
	return made(real(c, flags, size, host, code));
}

cl_mem clCreateImage(cl_context c, cl_mem_flags flags, const cl_image_format *format,
	const cl_image_desc *desc, void *host, cl_int *code)
{
	REAL(clCreateImage);

	FAIL_WITH(clCreateImage, code);
	return made(real(c, flags, format, desc, host, code));
}

static bool launched;

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel k, cl_uint dims, const size_t *offset,
	const size_t *global, const size_t *local, cl_uint n, const cl_event *wait, cl_event *event)
{
	REAL(clEnqueueNDRangeKernel);

	FAIL(clEnqueueNDRangeKernel);
	launched = true;
	if (told("wrong"))
		return event ? event_made(clEnqueueMarkerWithWaitList(q, 0, NULL, event), event)
			     : CL_SUCCESS;
	return event_made(real(q, k, dims, offset, global, local, n, wait, event), event);
}

/* The words at both ends and in the middle alone: all that is looked at. */
static cl_int peek(cl_command_queue q, cl_mem m, size_t size, char *p, bool write, cl_event *event)
{
	const size_t at[] = {0, (size / 4 / 2 + 1) * 4, size - 4};
	static unsigned seen;
	unsigned first;
	size_t i;

	/* Once for what the probe marked anew is enough. */
	memcpy(&first, p, sizeof(first));
	for (i = 0; i < (write ? first != seen : first == 0) * 3; i++)
		if (write)
			clEnqueueWriteBuffer(q, m, CL_TRUE, at[i], 4, p + at[i], 0, NULL, NULL);
		else
			clEnqueueReadBuffer(q, m, CL_TRUE, at[i], 4, p + at[i], 0, NULL, NULL);
	seen = first;
	return event ? event_made(clEnqueueMarkerWithWaitList(q, 0, NULL, event), event)
		     : CL_SUCCESS;
}

cl_int clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset,
	size_t size, const void *p, cl_uint n, const cl_event *wait, cl_event *event)
{
	REAL(clEnqueueWriteBuffer);

	FAIL(clEnqueueWriteBuffer);
	if (told("lazy") && !blocking)
		return peek(q, m, size, (char *)p, true, event);
	return event_made(real(q, m, blocking, offset, size, p, n, wait, event), event);
}

cl_int clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset,
	size_t size, void *p, cl_uint n, const cl_event *wait, cl_event *event)
{
	REAL(clEnqueueReadBuffer);

	FAIL(clEnqueueReadBuffer);
	if (told("lazy") && !blocking)
		return peek(q, m, size, p, false, event);
	return event_made(real(q, m, blocking, offset, size, p, n, wait, event), event);
}

void *clEnqueueMapBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags,
	size_t offset, size_t size, cl_uint n, const cl_event *wait, cl_event *event, cl_int *code)
{
	REAL(clEnqueueMapBuffer);

	FAIL_WITH(clEnqueueMapBuffer, code);
	return real(q, m, blocking, flags, offset, size, n, wait, event, code);
}

cl_int clFinish(cl_command_queue q)
{
	REAL(clFinish);

	FAIL(clFinish);
	while (told("hang"))
		sleep(1);
	if (told("fold") && launched)
		usleep(20000);
	launched = false;
	return real(q);
}

cl_int clGetEventInfo(cl_event e, cl_event_info what, size_t size, void *value, size_t *ret)
{
	REAL(clGetEventInfo);
	cl_int status = failure("kernel");

	if (status && what == CL_EVENT_COMMAND_EXECUTION_STATUS)
		return text((const char *)&status, sizeof(status), size, value, ret);
	return real(e, what, size, value, ret);
}

cl_int clGetEventProfilingInfo(
	cl_event e, cl_profiling_info what, size_t size, void *value, size_t *ret)
{
	REAL(clGetEventProfilingInfo);
	cl_ulong ns = 0;

	FAIL(clGetEventProfilingInfo);
	if (told("longclock"))
		ns = what == CL_PROFILING_COMMAND_END || what == CL_PROFILING_COMMAND_START
			     ? 3600000000000u * (what - CL_PROFILING_COMMAND_QUEUED)
			     : 0;
	if (told("fold"))
		ns = what == CL_PROFILING_COMMAND_END ? 30000000 : 10000000;
	if (told("noclock") || told("longclock") || told("fold"))
		return text((const char *)&ns, sizeof(ns), size, value, ret);
	return real(e, what, size, value, ret);
}
