#include "outcomes.h"

#include "json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES_MAX = 1000000, NAMES_MAX = 256 << 20 };

void outcomes_init(struct outcomes *o)
{
	*o = (struct outcomes){.names = intern_new()};
}

void outcomes_release(struct outcomes *o)
{
	intern_free(o->names);
	free(o->v);
	*o = (struct outcomes){0};
}

static const char *keep(struct outcomes *o, const char *s)
{
	return intern_get(o->names, intern_add(o->names, s ? s : "", s ? strlen(s) : 0), NULL);
}

static struct outcome *fresh(struct outcomes *o)
{
	o->v = xgrow(o->v, o->n, &o->cap, sizeof(*o->v));
	o->v[o->n] = (struct outcome){0};
	return &o->v[o->n++];
}

void outcomes_add(struct outcomes *o, const struct judged *j)
{
	const struct series_key *k = &j->pair->key;

	*fresh(o) = (struct outcome){.key = {.suite = keep(o, k->suite),
					     .benchmark = keep(o, k->benchmark),
					     .metric = keep(o, k->metric),
					     .variant = keep(o, k->variant),
					     .runner = keep(o, k->runner)},
		.verdict = j->verdict,
		.head = j->head_exact};
}

/* ---- a report ---- */

/* 1, 0 absent, -1. */
static int read_name(
	struct outcomes *o, const struct jv *v, const char *key, const char **ret, struct err *err)
{
	const char *s = "";
	int found = jv_get_string(v, key, &s, err);

	if (found < 0)
		return -1;
	if (strlen(s) > SINK_NAME_MAX)
		return err_set(err, ERR_FORMAT, "'%s' has more than %d bytes", key, SINK_NAME_MAX);
	*ret = keep(o, s);
	return found;
}

static int read_key(struct outcomes *o, const struct jv *v, struct series_key *k, struct err *err)
{
	const struct {
		const char *key, **at;
	} names[] = {{"suite", &k->suite}, {"benchmark", &k->benchmark}, {"metric", &k->metric},
		{"variant", &k->variant}, {"runner", &k->runner}};
	size_t i;

	for (i = 0; i < ARRAY_LEN(names); i++) {
		int found = read_name(o, v, names[i].key, names[i].at, err);
		if (found < 0)
			return -1;
		if (!found && i < 3)
			return err_set(err, ERR_FORMAT, "a verdict without '%s'", names[i].key);
	}
	return 0;
}

static int read_verdict(const struct jv *v, enum verdict *ret, struct err *err)
{
	const char *name = NULL;
	int i;

	if (jv_get_string(v, "verdict", &name, err) < 0)
		return -1;
	if (!name)
		return err_set(err, ERR_FORMAT, "a verdict without 'verdict'");
	for (i = 0; i < VERDICT_COUNT && strcmp(verdict_name(i), name) != 0; i++)
		;
	if (i == VERDICT_COUNT)
		return err_set(err, ERR_FORMAT,
			"'verdict' is '%.60s', which this version does not know", name);
	*ret = i;
	return 0;
}

/* Numbers with a point come as their text, so that no digit is lost. */
static int read_median(const struct jv *side, struct decimal *ret, struct err *err)
{
	const struct jv *m = jv_get(side, "median");
	const char *text;
	size_t len;

	if (!m)
		return err_set(err, ERR_FORMAT, "'head' without 'median'");
	if (jv_kind(m) == JV_INT) {
		*ret = decimal_from(jv_num(m));
		return 0;
	}
	if (jv_kind(m) != JV_STRING)
		return err_set(err, ERR_FORMAT, "'median' is %s, expected a number",
			jv_kind_name(jv_kind(m)));
	text = jv_string(m, &len);
	return decimal_parse(text, len, ret, err) < 0 ? err_prefix(err, "'median'") : 0;
}

static int read_sides(const struct jv *v, struct outcome *x, struct err *err)
{
	const struct jv *head = NULL, *base;

	if (jv_get_object(v, "head", &head, err) < 0 || jv_get_object(v, "base", &base, err) < 0)
		return -1;
	if (x->verdict != VERDICT_REGRESSED)
		return 0;
	if (!head)
		return err_set(err, ERR_FORMAT, "a regressed series without a number at 'head'");
	if (!*x->key.suite || !*x->key.metric)
		return err_set(err, ERR_FORMAT, "a regressed series without a name");
	return read_median(head, &x->head, err);
}

static int read_outcome(struct outcomes *o, struct js *js, struct err *err)
{
	struct jv *v = js_load(js, err);
	struct outcome *x;
	int r = 0;

	if (!v)
		return -1;
	x = fresh(o);
	if (jv_kind(v) != JV_OBJECT)
		r = err_set(err, ERR_FORMAT, "a verdict is %s, expected an object",
			jv_kind_name(jv_kind(v)));
	else if (read_key(o, v, &x->key, err) < 0 || read_verdict(v, &x->verdict, err) < 0 ||
		 read_sides(v, x, err) < 0)
		r = -1;
	else if (o->n > SERIES_MAX)
		r = err_set(err, ERR_FORMAT, "more than a million series");
	else if (intern_bytes(o->names) > NAMES_MAX)
		r = err_set(err, ERR_FORMAT, "more than 256 MiB of names");
	jv_free(v);
	return r < 0 ? js_where(js, err) : 0;
}

static int read_outcomes(struct outcomes *o, struct js *js, struct err *err)
{
	int more;

	if (js_enter(js, '[', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0)
		if (read_outcome(o, js, err) < 0)
			return -1;
	return more;
}

static int read_sha(struct js *js, char ret[65], struct err *err)
{
	struct jv *v = js_load(js, err);
	const char *sha = NULL;

	if (!v)
		return -1;
	if (jv_kind(v) == JV_OBJECT && jv_get_string(v, "sha", &sha, err) >= 0 && sha)
		snprintf(ret, 65, "%s", sha);
	jv_free(v);
	return err->code ? js_where(js, err) : 0;
}

/* What makes a document a report. */
struct heading {
	bool schema, version, verdicts;
};

static int read_heading(struct js *js, const char *key, struct heading *h, struct err *err)
{
	struct jv *v = js_load(js, err);
	bool good = false;

	if (!v)
		return -1;
	if (!strcmp(key, "schema"))
		good = h->schema =
			jv_kind(v) == JV_STRING && !strcmp(jv_string(v, NULL), "perfgate/report");
	else
		good = h->version = jv_kind(v) == JV_INT && jv_num(v).i == 1;
	jv_free(v);
	if (good)
		return 0;
	return js_error(js, err,
		"'%s' is not that of a report that this version reads (perfgate/report, version 1)",
		key);
}

static int read_part(struct outcomes *o, struct js *js, struct heading *h, struct err *err)
{
	const char *key;

	if (js_key(js, &key, err) < 0)
		return -1;
	if (!strcmp(key, "schema"))
		return read_heading(js, "schema", h, err);
	if (!strcmp(key, "version"))
		return read_heading(js, "version", h, err);
	if (!strcmp(key, "head"))
		return read_sha(js, o->head, err);
	if (!strcmp(key, "base"))
		return read_sha(js, o->base, err);
	if (strcmp(key, "verdicts") != 0)
		return js_skip(js, err);
	h->verdicts = true;
	return read_outcomes(o, js, err);
}

static int read_report(struct outcomes *o, struct js *js, struct err *err)
{
	struct heading h = {0};
	int more;

	if (js_enter(js, '{', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0)
		if (read_part(o, js, &h, err) < 0)
			return -1;
	if (more < 0 || js_end(js, err) < 0)
		return -1;
	if (!h.schema || !h.version || !h.verdicts)
		return js_error(js, err,
			"no report: it lacks '%s' (perfgate gate --report json:FILE writes one)",
			!h.schema    ? "schema"
			: !h.version ? "version"
				     : "verdicts");
	return 0;
}

int outcomes_read(struct outcomes *o, struct input *in, struct err *err)
{
	_cleanup_(js_closep) struct js *js = js_open(in, JS_REALS_AS_TEXT);

	return read_report(o, js, err);
}

/* ---- order ---- */

static int compare(const void *pa, const void *pb)
{
	const struct outcome *a = pa, *b = pb;

	return series_key_compare(&a->key, &b->key);
}

void outcomes_sort(struct outcomes *o)
{
	if (o->n)
		qsort(o->v, o->n, sizeof(*o->v), compare);
}
