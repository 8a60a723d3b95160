#include "tests.h"

#include "counted.h"
#include "host.h"
#include "kernels.h"
#include "sane.h"

#include <string.h>

static const unsigned widths[] = {1, 2, 4, 8};

static bool item_ok(const void *data, uint32_t item, size_t group, uint32_t count, const void *out)
{
	const unsigned *width = data;
	uint32_t got;

	memcpy(&got, out, sizeof(got));
	return got == host_pass(item % (uint32_t)group, (uint32_t)group, *width, count);
}

/* Items whose vectors fit into half the local memory. */
static size_t group_max(const struct ocl_device *d, size_t bytes)
{
	uint64_t most = d->local_memory / 2 / bytes;

	return most < 1 ? 1 : most > 256 ? 256 : (size_t)most;
}

static void measure(struct ocl_device *d, const struct ocl_test *t, size_t which,
	const struct settings *s, struct outcome *ret)
{
	static const char *const kernels[] = {"pass1", "pass2", "pass4", "pass8"};
	size_t bytes = 4 * widths[which];

	(void)t;
	counted_measure(d,
		&(struct counted){.kernel = kernels[which],
			.local_bytes = bytes,
			.out_bytes = 4,
			.group_max = group_max(d, bytes),
			.amount = 2 * (double)bytes,
			.limit = sane_unit_limit(d->units, d->clock_mhz),
			.ok = item_ok,
			.data = &widths[which]},
		s, ret);
}

static const char *lacks(const struct ocl_device *d)
{
	return d->local_type == CL_LOCAL ? NULL : "local memory is ordinary memory on this device";
}

static const struct reading floats[] = {
	{.id = "float"}, {.id = "float2"}, {.id = "float4"}, {.id = "float8"}};

const struct ocl_test ocl_local = {.readings = floats,
	.n_readings = ARRAY_LEN(floats),
	.lacks = lacks,
	.source = opencl_local,
	.options = "",
	.measure = measure,
	.test = {.id = "local_memory_bandwidth",
		.title = "Local memory bandwidth",
		.category = "bandwidth",
		.homogeneous = true,
		.axis = "vector width",
		.unit = "bps",
		.description = "a write and a read of a vector of 32-bit words, with barriers"}};
