#include "back-end.h"

#include "json-out.h"
#include "num.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const statuses[] = {[OUTCOME_UNSUPPORTED] = "unsupported",
	[OUTCOME_SKIPPED] = "skipped",
	[OUTCOME_ERROR] = "error"};

static int wire = STDOUT_FILENO; /* the one place that a log line of a driver can find */

/* A reader that is gone has no use for what is left to measure. */
static void send_line(struct buf *b)
{
	buf_addstr(b, "}\n");
	if (write_all(wire, b->p, b->len) < 0)
		_exit(1);
}

static void add_text(struct buf *b, const char *key, const char *value)
{
	if (value)
		json_string(b, key, value);
}

static void add_number(struct buf *b, const char *key, int64_t value)
{
	if (value >= 0)
		json_int(b, key, value);
}

static void send_properties(struct buf *b, const struct device *d)
{
	size_t i;

	json_key(b, "properties");
	buf_addch(b, '[');
	for (i = 0; i < d->n_properties; i++) {
		buf_addstr(b, i ? ", {" : "{");
		json_string(b, "key", d->properties[i].key);
		json_string(b, "value", d->properties[i].value);
		buf_addch(b, '}');
	}
	buf_addch(b, ']');
}

static void send_device(const struct device *d)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addstr(&b, "{\"device\": {");
	add_text(&b, "platform", d->platform);
	add_text(&b, "name", d->name);
	add_text(&b, "driver", d->driver);
	add_text(&b, "type", d->type);
	add_number(&b, "platform_index", d->platform_index);
	add_number(&b, "device_index", d->device_index);
	add_text(&b, "arch", d->arch);
	add_text(&b, "api", d->api);
	add_text(&b, "origin", d->origin);
	add_number(&b, "compute_units", d->compute_units);
	add_number(&b, "clock_mhz", d->clock_mhz);
	add_number(&b, "global_mem_bytes", d->global_mem_bytes);
	add_number(&b, "max_alloc_bytes", d->max_alloc_bytes);
	if (d->fp16 >= 0)
		json_bool(&b, "fp16", d->fp16);
	if (d->fp64 >= 0)
		json_bool(&b, "fp64", d->fp64);
	send_properties(&b, d);
	buf_addch(&b, '}');
	send_line(&b);
}

static void send_test(const struct test *t)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addstr(&b, "{\"test\": {");
	json_string(&b, "id", t->id);
	add_text(&b, "variant", t->variant);
	json_string(&b, "title", t->title);
	json_string(&b, "category", t->category);
	json_string(&b, "shape", t->homogeneous ? "homogeneous" : "heterogeneous");
	add_text(&b, "axis", t->axis);
	json_string(&b, "unit", t->unit);
	add_text(&b, "description", t->description);
	buf_addch(&b, '}');
	send_line(&b);
}

static void send_reading(const struct reading *r)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addstr(&b, "{\"reading\": {");
	json_string(&b, "id", r->id);
	add_text(&b, "label", r->label);
	add_text(&b, "unit", r->unit);
	add_text(&b, "description", r->description);
	json_bool(&b, "quick", r->quick);
	buf_addch(&b, '}');
	send_line(&b);
}

static void send_list(const struct plan *p)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	size_t d, t = 0, r = 0;

	for (d = 0; d < p->n_devices; d++) {
		send_device(&p->devices[d]);
		for (; t < p->n_tests && p->tests[t].device == d; t++) {
			send_test(&p->tests[t]);
			for (; r < p->n_readings && p->readings[r].test == t; r++)
				send_reading(&p->readings[r]);
		}
	}
	buf_addch(&b, '{');
	json_int(&b, "listed", (long long)p->n_readings);
	send_line(&b);
}

static void send_start(const struct plan *p, size_t number)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	const struct reading *r = &p->readings[number];

	buf_addch(&b, '{');
	json_int(&b, "start", (long long)number);
	json_string(&b, "test", p->tests[r->test].id);
	json_string(&b, "reading", r->id);
	send_line(&b);
}

static void send_done(size_t number, const struct outcome *o)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	int i;

	buf_addch(&b, '{');
	json_int(&b, "done", (long long)number);
	if (o->status != OUTCOME_OK) {
		json_string(&b, "status", statuses[o->status]);
		json_string(&b, "reason", o->reason);
	} else {
		json_key(&b, "values");
		for (i = 0; i < o->n; i++) {
			buf_addstr(&b, i ? ", " : "[");
			num_format(&b, num_real(o->values[i]));
		}
		buf_addch(&b, ']');
	}
	send_line(&b);
}

static void run_reading(const struct plan *p, size_t number, const struct settings *s)
{
	struct outcome o = {.status = OUTCOME_OK};

	send_start(p, number);
	p->readings[number].measure(p->readings[number].data, s, &o);
	if (o.n == 0)
		outcome_refuse(&o, OUTCOME_ERROR, "nothing was measured");
	send_done(number, &o);
}

/* ---- the budget ---- */

/* What is left of the time, over what is left to measure. A reading takes longer than its batches:
 * it warms up and sets up. How much longer the ones before it took is what the next is thought to
 * take. */
struct schedule {
	int64_t until; /* ns of CLOCK_MONOTONIC; 0: no budget */
	size_t left, done;
	int64_t beside; /* ns that those done took beside their batches, in all */
};

enum { TARGET_MIN_NS = 1000000 };

static int64_t target_of(const struct schedule *s, const struct settings *settings)
{
	const int64_t share =
		(s->until - clock_ns(CLOCK_MONOTONIC)) / (int64_t)(s->left ? s->left : 1);
	int64_t target;

	if (!s->until)
		return settings->target_ns;
	target = s->done ? (share - s->beside / (int64_t)s->done) / settings->repeat
			 : share / (settings->repeat + 2);
	if (target < TARGET_MIN_NS)
		target = TARGET_MIN_NS;
	return target < settings->target_ns ? target : settings->target_ns;
}

static void run_scheduled(
	const struct plan *p, size_t number, const struct settings *settings, struct schedule *s)
{
	const int64_t began = clock_ns(CLOCK_MONOTONIC);
	struct settings now = *settings;

	now.target_ns = target_of(s, settings);
	run_reading(p, number, &now);
	s->beside += clock_ns(CLOCK_MONOTONIC) - began - now.target_ns * settings->repeat;
	s->done++;
	s->left -= s->left > 0;
}

void back_end_log(const char *level, const char *source, const char *fmt, ...)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT, message = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&message, fmt, ap);
	va_end(ap);
	buf_addch(&b, '{');
	json_string(&b, "log", level);
	json_string(&b, "message", buf_str(&message));
	add_text(&b, "source", source);
	send_line(&b);
}

/* ---- the command line, which only perfgate writes ---- */

struct command_line {
	const char *verb, *readings;
	int64_t budget; /* ns; 0: none */
	struct settings settings;
};

static int64_t number_after(const char *option, const char *value, struct err *err)
{
	int64_t n = 0;

	if (!value)
		err_set(err, ERR_USAGE, "%s needs a number", option);
	else if (num_parse_int(value, strlen(value), 0, INT64_MAX, &n, err) < 0)
		err_prefix(err, "%s", option);
	return n;
}

static int take_option(struct command_line *c, char **argv, struct err *err)
{
	const char *name = argv[0];

	if (!strcmp(name, "--quick")) {
		c->settings.quick = true;
		return 1;
	}
	if (!strcmp(name, "--readings"))
		c->readings = argv[1];
	else if (!strcmp(name, "--fd"))
		wire = (int)number_after(name, argv[1], err);
	else if (!strcmp(name, "--target-ns"))
		c->settings.target_ns = number_after(name, argv[1], err);
	else if (!strcmp(name, "--budget-ns"))
		c->budget = number_after(name, argv[1], err);
	else if (!strcmp(name, "--memory"))
		c->settings.memory_max = number_after(name, argv[1], err);
	else if (!strcmp(name, "--repeat"))
		c->settings.repeat = (int)number_after(name, argv[1], err);
	else
		err_set(err, ERR_USAGE, "no option '%.100s'", name);
	if (c->settings.repeat < 1 || c->settings.repeat > REPEAT_MAX)
		err_set(err, ERR_USAGE, "--repeat is from 1 to %d", REPEAT_MAX);
	return err->code ? -1 : 2;
}

static int parse(struct command_line *c, int argc, char **argv, struct err *err)
{
	int i, used;

	if (argc < 2)
		return err_set(err, ERR_USAGE, "list or run?");
	c->verb = argv[1];
	for (i = 2; i < argc; i += used)
		if ((used = take_option(c, argv + i, err)) < 0)
			return -1;
	if (!strcmp(c->verb, "run") != !!c->readings)
		return err_set(err, ERR_USAGE, "run needs --readings, list has none");
	return 0;
}

/* One part of a list such as 0-3,7; moves *s behind it. */
static int take_range(const char **s, size_t n, size_t *ret_from, size_t *ret_to)
{
	char *end;

	*ret_from = *ret_to = strtoul(*s, &end, 10);
	if (end != *s && *end == '-')
		*ret_to = strtoul(end + 1, &end, 10);
	if (end == *s || (*end && *end != ',') || *ret_from > *ret_to || *ret_to >= n)
		return -1;
	*s = *end ? end + 1 : end;
	return 0;
}

/* Counts the readings of a list, and measures them where a schedule is given. -1: it is none. */
static int64_t walk_readings(const struct plan *p, const struct command_line *c, struct schedule *s)
{
	const char *list = c->readings;
	size_t from, to;
	int64_t n = 0;

	while (*list) {
		if (take_range(&list, p->n_readings, &from, &to) < 0)
			return -1;
		for (n += (int64_t)(to - from) + 1; s && from <= to; from++)
			run_scheduled(p, from, &c->settings, s);
	}
	return n;
}

static int run_readings(const struct plan *p, const struct command_line *c, struct err *err)
{
	struct schedule s = {.until = c->budget ? clock_ns(CLOCK_MONOTONIC) + c->budget : 0};
	const int64_t n = walk_readings(p, c, NULL);

	if (n < 0)
		return err_set(err, ERR_USAGE, "no such readings: %.100s", c->readings);
	s.left = (size_t)n;
	walk_readings(p, c, &s);
	return 0;
}

static void send_word(const char *key, const char *value)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addch(&b, '{');
	if (value)
		json_string(&b, key, value);
	else
		json_bool(&b, key, true);
	send_line(&b);
}

static void send_hello(const struct back_end *e)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addch(&b, '{');
	json_int(&b, "hello", 1);
	json_string(&b, "backend", e->name);
	send_line(&b);
}

static int work(const struct back_end *e, const struct command_line *c, struct err *err)
{
	_cleanup_(plan_release) struct plan plan = PLAN_INIT;
	struct err why = ERR_INIT;
	int status = 0;

	send_hello(e);
	if (e->list(&plan, &c->settings, &why) < 0) {
		send_word("unavailable", why.msg);
	} else if (c->readings) {
		status = run_readings(&plan, c, err);
		send_word("finished", NULL);
	} else {
		send_list(&plan);
	}
	if (e->close)
		e->close();
	return status;
}

int back_end_main(int argc, char **argv, const struct back_end *b)
{
	struct command_line c = {
		.settings = {.target_ns = 100000000, .repeat = 5, .memory_max = INT64_C(1) << 30}};
	struct err err = ERR_INIT;

	signal(SIGPIPE, SIG_IGN);
	if (parse(&c, argc, argv, &err) == 0 && work(b, &c, &err) == 0)
		return 0;
	fprintf(stderr, "%s: %s\n", argv[0], err.msg);
	return 2;
}
