#include "trace.h"

#include "sha256.h"
#include "text.h"

#include <string.h>

enum { LONG_NAME_KEPT = 4000 };

#define TIME_MAX_US INT64_C(9200000000000000)

const char *const trace_fields[FIELD_COUNT] = {[FIELD_PH] = "ph",
	[FIELD_NAME] = "name",
	[FIELD_TS] = "ts",
	[FIELD_DUR] = "dur",
	[FIELD_PID] = "pid",
	[FIELD_TID] = "tid",
	[FIELD_CAT] = "cat",
	[FIELD_ARGS] = "args"};

/* ---- time ---- */

struct decimal {
	bool negative;
	char digit[64]; /* without leading zeros */
	int n;
	int point; /* digits before the decimal point; may be negative or past n */
};

/* Takes the digits at s. Returns how many bytes; point moves for those before the decimal point. */
static size_t take_digits(struct decimal *d, const char *s, size_t len, bool whole)
{
	size_t i;

	for (i = 0; i < len && s[i] >= '0' && s[i] <= '9'; i++) {
		if (d->n == 0 && s[i] == '0') {
			d->point -= !whole;
			continue;
		}
		d->digit[d->n++] = s[i];
		d->point += whole;
	}
	return i;
}

static bool take_exponent(struct decimal *d, const char *s, size_t len)
{
	bool negative = len && *s == '-';
	size_t i = len && (*s == '-' || *s == '+');
	int e = 0;

	if (i == len)
		return false;
	for (; i < len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		if (e < 1000)
			e = e * 10 + (s[i] - '0');
	}
	d->point += negative ? -e : e;
	return true;
}

static bool decimal_parse(struct decimal *d, const char *s, size_t len)
{
	size_t i = 0, used;

	*d = (struct decimal){0};
	if (len == 0 || len > sizeof(d->digit))
		return false;
	if (*s == '-' || *s == '+')
		d->negative = s[i++] == '-';
	used = take_digits(d, s + i, len - i, true);
	i += used;
	if (used == 0)
		return false;
	if (i < len && s[i] == '.') {
		i++;
		used = take_digits(d, s + i, len - i, false);
		i += used;
		if (used == 0)
			return false;
	}
	if (i < len && (s[i] == 'e' || s[i] == 'E'))
		return take_exponent(d, s + i + 1, len - i - 1);
	return i == len;
}

int trace_time(const char *s, size_t len, int64_t *ret_ns)
{
	struct decimal d;
	__int128 ns = 0;
	bool inexact = false;
	int i;

	if (!decimal_parse(&d, s, len))
		return -1;
	d.point += 3; /* microseconds to nanoseconds */
	if (d.n > 0 && d.point > 19)
		return -1;
	for (i = 0; d.n > 0 && i < d.point; i++)
		ns = ns * 10 + (i < d.n ? d.digit[i] - '0' : 0);
	for (i = d.point > 0 ? d.point : 0; i < d.n; i++)
		inexact |= d.digit[i] != '0';
	if (d.point >= 0 && d.point < d.n && d.digit[d.point] >= '5')
		ns++;
	if (ns > (__int128)TIME_MAX_US * 1000)
		return -1;
	*ret_ns = (int64_t)(d.negative ? -ns : ns);
	return inexact;
}

/* As trace_time(), of a member: a number, or a string that is one. */
static int time_of(const struct jv *v, int64_t *ret_ns)
{
	const char *s;
	size_t len;
	int64_t us;

	if (!v)
		return -1;
	switch (jv_kind(v)) {
	case JV_INT:
		us = jv_num(v).i;
		if (us < -TIME_MAX_US || us > TIME_MAX_US)
			return -1;
		*ret_ns = us * 1000;
		return 0;
	case JV_STRING:
		s = jv_string(v, &len);
		return trace_time(s, len, ret_ns);
	default:
		return -1;
	}
}

/* ---- names and tracks ---- */

static bool is_absent(const struct jv *v)
{
	return !v || jv_kind(v) == JV_NULL;
}

static const char *string_of(const struct jv *v)
{
	return v && jv_kind(v) == JV_STRING ? jv_string(v, NULL) : "";
}

static bool starts_with(const char *s, const char *prefix)
{
	/* not strncmp(), in which GCC sees a prefix longer than some names and warns */
	while (*prefix && *s == *prefix) {
		s++;
		prefix++;
	}
	return !*prefix;
}

/* GPU kernels carry template arguments of any length: their beginning and a digest of the whole. */
static uint32_t long_name(struct trace *t, const char *s, size_t len)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	char digest[65];
	size_t n = 0;

	while (n < LONG_NAME_KEPT)
		n += utf8_sequence(s + n, len - n);
	sha256_hex(s, len, digest);
	buf_add(&name, s, n);
	buf_addf(&name, "...#%.16s", digest);
	t->anomalies[TRACE_LONG_NAME]++;
	return intern_add(t->names, name.p, name.len);
}

/* *ret is INTERN_NONE for an event without a name. Returns whether the name is usable. */
static bool name_of(struct trace *t, const struct jv *v, uint32_t *ret)
{
	_cleanup_(buf_release) struct buf digits = BUF_INIT;
	const char *s;
	size_t len;

	*ret = INTERN_NONE;
	if (is_absent(v))
		return true;
	if (jv_kind(v) == JV_INT) {
		num_format(&digits, jv_num(v));
		*ret = intern_add(t->names, digits.p, digits.len);
		return true;
	}
	if (jv_kind(v) != JV_STRING)
		return false;
	s = jv_string(v, &len);
	if (len > SINK_NAME_MAX)
		*ret = long_name(t, s, len);
	else if (len)
		*ret = intern_add(t->names, s, len);
	return true;
}

/* The number 7 and the string "7" are two threads: writers that use both mean two. */
static void add_identifier(struct buf *key, const struct jv *v)
{
	if (v && jv_kind(v) == JV_INT) {
		num_format(key, jv_num(v));
	} else if (v && jv_kind(v) == JV_STRING) {
		buf_addch(key, '"');
		buf_addstr(key, jv_string(v, NULL));
	}
	buf_addch(key, '\0');
}

static uint32_t track_of(struct trace *t, const struct jv *pid, const struct jv *tid)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;
	uint32_t known = intern_count(t->tracks), id;

	add_identifier(&key, pid);
	add_identifier(&key, tid);
	id = intern_add(t->tracks, key.p, key.len);
	if (id == known) {
		t->track = xgrow(t->track, known, &t->track_cap, sizeof(*t->track));
		t->track[id] = (struct track){.last = INT64_MIN};
	}
	return id;
}

/* ---- events ---- */

/* Rows that tools add to sum up other rows, and spans that repeat what others on the same thread
 * say; adding them to the rest would count time twice. Returns TRACE_EXCLUDED for other spans. */
static enum trace_excluded exclusion(const struct jv *const field[FIELD_COUNT])
{
	const struct jv *args = field[FIELD_ARGS];
	const char *name = string_of(field[FIELD_NAME]), *cat = string_of(field[FIELD_CAT]);

	if (starts_with(name, "Total ") && args && jv_kind(args) == JV_OBJECT &&
		jv_get(args, "avg ms"))
		return TRACE_CLANG_TOTAL;
	if (!strcmp(cat, "Trace") && starts_with(name, "PyTorch Profiler"))
		return TRACE_KINETO_PROFILER;
	if (!strcmp(cat, "Trace") && starts_with(name, "Iteration"))
		return TRACE_KINETO_ITERATION;
	if (!strcmp(cat, "python_function"))
		return TRACE_KINETO_PYTHON;
	return TRACE_EXCLUDED;
}

static int check_limits(struct trace *t, struct err *err)
{
	size_t names = intern_bytes(t->names) + intern_count(t->names) * sizeof(*t->sums);
	size_t tracks = intern_bytes(t->tracks) + t->track_cap * sizeof(*t->track);

	if (t->n == TRACE_SPANS_MAX)
		return js_error(t->js, err, "more than %d B, E and X events", TRACE_SPANS_MAX);
	if (t->n * sizeof(*t->spans) + names + tracks > TRACE_HELD_MAX)
		return js_error(t->js, err, "more than 1 GiB of spans, names and threads");
	return 0;
}

static void hold(struct trace *t, struct span s)
{
	t->spans = xgrow(t->spans, t->n, &t->cap, sizeof(*t->spans));
	s.order = (uint32_t)t->n;
	t->spans[t->n++] = s;
}

/* The end of an X event. Returns false when it has none that can be used, counted. */
static bool complete(struct trace *t, struct span *s, const struct jv *dur)
{
	int64_t ns;
	int r;

	if (is_absent(dur)) {
		t->anomalies[TRACE_NO_DUR]++;
		return false;
	}
	r = time_of(dur, &ns);
	if (r >= 0 && ns < 0) {
		t->anomalies[TRACE_NEGATIVE_DUR]++;
		return false;
	}
	if (r < 0 || __builtin_add_overflow(s->start, ns, &s->end)) {
		t->anomalies[TRACE_BAD_DUR]++;
		return false;
	}
	t->anomalies[TRACE_ROUNDED] += r > 0;
	return true;
}

static void note_order(struct trace *t, const struct span *s)
{
	struct track *track = &t->track[s->track];

	t->has_pairs = true;
	if (s->start < track->last)
		t->anomalies[TRACE_OUT_OF_ORDER]++;
	track->last = s->start;
}

static void take_span(
	struct trace *t, enum span_kind kind, const struct jv *const field[FIELD_COUNT])
{
	struct span s = {.kind = (uint8_t)kind};
	enum trace_excluded x = kind == SPAN_COMPLETE ? exclusion(field) : TRACE_EXCLUDED;
	int r;

	if (x != TRACE_EXCLUDED) {
		t->excluded[x]++;
		return;
	}
	r = time_of(field[FIELD_TS], &s.start);
	if (r < 0) {
		t->anomalies[TRACE_BAD_TS]++;
		return;
	}
	t->anomalies[TRACE_ROUNDED] += r > 0;
	if (kind == SPAN_COMPLETE && !complete(t, &s, field[FIELD_DUR]))
		return;
	if (!name_of(t, field[FIELD_NAME], &s.name)) {
		t->anomalies[TRACE_BAD_NAME]++;
		return;
	}
	if (s.name == INTERN_NONE && kind != SPAN_END) {
		t->anomalies[TRACE_UNNAMED]++;
		s.name = intern_add(t->names, "(unnamed)", strlen("(unnamed)"));
	}
	s.track = track_of(t, field[FIELD_PID], field[FIELD_TID]);
	if (kind != SPAN_COMPLETE)
		note_order(t, &s);
	hold(t, s);
}

/* Bazel draws the critical path of a build as a thread of its own, from rows of other threads. */
static void take_metadata(struct trace *t, const struct jv *const field[FIELD_COUNT])
{
	const struct jv *args = field[FIELD_ARGS];
	uint32_t track;

	if (strcmp(string_of(field[FIELD_NAME]), "thread_name") || !args ||
		jv_kind(args) != JV_OBJECT)
		return;
	if (strcmp(string_of(jv_get(args, "name")), "Critical Path"))
		return;
	track = track_of(t, field[FIELD_PID], field[FIELD_TID]);
	t->track[track].critical_path = true;
}

int trace_event(struct trace *t, const struct jv *const field[FIELD_COUNT], struct err *err)
{
	const char *ph = string_of(field[FIELD_PH]);

	if (is_absent(field[FIELD_PH])) {
		t->anomalies[TRACE_NO_PHASE]++;
		return 0;
	}
	if (!*ph || ph[1] || !strchr("BEXiIRbneSTpFCMstfPNODcvV()a=", *ph)) {
		t->anomalies[TRACE_UNKNOWN_PHASE]++;
		return 0;
	}
	t->phases[(unsigned char)*ph]++;
	if (check_limits(t, err) < 0)
		return -1;
	switch (*ph) {
	case 'B':
		take_span(t, SPAN_BEGIN, field);
		break;
	case 'E':
		take_span(t, SPAN_END, field);
		break;
	case 'X':
		take_span(t, SPAN_COMPLETE, field);
		break;
	case 'M':
		take_metadata(t, field);
		break;
	}
	return 0;
}
