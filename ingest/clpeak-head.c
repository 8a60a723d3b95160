#include "clpeak-head.h"

#include "clpeak-old.h"
#include "clpeak-unit.h"
#include "runner.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { FORMAT = 3 };

void clpeak_head_init(struct clpeak_head *h, const char *file)
{
	*h = (struct clpeak_head){.file = file, .started_at = TIME_UNKNOWN};
}

void clpeak_head_release(struct clpeak_head *h)
{
	free(h->version);
	buf_release(&h->runner);
	buf_release(&h->host);
	buf_release(&h->build);
	buf_release(&h->run);
	buf_release(&h->invocation);
}

/* ---- facts ---- */

struct fact {
	const char *key, *name; /* in the document, in the run's facts */
	enum { TEXT, NUMBER, FLAG, ANY /* a list with anything in it */ } kind;
};

static const struct fact host_facts[] = {{"os", "os", TEXT}, {"os_version", "os_version", TEXT}};
static const struct fact build_facts[] = {{"config", "build_config", TEXT}};
static const struct fact invocation_facts[] = {
	{"target_time_us", "target_time_us", NUMBER},
	{"target_time_us_cpu", "target_time_us_cpu", NUMBER},
	{"warmup", "warmup", NUMBER},
	{"iters", "iters", NUMBER},
	{"verbose", "verbose", FLAG},
	{"tests", "narrowed", ANY},
};

static void add_fact(struct buf *b, const char *name, const char *value)
{
	buf_addf(b, "%s\"%s\":%s", b->len ? "," : "", name, value);
}

/* The member as JSON. Returns 1, 0 when it is absent or false, -1. */
static int fact_value(const struct jv *o, const struct fact *f, struct buf *out, struct err *err)
{
	const struct jv *list = NULL;
	const char *text;
	struct num n;
	bool flag = false;
	int r;

	switch (f->kind) {
	case TEXT:
		r = clpeak_text(o, f->key, &text, err);
		if (r > 0)
			text_json_str(out, text);
		return r;
	case NUMBER:
		r = jv_get_num(o, f->key, &n, err);
		if (r > 0)
			num_format(out, n);
		return r;
	case ANY:
		r = jv_get_array(o, f->key, &list, err);
		buf_addstr(out, "true");
		return r < 0 ? -1 : r && jv_len(list) > 0;
	default:
		r = jv_get_bool(o, f->key, &flag, err);
		buf_addstr(out, "true");
		return r < 0 ? -1 : flag;
	}
}

static int add_facts(
	struct buf *b, const struct jv *o, const struct fact *facts, size_t n, struct err *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		_cleanup_(buf_release) struct buf value = BUF_INIT;
		int r = fact_value(o, &facts[i], &value, err);
		if (r < 0)
			return -1;
		if (r > 0)
			add_fact(b, facts[i].name, value.p);
	}
	return 0;
}

static void add_members(struct buf *b, const char *members)
{
	if (*members)
		buf_addf(b, "%s%s", b->len > 1 ? "," : "", members);
}

char *clpeak_head_facts(const struct clpeak_head *h, const char *drivers)
{
	struct buf b = BUF_INIT;

	buf_addch(&b, '{');
	add_members(&b, buf_str(&h->host));
	add_members(&b, buf_str(&h->build));
	add_members(&b, buf_str(&h->run));
	add_members(&b, buf_str(&h->invocation));
	if (*drivers)
		buf_addf(&b, "%s\"drivers\":{%s}", b.len > 1 ? "," : "", drivers);
	buf_addch(&b, '}');
	return buf_take(&b);
}

/* ---- members; each gets its value, which is of the kind that the table names ---- */

static int take_schema(struct clpeak_head *h, const struct jv *v, struct err *err)
{
	const char *s = jv_string(v, NULL);

	(void)h;
	if (!strcmp(s, "clpeak/run"))
		return 0;
	return err_set(err, ERR_FORMAT, "expected 'clpeak/run', not '%.80s'", s);
}

static int take_version(struct clpeak_head *h, const struct jv *v, struct err *err)
{
	const char *s = jv_string(v, NULL);

	if (strlen(s) > SINK_NAME_MAX)
		return err_set(err, ERR_FORMAT, "longer than %d bytes", SINK_NAME_MAX);
	h->version = xstrdup(s);
	return 0;
}

static int take_time(struct clpeak_head *h, const struct jv *v, struct err *err)
{
	return time_parse(jv_string(v, NULL), &h->started_at, err);
}

static int take_duration(struct clpeak_head *h, const struct jv *v, struct err *err)
{
	_cleanup_(buf_release) struct buf number = BUF_INIT;

	(void)err;
	num_format(&number, jv_num(v));
	add_fact(&h->run, "duration_s", number.p);
	return 0;
}

static int take_cancelled(struct clpeak_head *h, const struct jv *v, struct err *err)
{
	(void)err;
	h->cancelled = jv_bool(v);
	if (h->cancelled)
		add_fact(&h->run, "cancelled", "true");
	return 0;
}

static int take_build(struct clpeak_head *h, const struct jv *v, struct err *err)
{
	return add_facts(&h->build, v, build_facts, ARRAY_LEN(build_facts), err);
}

static int take_invocation(struct clpeak_head *h, const struct jv *v, struct err *err)
{
	return add_facts(&h->invocation, v, invocation_facts, ARRAY_LEN(invocation_facts), err);
}

/* A machine whose processor is not named cannot be told from others: it gets no key. */
static int take_host(struct clpeak_head *h, const struct jv *v, struct err *err)
{
	const char *arch = NULL, *cpu = NULL;
	int64_t cores = 0, memory = 0;

	h->has_host = true;
	if (clpeak_text(v, "arch", &arch, err) < 0 || clpeak_text(v, "cpu", &cpu, err) < 0 ||
		jv_get_int(v, "logical_cores", &cores, err) < 0 ||
		jv_get_int(v, "memory_bytes", &memory, err) < 0)
		return -1;
	if (cpu && cpu[strspn(cpu, " \t\r\n\f\v")])
		runner_key(&h->runner, arch, cpu, cores, memory);
	return add_facts(&h->host, v, host_facts, ARRAY_LEN(host_facts), err);
}

static const struct member {
	const char *key;
	enum jv_kind kind, or_kind;
	const char *expected;
	int (*take)(struct clpeak_head *h, const struct jv *v, struct err *err);
} members[] = {
	{"schema", JV_STRING, JV_STRING, "a string", take_schema},
	{"clpeak_version", JV_STRING, JV_STRING, "a string", take_version},
	{"generated_at", JV_STRING, JV_STRING, "a string", take_time},
	{"duration_s", JV_INT, JV_REAL, "a number", take_duration},
	{"cancelled", JV_BOOL, JV_BOOL, "a boolean", take_cancelled},
	{"build", JV_OBJECT, JV_OBJECT, "an object", take_build},
	{"host", JV_OBJECT, JV_OBJECT, "an object", take_host},
	{"invocation", JV_OBJECT, JV_OBJECT, "an object", take_invocation},
};

static const struct member *find_member(const char *key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(members); i++)
		if (!strcmp(key, members[i].key))
			return &members[i];
	return NULL;
}

static int take(struct clpeak_head *h, const struct member *m, const struct jv *v, struct err *err)
{
	enum jv_kind kind = jv_kind(v);

	if (kind == JV_NULL)
		return 0;
	if (kind != m->kind && kind != m->or_kind)
		return err_set(err, ERR_FORMAT, "'%s' is %s, expected %s", m->key,
			jv_kind_name(kind), m->expected);
	return m->take(h, v, err) < 0 ? err_prefix(err, "'%s'", m->key) : 0;
}

/* The version as it is written, whatever it is: the message has to say what was seen. */
static int take_format(struct clpeak_head *h, const struct jv *v, unsigned line, struct err *err)
{
	_cleanup_(buf_release) struct buf seen = BUF_INIT;
	_cleanup_(freep) char *place = NULL;
	enum jv_kind kind = jv_kind(v);

	if (kind == JV_INT && jv_num(v).i == FORMAT) {
		h->has_format = true;
		return 0;
	}
	place = xasprintf("%s:%u", h->file, line);
	if (kind == JV_STRING)
		return err_set(err, ERR_FORMAT,
			"%s: 'format_version' is the string \"%.40s\", expected 3", place,
			jv_string(v, NULL));
	if (kind != JV_INT && kind != JV_REAL)
		return err_set(err, ERR_FORMAT, "%s: 'format_version' is %s, expected 3", place,
			jv_kind_name(kind));
	num_format(&seen, jv_num(v));
	return clpeak_refuse(place, seen.p, err);
}

static bool is_log(const char *key, const struct jv *v)
{
	return !strcmp(key, "schema") && jv_kind(v) == JV_STRING &&
	       !strcmp(jv_string(v, NULL), "clpeak/run-log");
}

int clpeak_head_member(struct clpeak_head *h, struct js *js, const char *key, struct err *err)
{
	const struct member *m = find_member(key);
	bool format = !strcmp(key, "format_version");
	_cleanup_(jv_freep) struct jv *v = NULL;
	unsigned line;

	h->has_entries |= !strcmp(key, "entries");
	if (!m && !format)
		return 0;
	if (js_peek(js, err) < 0)
		return -1;
	line = js_line(js);
	v = js_load(js, err);
	if (!v)
		return -1;
	if (format)
		return take_format(h, v, line, err) < 0 ? -1 : 1;
	if (is_log(key, v))
		return err_set(err, ERR_FORMAT,
			"%s: is the log that clpeak writes beside its result; ingest the .json "
			"beside it (if that is missing, the run died)",
			h->file);
	if (take(h, m, v, err) < 0)
		return err_prefix(err, "%s:%u", h->file, line);
	return 1;
}
