/*
 * weather: what makes measurements on this machine noisy, as far as it says so: before, to be
 * warned of, and meanwhile, to be said beside the verdict and kept as facts.
 *
 * All is read from /proc and /sys. What the machine does not tell is left out.
 */
#ifndef WEATHER_H
#define WEATHER_H

#include <stdint.h>

#include "buf.h"
#include "cpus.h"

/* The machine at one moment. Numbers are -1 where it does not tell. */
struct weather {
	const char *root;            /* before /proc and /sys; borrowed */
	const struct cpus *cpus;     /* to measure on; NULL: all; borrowed */
	int64_t at;                  /* ns of CLOCK_MONOTONIC */
	int64_t own_ns;              /* CPU time of this process and of children that ended */
	int64_t children_ns;         /* of the latter alone */
	int64_t displaced;           /* how often those had to give up a CPU */
	double load;                 /* average of the last minute */
	int64_t cores;               /* online */
	int64_t ticks, busy, stolen; /* of all cores since boot; time of other guests is not busy */
	char governor[32];           /* the first that is not performance, or performance; "" */
	size_t governed;             /* CPUs that it is the governor of */
	const char *turbo_off;       /* a line for the shell that switches turbo off; NULL: it is */
	bool turbo_known, virtual_, battery;
	int64_t throttled;                  /* how often heat slowed a core down since boot */
	int64_t swapped_in;                 /* pages since boot */
	int64_t memory, available, swapped; /* bytes */
};

/* root: "" for the machine's own files; a test has made-up ones. */
void weather_look(struct weather *ret, const char *root, const struct cpus *cpus);

/* Appends one line each ("\n" at its end) on what is noisy, and what can be done. Time taken by
 * other guests is that since `earlier` where that is long enough ago, else since boot. */
void weather_warnings(const struct weather *earlier, const struct weather *now, struct buf *ret);

/* The share of the machine's time from one moment to the other (from NULL: since boot) that other
 * guests took; -1 not known. */
#define STOLEN_SHARE .01 /* from what on it is said */
double weather_stolen(const struct weather *from, const struct weather *to);

/* Appends the members of a JSON object, of one moment: load, and since the machine started
 * stolen_share and how often it was throttled; governor, virtual, battery. */
void weather_facts(const struct weather *w, struct buf *ret);

/* From the first run of a measurement to its last. */
struct spell {
	struct weather before, after;
	size_t runs;
};

/* Appends one line each on what happened. */
void spell_events(const struct spell *s, struct buf *ret);

/* Appends the members of a JSON object (perfgate-formats(7), THE SUITE COMMAND). */
void spell_facts(const struct spell *s, struct buf *ret);

#endif
