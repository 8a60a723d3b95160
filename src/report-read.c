#include "report-read.h"

#include "report-read-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void read_report_free(struct read_report *x)
{
	size_t i;

	if (!x)
		return;
	for (i = 0; i < ARRAY_LEN(x->lists); i++)
		free(x->lists[i].v);
	intern_free(x->texts);
	free(x->series);
	free(x->verdicts);
	free(x);
}

void read_report_freep(struct read_report **x)
{
	read_report_free(*x);
}

const struct report *read_report_get(const struct read_report *x)
{
	return &x->r;
}

/* ---- the parts but for the verdicts ---- */

static struct jv *load_object(struct js *js, const char *what, struct err *err)
{
	struct jv *v = js_load(js, err);

	if (v && jv_kind(v) != JV_OBJECT) {
		js_error(js, err, "'%s' is %s, expected an object", what, jv_kind_name(jv_kind(v)));
		jv_free(v);
		return NULL;
	}
	return v;
}

static int read_head(struct read_report *x, struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = load_object(js, "head", err);
	struct report_commit *c = &x->r.head;

	if (!v)
		return -1;
	if (read_text(x, v, "label", &c->label, err) < 0 ||
		read_sha(x, v, "sha", &c->sha, err) < 0 ||
		read_sha(x, v, "merged", &c->merged, err) < 0 ||
		read_text(x, v, "subject", &c->subject, err) < 0 ||
		read_text(x, v, "tree_state", &c->tree_state, err) < 0)
		return js_where(js, err);
	return 0;
}

static int read_base(struct read_report *x, struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = load_object(js, "base", err);
	struct report_base *b = &x->r.base;

	if (!v)
		return -1;
	if (read_text(x, v, "asked", &b->asked, err) < 0 ||
		read_sha(x, v, "sha", &b->sha, err) < 0 ||
		read_text(x, v, "subject", &b->subject, err) < 0 ||
		read_distance(v, &b->distance, err) < 0 ||
		read_text(x, v, "why", &b->why, err) < 0 ||
		jv_get_bool(v, "guess", &b->guess, err) < 0)
		return js_where(js, err);
	return 0;
}

static int read_line(struct read_report *x, struct js *js, struct text_list *list, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);
	const char *text;

	if (!v)
		return -1;
	if (jv_kind(v) != JV_STRING)
		return js_error(js, err, "%s, expected a string", jv_kind_name(jv_kind(v)));
	if (list->n >= LINES_MAX)
		return js_error(js, err, "more than %d texts", LINES_MAX);
	text = keep_text(x, jv_string(v, NULL), TEXT_MAX, err);
	if (!text)
		return js_where(js, err);
	list->v = xgrow(list->v, list->n, &list->cap, sizeof(*list->v));
	list->v[list->n++] = text;
	return 0;
}

static int read_lines(struct read_report *x, struct js *js, struct text_list *list, struct err *err)
{
	int more;

	if (js_enter(js, '[', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0)
		if (read_line(x, js, list, err) < 0)
			return -1;
	return more;
}

static int read_verdicts(struct read_report *x, struct js *js, struct err *err)
{
	int more;

	if (js_enter(js, '[', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0) {
		_cleanup_(jv_freep) struct jv *v = load_object(js, "verdicts", err);
		if (!v)
			return -1;
		if (read_series(x, v, err) < 0)
			return js_where(js, err);
	}
	x->claims.verdicts = true;
	return more;
}

/* ---- what the whole says of itself ---- */

static int read_command(struct read_report *x, struct js *js, struct err *err)
{
	static const char *const commands[] = {"gate", "diff", "measure"};
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);
	size_t i;

	if (!v)
		return -1;
	for (i = 0; jv_kind(v) == JV_STRING && i < ARRAY_LEN(commands); i++)
		if (!strcmp(jv_string(v, NULL), commands[i]))
			x->r.command = commands[i];
	return x->r.command ? 0 : js_error(js, err, "'command' is none of gate, diff and measure");
}

static int read_schema(struct read_report *x, struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	if (!v)
		return -1;
	x->claims.schema =
		jv_kind(v) == JV_STRING && !strcmp(jv_string(v, NULL), "perfgate/report");
	return x->claims.schema ? 0 : js_error(js, err, "'schema' is not perfgate/report");
}

static int read_version(struct read_report *x, struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	if (!v)
		return -1;
	x->claims.version = jv_kind(v) == JV_INT && jv_num(v).i == 1;
	return x->claims.version
		       ? 0
		       : js_error(js, err,
				 "'version' is not 1, which is the one that this perfgate reads");
}

static int read_number(struct js *js, const char *key, int64_t *ret, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	if (!v)
		return -1;
	if (jv_kind(v) != JV_INT || jv_num(v).i < 0)
		return js_error(js, err, "'%s' is no count", key);
	*ret = jv_num(v).i;
	return 0;
}

static int read_exit_counts(struct read_report *x, struct js *js, struct err *err)
{
	_cleanup_(jv_freep) struct jv *v = js_load(js, err);

	if (!v)
		return -1;
	if (jv_kind(v) != JV_BOOL)
		return js_error(js, err, "'exit_counts' is %s, expected a boolean",
			jv_kind_name(jv_kind(v)));
	x->r.exit_counts = jv_bool(v);
	return 0;
}

static int read_part(struct read_report *x, struct js *js, const char *key, struct err *err)
{
	static const char *const lists[] = {"policy_changes", "notes", "next", "machine"};
	size_t i;

	if (!strcmp(key, "schema"))
		return read_schema(x, js, err);
	if (!strcmp(key, "version"))
		return read_version(x, js, err);
	if (!strcmp(key, "command"))
		return read_command(x, js, err);
	if (!strcmp(key, "exit"))
		return read_number(js, "exit", &x->claims.exit, err);
	if (!strcmp(key, "exit_counts"))
		return read_exit_counts(x, js, err);
	if (!strcmp(key, "judged"))
		return read_number(js, "judged", &x->claims.judged, err);
	if (!strcmp(key, "head"))
		return read_head(x, js, err);
	if (!strcmp(key, "base"))
		return read_base(x, js, err);
	if (!strcmp(key, "verdicts"))
		return read_verdicts(x, js, err);
	for (i = 0; i < ARRAY_LEN(lists); i++)
		if (!strcmp(key, lists[i]))
			return read_lines(x, js, &x->lists[i], err);
	return js_skip(js, err);
}

static const char *lacking(const struct read_report *x)
{
	const struct claims *c = &x->claims;

	return !c->schema      ? "schema"
	       : !c->version   ? "version"
	       : !x->r.command ? "command"
	       : c->exit < 0   ? "exit"
	       : c->judged < 0 ? "judged"
	       : !c->verdicts  ? "verdicts"
			       : NULL;
}

static int read_document(struct read_report *x, struct js *js, struct err *err)
{
	const char *key;
	int more;

	if (js_enter(js, '{', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0)
		if (js_key(js, &key, err) < 0 || read_part(x, js, key, err) < 0)
			return -1;
	if (more < 0 || js_end(js, err) < 0)
		return -1;
	if (lacking(x))
		return js_error(js, err,
			"no report: it lacks '%s' (perfgate gate --report json:FILE writes one)",
			lacking(x));
	return 0;
}

/* ---- all of it together ---- */

/* Where head has no run at all, all that says so may be the status. */
static int check_claims(struct read_report *x, struct err *err)
{
	struct report *r = &x->r;

	report_count(r);
	if (!r->n && r->exit_counts && x->claims.exit == 3) {
		r->unmeasured = true;
		r->exit = 3;
	}
	if (r->exit_counts && r->exit != x->claims.exit)
		return err_set(err, ERR_FORMAT,
			"'exit' is %lld, but its verdicts make it %d: this file was changed",
			(long long)x->claims.exit, r->exit);
	if ((int64_t)r->judged != x->claims.judged)
		return err_set(err, ERR_FORMAT,
			"'judged' is %lld, but its verdicts make it %zu: this file was changed",
			(long long)x->claims.judged, r->judged);
	return 0;
}

static void link_lists(struct read_report *x)
{
	struct report *r = &x->r;

	r->policy_changes = x->lists[0].v;
	r->n_policy_changes = x->lists[0].n;
	r->notes = x->lists[1].v;
	r->n_notes = x->lists[1].n;
	r->next = x->lists[2].v;
	r->n_next = x->lists[2].n;
	r->machine = x->lists[3].v;
	r->n_machine = x->lists[3].n;
}

static int finish(struct read_report *x, struct err *err)
{
	struct report *r = &x->r;

	link_lists(x);
	if (link_series(x, err) < 0)
		return -1;
	r->verdicts = x->verdicts;
	r->n = x->n;
	verdicts_sort(x->verdicts, x->n, &r->options);
	return check_claims(x, err);
}

struct read_report *report_read(struct input *in, struct err *err)
{
	_cleanup_(js_closep) struct js *js = js_open(in, JS_REALS_AS_TEXT);
	struct read_report *x = xcalloc(1, sizeof(*x));
	int r;

	x->texts = intern_new();
	x->claims.exit = x->claims.judged = -1;
	x->r.exit_counts = true;
	r = read_document(x, js, err);
	if (r == 0 && finish(x, err) < 0)
		r = err_prefix(err, "%s", input_name(in));
	if (r == 0)
		return x;
	read_report_free(x);
	return NULL;
}
