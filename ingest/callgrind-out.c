#include "reader.h"

#include "callgrind-line.h"
#include "callgrind-process.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { FACTS_MAX = 64, HASH_DIGITS = 16 };

/* ---- names ---- */

/* The first word of the command: callgrind writes it unquoted, so that no blank can be part of it.
 */
static char *program_name(const char *cmd)
{
	struct buf b = BUF_INIT;
	size_t len, start;

	cmd += strspn(cmd, " \t");
	len = strcspn(cmd, " \t");
	for (start = len; start > 0 && cmd[start - 1] != '/';)
		start--;
	text_sanitize(&b, cmd + start, len - start);
	return buf_take(&b);
}

/* cargo ends the names of test and bench programs in "-0123456789abcdef", new with every build. */
static bool ends_in_hash(const char *name)
{
	size_t n = strlen(name);

	return n > HASH_DIGITS + 1 && name[n - HASH_DIGITS - 1] == '-' &&
	       strspn(name + n - HASH_DIGITS, "0123456789abcdef") == HASH_DIGITS;
}

static int name_processes(struct gathering *g, const char *given, struct err *err)
{
	struct intern *names = intern_new();
	size_t i;
	int r = 0;

	for (i = 0; i < g->n_processes && r == 0; i++) {
		struct process *q = &g->processes[i], *other;
		uint32_t id;

		q->name = given ? xstrdup(given) : program_name(q->cmd);
		if (!*q->name || strlen(q->name) > SINK_NAME_MAX) {
			r = err_set(err, ERR_FORMAT,
				"%s: no usable program name in 'cmd:', name the benchmark with --name",
				gathering_file(g, q->file));
			break;
		}
		id = intern_add(names, q->name, strlen(q->name));
		other = &g->processes[id];
		if (other != q)
			r = err_set(err, ERR_FORMAT,
				"%s: a second process for the benchmark '%.80s' of %s: read them in separate calls with --name "
				"(process %lld, '%.80s'; process %lld, '%.80s')",
				gathering_file(g, q->file), q->name, gathering_file(g, other->file),
				(long long)q->pid, q->cmd, (long long)other->pid, other->cmd);
	}
	intern_free(names);
	return r;
}

/* ---- variants ---- */

/* "65536 B, 64 B, 16-way associative" to "65536,64,16"; anything else as it is. */
static void add_geometry(struct buf *b, const char *desc)
{
	struct text t = {desc, desc + strlen(desc)}, ways;
	int64_t n[3];
	bool known = text_count(text_word(&t), &n[0]) > 0 && text_is(text_word(&t), "B,") &&
		     text_count(text_word(&t), &n[1]) > 0 && text_is(text_word(&t), "B,");

	ways = text_word(&t);
	if (text_ends(ways, "-way"))
		ways.end -= strlen("-way");
	if (known && text_count(ways, &n[2]) > 0)
		buf_addf(b, "%lld,%lld,%lld", (long long)n[0], (long long)n[1], (long long)n[2]);
	else
		text_sanitize(b, desc, strlen(desc));
}

static bool has_event(const struct process *q, const char *name)
{
	size_t i;

	for (i = 0; i < q->n_events; i++)
		if (!strcmp(q->events[i].name, name))
			return true;
	return false;
}

/* What makes counts incomparable: the version of callgrind and, for what the cache simulation
 * counts, the caches. Write-back and cache-use simulation move misses. */
static char *variant_of(const struct process *q, bool cached)
{
	static const char *const names[] = {"I1", "D1", "LL"};
	struct buf b = BUF_INIT;
	size_t i;

	text_sanitize(&b, q->creator ? q->creator : "callgrind",
		strlen(q->creator ? q->creator : "callgrind"));
	for (i = 0; cached && i < ARRAY_LEN(names); i++) {
		if (q->cache[i] && *q->cache[i]) {
			buf_addf(&b, " %s=", names[i]);
			add_geometry(&b, q->cache[i]);
		}
	}
	if (cached && has_event(q, "ILdmr"))
		buf_addstr(&b, " wb");
	if (cached && has_event(q, "AcCost1"))
		buf_addstr(&b, " cacheuse");
	return buf_take(&b);
}

/* ---- to the sink ---- */

static int64_t total_of(const struct process *q, const char *name, int64_t missing)
{
	size_t i;

	for (i = 0; i < q->n_events; i++)
		if (!strcmp(q->events[i].name, name))
			return q->totals[i];
	return missing;
}

/* A program that ran executed an instruction. */
static int check_measured(const struct gathering *g, const struct process *q, struct err *err)
{
	bool any = false;
	size_t i;

	for (i = 0; i < q->n_events; i++)
		any |= q->totals[i] != 0;
	if (any && total_of(q, "Ir", 1) != 0)
		return 0;
	if (q->blocks > 0)
		return err_set(err, ERR_FORMAT,
			"%s:%u: the total is 0 though %lld basic blocks ran: did --toggle-collect match no function?",
			gathering_file(g, q->file), q->line, (long long)q->blocks);
	return err_set(err, ERR_FORMAT, "%s:%u: the total is 0: was instrumentation never on?",
		gathering_file(g, q->file), q->line);
}

static int emit_event(struct gathering *g, int run, const struct process *q, size_t i,
	const char *variants[2], struct err *err)
{
	const struct callgrind_event *e = &q->events[i];
	struct metric m = {.name = e->name};
	struct num value = num_int(q->totals[i]);
	int64_t series;

	callgrind_metric(&m, "Callgrind", e->name, e->per_s ? "s" : NULL);
	series = g->sink->series(
		g->sink, q->name, &m, variants[!callgrind_cache_free(e->name)], err);
	if (series < 0)
		return -1;
	if (!strncmp(e->name, "sys", 3) && total_of(q, "sysCount", 1) == 0)
		return g->sink->absence(g->sink, run, series, SINK_SKIPPED,
			"0 system calls: they were not counted", err);
	if (e->per_s && !strcmp(m.quantity, "time"))
		value = num_real((double)q->totals[i] / (double)e->per_s);
	return g->sink->sample(g->sink, run, series, value, err);
}

static int emit_process(struct gathering *g, int run, const struct process *q, struct err *err)
{
	_cleanup_(freep) char *plain = variant_of(q, false), *cached = variant_of(q, true);
	const char *variants[2] = {plain, cached};
	size_t i;

	for (i = 0; i < q->n_events; i++)
		if (emit_event(g, run, q, i, variants, err) < 0)
			return -1;
	return 0;
}

static void add_facts(struct buf *b, const struct process *q)
{
	static const char *const names[] = {"I1", "D1", "LL"};
	size_t i;

	buf_addstr(b, "{\"name\":");
	text_json_str(b, q->name);
	buf_addstr(b, ",\"cmd\":");
	text_json_str(b, q->cmd);
	buf_addf(b, ",\"parts\":%u", intern_count(q->parts));
	if (q->blocks > 0)
		buf_addf(b, ",\"basic_blocks\":%lld", (long long)q->blocks);
	for (i = 0; i < ARRAY_LEN(names); i++) {
		if (q->cache[i] && *q->cache[i]) {
			buf_addf(b, ",\"%s\":", names[i]);
			text_json_str(b, q->cache[i]);
		}
	}
	if (q->trigger) {
		buf_addstr(b, ",\"trigger\":");
		text_json_str(b, q->trigger);
	}
	buf_addch(b, '}');
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The creators that occur, sorted, joined by commas. */
static void add_creators(struct buf *b, const struct gathering *g)
{
	_cleanup_(freep) const char **all = xcalloc(g->n_processes, sizeof(*all));
	size_t n = 0, i;

	for (i = 0; i < g->n_processes; i++)
		if (g->processes[i].creator)
			all[n++] = g->processes[i].creator;
	qsort(all, n, sizeof(*all), compare_strings);
	for (i = 0; i < n; i++) {
		if (i && !strcmp(all[i], all[i - 1]))
			continue;
		if (b->len)
			buf_addch(b, ',');
		text_sanitize(b, all[i], strlen(all[i]));
	}
}

static int open_run(struct gathering *g, struct err *err)
{
	_cleanup_(buf_release) struct buf creators = BUF_INIT, facts = BUF_INIT;
	struct run_head head = {.suite = "callgrind",
		.format = "callgrind-out",
		.format_version = "1",
		.started_at = TIME_UNKNOWN};
	size_t i;

	add_creators(&creators, g);
	buf_addstr(&facts, "{\"processes\":[");
	for (i = 0; i < g->n_processes && i < FACTS_MAX; i++) {
		if (i)
			buf_addch(&facts, ',');
		add_facts(&facts, &g->processes[i]);
	}
	buf_addstr(&facts, "]}");
	head.tool_version = creators.len ? creators.p : NULL;
	head.facts = facts.p;
	return g->sink->run(g->sink, &head, err);
}

/* A process whose parts or threads are numbered past what is here. */
static void note_gaps(const struct gathering *g, const struct process *q)
{
	if (q->part_max > (int64_t)intern_count(q->parts))
		g->sink->note(g->sink,
			"'%s' is summed over %u of its parts, which are numbered up to %lld",
			q->name, intern_count(q->parts), (long long)q->part_max);
	if (q->thread_max > (int64_t)intern_count(q->threads))
		g->sink->note(g->sink,
			"'%s' is summed over %u of its threads, which are numbered up to %lld",
			q->name, intern_count(q->threads), (long long)q->thread_max);
}

static void note_oddities(const struct gathering *g)
{
	size_t i;

	if (g->from_summary)
		g->sink->note(g->sink,
			"parts without a 'totals:' line, whose 'summary:' is used: %u",
			g->from_summary);
	if (g->from_costs)
		g->sink->note(g->sink,
			"parts with neither 'totals:' nor 'summary:', whose costs are added up: %u",
			g->from_costs);
	if (g->differ)
		g->sink->note(g->sink,
			"parts whose costs do not add up to their totals, which are used: %u, the first in %s",
			g->differ, g->differ_file);
	for (i = 0; i < g->n_processes; i++) {
		const struct process *q = &g->processes[i];
		note_gaps(g, q);
		if (ends_in_hash(q->name))
			g->sink->note(g->sink,
				"the name '%s' ends in what looks like the hash of a build; --name gives one that lasts",
				q->name);
	}
}

static int emit(struct gathering *g, struct err *err)
{
	size_t i;
	int run;

	for (i = 0; i < g->n_processes; i++)
		if (check_measured(g, &g->processes[i], err) < 0)
			return -1;
	run = open_run(g, err);
	for (i = 0; run >= 0 && i < g->n_processes; i++)
		if (emit_process(g, run, &g->processes[i], err) < 0)
			return -1;
	if (run >= 0)
		note_oddities(g);
	return run < 0 ? -1 : 0;
}

/* ---- the reader ---- */

/* FILE-01, or FILE.2-01 where there are several dumps */
static bool is_thread_file(const char *name, const char *file)
{
	size_t n = strlen(file);

	if (strncmp(name, file, n) != 0)
		return false;
	name += n;
	if (*name == '.')
		name += 1 + strspn(name + 1, "0123456789");
	return *name == '-' && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

/* With --separate-threads=yes callgrind leaves the file without a number empty. */
static int check_empty(const struct gathering *g, struct err *err)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (is_thread_file(gathering_file(g, (uint32_t)i), gathering_file(g, g->file)))
			return 0;
	return err_set(err, ERR_FORMAT,
		"%s: is empty, and none of its threads' files (%s-01 ...) is given; was the program killed?",
		gathering_file(g, g->file), gathering_file(g, g->file));
}

/* Other things that Valgrind writes, by what they hold near their beginning. */
static const struct {
	const char *begins, *holds, *what, *advice;
} siblings[] = {
	{"desc:", "\ntime_unit:", "a massif file", "perfgate reads callgrind.out"},
	{"desc:", "\nevents:", "a cachegrind file",
		"perfgate reads callgrind.out (valgrind --tool=callgrind)"},
	{"{", "\"dhatFileVersion\"", "a DHAT file",
		"perfgate reads DHAT's totals from gungraun summaries"},
	{"<?xml", "<valgrindoutput>", "Valgrind's XML",
		"perfgate reads error counts from gungraun summaries"},
};

static bool holds(const char *head, size_t len, const char *text)
{
	return memmem(head, len, text, strlen(text)) != NULL;
}

static bool begins(const char *head, size_t len, const char *text)
{
	return len >= strlen(text) && !memcmp(head, text, strlen(text));
}

static int find_sibling(const char *head, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(siblings); i++)
		if (begins(head, len, siblings[i].begins) && holds(head, len, siblings[i].holds))
			return (int)i;
	return -1;
}

static int refuse_sibling(struct input *in, struct err *err)
{
	const char *head;
	size_t len;
	int k;

	if (input_head(in, &head, &len, err) < 0)
		return -1;
	k = find_sibling(head, len);
	if (k < 0)
		return 0;
	return err_set(err, ERR_FORMAT, "%s:1: is %s; %s", input_name(in), siblings[k].what,
		siblings[k].advice);
}

static int read_file(struct gathering *g, uint32_t file, struct err *err)
{
	size_t parts;
	int r;

	g->file = file;
	if (refuse_sibling(g->in[file], err) < 0)
		return -1;
	r = callgrind_file(g->in[file], gathering_take_part, g, &parts, err);
	if (r == 0 && parts == 0)
		r = check_empty(g, err);
	return r;
}

static int out_read(struct input **in, size_t n, const struct read_options *opts, struct sink *sink,
	struct err *err)
{
	struct gathering g = {.in = in, .n = n, .keys = intern_new(), .sink = sink};
	size_t i;
	int r = 0;

	for (i = 0; i < n && r == 0; i++) {
		r = read_file(&g, (uint32_t)i, err);
		input_close(in[i]);
	}
	if (r == 0)
		r = name_processes(&g, opts->name, err);
	if (r == 0)
		r = emit(&g, err);
	gathering_release(&g);
	return r;
}

static int out_sniff(const char *head, size_t len)
{
	if (begins(head, len, "# callgrind format"))
		return 100;
	if (begins(head, len, "version:") && holds(head, len, "\ncreator: callgrind"))
		return 100;
	if (find_sibling(head, len) >= 0)
		return 60;
	return holds(head, len, "\nevents:") &&
			       (holds(head, len, "\nfn=") || holds(head, len, "\ncmd:"))
		       ? 50
		       : 0;
}

const struct reader reader_callgrind_out = {.name = "callgrind-out",
	.suite = "callgrind",
	.summary = "callgrind.out files, parts and threads summed",
	.sniff = out_sniff,
	.together = true,
	.read = out_read};
