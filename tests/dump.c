/*
 * dump: reads documents with perfgate's readers and prints what reaches the sink, for the cases in
 * tests/cases. On an error it prints "error: MESSAGE" alone and exits 1.
 *
 *     dump [--format F] [--name N] [--allow-truncated] [--runner R] [--component C] [--suite S]...
 * FILE...
 *     dump --detect FILE...    the format of each, "-" for none
 */
#include "intern.h"
#include "reader.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
	int run;
	int64_t series;
	size_t seq; /* order of arrival, since qsort need not be stable */
	struct num value;
};

struct dump {
	struct sink sink;
	struct intern *names; /* the printed head of each series */
	struct value *values;
	size_t n, cap;
	struct buf head, absences, notes;
	char *started[64], *facts[64];
	int runs;
};

static void add_field(struct buf *b, const char *key, const char *value)
{
	if (value)
		buf_addf(b, " %s=%s", key, value);
}

static void keep_amendment(struct dump *d, int run, int64_t started_at, const char *facts)
{
	struct buf b = BUF_INIT;

	if (run >= 64)
		return;
	if (started_at != TIME_UNKNOWN) {
		time_format(&b, started_at);
		free(d->started[run]);
		d->started[run] = buf_take(&b);
	}
	if (facts) {
		free(d->facts[run]);
		d->facts[run] = xstrdup(facts);
	}
}

static int dump_run(struct sink *s, const struct run_head *h, struct err *err)
{
	struct dump *d = (struct dump *)s;

	(void)err;
	buf_addf(&d->head, "run %d: suite=%s format=%s", d->runs, h->suite, h->format);
	add_field(&d->head, "format_version", h->format_version);
	add_field(&d->head, "tool_version", h->tool_version);
	add_field(&d->head, "sha", h->sha);
	add_field(&d->head, "runner", h->runner_key);
	add_field(&d->head, "tree_state", h->tree_state);
	add_field(&d->head, "branch", h->branch);
	add_field(&d->head, "session", h->session);
	add_field(&d->head, "component", h->component);
	buf_addch(&d->head, '\n');
	keep_amendment(d, d->runs, h->started_at, h->facts);
	return d->runs++;
}

static int dump_amend(
	struct sink *s, int run, int64_t started_at, const char *facts, struct err *err)
{
	(void)err;
	keep_amendment((struct dump *)s, run, started_at, facts);
	return 0;
}

static int64_t dump_series(struct sink *s, const char *benchmark, const struct metric *m,
	const char *variant, struct err *err)
{
	struct dump *d = (struct dump *)s;
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (strlen(benchmark) > SINK_NAME_MAX || !utf8_valid(benchmark, strlen(benchmark)) ||
		!*benchmark)
		return err_set(err, ERR_FORMAT, "an unusable benchmark name reached the sink");
	text_escape(&b, benchmark, strlen(benchmark));
	buf_addf(&b, " | %s", m->name);
	if (*variant)
		buf_addf(&b, " [%s]", variant);
	buf_addf(&b, " %s %s %s", m->unit, m->quantity, direction_name(m->direction));
	return intern_add(d->names, b.p, b.len);
}

static int dump_sample(struct sink *s, int run, int64_t series, struct num value, struct err *err)
{
	struct dump *d = (struct dump *)s;

	(void)err;
	d->values = xgrow(d->values, d->n, &d->cap, sizeof(*d->values));
	d->values[d->n] = (struct value){run, series, d->n, value};
	d->n++;
	return 0;
}

static int dump_absence(struct sink *s, int run, int64_t series, enum sink_status status,
	const char *reason, struct err *err)
{
	struct dump *d = (struct dump *)s;

	(void)err;
	buf_addf(&d->absences, "%d %s: absent, %s: %s\n", run,
		intern_get(d->names, (uint32_t)series, NULL), sink_status_name(status), reason);
	return 0;
}

static void dump_note(struct sink *s, const char *fmt, ...)
{
	struct dump *d = (struct dump *)s;
	va_list ap;

	va_start(ap, fmt);
	buf_addstr(&d->notes, "note: ");
	buf_vaddf(&d->notes, fmt, ap);
	buf_addch(&d->notes, '\n');
	va_end(ap);
}

static int compare(const void *pa, const void *pb)
{
	const struct value *a = pa, *b = pb;

	if (a->run != b->run)
		return a->run < b->run ? -1 : 1;
	if (a->series != b->series)
		return a->series < b->series ? -1 : 1;
	return a->seq < b->seq ? -1 : 1;
}

static void print(struct dump *d)
{
	struct buf b = BUF_INIT;
	size_t i;
	int run;

	buf_addstr(&b, buf_str(&d->head));
	for (run = 0; run < d->runs && run < 64; run++) {
		if (d->started[run])
			buf_addf(&b, "run %d: started_at=%s\n", run, d->started[run]);
		if (d->facts[run])
			buf_addf(&b, "run %d: facts=%s\n", run, d->facts[run]);
	}
	if (d->n)
		qsort(d->values, d->n, sizeof(*d->values), compare);
	for (i = 0; i < d->n; i++) {
		struct value *v = &d->values[i];
		if (i == 0 || v[-1].run != v->run || v[-1].series != v->series)
			buf_addf(&b, "%s%d %s:", i ? "\n" : "", v->run,
				intern_get(d->names, (uint32_t)v->series, NULL));
		buf_addch(&b, ' ');
		num_format(&b, v->value);
	}
	if (d->n)
		buf_addch(&b, '\n');
	buf_addstr(&b, buf_str(&d->absences));
	buf_addstr(&b, buf_str(&d->notes));
	fputs(buf_str(&b), stdout);
	buf_release(&b);
}

static const struct reader *choose(const char *format, struct input *in, struct err *err)
{
	const struct reader *r = format ? reader_find(format) : reader_detect(in, err);

	if (!r)
		err_set(err, ERR_USAGE, "no format '%s'", format);
	return r;
}

static int detect(char **files)
{
	for (; *files; files++) {
		struct input *in = input_file(*files);
		struct err ignored = ERR_INIT;
		const struct reader *r = reader_detect(in, &ignored);

		printf("%s %s\n", r ? r->name : "-", *files);
		input_free(in);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct dump d = {.sink = {.run = dump_run,
				 .amend = dump_amend,
				 .series = dump_series,
				 .sample = dump_sample,
				 .absence = dump_absence,
				 .note = dump_note}};
	const char *suites[256];
	struct read_options opts = {.suites = suites};
	struct input *in[256];
	const struct reader *r = NULL;
	const char *format = NULL;
	struct err err = ERR_INIT;
	size_t n = 0, i;
	int a, status = 0;

	if (argc > 1 && !strcmp(argv[1], "--detect"))
		return detect(argv + 2);
	for (a = 1; a < argc && n < ARRAY_LEN(in); a++) {
		if (!strcmp(argv[a], "--format") && a + 1 < argc)
			format = argv[++a];
		else if (!strcmp(argv[a], "--name") && a + 1 < argc)
			opts.name = argv[++a];
		else if (!strcmp(argv[a], "--runner") && a + 1 < argc)
			opts.runner = argv[++a];
		else if (!strcmp(argv[a], "--component") && a + 1 < argc)
			opts.component = argv[++a];
		else if (!strcmp(argv[a], "--suite") && a + 1 < argc)
			suites[opts.n_suites++] = argv[++a];
		else if (!strcmp(argv[a], "--allow-truncated"))
			opts.allow_truncated = true;
		else
			in[n++] = input_file(argv[a]);
	}
	d.names = intern_new();
	for (i = 0; i < n && !err.code; i++)
		r = choose(format, in[i], &err);
	if (!err.code && r && r->together)
		r->read(in, n, &opts, &d.sink, &err);
	for (i = 0; i < n && !err.code && r && !r->together; i++)
		r->read(&in[i], 1, &opts, &d.sink, &err);
	if (err.code) {
		printf("error: %s\n", err.msg);
		status = 1;
	} else {
		print(&d);
	}
	for (i = 0; i < n; i++)
		input_free(in[i]);
	intern_free(d.names);
	free(d.values);
	for (i = 0; i < 64; i++) {
		free(d.started[i]);
		free(d.facts[i]);
	}
	buf_release(&d.head);
	buf_release(&d.absences);
	buf_release(&d.notes);
	return status;
}
