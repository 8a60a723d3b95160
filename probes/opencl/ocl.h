/*
 * ocl: OpenCL devices and what the tests do with them. Contexts, queues and programs are made when
 * the first reading needs them, since a driver may take long or crash.
 *
 * Functions return -1 (or NULL) with err set to the call and the name of its error, as in
 * "clBuildProgram: CL_OUT_OF_RESOURCES".
 */
#ifndef OCL_H
#define OCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "back-end.h"

struct ocl_device {
	cl_platform_id platform;
	cl_device_id id;
	int platform_index, device_index;
	/* Texts of the driver: ours to free, never NULL. */
	char *platform_name, *name, *driver, *version, *vendor, *extensions;
	cl_device_type type;
	uint64_t units, clock_mhz, memory, max_alloc, local_memory, local_type, group_max, images;
	uint64_t image_width, image_height;
	bool fp16, fp64;
	/* Made when needed; of the test that runs, and gone with it. */
	cl_context context;
	cl_command_queue queue;
	const struct ocl_test *test;
	cl_program program;
	struct err build; /* why there is no program */
	cl_mem data;      /* what sweeps read: host_word() of its index */
	size_t data_bytes;
	bool doubted; /* that its clocks disagree was said */
};

/* One test of clpeak's. To add one: its file, a line in main.c and in probes/local.mk. */
struct ocl_test {
	struct test test;
	const struct reading *readings; /* id and quick; one more number each in `which` */
	size_t n_readings;
	/* Why the device cannot have it, or NULL. */
	const char *(*lacks)(const struct ocl_device *d);
	const char *source, *options; /* OpenCL C behind opencl_vectors; for its compiler */
	void (*measure)(struct ocl_device *d, const struct ocl_test *t, size_t which,
		const struct settings *s, struct outcome *ret);
	const void *data;
};

int ocl_fail(struct err *err, const char *call, int code);

/* All devices of all platforms, in the loader's order; -1: there is none. The caller frees. */
int ocl_devices(struct ocl_device **ret, size_t *ret_n, struct err *err);
void ocl_devices_free(struct ocl_device *d, size_t n);

/* Whether the list of extensions has this one. */
bool ocl_has(const struct ocl_device *d, const char *extension);
bool ocl_is_cpu(const struct ocl_device *d);

/* Readies context and queue, and lets go of what another test held. */
int ocl_enter(struct ocl_device *d, const struct ocl_test *t, struct err *err);

/* A kernel of the test's program, which is built at the first call. */
cl_kernel ocl_kernel(struct ocl_device *d, const char *name, struct err *err);
void ocl_kernelp(cl_kernel *k); /* for _cleanup_ */

cl_mem ocl_buffer(struct ocl_device *d, cl_mem_flags flags, size_t bytes, struct err *err);
void ocl_memp(cl_mem *m); /* for _cleanup_ */
int ocl_write(struct ocl_device *d, cl_mem m, size_t at, const void *p, size_t n, struct err *err);
int ocl_read(struct ocl_device *d, cl_mem m, size_t at, void *p, size_t n, struct err *err);

/* Words of data on the device, as many of at most `bytes` as fit, from d->data_bytes; kept. */
int ocl_data(struct ocl_device *d, size_t bytes, struct err *err);

/* What to allocate where the test would like `bytes`. */
size_t ocl_bytes_max(const struct ocl_device *d, const struct settings *s, size_t bytes);

/* The largest power of two of items that a work-group of the kernel may have, at most `most`. */
size_t ocl_group(const struct ocl_device *d, cl_kernel k, size_t most);

struct ocl_range {
	cl_uint dims;
	size_t global[2], local[2];
};

/* Launches n times, waits, and says how many seconds that took (sane_seconds()); NULL: of no use,
 * since a first launch may compile. */
int ocl_launch(struct ocl_device *d, cl_kernel k, const struct ocl_range *r, int64_t n,
	double *ret_seconds, struct err *err);

/* Nanoseconds from one of an event's profiling times to another. */
int ocl_event_ns(cl_event first, cl_profiling_info from, cl_event last, cl_profiling_info to,
	int64_t *ret, struct err *err);
void ocl_eventp(cl_event *e); /* for _cleanup_ */

/* Seconds by the two clocks; a disagreement is said once a device. */
double ocl_seconds(struct ocl_device *d, double wall_s, int64_t event_ns);

/* Makes numbers above the limit an error. */
void ocl_limit(struct outcome *o, double limit, const char *what);

#endif
