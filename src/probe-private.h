/*
 * probe-private: what cmd-probe.c (what is asked for), probe-choose.c (what is measured of what
 * there is), probe-show.c, probe-compare.c and probe-store.c (what becomes of it) share.
 */
#ifndef PROBE_PRIVATE_H
#define PROBE_PRIVATE_H

#include "place.h"
#include "probing.h"

struct probe {
	bool wanted[BACK_END_COUNT];
	bool list_devices, list_tests, quick, ingest, verbose, json;
	const char *tests, *devices, *budget, *timeout, *output, *compare, *store; /* or NULL */
	int64_t repeat;                                                            /* 0: 5 */
	struct place_options place;
};

/* Marks the readings that the options ask for, and says in the record whether those are not all. 0,
 * or -1 with err set (ERR_USAGE: nothing is left). */
int probe_choose(const struct probe *o, struct record *r, struct err *err);

/* The name that --devices takes: "cpu:0". */
void probe_device_name(struct buf *b, const struct probed *p, size_t device);

void probe_list_devices(const struct record *r, bool json);
void probe_list_tests(const struct record *r, bool json);
void probe_show(const struct record *r);

/* The document through the reader of such documents. 0, or -1 with err set. */
int probe_read(const struct buf *document, enum batch_use use, struct batch **ret, struct err *err);

/* What --compare names, read before anything is measured or stored: a document, or what the store
 * has of a revision. NULL with err set: there is none. */
struct comparing *comparing_open(const struct probe *o, struct err *err);
void comparing_close(struct comparing *x);

/* Says how what was measured differs from it. It judges nothing. 0, or -1 with err set. */
int comparing_show(
	struct comparing *x, const struct record *r, const struct buf *document, struct err *err);

/* Whether a document could be stored, before there are numbers to be lost. 0, or -1 with err set.
 */
int probe_store_check(const struct probe *o, struct err *err);

/* Stores the document, as `perfgate ingest` would. 0, or -1 with err set. */
int probe_store(const struct probe *o, const struct buf *document, struct err *err);

#endif
