#include "gpu.h"

#include <stdlib.h>
#include <string.h>

/* What the CUDA probe measures on each device, in the order of the document. To add a group: its
 * file, a line here and in probes/cuda/local.mk. */
static const struct group *const groups[] = {
	&group_arith, &group_tensor, &group_memory, &group_transfer, NULL};

#define DEVICES_MAX 64

static struct gpu *gpus[DEVICES_MAX];
static void **kept;
static size_t n_kept, cap_kept;

void *gpu_keep(const void *data, size_t size)
{
	kept = xgrow(kept, n_kept, &cap_kept, sizeof(*kept));
	kept[n_kept] = xmalloc(size);
	memcpy(kept[n_kept], data, size);
	return kept[n_kept++];
}

static int attribute(int device, int which)
{
	int value = 0;

	return cuda.device_attribute(&value, which, device) == 0 && value > 0 ? value : 0;
}

static int open_gpu(struct gpu *g, int ordinal, struct err *err)
{
	size_t bytes = 0;

	*g = (struct gpu){.ordinal = ordinal};
	if (CUDA_TRY(device_get, (&g->device, ordinal), err) < 0 ||
		CUDA_TRY(device_memory, (&bytes, g->device), err) < 0)
		return -1;
	g->memory_bytes = (int64_t)bytes;
	g->cc = attribute(g->device, ATTRIBUTE_MAJOR) * 10 + attribute(g->device, ATTRIBUTE_MINOR);
	g->units = attribute(g->device, ATTRIBUTE_UNITS);
	g->clock_khz = attribute(g->device, ATTRIBUTE_CLOCK_KHZ);
	g->l2_bytes = attribute(g->device, ATTRIBUTE_L2_BYTES);
	g->memory_peak = 2e3 * attribute(g->device, ATTRIBUTE_MEMORY_CLOCK_KHZ) *
			 (attribute(g->device, ATTRIBUTE_BUS_BITS) / 8);
	if (g->cc < 75)
		return err_set(err, ERR_IO,
			"device %d has compute capability %d.%d; the kernels need 7.5", ordinal,
			g->cc / 10, g->cc % 10);
	if (g->units < 1 || g->units > 4096)
		return err_set(err, ERR_IO, "device %d says that it has %d multiprocessors",
			ordinal, g->units);
	return 0;
}

static void describe(struct plan *plan, const struct gpu *g)
{
	struct device d = {DEVICE_UNKNOWN};
	char name[128] = "";
	int version = 0;

	if (cuda.device_name(name, sizeof(name), g->device) != 0)
		name[0] = '\0';
	name[sizeof(name) - 1] = '\0';
	cuda.driver_version(&version);
	d.platform = "CUDA";
	d.name = name[0] ? plan_text(plan, "%s", name) : "unknown";
	d.driver = plan_text(plan, "CUDA %d.%d", version / 1000, version % 1000 / 10);
	d.type = "gpu";
	d.device_index = g->ordinal;
	d.arch = plan_text(plan, "sm_%d", g->cc);
	d.compute_units = g->units;
	d.clock_mhz = g->clock_khz > 0 ? g->clock_khz / 1000 : -1;
	d.global_mem_bytes = g->memory_bytes;
	d.fp16 = d.fp64 = 1;
	plan_device(plan, &d);
	plan_property(plan, "Arch", plan_text(plan, "sm_%d", g->cc));
	plan_property(plan, "SMs", plan_text(plan, "%d", g->units));
	plan_property(plan, "VRAM", plan_text(plan, "%lld MB", (long long)(g->memory_bytes >> 20)));
	plan_property(plan, "L2", plan_text(plan, "%lld KB", (long long)(g->l2_bytes >> 10)));
}

static int list_device(struct plan *plan, const struct settings *s, int ordinal, struct err *err)
{
	struct gpu g;
	size_t i;

	if (open_gpu(&g, ordinal, err) < 0)
		return -1;
	gpus[ordinal] = gpu_keep(&g, sizeof(g));
	describe(plan, &g);
	for (i = 0; groups[i]; i++)
		groups[i]->list(plan, gpus[ordinal], s);
	return 0;
}

/* A device that cannot be used costs itself alone; the first reason is told if there is no other.
 */
static int list(struct plan *plan, const struct settings *s, struct err *err)
{
	struct err why;
	int count = 0, i;

	if (driver_open(err) < 0 || CUDA_TRY(device_count, (&count), err) < 0)
		return -1;
	if (count < 1 || count > DEVICES_MAX)
		return err_set(err, ERR_IO, "the driver has %d devices", count);
	for (i = 0; i < count; i++) {
		why = (struct err)ERR_INIT;
		if (list_device(plan, s, i, &why) < 0) {
			back_end_log("warning", NULL, "%s", why.msg);
			err_set(err, why.code, "%s", why.msg);
		}
	}
	if (plan->n_devices == 0)
		return -1;
	err_clear(err);
	return 0;
}

static void close_all(void)
{
	int i, m;

	for (i = 0; i < DEVICES_MAX; i++) {
		if (!gpus[i] || !gpus[i]->context)
			continue;
		cuda.set_current(gpus[i]->context);
		for (m = 0; m < IMAGES; m++)
			if (gpus[i]->modules[m])
				cuda.unload(gpus[i]->modules[m]);
		cuda.release(gpus[i]->device);
	}
	while (n_kept > 0)
		free(kept[--n_kept]);
	free(kept);
	driver_close();
}

static const struct back_end back_end = {.name = "CUDA", .list = list, .close = close_all};

int main(int argc, char **argv)
{
	return back_end_main(argc, argv, &back_end);
}
