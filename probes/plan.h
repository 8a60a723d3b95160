/*
 * plan: what a back end could measure on this machine: its devices, their tests, and the readings
 * of each, in the order in which they are listed and run.
 *
 * The words are clpeak's (format v3): backend, platform, device, test, variant, category, shape,
 * axis. Texts that stay the same are borrowed; plan_text() makes others that live as long as the
 * plan. Texts of a driver are taken as they are: who prints them escapes them.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stdint.h>

#include "buf.h"

struct outcome;
struct settings;

/* A number to be had. */
struct reading {
	const char *id;    /* of the metric: "float ST", "L1", "DRAM x8" */
	const char *label; /* NULL: the id */
	const char *unit;  /* a word of clpeak: flops, ops, bps, texels, s; NULL: the test's */
	const char *description; /* NULL: none */
	bool quick;              /* one of the few that --quick takes */
	/* Measures. What happened goes to ret (outcome.h); data is the reading's. */
	void (*measure)(const void *data, const struct settings *s, struct outcome *ret);
	const void *data; /* lives as long as the plan */
	size_t test;      /* index in the plan; set by plan_reading() */
};

struct test {
	const char *id;      /* clpeak's, where it has the test: single_precision_compute */
	const char *variant; /* what makes numbers incomparable: "AVX-512", "64 MiB"; NULL: none */
	const char *title;
	const char *category; /* compute crypto string bandwidth latency ai unknown */
	bool homogeneous;     /* its readings measure the same in other ways (shape) */
	const char *axis;     /* what they differ in: "threads", "data type"; NULL: none */
	const char *unit;     /* see above */
	const char *description;
	size_t device; /* index in the plan; set by plan_test() */
};

struct property {
	const char *key, *value;
};

/* Numbers are -1 and texts NULL where they are not known. */
struct device {
	const char *platform, *name, *driver;
	const char *type; /* gpu cpu accelerator unknown */
	int platform_index, device_index;
	/* for the inventory alone */
	const char *arch, *api, *origin;
	int64_t compute_units, clock_mhz, global_mem_bytes, max_alloc_bytes;
	int fp16, fp64; /* 0, 1 or -1 */
	/* set by plan_property() */
	struct property *properties;
	size_t n_properties, cap_properties;
};

#define DEVICE_UNKNOWN                                                                             \
	.platform_index = -1, .device_index = -1, .compute_units = -1, .clock_mhz = -1,            \
	.global_mem_bytes = -1, .max_alloc_bytes = -1, .fp16 = -1, .fp64 = -1

struct plan {
	struct device *devices;
	struct test *tests;
	struct reading *readings;
	size_t n_devices, n_tests, n_readings;
	size_t cap_devices, cap_tests, cap_readings;
	char **texts;
	size_t n_texts, cap_texts;
};

#define PLAN_INIT                                                                                  \
	{                                                                                          \
		0                                                                                  \
	}

/* Each adds a copy behind the others: a test to the last device, a reading to the last test. */
void plan_device(struct plan *p, const struct device *d);
void plan_property(struct plan *p, const char *key, const char *value); /* of the last device */
void plan_test(struct plan *p, const struct test *t);
void plan_reading(struct plan *p, const struct reading *r);

const char *plan_text(struct plan *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

void plan_release(struct plan *p);

#endif
