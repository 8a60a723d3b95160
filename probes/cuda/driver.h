/*
 * driver: NVIDIA's driver API, found at run time in libcuda.so.1, so that a program with it starts
 * and says so where there is no driver. Declared here and by the names that every driver since
 * CUDA 11 exports: those of a newer cuda.h would ask for a newer driver.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

typedef void *cuda_handle;               /* a context, module, function, event or stream */
typedef unsigned long long cuda_address; /* in the memory of a device */

/* F(MEMBER, SYMBOL, PARAMETERS); each returns 0 or an error. */
#define CUDA_FUNCTIONS(F)                                                                          \
	F(init, cuInit, (unsigned flags))                                                          \
	F(driver_version, cuDriverGetVersion, (int *version))                                      \
	F(device_count, cuDeviceGetCount, (int *count))                                            \
	F(device_get, cuDeviceGet, (int *device, int ordinal))                                     \
	F(device_name, cuDeviceGetName, (char *name, int size, int device))                        \
	F(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, int device))         \
	F(device_memory, cuDeviceTotalMem_v2, (size_t * bytes, int device))                        \
	F(retain, cuDevicePrimaryCtxRetain, (cuda_handle * context, int device))                   \
	F(release, cuDevicePrimaryCtxRelease_v2, (int device))                                     \
	F(set_current, cuCtxSetCurrent, (cuda_handle context))                                     \
	F(synchronize, cuCtxSynchronize, (void))                                                   \
	F(load, cuModuleLoadData, (cuda_handle * module, const void *image))                       \
	F(unload, cuModuleUnload, (cuda_handle module))                                            \
	F(function, cuModuleGetFunction,                                                           \
		(cuda_handle * function, cuda_handle module, const char *name))                    \
	F(global, cuModuleGetGlobal_v2,                                                            \
		(cuda_address * address, size_t * bytes, cuda_handle module, const char *name))    \
	F(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor,                                  \
		(int *blocks, cuda_handle function, int threads, size_t shared))                   \
	F(launch, cuLaunchKernel,                                                                  \
		(cuda_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,          \
			unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,     \
			cuda_handle stream, void **parameters, void **extra))                      \
	F(alloc, cuMemAlloc_v2, (cuda_address * address, size_t bytes))                            \
	F(free, cuMemFree_v2, (cuda_address address))                                              \
	F(alloc_host, cuMemAllocHost_v2, (void **memory, size_t bytes))                            \
	F(free_host, cuMemFreeHost, (void *memory))                                                \
	F(to_device, cuMemcpyHtoDAsync_v2,                                                         \
		(cuda_address to, const void *from, size_t bytes, cuda_handle stream))             \
	F(to_host, cuMemcpyDtoHAsync_v2,                                                           \
		(void *to, cuda_address from, size_t bytes, cuda_handle stream))                   \
	F(event_create, cuEventCreate, (cuda_handle * event, unsigned flags))                      \
	F(event_destroy, cuEventDestroy_v2, (cuda_handle event))                                   \
	F(event_record, cuEventRecord, (cuda_handle event, cuda_handle stream))                    \
	F(event_wait, cuEventSynchronize, (cuda_handle event))                                     \
	F(event_elapsed, cuEventElapsedTime,                                                       \
		(float *milliseconds, cuda_handle start, cuda_handle end))                         \
	F(error_name, cuGetErrorName, (int error, const char **name))

#define CUDA_MEMBER(MEMBER, SYMBOL, PARAMETERS) int(*MEMBER) PARAMETERS;
struct driver {
	CUDA_FUNCTIONS(CUDA_MEMBER)
};
#undef CUDA_MEMBER

extern struct driver cuda; /* valid after driver_open() */

/* Loads and starts the driver. -1 with err set: what is lacking, and where. */
int driver_open(struct err *err);
void driver_close(void);

/* 0 if a call returned 0, else -1 with err set to "CALL: NAME OF THE ERROR". */
int driver_check(int returned, const char *call, struct err *err);

/* CUDA_TRY(launch, (...), err): calls and checks. */
#define CUDA_TRY(MEMBER, ARGUMENTS, ERR)                                                           \
	driver_check(cuda.MEMBER ARGUMENTS, driver_symbol_##MEMBER, ERR)
#define CUDA_SYMBOL(MEMBER, SYMBOL, PARAMETERS)                                                    \
	static const char driver_symbol_##MEMBER[] __attribute__((unused)) = #SYMBOL;
CUDA_FUNCTIONS(CUDA_SYMBOL)
#undef CUDA_SYMBOL

/* Attributes of a device, by their numbers in the driver API. */
enum {
	ATTRIBUTE_CLOCK_KHZ = 13,
	ATTRIBUTE_UNITS = 16,
	ATTRIBUTE_MEMORY_CLOCK_KHZ = 36,
	ATTRIBUTE_BUS_BITS = 37,
	ATTRIBUTE_L2_BYTES = 38,
	ATTRIBUTE_MAJOR = 75,
	ATTRIBUTE_MINOR = 76
};

#endif
