#include "heard-private.h"

#include "sink.h"
#include "words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond these no machine measures. */
static const double value_min = 1e-18, value_max = 1e24;

void heard_begin(struct heard *h, struct probed *to, const size_t *readings, size_t n)
{
	*h = (struct heard){.to = to, .readings = readings, .n_readings = n};
}

void heard_release(struct heard *h)
{
	jv_free(h->line);
}

/* ---- the messages; each gets the object that its key has, or the line ---- */

static int on_hello(struct heard *h, const struct jv *o, struct err *err)
{
	const char *name = "";
	int64_t version = 0;

	if (jv_get_int(o, "hello", &version, err) < 0 ||
		jv_get_string(o, "backend", &name, err) < 0)
		return -1;
	if (h->greeted || version != 1 || strcmp(name, h->to->name) != 0)
		return err_set(err, ERR_FORMAT, "hello %lld of '%.80s'", (long long)version, name);
	h->greeted = true;
	return HEARD_NOTHING;
}

static int on_unavailable(struct heard *h, const struct jv *o, struct err *err)
{
	const char *why = "";

	if (jv_get_string(o, "unavailable", &why, err) < 0)
		return -1;
	if (h->to->plan.n_devices && !h->readings)
		return err_set(err, ERR_FORMAT, "unavailable, behind a device");
	h->ended = true;
	free(h->to->unavailable);
	h->to->unavailable = xasprintf("%.400s", *why ? why : "it does not say why");
	return HEARD_UNAVAILABLE;
}

static int on_list(struct heard *h, const struct jv *o, const char *key,
	int (*add)(struct heard *h, const struct jv *o, struct err *err), struct err *err)
{
	const struct jv *inner = NULL;

	if (h->readings)
		return err_set(err, ERR_FORMAT, "a %s when it is to measure", key);
	if (jv_get_object(o, key, &inner, err) < 0)
		return -1;
	if (!inner || add(h, inner, err) < 0)
		return err_prefix(err, "%s", key);
	return HEARD_NOTHING;
}

static int on_device(struct heard *h, const struct jv *o, struct err *err)
{
	return on_list(h, o, "device", heard_add_device, err);
}

static int on_test(struct heard *h, const struct jv *o, struct err *err)
{
	return on_list(h, o, "test", heard_add_test, err);
}

static int on_reading(struct heard *h, const struct jv *o, struct err *err)
{
	return on_list(h, o, "reading", heard_add_reading, err);
}

static int on_listed(struct heard *h, const struct jv *o, struct err *err)
{
	int64_t n = -1;

	if (jv_get_int(o, "listed", &n, err) < 0)
		return -1;
	if (h->readings || n < 0 || (uint64_t)n != h->to->plan.n_readings)
		return err_set(err, ERR_FORMAT, "%lld listed, of which %zu came", (long long)n,
			h->to->plan.n_readings);
	h->ended = true;
	return HEARD_END;
}

static int on_start(struct heard *h, const struct jv *o, struct err *err)
{
	const struct plan *p = &h->to->plan;
	const char *test = "", *id = "";
	const struct reading *r;
	int64_t n = -1;

	if (jv_get_int(o, "start", &n, err) < 0 || jv_get_string(o, "test", &test, err) < 0 ||
		jv_get_string(o, "reading", &id, err) < 0)
		return -1;
	if (h->started || h->next == h->n_readings || n < 0 || (uint64_t)n != h->readings[h->next])
		return err_set(err, ERR_FORMAT, "reading %lld starts out of turn", (long long)n);
	r = &p->readings[h->readings[h->next]];
	if (strcmp(id, r->id) != 0 || strcmp(test, p->tests[r->test].id) != 0)
		return err_set(err, ERR_FORMAT,
			"reading %lld was '%.60s' in the list, and is '%.60s'", (long long)n, r->id,
			id);
	h->started = true;
	h->next++;
	return HEARD_START;
}

static int take_values(const struct jv *list, struct outcome *ret, struct err *err)
{
	size_t i, n = jv_len(list);

	if (n < 1 || n > REPEAT_MAX)
		return err_set(err, ERR_FORMAT, "%zu values", n);
	for (i = 0; i < n; i++) {
		const struct jv *v = jv_at(list, i);
		double d;

		if (jv_kind(v) != JV_INT && jv_kind(v) != JV_REAL)
			return err_set(err, ERR_FORMAT, "a value is %s", jv_kind_name(jv_kind(v)));
		d = num_double(jv_num(v));
		if (!(d >= value_min && d <= value_max))
			return err_set(err, ERR_FORMAT, "a value of %g", d);
		ret->values[ret->n++] = d;
	}
	return 0;
}

static int take_status(const struct jv *o, const char *status, struct outcome *ret, struct err *err)
{
	const char *reason = "";
	enum sink_status s;

	if (jv_get_string(o, "reason", &reason, err) < 0)
		return -1;
	if (sink_status_parse(status, &s) < 0)
		return err_set(err, ERR_FORMAT, "'status' is '%.80s'", status);
	outcome_refuse(ret,
		s == SINK_UNSUPPORTED ? OUTCOME_UNSUPPORTED
		: s == SINK_SKIPPED   ? OUTCOME_SKIPPED
				      : OUTCOME_ERROR,
		"%s", *reason ? reason : "it does not say why");
	return 0;
}

static int on_done(struct heard *h, const struct jv *o, struct err *err)
{
	struct outcome outcome = {.status = OUTCOME_OK};
	const struct jv *values = NULL;
	const char *status = NULL;
	int64_t n = -1;

	if (jv_get_int(o, "done", &n, err) < 0 || jv_get_array(o, "values", &values, err) < 0 ||
		jv_get_string(o, "status", &status, err) < 0)
		return -1;
	if (!h->started || n < 0 || (uint64_t)n != h->readings[h->next - 1])
		return err_set(
			err, ERR_FORMAT, "reading %lld is done, and was not started", (long long)n);
	if (!values == !status)
		return err_set(err, ERR_FORMAT, "neither values nor a status, or both");
	if ((values ? take_values(values, &outcome, err) : take_status(o, status, &outcome, err)) <
		0)
		return -1;
	h->to->outcomes[h->readings[h->next - 1]] = outcome;
	h->started = false;
	return HEARD_DONE;
}

static int on_log(struct heard *h, const struct jv *o, struct err *err)
{
	h->level = h->source = NULL;
	h->message = "";
	if (jv_get_string(o, "log", &h->level, err) < 0 ||
		jv_get_string(o, "message", &h->message, err) < 0 ||
		jv_get_string(o, "source", &h->source, err) < 0)
		return -1;
	if (!h->level || !is_word(level_words, h->level))
		return err_set(err, ERR_FORMAT, "no such level of a message");
	return HEARD_LOG;
}

static int on_finished(struct heard *h, const struct jv *o, struct err *err)
{
	(void)o;
	if (!h->readings || h->started || h->next != h->n_readings)
		return err_set(err, ERR_FORMAT, "finished, with %zu readings left",
			h->n_readings - h->next);
	h->ended = true;
	return HEARD_END;
}

static const struct {
	const char *key;
	int (*take)(struct heard *h, const struct jv *line, struct err *err);
} messages[] = {
	{"hello", on_hello},
	{"unavailable", on_unavailable},
	{"device", on_device},
	{"test", on_test},
	{"reading", on_reading},
	{"listed", on_listed},
	{"start", on_start},
	{"done", on_done},
	{"log", on_log},
	{"finished", on_finished},
};

/* What a line is about is its first key: others may be words of the table as well. */
static int dispatch(struct heard *h, struct err *err)
{
	const void *first = jv_kind(h->line) == JV_OBJECT ? jv_first(h->line) : NULL;
	size_t i;

	for (i = 0; first && i < ARRAY_LEN(messages); i++) {
		if (strcmp(jv_member_key(first), messages[i].key) != 0)
			continue;
		if (h->ended || (!h->greeted && i > 0))
			break;
		return messages[i].take(h, h->line, err);
	}
	return err_set(err, ERR_FORMAT, "a line that has no place there");
}

int heard_line(struct heard *h, const char *line, size_t len, struct err *err)
{
	jv_free(h->line);
	h->line = jv_load_text("line", line, len, err);
	return h->line ? dispatch(h, err) : -1;
}
