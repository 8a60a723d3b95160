#include "trace.h"

#include <string.h>

/*
 * The containers of Chrome's trace format: an array of events, or an object whose "traceEvents" is
 * such an array. Many writers add a comma too many, forget one, or die before the closing bracket,
 * and the viewers have learned to live with it; so does this, and counts.
 */

static int read_members(struct trace *t, int level, struct err *err);

static void fault(struct trace *t, const char *what)
{
	if (t->faults++ == 0) {
		t->fault = what;
		t->fault_line = js_line(t->js);
	}
}

static int ends_early(struct trace *t, const char *where)
{
	t->early = where;
	t->early_line = js_line(t->js);
	return 0;
}

/* After a failed look at a value: passes on what is no fault of the document's text. */
static bool is_fatal(const struct err *why, struct err *err)
{
	if (why->code != ERR_FORMAT)
		*err = *why;
	return why->code != ERR_FORMAT;
}

static int skip_value(struct trace *t, const char *where, struct err *err)
{
	struct err why = ERR_INIT, ignored = ERR_INIT;

	if (js_pass(t->js, &why) == 0)
		return 0;
	if (!is_fatal(&why, err) && js_peek(t->js, &ignored) == 0)
		return ends_early(t, where);
	*err = why;
	return -1;
}

static int load_value(struct trace *t, const char *where, struct jv **ret, struct err *err)
{
	struct err why = ERR_INIT, ignored = ERR_INIT;

	*ret = js_load(t->js, &why);
	if (*ret)
		return 0;
	if (!is_fatal(&why, err) && js_pass(t->js, &ignored) < 0 && js_peek(t->js, &ignored) == 0)
		return ends_early(t, where);
	*err = why;
	return -1;
}

/*
 * From somewhere inside an object that cannot be read to the next '{' that can begin an event: one
 * behind a comma or a bracket, not one behind a ':'. A string that runs into the end of its line
 * has swallowed such a comma. Returns 1 there, 0 at the end.
 */
static int resync(struct trace *t, struct err *err)
{
	unsigned line = js_line(t->js);
	int c = js_peek(t->js, err), prev = js_line(t->js) == line ? 0 : ',', before = 0;

	for (; c > 0; c = js_peek(t->js, err)) {
		if (c == '{' && (prev == ',' || prev == '[' || prev == '}'))
			return 1;
		before = prev;
		prev = c;
		if (js_drop(t->js, 1, err) < 0)
			return -1;
	}
	if (c < 0)
		return -1;
	t->ended = t->array_form ? prev == ']' : prev == '}' && before == ']';
	return t->ended ? 0 : ends_early(t, "inside an event");
}

static void count_bad(struct trace *t, unsigned line)
{
	if (t->anomalies[TRACE_BAD_OBJECT]++ == 0)
		t->bad_line = line;
}

static int take_event(struct trace *t, const struct jv *object, struct err *err)
{
	const struct jv *field[FIELD_COUNT];
	int i;

	if (jv_len(object) == 0) {
		t->anomalies[TRACE_EMPTY]++;
		return 0;
	}
	for (i = 0; i < FIELD_COUNT; i++)
		field[i] = jv_get(object, trace_fields[i]);
	return trace_event(t, field, err);
}

/* Returns 0, 1 when it stopped at the next event already, -1. */
static int read_event(struct trace *t, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = NULL;
	struct err why = ERR_INIT;
	unsigned line = js_line(t->js);
	const char *text;
	size_t len;
	int r;

	t->elements++;
	r = js_raw_object(t->js, &text, &len, &why);
	if (r == 0)
		return ends_early(t, "inside an event");
	if (r > 0)
		v = js_load(t->js, &why);
	if (v)
		return take_event(t, v, err);
	if (is_fatal(&why, err))
		return -1;
	count_bad(t, line);
	return r > 0 ? js_drop(t->js, len, err) : resync(t, err);
}

static int read_other_element(struct trace *t, struct err *err)
{
	struct err why = ERR_INIT, ignored = ERR_INIT;

	t->elements++;
	t->anomalies[TRACE_NOT_OBJECT]++;
	if (js_pass(t->js, &why) == 0)
		return 0;
	if (is_fatal(&why, err))
		return -1;
	if (js_peek(t->js, &ignored) == 0)
		return ends_early(t, "inside an element");
	return resync(t, err);
}

/* The array behind its '['. */
static int read_array(struct trace *t, struct err *err)
{
	bool after = false, any = false;
	int c, r;

	for (;;) {
		c = js_peek(t->js, err);
		if (c < 0)
			return -1;
		if (c == 0) {
			t->open_end = t->array_form;
			return ends_early(t, "before the closing ']'");
		}
		if (c == ']') {
			if (any && !after)
				fault(t, "a comma before ']'");
			return js_drop(t->js, 1, err);
		}
		if (c == '}' && !t->array_form) {
			fault(t, "'}' without the ']' before it");
			return 0;
		}
		if (c == ',') {
			if (!after)
				fault(t, "a comma too many");
			after = false;
			if (js_drop(t->js, 1, err) < 0)
				return -1;
			continue;
		}
		if (after)
			fault(t, "no comma between two events");
		r = c == '{' ? read_event(t, err) : read_other_element(t, err);
		if (r < 0 || t->early || t->ended)
			return r < 0 ? -1 : 0;
		any = true;
		after = r == 0;
	}
}

static int read_trace_events(struct trace *t, int level, struct err *err)
{
	int c = js_peek(t->js, err);

	if (c < 0)
		return -1;
	if (c == 0)
		return ends_early(t, "before the events");
	if (c != '[' && (c != '{' || level > 0))
		return js_error(t->js, err, "'traceEvents' is not an array");
	if (js_drop(t->js, 1, err) < 0)
		return -1;
	return c == '[' ? read_array(t, err) : read_members(t, level + 1, err);
}

struct members {
	bool has_events;
	struct jv *own[FIELD_COUNT]; /* of an event that stands in the place of the array */
};

static int field_of(const char *key)
{
	int i;

	for (i = 0; i < FIELD_COUNT; i++)
		if (!strcmp(key, trace_fields[i]))
			return i;
	return -1;
}

static int read_member(struct trace *t, struct members *m, int level, struct err *err)
{
	_cleanup_(jv_freep) struct jv *key = NULL;
	const char *name;
	int c, f;

	if (load_value(t, "inside a key", &key, err) < 0)
		return -1;
	if (!key)
		return 0;
	name = jv_string(key, NULL);
	c = js_peek(t->js, err);
	if (c < 0)
		return -1;
	if (c == 0)
		return ends_early(t, "behind a key");
	if (c != ':')
		return js_error(t->js, err, "expected ':' behind the key '%.200s'", name);
	if (js_drop(t->js, 1, err) < 0)
		return -1;
	if (!strcmp(name, "traceEvents")) {
		if (m->has_events)
			return js_error(t->js, err, "duplicate key 'traceEvents'");
		m->has_events = true;
		return read_trace_events(t, level, err);
	}
	f = level > 0 ? field_of(name) : -1;
	if (f < 0)
		return skip_value(t, "inside a value", err);
	if (m->own[f])
		return js_error(t->js, err, "duplicate key '%s'", name);
	return load_value(t, "inside an event", &m->own[f], err);
}

static int member_loop(struct trace *t, struct members *m, int level, struct err *err)
{
	bool after = false, any = false;
	int c;

	for (;;) {
		c = js_peek(t->js, err);
		if (c < 0)
			return -1;
		if (c == 0)
			return ends_early(t, "before the closing '}'");
		if (c == '}') {
			if (any && !after)
				fault(t, "a comma before '}'");
			return js_drop(t->js, 1, err);
		}
		if (c == ',') {
			if (!after)
				fault(t, "a comma too many");
			after = false;
			if (js_drop(t->js, 1, err) < 0)
				return -1;
			continue;
		}
		if (c != '"')
			return js_error(t->js, err, "expected a key in quotes");
		if (after)
			fault(t, "no comma between two members");
		if (read_member(t, m, level, err) < 0)
			return -1;
		if (t->early || t->ended)
			return 0;
		any = after = true;
	}
}

/* The object behind its '{'; level 0 is the document. */
static int read_members(struct trace *t, int level, struct err *err)
{
	struct members m = {0};
	const struct jv *field[FIELD_COUNT];
	int i, r = member_loop(t, &m, level, err);

	for (i = 0; i < FIELD_COUNT; i++)
		field[i] = m.own[i];
	if (r == 0 && !t->early && !m.has_events) {
		if (level > 0) {
			t->elements++;
			r = trace_event(t, field, err);
		} else {
			r = js_error(t->js, err, "an object without 'traceEvents' is no trace");
		}
	}
	for (i = 0; i < FIELD_COUNT; i++)
		jv_free(m.own[i]);
	return r;
}

static int skip_mark(struct trace *t, struct err *err)
{
	int c = js_peek(t->js, err);

	if (c != 0xEF)
		return c;
	fault(t, "a byte order mark");
	if (js_drop(t->js, 3, err) < 0)
		return -1;
	return js_peek(t->js, err);
}

int trace_container(struct trace *t, struct err *err)
{
	int c = skip_mark(t, err), r;

	if (c < 0)
		return -1;
	if (c != '[' && c != '{')
		return js_error(t->js, err, "expected '[' or '{', the beginning of a trace");
	t->array_form = c == '[';
	if (js_drop(t->js, 1, err) < 0)
		return -1;
	r = t->array_form ? read_array(t, err) : read_members(t, 0, err);
	if (r < 0)
		return -1;
	if (!t->early)
		return t->ended ? 0 : js_end(t->js, err);
	if (!t->open_end && !t->opts->allow_truncated)
		return err_set(err, ERR_FORMAT,
			"%s:%u: truncated: the document ends %s; --allow-truncated takes what is there",
			input_name(t->in), t->early_line, t->early);
	return 0;
}
