#include "callgrind.h"

#include "buf.h"
#include "callgrind-line.h"

#include <stdlib.h>
#include <string.h>

/*
 * The format is described in Valgrind's manual, "Callgrind Format Specification". The names of
 * functions and files are of no use here, so that nothing is kept but the part being read.
 */

enum { NAME_MAX_BYTES = 256, TEXT_MAX = 1024, COLUMNS_MAX = 4, UNITS_MAX = 8 };

struct file_reader {
	struct line_reader lines;
	struct callgrind_part part;
	int (*emit)(void *ctx, const struct callgrind_part *p, struct err *err);
	void *ctx;
	size_t parts;

	struct callgrind_event units[UNITS_MAX]; /* event: lines that tell a unit */
	size_t n_units;
	size_t columns; /* of positions before the costs */

	bool in_body; /* costs or totals were there: a further header line begins the next part */
	bool skip_costs; /* the next cost line belongs to a call or a jump */
	bool has_summary, has_totals, has_costs, overflow;
	int64_t summary[CALLGRIND_EVENTS_MAX], costs[CALLGRIND_EVENTS_MAX];
};

static int count_of(
	const struct file_reader *r, struct text w, const char *what, int64_t *ret, struct err *err)
{
	int k = text_count(w, ret);

	if (k < 0)
		return line_error(&r->lines, err, "%s: an integer beyond 2^63-1: '%.*s'", what,
			text_shown(w), w.p);
	if (k == 0)
		return line_error(&r->lines, err, "%s: expected a whole number, not '%.*s'", what,
			text_shown(w), w.p);
	return 0;
}

/* ---- parts ---- */

static void take(struct callgrind_part *p, enum callgrind_source source, const int64_t *values)
{
	p->source = source;
	memcpy(p->totals, values, sizeof(p->totals));
}

static int finish_part(struct file_reader *r, struct err *err)
{
	struct callgrind_part *p = &r->part;

	if (p->n_events == 0)
		return line_error(
			&r->lines, err, "no 'events:' line up to here; is it a callgrind.out?");
	if (r->has_totals) {
		p->source = CALLGRIND_TOTALS;
		p->costs_differ = r->has_costs && !r->overflow &&
				  memcmp(p->totals, r->costs, sizeof(r->costs)) != 0;
	} else if (r->has_summary) {
		take(p, CALLGRIND_SUMMARY, r->summary);
	} else if (r->overflow) {
		return line_error(&r->lines, err, "the costs add up to more than 2^63-1");
	} else {
		take(p, CALLGRIND_COSTS, r->costs);
	}
	if (!r->has_totals)
		p->line = r->lines.line;
	r->parts++;
	return r->emit(r->ctx, p, err);
}

/* What a combined file says once holds for all of its parts. */
static void begin_part(struct file_reader *r)
{
	r->part.part = r->part.thread = 0;
	r->part.blocks = -1;
	r->part.costs_differ = false;
	memset(r->part.totals, 0, sizeof(r->part.totals));
	memset(r->summary, 0, sizeof(r->summary));
	memset(r->costs, 0, sizeof(r->costs));
	r->in_body = r->skip_costs = false;
	r->has_summary = r->has_totals = r->has_costs = r->overflow = false;
}

/* ---- header lines ---- */

static int set_number(
	struct file_reader *r, struct text v, const char *key, int64_t *ret, struct err *err)
{
	return count_of(r, text_word(&v), key, ret, err);
}

static void set_string(char **s, struct text v)
{
	free(*s);
	*s = xstrndup(v.p, text_len(v) < TEXT_MAX ? text_len(v) : TEXT_MAX);
}

static int set_version(struct file_reader *r, struct text v, struct err *err)
{
	if (set_number(r, v, "version", &r->part.version, err) < 0)
		return -1;
	if (r->part.version != 1)
		return line_error(&r->lines, err, "callgrind format version %lld, expected 1",
			(long long)r->part.version);
	return 0;
}

static int set_positions(struct file_reader *r, struct text v, struct err *err)
{
	r->columns = 0;
	while (text_len(text_word(&v)) > 0)
		r->columns++;
	if (r->columns < 1 || r->columns > COLUMNS_MAX)
		return line_error(&r->lines, err, "positions: expected 'instr', 'line' or both");
	return 0;
}

/* "Basic block 0 - 292255" */
static void set_blocks(struct file_reader *r, struct text v)
{
	int64_t from, to;

	text_word(&v);
	text_word(&v);
	if (text_count(text_word(&v), &from) > 0 && text_is(text_word(&v), "-") &&
		text_count(text_word(&v), &to) > 0 && to >= from)
		r->part.blocks = to - from;
}

static void set_desc(struct file_reader *r, struct text v)
{
	static const char *const caches[] = {"I1 cache:", "D1 cache:", "LL cache:"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(caches); i++) {
		if (text_begins(v, caches[i])) {
			v.p += strlen(caches[i]);
			text_skip_blanks(&v);
			set_string(&r->part.cache[i], v);
			return;
		}
	}
	if (text_begins(v, "Timerange:")) {
		v.p += strlen("Timerange:");
		set_blocks(r, v);
	} else if (text_begins(v, "Trigger:")) {
		v.p += strlen("Trigger:");
		text_skip_blanks(&v);
		set_string(&r->part.trigger, v);
	}
}

/* "NAME : long name (elapsed ms)": nothing else tells the unit of a time. */
static void set_unit(struct file_reader *r, struct text v)
{
	struct text name = text_word(&v), unit = {v.end, v.end};
	int64_t per_s;

	if (text_len(v) == 0 || v.end[-1] != ')' || r->n_units == UNITS_MAX ||
		text_len(name) > NAME_MAX_BYTES)
		return;
	unit.p = --unit.end;
	while (unit.p > v.p && unit.p[-1] != ' ' && unit.p[-1] != '(')
		unit.p--;
	per_s = callgrind_units_per_s(unit.p, text_len(unit));
	if (per_s)
		r->units[r->n_units++] = (struct callgrind_event){
			.name = xstrndup(name.p, text_len(name)), .per_s = per_s};
}

static void clear_events(struct callgrind_event *e, size_t *n)
{
	while (*n > 0)
		free(e[--*n].name);
}

static int add_event(struct file_reader *r, struct text name, struct err *err)
{
	struct callgrind_part *p = &r->part;
	int64_t per_s = 0;
	size_t i;

	if (p->n_events == CALLGRIND_EVENTS_MAX || text_len(name) > NAME_MAX_BYTES)
		return line_error(&r->lines, err,
			"more than %d events, or a name of more than %d bytes",
			CALLGRIND_EVENTS_MAX, NAME_MAX_BYTES);
	for (i = 0; i < p->n_events; i++)
		if (text_is(name, p->events[i].name))
			return line_error(
				&r->lines, err, "event '%s' is there twice", p->events[i].name);
	for (i = 0; i < r->n_units; i++)
		if (text_is(name, r->units[i].name))
			per_s = r->units[i].per_s;
	p->events[p->n_events++] =
		(struct callgrind_event){.name = xstrndup(name.p, text_len(name)), .per_s = per_s};
	return 0;
}

static int set_events(struct file_reader *r, struct text v, struct err *err)
{
	struct text name;

	clear_events(r->part.events, &r->part.n_events);
	while (text_len(name = text_word(&v)) > 0)
		if (add_event(r, name, err) < 0)
			return -1;
	return r->part.n_events ? 0 : line_error(&r->lines, err, "events: expected names");
}

/* Trailing zeros are left out of every list of numbers. */
static int read_values(struct file_reader *r, struct text v, const char *what, bool *seen,
	int64_t *ret, struct err *err)
{
	struct text w;
	size_t n = 0;

	if (r->part.n_events == 0)
		return line_error(&r->lines, err, "'%s:' before 'events:'", what);
	if (*seen)
		return line_error(&r->lines, err, "'%s:' a second time in one part", what);
	*seen = true;
	while (text_len(w = text_word(&v)) > 0) {
		if (n == r->part.n_events)
			return line_error(
				&r->lines, err, "%s: more numbers than the %zu events", what, n);
		if (count_of(r, w, what, &ret[n++], err) < 0)
			return -1;
	}
	return 0;
}

static int set_totals(struct file_reader *r, struct text v, struct err *err)
{
	r->in_body = true;
	r->part.line = r->lines.line;
	return read_values(r, v, "totals", &r->has_totals, r->part.totals, err);
}

static int begin_next_part(struct file_reader *r, struct err *err)
{
	if (finish_part(r, err) < 0)
		return -1;
	begin_part(r);
	return 0;
}

static int header_line(struct file_reader *r, struct text key, struct text v, struct err *err)
{
	struct callgrind_part *p = &r->part;

	text_skip_blanks(&v);
	if (text_is(key, "totals"))
		return set_totals(r, v, err);
	if (text_is(key, "summary"))
		return read_values(r, v, "summary", &r->has_summary, r->summary, err);
	if ((r->in_body || (r->has_summary && (text_is(key, "version") || text_is(key, "part")))) &&
		begin_next_part(r, err) < 0)
		return -1;
	if (text_is(key, "version"))
		return set_version(r, v, err);
	if (text_is(key, "pid"))
		return set_number(r, v, "pid", &p->pid, err);
	if (text_is(key, "part"))
		return set_number(r, v, "part", &p->part, err);
	if (text_is(key, "thread"))
		return set_number(r, v, "thread", &p->thread, err);
	if (text_is(key, "positions"))
		return set_positions(r, v, err);
	if (text_is(key, "events"))
		return set_events(r, v, err);
	if (text_is(key, "creator"))
		set_string(&p->creator, v);
	else if (text_is(key, "cmd"))
		set_string(&p->cmd, v);
	else if (text_is(key, "desc"))
		set_desc(r, v);
	else if (text_is(key, "event"))
		set_unit(r, v);
	return 0;
}

/* ---- body lines ---- */

static int take_position(struct file_reader *r, struct text w, struct err *err)
{
	struct text number = w;
	int64_t ignored;

	if (text_is(w, "*"))
		return 0;
	if (text_len(w) > 1 && (*w.p == '+' || *w.p == '-'))
		number.p++;
	if (text_count(number, &ignored) == 0)
		return line_error(
			&r->lines, err, "expected a position, not '%.*s'", text_shown(w), w.p);
	return 0;
}

/* Positions, then costs. What a call cost is in the callee's own lines already. */
static int cost_line(struct file_reader *r, struct text t, struct err *err)
{
	bool inclusive = r->skip_costs;
	struct text w;
	size_t i;
	int64_t cost;

	if (r->part.n_events == 0)
		return line_error(&r->lines, err, "costs before 'events:'");
	if (r->has_totals)
		return line_error(&r->lines, err, "costs after 'totals:'");
	r->in_body = true;
	r->skip_costs = false;
	for (i = 0; i < r->columns && text_len(w = text_word(&t)) > 0; i++)
		if (take_position(r, w, err) < 0)
			return -1;
	for (i = 0; text_len(w = text_word(&t)) > 0; i++) {
		if (i == r->part.n_events)
			return line_error(&r->lines, err, "more costs than the %zu events", i);
		if (count_of(r, w, r->part.events[i].name, &cost, err) < 0)
			return -1;
		if (!inclusive)
			r->overflow |= __builtin_add_overflow(r->costs[i], cost, &r->costs[i]);
	}
	r->has_costs |= !inclusive;
	return 0;
}

static bool is_key_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* "fn=(3) main", "calls=2 +5", "pid: 77": a key and what ends it. */
static struct text key_of(struct text t)
{
	const char *p = t.p;

	while (p < t.end && (is_key_byte(*p) || (p > t.p && *p >= '0' && *p <= '9')))
		p++;
	return (struct text){t.p, p};
}

static int body_key(struct file_reader *r, struct text key, struct err *err)
{
	if (r->part.n_events == 0)
		return line_error(
			&r->lines, err, "'%.*s=' before 'events:'", text_shown(key), key.p);
	if (text_is(key, "calls") || text_is(key, "jump") || text_is(key, "jcnd"))
		r->skip_costs = true;
	return 0;
}

static int read_line(struct file_reader *r, struct text t, struct err *err)
{
	struct text key;

	text_skip_blanks(&t);
	if (t.p == t.end || *t.p == '#')
		return 0;
	if ((*t.p >= '0' && *t.p <= '9') || *t.p == '+' || *t.p == '-' || *t.p == '*')
		return cost_line(r, t, err);
	key = key_of(t);
	if (key.end > key.p && key.end < t.end && *key.end == ':')
		return header_line(r, key, (struct text){key.end + 1, t.end}, err);
	if (key.end > key.p && key.end < t.end && *key.end == '=')
		return body_key(r, key, err);
	return line_error(&r->lines, err, "expected costs, 'key: value' or 'key=value', not '%.*s'",
		text_shown(t), t.p);
}

/* ---- the file ---- */

static void release(struct file_reader *r)
{
	struct callgrind_part *p = &r->part;
	size_t i;

	clear_events(p->events, &p->n_events);
	clear_events(r->units, &r->n_units);
	free(p->creator);
	free(p->cmd);
	free(p->trigger);
	for (i = 0; i < ARRAY_LEN(p->cache); i++)
		free(p->cache[i]);
	line_reader_release(&r->lines);
}

int callgrind_file(struct input *in,
	int (*part)(void *ctx, const struct callgrind_part *p, struct err *err), void *ctx,
	size_t *ret_parts, struct err *err)
{
	struct file_reader *r = xcalloc(1, sizeof(*r));
	bool any = false;
	struct text t;
	int k;

	r->emit = part;
	r->ctx = ctx;
	r->columns = 1;
	line_reader_init(&r->lines, in);
	begin_part(r);
	while ((k = line_next(&r->lines, &t, err)) > 0) {
		any = true;
		k = read_line(r, t, err);
		if (k < 0)
			break;
	}
	if (k == 0 && any)
		k = finish_part(r, err);
	*ret_parts = r->parts;
	release(r);
	free(r);
	return k;
}
