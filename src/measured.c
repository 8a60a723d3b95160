#include "measured-private.h"

#include "pattern.h"

#include <stdlib.h>
#include <string.h>

/* ---- narrowing ---- */

bool narrowing_suite(const struct narrowing *w, const char *suite)
{
	size_t i;

	if (!w || w->n_suites == 0)
		return true;
	for (i = 0; i < w->n_suites; i++)
		if (!strcmp(w->suites[i], suite))
			return true;
	return false;
}

int narrowing_benchmark(const struct narrowing *w, const char *benchmark, struct err *err)
{
	return w && w->only ? pattern_match(w->only, benchmark, strlen(benchmark), err) : 1;
}

/* ---- the collection ---- */

/* Values lie one behind the other; those of the series that came last can grow where they are, and
 * that is nearly always the one that grows. */
struct value_chunk {
	struct value_chunk *next;
	size_t used, cap;
	struct num v[];
};

void measurements_init(struct measurements *m, struct names *names)
{
	*m = (struct measurements){.names = names, .index = intern_new()};
}

static void measured_release(struct measured *x)
{
	struct session_values *s, *older;

	for (s = x->newest.older; s; s = older) {
		older = s->older;
		free(s->pairs);
		free(s);
	}
	free(x->newest.pairs);
	free(x->absence);
}

void measurements_release(struct measurements *m)
{
	struct value_chunk *c, *next;
	size_t i;

	for (i = 0; i < m->n; i++)
		measured_release(&m->v[i]);
	for (c = m->pool; c; c = next) {
		next = c->next;
		free(c);
	}
	free(m->v);
	free(m->covered);
	free(m->by_identity);
	free(m->by_name);
	free(m->by_id);
	free(m->positions);
	free(m->runners);
	intern_free(m->index);
	*m = (struct measurements){0};
}

static void first_position(uint32_t **table, size_t *n, uint32_t key, size_t position)
{
	if (key >= *n) {
		size_t k = *n ? *n * 2 : 256;
		while (k <= key)
			k *= 2;
		*table = xrealloc(*table, k * sizeof(**table));
		memset(*table + *n, 0, (k - *n) * sizeof(**table));
		*n = k;
	}
	if ((*table)[key] == 0)
		(*table)[key] = (uint32_t)position + 1;
}

static uint32_t index_key(
	const struct measurements *m, uint32_t identity, const char *runner, bool add)
{
	uint32_t key[2] = {identity, 0};

	key[1] = intern_add(m->names->runners, runner, strlen(runner));
	return add ? intern_add(m->index, key, sizeof(key))
		   : intern_find(m->index, key, sizeof(key));
}

static void number_one(struct names *n, struct measured *x)
{
	if (x->identity == INTERN_NONE)
		x->identity = names_stored_identity(n, &x->key, x->id);
}

uint32_t measurements_identity(struct measurements *m, struct measured *x)
{
	number_one(m->names, x);
	return x->identity;
}

/* Puts what was added since the last time into the index. */
static void number_all(struct measurements *m)
{
	for (; m->numbered < m->n; m->numbered++) {
		struct measured *x = &m->v[m->numbered];
		uint32_t at;

		number_one(m->names, x);
		at = index_key(m, x->identity, x->key.runner, true);
		m->positions = xgrow(m->positions, at, &m->cap_positions, sizeof(*m->positions));
		m->positions[at] = (uint32_t)m->numbered;
		first_position(&m->by_identity, &m->n_by_identity, x->identity, m->numbered);
	}
}

/* ---- by name alone ---- */

static void name_one(struct names *n, struct measured *x)
{
	if (x->name == INTERN_NONE)
		x->name = names_name(n, x->key.suite, x->key.benchmark, x->key.metric);
}

/* Series of one name are chained in their order. */
static void append_name(struct measurements *m, struct measured *x, size_t position)
{
	uint32_t at;

	first_position(&m->by_name, &m->n_by_name, x->name, position);
	at = m->by_name[x->name];
	if (at == position + 1)
		return;
	while (m->v[at - 1].next_named)
		at = m->v[at - 1].next_named;
	m->v[at - 1].next_named = (uint32_t)position + 1;
}

static void name_all(struct measurements *m)
{
	for (; m->named < m->n; m->named++) {
		name_one(m->names, &m->v[m->named]);
		append_name(m, &m->v[m->named], m->named);
	}
}

static struct measured *indexed(const struct measurements *m, uint32_t identity, const char *runner)
{
	uint32_t at = index_key(m, identity, runner, false);

	return at == INTERN_NONE ? NULL : &m->v[m->positions[at]];
}

static void note_runner(struct measurements *m, const char *runner)
{
	size_t i;

	for (i = m->n_runners; i-- > 0;)
		if (m->runners[i] == runner || !strcmp(m->runners[i], runner))
			return;
	m->runners = xgrow(m->runners, m->n_runners, &m->cap_runners, sizeof(*m->runners));
	m->runners[m->n_runners++] = runner;
}

static struct measured *append(
	struct measurements *m, const struct series_key *k, int64_t id, const char *component)
{
	note_runner(m, k->runner);
	m->v = xgrow(m->v, m->n, &m->cap, sizeof(*m->v));
	m->v[m->n] = (struct measured){.key = *k,
		.id = id,
		.identity = INTERN_NONE,
		.name = INTERN_NONE,
		.component = component};
	return &m->v[m->n++];
}

/* The series with this number in the store, made when there is none yet. */
struct measured *measured_stored(
	struct measurements *m, const struct series_key *k, int64_t id, const char *component)
{
	if ((size_t)id < m->n_by_id && m->by_id[id])
		return &m->v[m->by_id[id] - 1];
	first_position(&m->by_id, &m->n_by_id, (uint32_t)id, m->n);
	return append(m, k, id, component);
}

/* The series of a document with these names, made when there is none yet. */
struct measured *measured_of_document(
	struct measurements *m, const struct series_key *k, const char *component)
{
	struct measured like = {.key = *k, .identity = INTERN_NONE, .name = INTERN_NONE};
	struct measured *x;

	m->documents = true;
	number_all(m);
	number_one(m->names, &like);
	x = indexed(m, like.identity, k->runner);
	return x ? x : append(m, k, 0, component);
}

enum { CHUNK_VALUES = 16384 };

/* Room for one more value behind those of x. */
static void grow_values(struct measurements *m, struct session_values *x)
{
	struct value_chunk *c = m->pool;
	bool last = c && x->n && x->values + x->n == c->v + c->used;

	if (!c || c->used + (last ? 1 : x->n + 1) > c->cap) {
		size_t cap = x->n * 2 + 1 > CHUNK_VALUES ? x->n * 2 + 1 : CHUNK_VALUES;
		c = xmalloc(sizeof(*c) + cap * sizeof(*c->v));
		*c = (struct value_chunk){.next = m->pool, .cap = cap};
		m->pool = c;
		last = false;
	}
	if (!last) {
		if (x->n)
			memcpy(c->v + c->used, x->values, x->n * sizeof(*c->v));
		x->values = c->v + c->used;
		c->used += x->n;
	}
	c->used++;
}

/* The place of a session's samples, behind those of newer ones. */
static struct session_values *of_session(
	struct measurements *m, struct measured *x, const char *session)
{
	struct session_values *last = x->oldest ? x->oldest : &x->newest;

	if (!last->session)
		last->session = session;
	if (last->session == session)
		return last;
	m->older_left_out = true;
	x->oldest = last->older = xcalloc(1, sizeof(*x->oldest));
	x->oldest->session = session;
	return x->oldest;
}

/* The values before the first one of a pair are of none. */
static void note_pair(struct session_values *s, int pair)
{
	if (!s->pairs && !pair)
		return;
	while (s->cap_pairs <= s->n) {
		const size_t cap = s->cap_pairs ? s->cap_pairs * 2 : s->n + 32;
		s->pairs = xrealloc(s->pairs, cap);
		memset(s->pairs + s->cap_pairs, 0, cap - s->cap_pairs);
		s->cap_pairs = cap;
	}
	s->pairs[s->n] = (unsigned char)pair;
}

void measured_add_value(
	struct measurements *m, struct measured *x, const char *session, int pair, struct num value)
{
	struct session_values *s =
		x->newest.session == session ? &x->newest : of_session(m, x, session);

	grow_values(m, s);
	note_pair(s, pair);
	s->values[s->n++] = value;
}

void measured_add_absence(
	struct measured *x, const char *session, const char *status, const char *reason)
{
	if (!x->newest.session)
		x->newest.session = session;
	if (x->absence || x->newest.session != session)
		return;
	x->absence = xasprintf("%s%s%s", status, *reason ? ": " : "", reason);
}

void measured_cover(struct measurements *m, const struct coverage *c)
{
	size_t i;

	for (i = 0; i < m->n_covered; i++) {
		struct coverage *was = &m->covered[i];
		if (strcmp(was->suite, c->suite) || strcmp(was->component, c->component) ||
			strcmp(was->runner, c->runner))
			continue;
		was->whole |= c->whole;
		was->narrowed &= c->narrowed;
		return;
	}
	m->covered = xgrow(m->covered, m->n_covered, &m->cap_covered, sizeof(*m->covered));
	m->covered[m->n_covered++] = (struct coverage){names_keep(m->names, c->suite),
		names_keep(m->names, c->component), names_keep(m->names, c->runner), c->whole,
		c->narrowed};
}

/* ---- looking up ---- */

struct measured *measurements_find_on(
	struct measurements *m, struct measured *like, const char *runner)
{
	number_all(m);
	number_one(m->names, like);
	return indexed(m, like->identity, runner);
}

struct measured *measurements_find(struct measurements *m, struct measured *like)
{
	if (like->id && !m->documents)
		return (size_t)like->id < m->n_by_id && m->by_id[like->id]
			       ? &m->v[m->by_id[like->id] - 1]
			       : NULL;
	return measurements_find_on(m, like, like->key.runner);
}

static struct measured *first_of(
	const struct measurements *m, const uint32_t *table, size_t n, uint32_t key)
{
	return key < n && table[key] ? &m->v[table[key] - 1] : NULL;
}

struct measured *measurements_any(struct measurements *m, struct measured *like)
{
	number_all(m);
	number_one(m->names, like);
	return first_of(m, m->by_identity, m->n_by_identity, like->identity);
}

struct measured *measurements_named(struct measurements *m, struct measured *like)
{
	name_all(m);
	name_one(m->names, like);
	return first_of(m, m->by_name, m->n_by_name, like->name);
}

struct measured *measurements_next_named(struct measurements *m, const struct measured *x)
{
	return x->next_named ? &m->v[x->next_named - 1] : NULL;
}

bool measurements_narrowed(const struct measurements *m, const struct measured *like)
{
	size_t i;

	for (i = 0; i < m->n_covered; i++)
		if (!strcmp(m->covered[i].suite, like->key.suite) &&
			!strcmp(m->covered[i].component, like->component) &&
			!strcmp(m->covered[i].runner, like->key.runner))
			return m->covered[i].narrowed;
	return false;
}

bool measurements_covers(
	const struct measurements *m, const char *suite, const char *component, const char *runner)
{
	size_t i;

	for (i = 0; i < m->n_covered; i++)
		if (!strcmp(m->covered[i].suite, suite) &&
			!strcmp(m->covered[i].component, component) &&
			(!runner || !strcmp(m->covered[i].runner, runner)))
			return true;
	return false;
}
