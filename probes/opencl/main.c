#include "tests.h"

#include <inttypes.h>
#include <stdlib.h>

/* What is measured on each device, in the order of the document. To add a test: its file, a line
 * here, in tests.h and in probes/local.mk. */
static const struct ocl_test *const tests[] = {
	&ocl_single,
	&ocl_half,
	&ocl_double,
	&ocl_mixed,
	&ocl_int,
	&ocl_int_fast,
	&ocl_char,
	&ocl_short,
	&ocl_dot,
	&ocl_global,
	&ocl_local,
	&ocl_image,
	&ocl_transfer,
	&ocl_latency,
};

struct item {
	struct ocl_device *device;
	const struct ocl_test *test;
	size_t which;
};

static struct ocl_device *devices;
static size_t n_devices;
static struct item *items; /* the data of the plan's readings */

static void measure(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct item *i = data;
	const char *lack = i->test->lacks ? i->test->lacks(i->device) : NULL;
	struct err err = ERR_INIT;

	if (lack)
		outcome_refuse(ret, OUTCOME_UNSUPPORTED, "%s", lack);
	else if (ocl_enter(i->device, i->test, &err) < 0)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	else
		i->test->measure(i->device, i->test, i->which, s, ret);
}

static const char *type_word(const struct ocl_device *d)
{
	if (d->type & CL_DEVICE_TYPE_GPU)
		return "gpu";
	if (d->type & CL_DEVICE_TYPE_CPU)
		return "cpu";
	return d->type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "unknown";
}

/* -1, not known, for 0 and for what no integer of JSON holds. */
static int64_t known(uint64_t n)
{
	return n == 0 || n > INT64_MAX ? -1 : (int64_t)n;
}

static void add_property(
	struct plan *p, const char *key, uint64_t n, unsigned shift, const char *unit)
{
	if (n)
		plan_property(p, key, plan_text(p, "%" PRIu64 "%s", n >> shift, unit));
}

static void add_properties(struct plan *p, const struct ocl_device *d)
{
	if (*d->vendor)
		plan_property(p, "Vendor", d->vendor);
	if (*d->version)
		plan_property(p, "Version", d->version);
	add_property(p, "Compute units", d->units, 0, "");
	add_property(p, "Clock", d->clock_mhz, 0, " MHz");
	add_property(p, "Memory", d->memory, 20, " MB");
	add_property(p, "Max allocation", d->max_alloc, 20, " MB");
	add_property(p, "Local memory", d->local_memory, 10, " KB");
}

static void add_device(struct plan *p, const struct ocl_device *d)
{
	plan_device(p, &(struct device){.platform = *d->platform_name ? d->platform_name : "OpenCL",
			       .name = *d->name ? d->name : "unnamed device",
			       .driver = *d->driver ? d->driver : NULL,
			       .type = type_word(d),
			       .platform_index = d->platform_index,
			       .device_index = d->device_index,
			       .api = *d->version ? d->version : NULL,
			       .compute_units = known(d->units),
			       .clock_mhz = known(d->clock_mhz),
			       .global_mem_bytes = known(d->memory),
			       .max_alloc_bytes = known(d->max_alloc),
			       .fp16 = d->fp16,
			       .fp64 = d->fp64});
	add_properties(p, d);
}

static struct item *add_test(
	struct plan *p, struct ocl_device *d, const struct ocl_test *t, struct item *next)
{
	struct reading r;
	size_t i;

	plan_test(p, &t->test);
	for (i = 0; i < t->n_readings; i++, next++) {
		*next = (struct item){.device = d, .test = t, .which = i};
		r = t->readings[i];
		r.measure = measure;
		r.data = next;
		plan_reading(p, &r);
	}
	return next;
}

static size_t readings_of_device(void)
{
	size_t i, n = 0;

	for (i = 0; i < ARRAY_LEN(tests); i++)
		n += tests[i]->n_readings;
	return n;
}

static int list(struct plan *plan, const struct settings *s, struct err *err)
{
	struct item *next;
	size_t d, t;

	(void)s;
	if (ocl_devices(&devices, &n_devices, err) < 0)
		return -1;
	next = items = xcalloc(n_devices * readings_of_device(), sizeof(*items));
	for (d = 0; d < n_devices; d++) {
		add_device(plan, &devices[d]);
		for (t = 0; t < ARRAY_LEN(tests); t++)
			next = add_test(plan, &devices[d], tests[t], next);
	}
	return 0;
}

static void close_devices(void)
{
	ocl_devices_free(devices, n_devices);
	free(items);
}

static const struct back_end opencl = {.name = "OpenCL", .list = list, .close = close_devices};

int main(int argc, char **argv)
{
	return back_end_main(argc, argv, &opencl);
}
