#include "trace.h"

#include <stdlib.h>
#include <string.h>

/* Indices into spans; the span on top is the innermost. */
struct stack {
	uint32_t *at;
	size_t n, cap;
};

static void push(struct stack *s, uint32_t i)
{
	s->at = xgrow(s->at, s->n, &s->cap, sizeof(*s->at));
	s->at[s->n++] = i;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* ---- B and E: one track at a time, by time, in the document's order at one time ---- */

static int by_time(const void *pa, const void *pb)
{
	const struct span *a = pa, *b = pb;

	if (a->track != b->track)
		return COMPARE(a->track, b->track);
	if (a->start != b->start)
		return COMPARE(a->start, b->start);
	return COMPARE(a->order, b->order);
}

static struct span *top_of(const struct trace *t, const struct stack *s)
{
	return s->n ? &t->spans[s->at[s->n - 1]] : NULL;
}

static void open_span(struct trace *t, struct stack *s, size_t i)
{
	struct span *b = &t->spans[i];
	struct name_sum *sum = &t->sums[b->name];

	if (sum->strays && sum->stray_at == b->start && sum->stray_track == b->track + 1) {
		sum->strays--;
		b->twin = true;
	}
	sum->open++;
	push(s, (uint32_t)i);
}

static void close_top(struct trace *t, struct stack *s, int64_t at)
{
	struct span *b = top_of(t, s);

	b->end = at;
	t->sums[b->name].open--;
	s->n--;
}

static void stray_end(struct trace *t, const struct span *e)
{
	struct name_sum *sum;

	t->anomalies[TRACE_STRAY_END]++;
	if (e->name == INTERN_NONE)
		return;
	sum = &t->sums[e->name];
	if (sum->stray_at != e->start || sum->stray_track != e->track + 1)
		sum->strays = 0;
	sum->stray_at = e->start;
	sum->stray_track = e->track + 1;
	sum->strays++;
}

/*
 * The span on top lacks its own E. A stray E just before its B in the document, both of one time,
 * is taken for it: a span without duration. Returns false when there is none.
 */
static bool close_twin(struct trace *t, struct stack *s)
{
	struct span *b = top_of(t, s);

	if (!b->twin)
		return false;
	t->anomalies[TRACE_STRAY_END]--;
	close_top(t, s, b->start);
	return true;
}

/* An E that does not name the span on top: the spans above the one it names end with it. */
static void close_named(struct trace *t, struct stack *s, const struct span *e)
{
	if (s->n == 0 || (e->name != INTERN_NONE && t->sums[e->name].open == 0)) {
		stray_end(t, e);
		return;
	}
	while (e->name != INTERN_NONE && top_of(t, s)->name != e->name) {
		if (close_twin(t, s))
			continue;
		t->anomalies[TRACE_CUT_SHORT]++;
		close_top(t, s, e->start);
	}
	close_top(t, s, e->start);
}

/* Closes what is on top as long as one of the group's E names it. */
static void close_matching(struct trace *t, struct stack *s, int64_t at)
{
	struct span *top;

	while ((top = top_of(t, s)) && t->sums[top->name].pending) {
		t->sums[top->name].pending--;
		close_top(t, s, at);
	}
}

/*
 * E events of one time with no B between them, spans[from..to) (X events between them are passed
 * over). Writers with coarse clocks put them in any order, so one that names the span on top goes
 * first; pending counts by name those not used yet.
 */
static void close_group(struct trace *t, struct stack *s, size_t from, size_t to)
{
	int64_t at = t->spans[from].start;
	size_t i;

	for (i = from; i < to; i++)
		if (t->spans[i].kind == SPAN_END && t->spans[i].name != INTERN_NONE)
			t->sums[t->spans[i].name].pending++;
	close_matching(t, s, at);
	for (i = from; i < to; i++) {
		struct span *e = &t->spans[i];
		if (e->kind != SPAN_END)
			continue;
		e->kind = SPAN_DROPPED;
		if (e->name != INTERN_NONE) {
			/* Those of one name are alike: as many are left as pending says. */
			if (t->sums[e->name].pending == 0)
				continue;
			t->sums[e->name].pending--;
		}
		close_named(t, s, e);
		close_matching(t, s, at);
	}
}

static void end_of_track(struct trace *t, struct stack *s)
{
	struct span *b;

	while ((b = top_of(t, s))) {
		if (close_twin(t, s))
			continue;
		close_top(t, s, b->start);
		b->kind = SPAN_DROPPED;
		if (t->track[b->track].critical_path) {
			t->excluded[TRACE_CRITICAL_PATH]++;
			continue;
		}
		t->anomalies[TRACE_UNENDED]++;
		t->sums[b->name].unended++;
	}
}

static size_t group_end(const struct trace *t, size_t from)
{
	const struct span *first = &t->spans[from];
	size_t i = from;

	while (i < t->n && t->spans[i].kind != SPAN_BEGIN && t->spans[i].track == first->track &&
		t->spans[i].start == first->start)
		i++;
	return i;
}

static void pair(struct trace *t)
{
	struct stack s = {0};
	size_t i = 0, to;

	qsort(t->spans, t->n, sizeof(*t->spans), by_time);
	while (i < t->n) {
		const struct span *e = &t->spans[i];
		to = i + 1;
		if (e->kind == SPAN_BEGIN)
			open_span(t, &s, i);
		else if (e->kind == SPAN_END) {
			to = group_end(t, i);
			close_group(t, &s, i, to);
		}
		i = to;
		if (i == t->n || t->spans[i].track != t->spans[i - 1].track)
			end_of_track(t, &s);
	}
	free(s.at);
}

/* ---- spans: who encloses whom ---- */

struct ranked {
	const char *name;
	uint32_t id;
};

static int by_name(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	return strcmp(a->name, b->name);
}

/* Of X events with the same start and end the first by name encloses the rest, so that the order of
 * the events in the document has no say. */
static void rank_names(struct trace *t)
{
	uint32_t n = intern_count(t->names), i;
	struct ranked *names = xcalloc(n, sizeof(*names));
	uint32_t *rank = xcalloc(n, sizeof(*rank));
	size_t k;

	for (i = 0; i < n; i++)
		names[i] = (struct ranked){intern_get(t->names, i, NULL), i};
	qsort(names, n, sizeof(*names), by_name);
	for (i = 0; i < n; i++)
		rank[names[i].id] = i;
	for (k = 0; k < t->n; k++)
		if (t->spans[k].kind == SPAN_COMPLETE)
			t->spans[k].order = rank[t->spans[k].name];
	free(names);
	free(rank);
}

static int by_nesting(const void *pa, const void *pb)
{
	const struct span *a = pa, *b = pb;

	if (a->track != b->track)
		return COMPARE(a->track, b->track);
	if (a->start != b->start)
		return COMPARE(a->start, b->start);
	if (a->end != b->end)
		return COMPARE(b->end, a->end);
	if (a->kind != b->kind)
		return COMPARE(a->kind, b->kind);
	return COMPARE(a->order, b->order);
}

static void drop_dead(struct trace *t)
{
	size_t i, n = 0;

	for (i = 0; i < t->n; i++) {
		const struct span *s = &t->spans[i];
		bool critical = t->track[s->track].critical_path;
		if (critical && s->kind != SPAN_DROPPED)
			t->excluded[TRACE_CRITICAL_PATH]++;
		else if (s->kind != SPAN_DROPPED)
			t->spans[n++] = *s;
	}
	t->n = n;
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* total is the time in which at least one span of the name was open on the thread, so that
 * recursion counts once. */
static void add_span(struct trace *t, const struct span *s)
{
	struct name_sum *sum = &t->sums[s->name];
	bool first = sum->covered != s->track + 1;
	int64_t from = first || sum->covered_until < s->start ? s->start : sum->covered_until;

	if (first || s->end > from) {
		sum->total += (__int128)s->end - from;
		sum->covered_until = s->end;
		sum->covered = s->track + 1;
	}
	sum->count++;
	sum->self += (__int128)s->end - s->start;
	t->anomalies[TRACE_ZERO] += s->end == s->start;
}

/*
 * Takes the time of s from the self time of the spans it interrupts: from the innermost open one
 * and, should s end after it, from those around it for the rest. What s outlasts is taken off the
 * stack, as nothing can begin directly inside it any more. So the self times of a thread sum to the
 * time in which it had any span open, overlaps or not.
 */
static void interrupt(struct trace *t, struct stack *open, const struct span *s)
{
	int64_t from = s->start;
	const struct span *outer;

	while ((outer = top_of(t, open))) {
		t->sums[outer->name].self -= (__int128)earlier(s->end, outer->end) - from;
		if (outer->end >= s->end)
			return;
		t->anomalies[TRACE_OVERLAP] += from == s->start;
		from = outer->end;
		open->n--;
	}
}

static void nest(struct trace *t)
{
	struct stack open = {0};
	size_t i;

	t->first = INT64_MAX;
	t->last = INT64_MIN;
	for (i = 0; i < t->n; i++) {
		const struct span *s = &t->spans[i];
		if (i > 0 && t->spans[i - 1].track != s->track)
			open.n = 0;
		while (open.n && top_of(t, &open)->end <= s->start)
			open.n--;
		add_span(t, s);
		interrupt(t, &open, s);
		push(&open, (uint32_t)i);
		t->first = earlier(t->first, s->start);
		t->last = s->end > t->last ? s->end : t->last;
	}
	free(open.at);
}

void trace_sweep(struct trace *t)
{
	t->sums = xcalloc(intern_count(t->names), sizeof(*t->sums));
	if (t->has_pairs)
		pair(t);
	drop_dead(t);
	if (t->n == 0)
		return;
	rank_names(t);
	qsort(t->spans, t->n, sizeof(*t->spans), by_nesting);
	nest(t);
}
