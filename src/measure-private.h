/*
 * measure-private: what measure.c (what is asked for), measure-store.c and measure-judge.c (what
 * becomes of it) share.
 */
#ifndef MEASURE_PRIVATE_H
#define MEASURE_PRIVATE_H

#include "measure.h"
#include "measuring.h"
#include "place.h"
#include "weather.h"

/* What one side is stored and found by. */
struct measured_side {
	struct place_options options;
	struct place place;
	char tree_state[80]; /* before anything ran */
	int64_t *began;      /* when the runs that were stored did */
	size_t n, cap;
};

struct measure_call {
	const struct measure *o;
	struct context c;
	struct measuring m;
	struct measured_side sides[TREES_MAX]; /* of m.trees */
	struct job *jobs;
	struct cpus *cpus; /* of the jobs */
	size_t n_jobs;
	struct measure_job *sections; /* of the policy, which jobs have their words from */
	char *session;
	struct weather earlier;
	struct spell spell; /* of the present job, */
	char *facts;        /* and its facts */
	struct buf events;  /* lines on what happened meanwhile */
};

/* Stores the complete pairs of the present job, in one transaction. 0, or -1 with err set. */
int measure_store(struct measure_call *x, struct err *err);
/* Judges what was stored, each revision against the first. */
int measure_judge(
	struct measure_call *x, const struct narrowing *narrowing, int *status, struct err *err);

#endif
