#include "rules.h"

#include <stdlib.h>

static struct measure_job given(const struct job *j)
{
	return (struct measure_job){.name = j->name ? j->name : "measure",
		.named = j->name != NULL,
		.setup = j->setup,
		.cpus = j->cpus,
		.command = j->command.v,
		.n_command = j->command.n,
		.pairs = j->pairs,
		.timeout = j->timeout};
}

struct measure_job policy_measure(const struct policy *p)
{
	size_t i;

	for (i = 0; i < p->n_jobs; i++)
		if (!p->jobs[i].name)
			return given(&p->jobs[i]);
	return (struct measure_job){.name = "measure"};
}

static void fill_in(struct measure_job *j, const struct measure_job *of)
{
	j->setup = j->setup ? j->setup : of->setup;
	j->cpus = j->cpus ? j->cpus : of->cpus;
	j->pairs = j->pairs ? j->pairs : of->pairs;
	j->timeout = j->timeout ? j->timeout : of->timeout;
}

size_t policy_measure_jobs(const struct policy *p, struct measure_job **ret)
{
	const struct measure_job all = policy_measure(p);
	size_t n = 0, i;

	*ret = xcalloc(p->n_jobs, sizeof(**ret));
	for (i = 0; i < p->n_jobs; i++) {
		if (!p->jobs[i].command.n)
			continue;
		(*ret)[n] = given(&p->jobs[i]);
		fill_in(&(*ret)[n++], &all);
	}
	return n;
}

bool policy_measures(const struct policy *p)
{
	size_t i;

	for (i = 0; i < p->n_jobs; i++)
		if (p->jobs[i].command.n)
			return true;
	return false;
}
