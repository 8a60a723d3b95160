#include "callgrind-process.h"

#include "buf.h"

#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 65536 };

static char *copy(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

/* ---- processes ---- */

static struct process *new_process(struct gathering *g, const struct callgrind_part *p)
{
	struct process *q;
	size_t i;

	g->processes =
		xgrow(g->processes, g->n_processes, &g->cap_processes, sizeof(*g->processes));
	q = &g->processes[g->n_processes++];
	*q = (struct process){.cmd = xstrdup(p->cmd ? p->cmd : ""),
		.creator = copy(p->creator),
		.trigger = copy(p->trigger),
		.pid = p->pid,
		.version = p->version,
		.n_events = p->n_events,
		.pieces = intern_new(),
		.parts = intern_new(),
		.threads = intern_new(),
		.file = g->file,
		.line = p->line};
	for (i = 0; i < ARRAY_LEN(q->cache); i++)
		q->cache[i] = copy(p->cache[i]);
	q->events = xcalloc(p->n_events, sizeof(*q->events));
	q->totals = xcalloc(p->n_events, sizeof(*q->totals));
	for (i = 0; i < p->n_events; i++)
		q->events[i] =
			(struct callgrind_event){xstrdup(p->events[i].name), p->events[i].per_s};
	return q;
}

static void release_process(struct process *q)
{
	size_t i;

	for (i = 0; i < q->n_events; i++)
		free(q->events[i].name);
	for (i = 0; i < ARRAY_LEN(q->cache); i++)
		free(q->cache[i]);
	free(q->events);
	free(q->totals);
	free(q->files);
	free(q->cmd);
	free(q->creator);
	free(q->name);
	free(q->trigger);
	intern_free(q->pieces);
	intern_free(q->parts);
	intern_free(q->threads);
}

static struct process *process_of(struct gathering *g, const struct callgrind_part *p)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	uint32_t id;

	buf_addf(&key, "%lld ", (long long)p->pid);
	buf_addstr(&key, p->cmd ? p->cmd : "");
	id = intern_add(g->keys, key.p, key.len);
	return id < g->n_processes ? &g->processes[id] : new_process(g, p);
}

const char *gathering_file(const struct gathering *g, uint32_t file)
{
	return input_name(g->in[file]);
}

static int claim_part(
	struct gathering *g, struct process *q, const struct callgrind_part *p, struct err *err)
{
	const int64_t key[2] = {p->part, p->thread};
	uint32_t known = intern_count(q->pieces), id = intern_add(q->pieces, key, sizeof(key));

	if (id != known)
		return err_set(err, ERR_FORMAT,
			"%s:%u: part %lld, thread %lld of process %lld is in %s already",
			gathering_file(g, g->file), p->line, (long long)p->part,
			(long long)p->thread, (long long)p->pid, gathering_file(g, q->files[id]));
	if (known == PARTS_MAX)
		return err_set(err, ERR_FORMAT, "%s:%u: more than %d parts of one process",
			gathering_file(g, g->file), p->line, PARTS_MAX);
	q->files = xgrow(q->files, id, &q->cap_files, sizeof(*q->files));
	q->files[id] = g->file;
	intern_add(q->parts, &key[0], sizeof(key[0]));
	intern_add(q->threads, &key[1], sizeof(key[1]));
	q->part_max = p->part > q->part_max ? p->part : q->part_max;
	q->thread_max = p->thread > q->thread_max ? p->thread : q->thread_max;
	return 0;
}

static bool same_string(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool same_kind(const struct process *q, const struct callgrind_part *p)
{
	size_t i;

	if (q->n_events != p->n_events || !same_string(q->creator, p->creator))
		return false;
	for (i = 0; i < q->n_events; i++)
		if (strcmp(q->events[i].name, p->events[i].name) != 0 ||
			q->events[i].per_s != p->events[i].per_s)
			return false;
	for (i = 0; i < ARRAY_LEN(q->cache); i++)
		if (!same_string(q->cache[i], p->cache[i]))
			return false;
	return true;
}

static int add_totals(
	struct gathering *g, struct process *q, const struct callgrind_part *p, struct err *err)
{
	size_t i;

	for (i = 0; i < q->n_events; i++)
		if (__builtin_add_overflow(q->totals[i], p->totals[i], &q->totals[i]))
			return err_set(err, ERR_FORMAT,
				"%s:%u: the parts' %s add up to more than 2^63-1",
				gathering_file(g, g->file), p->line, q->events[i].name);
	/* Every thread's file of a part tells the blocks of all. */
	if (p->thread <= 1 && p->blocks > 0 &&
		__builtin_add_overflow(q->blocks, p->blocks, &q->blocks))
		q->blocks = 0;
	return 0;
}

int gathering_take_part(void *ctx, const struct callgrind_part *p, struct err *err)
{
	struct gathering *g = ctx;
	struct process *q = process_of(g, p);

	if (!same_kind(q, p))
		return err_set(err, ERR_FORMAT,
			"%s:%u: other events, caches or creator than in %s, of the same process %lld",
			gathering_file(g, g->file), p->line, gathering_file(g, q->file),
			(long long)p->pid);
	if (claim_part(g, q, p, err) < 0 || add_totals(g, q, p, err) < 0)
		return -1;
	if (!same_string(q->trigger, p->trigger)) {
		free(q->trigger);
		q->trigger = NULL;
	}
	g->from_summary += p->source == CALLGRIND_SUMMARY;
	g->from_costs += p->source == CALLGRIND_COSTS;
	if (p->costs_differ && g->differ++ == 0)
		g->differ_file = gathering_file(g, g->file);
	return 0;
}

void gathering_release(struct gathering *g)
{
	size_t i;

	for (i = 0; i < g->n_processes; i++)
		release_process(&g->processes[i]);
	free(g->processes);
	intern_free(g->keys);
}
