/*
 * clpeak-device: the devices of a clpeak result, with their tests and readings, into a sink.
 *
 * A device is identified by backend, platform, name and index; the driver is a fact. A test is
 * identified by its id and variant (the instruction set, the architecture, the version of a
 * library): the variant is the series', and never part of the name.
 */
#ifndef CLPEAK_DEVICE_H
#define CLPEAK_DEVICE_H

#include "intern.h"
#include "json.h"
#include "sink.h"

struct clpeak_devices {
	const char *file; /* for messages; borrowed */
	struct sink *sink;
	int run;
	size_t count;        /* devices read so far */
	struct intern *seen; /* readings: name, variant, id */
	struct buf states;   /* a byte for each of seen: 'v' has a value, 'a' is absent */
	struct intern *names;
	struct buf drivers; /* members of a JSON object: device to driver */
	size_t repeated;    /* absences that repeat one */
	size_t small;       /* FLOPS and OPS too few to be that */
	char *small_example;
};

void clpeak_devices_init(struct clpeak_devices *d, const char *file);
void clpeak_devices_release(struct clpeak_devices *d);

/* Reads the next device. "FILE: devices[N] ('NAME'): ..." in err on failure. */
int clpeak_devices_read(struct clpeak_devices *d, const struct jv *device, struct err *err);

/* Tells the sink, once for the document, what looked wrong. */
void clpeak_devices_notes(const struct clpeak_devices *d);

#endif
