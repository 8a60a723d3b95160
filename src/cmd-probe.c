#include "command.h"

#include "clpeak-write.h"
#include "host-memory.h"
#include "json.h"
#include "num.h"
#include "probe-private.h"
#include "replace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define O(field) offsetof(struct probe, field)

static const struct opt opts[] = {
	{"cpu", 0, OPT_FLAG, O(wanted[BACK_END_CPU]), NULL,
		"measure the processor (without any of the three: all there is)"},
	{"opencl", 0, OPT_FLAG, O(wanted[BACK_END_OPENCL]), NULL, "measure OpenCL's devices"},
	{"cuda", 0, OPT_FLAG, O(wanted[BACK_END_CUDA]), NULL, "measure NVIDIA's GPUs"},
	{"list-devices", 0, OPT_FLAG, O(list_devices), NULL, "list the devices, measure nothing"},
	{"list-tests", 0, OPT_FLAG, O(list_tests), NULL, "list the readings, measure nothing"},
	{"tests", 't', OPT_STRING, O(tests), "PATTERN",
		"only readings whose TEST[@VARIANT]/READING matches (PCRE2)"},
	{"devices", 'd', OPT_STRING, O(devices), "LIST",
		"only these, by the name or the word that --list-devices shows: cpu:0,opencl"},
	{"budget", 0, OPT_STRING, O(budget), "TIME",
		"what all of the measuring may take: 30s, 5m (default: 90s, with --quick 6s)"},
	{"repeat", 'n', OPT_COUNT, O(repeat), "N",
		"batches of each reading, at most 64 (default: 5)"},
	{"quick", 0, OPT_FLAG, O(quick), NULL, "only a few readings, within 10 seconds"},
	{"timeout", 0, OPT_STRING, O(timeout), "TIME",
		"when a reading counts as hanging (default: 20s and 8 times what it is to take)"},
	{"output", 'o', OPT_STRING, O(output), "FILE", "write the document there; - to the output"},
	{"ingest", 0, OPT_FLAG, O(ingest), NULL, "store the document"},
	{"compare", 0, OPT_STRING, O(compare), "FILE|REV",
		"say what differs from a document, or from the commit's probe in the store"},
	{"verbose", 'v', OPT_FLAG, O(verbose), NULL,
		"say more, and write the inventory of devices into the document"},
	OPT_STORE(struct probe),
	{"commit", 'c', OPT_STRING, O(place.commit), "REV",
		"with --ingest: the commit it is stored under (default: HEAD)"},
	{"runner", 'r', OPT_STRING, O(place.runner), "NAME",
		"the class of machine (default: this one's)"},
	OPT_SESSION_BRANCH(struct probe), OPT_TREE_STATE(struct probe), OPT_JSON(struct probe),
	OPT_END};

#undef O

#define SECOND_NS INT64_C(1000000000)
#define MIB (INT64_C(1) << 20)

enum { REPEATS = 5, BUDGET_S = 90, BUDGET_QUICK_S = 6 };

/* One call. */
struct call {
	struct probe *o;
	struct probing p;
	struct record r;
	struct stop stop;
	struct comparing *old; /* of --compare */
	char *log_path;        /* beside the document, while that is not written; NULL: none */
	FILE *log;
};

/* ---- the log beside the document ---- */

/* run.clpeak.json has run.clpeak.log. */
static char *log_path_of(const char *output)
{
	const size_t n = strlen(output);

	if (n > 5 && !strcmp(output + n - 5, ".json"))
		return xasprintf("%.*s.log", (int)n - 5, output);
	return xasprintf("%s.log", output);
}

static void write_log(struct call *x, const struct buf *line)
{
	if (!x->log)
		return;
	fwrite(line->p, 1, line->len, x->log);
	fflush(x->log);
}

static void on_entry(void *ctx, const struct log_entry *e)
{
	_cleanup_(buf_release) struct buf line = BUF_INIT;
	struct call *x = ctx;

	clpeak_write_log_entry(&line, e);
	write_log(x, &line);
	if (x->o->verbose)
		complain("[%s] %s%s%s", e->level, e->source ? e->source : "", e->source ? ": " : "",
			e->message);
}

/* Another run's, which did not come to its end. A file of that name may be anybody's. */
static bool is_old_log(const char *path)
{
	static const char begins[] = "{\"schema\": \"clpeak/run-log\"";
	struct stat st; /* no FIFO, which would wait for somebody */
	const bool regular = lstat(path, &st) == 0 && S_ISREG(st.st_mode);
	_cleanup_(fclosep) FILE *f = regular ? fopen(path, "re") : NULL;
	char head[sizeof(begins)] = "";

	return f && fread(head, 1, sizeof(begins) - 1, f) && !strcmp(head, begins);
}

/* What was said before it was there, when back ends listed, goes first. */
static void open_log(struct call *x)
{
	_cleanup_(buf_release) struct buf head = BUF_INIT;
	const char *output = x->o->output;
	struct stat st;
	size_t i;

	if (!output || !strcmp(output, "-") || (stat(output, &st) == 0 && !S_ISREG(st.st_mode)))
		return;
	x->log_path = log_path_of(output);
	if (is_old_log(x->log_path))
		unlink(x->log_path);
	x->log = fopen(x->log_path, "wxe");
	clpeak_write_log_head(&head, &x->r);
	for (i = 0; i < x->r.n_log; i++)
		clpeak_write_log_entry(&head, &x->r.log[i]);
	write_log(x, &head);
}

static void close_log(struct call *x, bool written)
{
	if (x->log) {
		fclose(x->log);
		if (written)
			unlink(x->log_path);
	}
	free(x->log_path);
}

/* ---- settings ---- */

static bool is_output(const struct probe *o)
{
	return o->json || (o->output && !strcmp(o->output, "-"));
}

/* Before there are numbers to be lost. */
static int check_output(const char *path, struct err *err)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	_cleanup_(freep) char *folder = NULL;
	struct stat st;

	if (!path || !strcmp(path, "-"))
		return 0;
	folder = !slash          ? xstrdup(".")
		 : slash == path ? xstrdup("/")
				 : xstrndup(path, (size_t)(slash - path));
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(err, ERR_USAGE, "--output %.300s is a folder", path);
	if (access(access(path, F_OK) == 0 ? path : folder, W_OK) == 0)
		return 0;
	return err_set(err, ERR_IO, "%.300s: %s", path, strerror(errno));
}

static int parse_span(const char *option, const char *text, int64_t *ret, struct err *err)
{
	if (!text)
		return 0;
	if (span_parse(text, ret, err) < 0) {
		err->code = ERR_USAGE;
		return err_prefix(err, "--%s", option);
	}
	return *ret > 0 ? 0 : err_set(err, ERR_USAGE, "--%s is no time at all", option);
}

/* The largest working set: a quarter of the memory, and no more than what tells apart caches. */
static int64_t memory_max(const struct record *r, bool quick)
{
	const int64_t most = quick ? 64 * MIB : 1024 * MIB;
	int64_t memory = r->host.memory_bytes > 0 ? r->host.memory_bytes : 4 * most;
	struct memory m;

	memory_look(&m, "");
	memory = memory < m.total ? memory : m.total;
	return memory / 4 < most ? memory / 4 : most;
}

static int set_up(struct call *x, struct err *err)
{
	const struct probe *o = x->o;

	x->p = (struct probing){.r = &x->r,
		.stop = &x->stop,
		.repeat = (int)(o->repeat ? o->repeat : REPEATS),
		.quick = o->quick,
		.target_ns = o->budget ? 10 * SECOND_NS : SECOND_NS / 10,
		.budget_ns = (o->quick ? BUDGET_QUICK_S : BUDGET_S) * SECOND_NS,
		.memory_max = memory_max(&x->r, o->quick)};
	if (o->repeat > REPEAT_MAX)
		return err_set(err, ERR_USAGE, "--repeat %lld: expected 1 to %d",
			(long long)o->repeat, REPEAT_MAX);
	if (o->place.clean && o->place.dirty)
		return err_set(err, ERR_USAGE, "--clean and --dirty exclude each other");
	if (o->list_devices + o->list_tests > 0 && (o->ingest || o->compare || o->output))
		return err_set(err, ERR_USAGE, "what is only listed leaves no document");
	if (o->compare && is_output(o))
		return err_set(err, ERR_USAGE,
			"--compare shows a table where %s prints the document; --output FILE writes it",
			o->json ? "--json" : "--output -");
	if (check_output(o->output, err) < 0)
		return -1;
	return parse_span("budget", o->budget, &x->p.budget_ns, err) < 0
		       ? -1
		       : parse_span("timeout", o->timeout, &x->p.timeout_ns, err);
}

/* What of the command line decides what is measured and how. A store's address may hold a password,
 * and is left out with all that only says where the document goes. */
static void add_arguments(struct call *x)
{
	const struct probe *o = x->o;
	const struct {
		const char *name, *value;
	} texts[] = {{"tests", o->tests}, {"devices", o->devices}, {"budget", o->budget},
		{"timeout", o->timeout}};
	size_t i;

	record_argument(&x->r, "perfgate");
	record_argument(&x->r, "probe");
	for (i = 0; i < BACK_END_COUNT; i++)
		if (o->wanted[i])
			record_argument(&x->r, "--%s", back_ends[i].flag);
	for (i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i].value) {
			record_argument(&x->r, "--%s", texts[i].name);
			record_argument(&x->r, "%s", texts[i].value);
		}
	if (o->repeat) {
		record_argument(&x->r, "--repeat");
		record_argument(&x->r, "%lld", (long long)o->repeat);
	}
	if (o->quick)
		record_argument(&x->r, "--quick");
	if (o->verbose)
		record_argument(&x->r, "--verbose");
}

/* ---- back ends ---- */

static int refuse_back_end(
	const struct probed *p, const struct back_end_kind *k, const char *path, struct err *err)
{
	const char *remedy = path ? k->mend : k->absent;

	return err_set(err, ERR_USAGE, "%s is unavailable: %s%s%s", k->name, p->unavailable,
		remedy ? "; " : "", remedy ? remedy : "");
}

/* One that nobody asked for by name is only missing. */
static int check_back_ends(const struct call *x, struct err *err)
{
	size_t i, installed = 0;

	for (i = 0; i < x->r.n_back_ends; i++) {
		installed += x->p.path[i] != NULL;
		if (x->r.back_ends[i].unavailable && x->o->wanted[x->p.kind[i] - back_ends])
			return refuse_back_end(&x->r.back_ends[i], x->p.kind[i], x->p.path[i], err);
	}
	if (!installed)
		return err_set(err, ERR_USAGE,
			"no program to measure with is installed; they belong in " PKGLIBEXECDIR
			" (PERFGATE_LIBEXEC names another folder)");
	return 0;
}

static int list_back_ends(struct call *x, struct err *err)
{
	static const bool all[BACK_END_COUNT] = {true, true, true};
	bool any = false;
	size_t i;

	for (i = 0; i < BACK_END_COUNT; i++)
		any |= x->o->wanted[i];
	if (probing_list(&x->p, any ? x->o->wanted : all, err) < 0)
		return -1;
	return check_back_ends(x, err) < 0 ? -1 : probe_choose(x->o, &x->r, err);
}

/* ---- the document ---- */

static int write_file(const char *path, const struct buf *document, struct err *err)
{
	struct replacement file;

	if (replace_open(&file, path, err) < 0)
		return err_prefix(err, "%s", path);
	fwrite(document->p, 1, document->len, file.f);
	return replace_close(&file, err) < 0 ? err_prefix(err, "%s", path) : 0;
}

static int put_document(struct call *x, const struct buf *document, struct err *err)
{
	const struct probe *o = x->o;

	if (is_output(o))
		fwrite(document->p, 1, document->len, stdout);
	else if (!o->compare)
		probe_show(&x->r);
	if (o->output && strcmp(o->output, "-") != 0 && write_file(o->output, document, err) < 0)
		return -1;
	if (o->ingest && probe_store(o, document, err) < 0)
		return -1;
	return x->old ? comparing_show(x->old, &x->r, document, err) : 0;
}

/* Mistakes cost no measuring; and what is compared with is what was there before this run. */
static int look_ahead(struct call *x, struct err *err)
{
	if (x->o->ingest && probe_store_check(x->o, err) < 0)
		return -1;
	if (x->o->compare)
		x->old = comparing_open(x->o, err);
	return x->o->compare && !x->old ? -1 : 0;
}

/* What there is is written, and yet it is not what was asked for. */
static int measure(struct call *x, struct err *err)
{
	_cleanup_(buf_release) struct buf document = BUF_INIT;

	probing_plan(&x->p);
	open_log(x);
	probing_run(&x->p);
	clpeak_write(&document, &x->r);
	if (put_document(x, &document, err) < 0) {
		close_log(x, false);
		return -1;
	}
	close_log(x, true);
	if (!x->r.cancelled)
		return 0;
	return err_set(err, ERR_CANCELLED, "stopped by a signal (%s)", strsignal(x->stop.got));
}

static int probe(struct call *x, struct err *err)
{
	const struct probe *o = x->o;

	if (set_up(x, err) < 0)
		return -1;
	add_arguments(x);
	if (list_back_ends(x, err) < 0)
		return -1;
	if (o->list_devices)
		probe_list_devices(&x->r, o->json);
	else if (o->list_tests)
		probe_list_tests(&x->r, o->json);
	else
		return look_ahead(x, err) < 0 ? -1 : measure(x, err);
	return 0;
}

static int run(void *values, char **args, int n, struct err *err)
{
	struct call x = {.o = values};
	int r;

	(void)args;
	(void)n;
	record_init(&x.r, "perfgate " PACKAGE_VERSION);
	x.r.verbose = x.o->verbose;
	x.r.heard = on_entry;
	x.r.ctx = &x;
	stop_hold(&x.stop);
	r = probe(&x, err);
	stop_release(&x.stop);
	comparing_close(x.old);
	probing_release(&x.p);
	record_release(&x.r);
	return r;
}

const struct command cmd_probe = {.name = "probe",
	.args = "",
	.summary = "measure what this machine can do, as a clpeak document",
	.help = "Measures arithmetic, memory, latency and more of the processor and of what OpenCL and\n"
		"CUDA find, and shows it; --output writes it as clpeak does (format 3), --ingest\n"
		"stores it. A program of its own measures, so that a driver which crashes or hangs\n"
		"costs one reading. Exit status: 0 it was measured, 2 it was not, was stopped, or a\n"
		"back end that was asked for by name has no device.",
	.opts = opts,
	.values_size = sizeof(struct probe),
	.max_args = 0,
	.run = run};
