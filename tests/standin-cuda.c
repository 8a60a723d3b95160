/*
 * A stand-in for NVIDIA's libcuda.so.1, which tests/probe-cuda.sh builds: no GPU and no kernel of
 * ours is behind it. It proves what the probe's host side launches and how it takes errors, and
 * says nothing about speed or about kernels. A device's memory is the host's, a launch sleeps by
 * its loop count, and of the kernels only fp32, int32, fill and the reads of memory do their work,
 * here in C; all others leave zeros, which the probe has to refuse.
 *
 * STANDIN_LOG names a file that gets a line for each call. STANDIN is words:
 *   devices=N   cc=N (90)   garbage (the name)   fail=N (the N-th call: out of memory)
 *   fault=N (the N-th launch and all after it: illegal address)   hang=N (the N-th call never ends)
 *   folded (a launch takes as long whatever its count)   lies (events show ten times the time)
 */
#include "../probes/cuda/kernels/pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define UNITS 2
#define EXPORT __attribute__((visibility("default")))

static int calls, launches, broken;
static char handles[64];
static const char *functions[64];
static int n_functions;
static double events[64];
static int n_events, live;

static long word(const char *key, long otherwise)
{
	const char *at = getenv("STANDIN"), *found = at ? strstr(at, key) : NULL;

	if (!found)
		return otherwise;
	found += strlen(key);
	return *found == '=' ? strtol(found + 1, NULL, 10) : 1;
}

static void note(const char *what, const char *detail)
{
	const char *path = getenv("STANDIN_LOG");
	FILE *f = path ? fopen(path, "a") : NULL;

	if (!f)
		return;
	fprintf(f, "%s %s\n", what, detail);
	fclose(f);
}

/* What every call begins with. */
static int enter(const char *name, const char *detail)
{
	calls++;
	note(name, detail);
	while (calls == word("hang", 0))
		pause();
	if (broken)
		return 700;
	return calls == word("fail", 0) ? 2 : 0;
}

#define ENTER(DETAIL)                                                                              \
	do {                                                                                       \
		int status = enter(__func__, DETAIL);                                              \
		if (status)                                                                        \
			return status;                                                             \
	} while (0)

#define HANDLE(N) ((void *)(handles + (N)))

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

EXPORT int cuGetErrorName(int error, const char **name)
{
	*name = error == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_ILLEGAL_ADDRESS";
	return 0;
}

EXPORT int cuInit(unsigned flags)
{
	(void)flags;
	ENTER("");
	return 0;
}

EXPORT int cuDriverGetVersion(int *version)
{
	ENTER("");
	*version = 12040;
	return 0;
}

EXPORT int cuDeviceGetCount(int *count)
{
	ENTER("");
	*count = (int)word("devices", 1);
	return 0;
}

EXPORT int cuDeviceGet(int *device, int ordinal)
{
	ENTER("");
	*device = ordinal;
	return 0;
}

EXPORT int cuDeviceGetName(char *name, int size, int device)
{
	(void)device;
	ENTER("");
	if (word("garbage", 0))
		memset(name, '\033', (size_t)size); /* and no end */
	else
		snprintf(name, (size_t)size, "stand-in, no GPU");
	return 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
	long cc = word("cc", 90);

	(void)device;
	ENTER("");
	switch (attribute) {
	case 13:
		*value = 1000000000;
		break;
	case 16:
		*value = UNITS;
		break;
	case 38:
		*value = 1 << 20;
		break;
	case 75:
		*value = (int)cc / 10;
		break;
	case 76:
		*value = (int)cc % 10;
		break;
	default:
		*value = 0;
	}
	return 0;
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
	(void)device;
	ENTER("");
	*bytes = (size_t)1 << 30;
	return 0;
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device)
{
	(void)device;
	ENTER("");
	*context = HANDLE(63);
	return 0;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device)
{
	char text[32];

	(void)device;
	snprintf(text, sizeof(text), "%d live", live);
	note("released", text);
	return 0;
}

EXPORT int cuCtxSetCurrent(void *context)
{
	(void)context;
	ENTER("");
	return 0;
}

EXPORT int cuCtxSynchronize(void)
{
	ENTER("");
	return 0;
}

EXPORT int cuModuleLoadData(void **module, const void *image)
{
	char magic[16];
	uint32_t first;

	memcpy(&first, image, sizeof(first));
	snprintf(magic, sizeof(magic), "%08x", first);
	ENTER(magic);
	*module = HANDLE(62);
	live++;
	return 0;
}

EXPORT int cuModuleUnload(void *module)
{
	(void)module;
	live--;
	return 0;
}

EXPORT int cuModuleGetFunction(void **function, void *module, const char *name)
{
	int i;

	(void)module;
	ENTER(name);
	for (i = 0; i < n_functions && strcmp(functions[i], name) != 0; i++)
		;
	if (i == n_functions)
		functions[n_functions++] = strdup(name);
	*function = HANDLE(i);
	return 0;
}

EXPORT int cuModuleGetGlobal_v2(
	unsigned long long *address, size_t *bytes, void *module, const char *name)
{
	static uint32_t words[CONSTANT_BYTES / 4];

	(void)module;
	ENTER(name);
	*address = (unsigned long long)(uintptr_t)words;
	*bytes = sizeof(words);
	return 0;
}

EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(
	int *blocks, void *function, int threads, size_t shared)
{
	(void)function;
	(void)threads;
	(void)shared;
	ENTER("");
	*blocks = 4;
	return 0;
}

EXPORT int cuMemAlloc_v2(unsigned long long *address, size_t bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%zu", bytes);
	ENTER(text);
	*address = (unsigned long long)(uintptr_t)calloc(1, bytes);
	live++;
	return 0;
}

EXPORT int cuMemFree_v2(unsigned long long address)
{
	free((void *)(uintptr_t)address);
	live--;
	return 0;
}

EXPORT int cuMemAllocHost_v2(void **memory, size_t bytes)
{
	ENTER("");
	*memory = calloc(1, bytes);
	live++;
	return 0;
}

EXPORT int cuMemFreeHost(void *memory)
{
	free(memory);
	live--;
	return 0;
}

EXPORT int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *stream)
{
	(void)stream;
	ENTER("");
	memcpy((void *)(uintptr_t)to, from, bytes);
	return 0;
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream)
{
	(void)stream;
	ENTER("");
	memcpy(to, (void *)(uintptr_t)from, bytes);
	return 0;
}

EXPORT int cuEventCreate(void **event, unsigned flags)
{
	(void)flags;
	ENTER("");
	*event = &events[n_events++ % 64];
	live++;
	return 0;
}

EXPORT int cuEventDestroy_v2(void *event)
{
	(void)event;
	live--;
	return 0;
}

EXPORT int cuEventRecord(void *event, void *stream)
{
	(void)stream;
	ENTER("");
	*(double *)event = now();
	return 0;
}

EXPORT int cuEventSynchronize(void *event)
{
	(void)event;
	ENTER("");
	return 0;
}

#ifndef OLD
EXPORT int cuEventElapsedTime(float *milliseconds, void *start, void *end)
{
	ENTER("");
	*milliseconds = (float)((*(double *)end - *(double *)start) * 1e3);
	if (word("lies", 0))
		*milliseconds *= 10;
	return 0;
}
#endif

/* ---- the kernels that there are ---- */

#define AT(TYPE, N) (*(TYPE *)parameters[N])

static uint32_t chain(int is_float, uint32_t number, uint32_t seed, int steps)
{
	uint32_t x = 0, c = pattern_mix(number + seed);
	float f = 0;

	for (; steps > 0; steps--) {
		f = fmaf(f, f, pattern_c(number, seed));
		x = x * x + c;
	}
	if (is_float)
		memcpy(&x, &f, sizeof(x));
	return x;
}

static void arith(int is_float, unsigned threads, void **parameters)
{
	uint32_t *out = (uint32_t *)(uintptr_t)AT(uint64_t, 0), t, i;

	for (t = 0; t < threads; t++) {
		out[t] = 0;
		for (i = 0; i < 4; i++)
			out[t] ^= chain(
				is_float, t * 4 + i, AT(uint32_t, 1), AT(int, 2) * ARITH_STEPS / 4);
	}
}

static void read_memory(uint32_t width, unsigned threads, void **parameters)
{
	uint32_t *out = (uint32_t *)(uintptr_t)AT(uint64_t, 0), t, n, i, w;
	uint32_t *p = (uint32_t *)(uintptr_t)AT(uint64_t, 1), chunks = AT(uint32_t, 2), chunk;

	for (t = 0; t < threads; t++) {
		chunk = (uint32_t)((uint64_t)AT(uint32_t, 3) * (t / BLOCK_THREADS) % chunks);
		out[t] = 0;
		for (n = AT(uint32_t, 5); n > 0; n--, chunk = (chunk + AT(uint32_t, 4)) % chunks)
			for (i = 0; i < FETCHES; i++)
				for (w = 0; w < width; w++)
					out[t] += p[((size_t)(chunk * FETCHES + i) * BLOCK_THREADS +
							    t % BLOCK_THREADS) *
							    width +
						    w];
	}
}

/* Only the first launch of each function is carried out: it is the one that is checked. */
static uint32_t carry_out(const char *name, int first, unsigned threads, void **parameters)
{
	uint32_t count = 1, i;

	if (!strcmp(name, "empty"))
		return 0;
	if (!strcmp(name, "fill")) {
		for (i = 0; i < AT(uint32_t, 2); i++)
			((uint32_t *)(uintptr_t)AT(uint64_t, 0))[i] = pattern_word(i);
		return 0;
	}
	if (!strncmp(name, "read", 4)) {
		count = AT(uint32_t, 5);
		if (first)
			read_memory(name[4] == '1'   ? 1
				    : name[4] == '2' ? 2
						     : 4,
				threads, parameters);
	} else if (!strcmp(name, "fp32") || !strcmp(name, "int32")) {
		count = AT(uint32_t, 2);
		if (first)
			arith(name[0] == 'f', threads, parameters);
	}
	return count;
}

EXPORT int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
	unsigned by, unsigned bz, unsigned shared, void *stream, void **parameters, void **extra)
{
	static int seen[64];
	int i = (int)((char *)function - handles);
	char text[128];
	uint32_t count;

	(void)stream;
	(void)extra;
	count = carry_out(functions[i], !seen[i]++, gx * bx, parameters);
	snprintf(text, sizeof(text), "%s %ux%ux%u %ux%ux%u shared %u count %u", functions[i], gx,
		gy, gz, bx, by, bz, shared, count);
	if (++launches == word("fault", 0))
		broken = 1;
	ENTER(text);
	if (word("folded", 0))
		count = 2000;
	if (count)
		nanosleep(
			&(struct timespec){.tv_nsec = count < 200000 ? count * 1000L : 200000000L},
			NULL);
	return 0;
}
