/*
 * Writes a made-up result in one of the report formats: dump-report FORMAT SCENARIO [WIDTH [all]].
 * tests/reports.sh compares and parses what comes out. The verdicts are not judged but given, so
 * that there is one of each.
 */
#include "drift.h"
#include "report.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 10000 };

static struct pair pairs[MANY];
static struct judged verdicts[MANY];
static struct proof proofs[MANY];
static size_t n;

static struct judged *add(const char *suite, const char *benchmark, const char *metric,
	const char *unit, enum verdict v, double base, double head)
{
	static const struct num one = {.is_int = true, .i = 1};
	struct pair *p = &pairs[n];
	struct judged *j = &verdicts[n++];

	*p = (struct pair){
		.key = {suite, benchmark, metric, unit, "time", DIRECTION_LOWER, "", "linux-x64"},
		.head = {.sha = "abc1234def567890", .values = &one, .n = isnan(head) ? 0 : 5},
		.base = {.sha = "def5678abc123456",
			.distance = 1,
			.values = &one,
			.n = isnan(base) ? 0 : 5}};
	*j = (struct judged){.pair = p, .verdict = v};
	j->decision = (struct decision){.class_ = CLASS_HARD,
		.judge = JUDGE_NOISY,
		.direction = DIRECTION_LOWER,
		.tolerance = {3, -2},
		.missing = MISSING_ERROR};
	j->tolerance = j->decision.tolerance;
	j->base_median = base;
	j->head_median = head;
	j->base_exact = decimal_from(num_real(isnan(base) ? 0 : base));
	j->head_exact = decimal_from(num_real(isnan(head) ? 0 : head));
	j->has_change = !isnan(base) && !isnan(head) && base != 0;
	j->change = j->has_change ? (head - base) / fabs(base) : 0;
	return j;
}

static struct proof *prove(struct judged *j, enum method method, double p, double low, double high)
{
	struct proof *proof = &proofs[j - verdicts];

	*proof = (struct proof){.method = method,
		.p = p,
		.level = .0102,
		.low = low,
		.high = high,
		.detectable = .029,
		.n_head = 10,
		.n_base = 10,
		.family = 200};
	j->proof = proof;
	if (method == METHOD_SESSIONS) {
		proof->level = NAN;
		proof->n_head = 1;
		proof->n_base = 25;
	}
	return proof;
}

static const char *const changes[] = {
	"[rule \"x\"]: tolerance was 2%, is 5%", "[accept \"y\"] is new"};
static const char *const notes[] = {
	"most series of kpi on linux-x64 moved together by about +1.1 %: the machine may have changed"};
static const char *const next[] = {"perfgate accept --from report.json"};

static struct report start(void)
{
	n = 0;
	return (struct report){.command = "gate",
		.exit_counts = true,
		.head = {.sha = "abc1234def567890",
			.subject = "pool the buffers",
			.tree_state = "clean",
			.label = "HEAD"},
		.base = {.asked = "main",
			.sha = "def5678abc123456",
			.subject = "read the file in one go",
			.distance = 3,
			.why = "merge base of main and HEAD, which has runs"},
		.policy_name = "perfgate.conf",
		.options = {.require = true}};
}

static void add_exact(void)
{
	struct judged *j =
		add("kpi", "exact_pass", "allocs_per_op", "count", VERDICT_PASS, 100, 101);

	j->decision.judge = JUDGE_EXACT;
	j->decision.floor = j->tolerance = (struct decimal){1, 0};
	j->tolerance = (struct decimal){2, -2};
	j = add("kpi", "merged_elsewhere", "allocs_per_op", "count", VERDICT_INHERITED, 120, 121);
	j->decision.judge = JUDGE_EXACT;
	j->culprit = "0123456789abcdef";
	j->why = "121 is 21 more than the last good level, 100";
	j = add("kpi", "crept", "allocs_per_op", "count", VERDICT_REGRESSED, 118, 119);
	j->decision.judge = JUDGE_EXACT;
	j->decision.creep = (struct decimal){5, -2};
	j->crept = true;
	j->why = "119 is 19 more than 100";
	pairs[n - 1].reference = &pairs[n - 1].base;
}

static void add_without_number(void)
{
	struct judged *j =
		add("kpi", "gone", "wall_ns_per_op", "ns", VERDICT_MISSING, 1530000, NAN);

	j->why = "the base has 5 samples, head none";
	j = add("kpi", "broken", "wall_ns_per_op", "ns", VERDICT_LOST, 1530000, NAN);
	pairs[n - 1].head.absence = "error: timed out";
	j = add("kpi", "moved_house", "wall_ns_per_op", "ns", VERDICT_INCOMPARABLE, NAN, 1530000);
	j->why = "the base was measured on another runner, linux-arm64";
	j = add("kpi", "first", "wall_ns_per_op", "ns", VERDICT_NO_BASE, NAN, 1530000);
	j->why = "no run of this suite in the commits before it";
	j = add("kpi", "fresh", "wall_ns_per_op", "ns", VERDICT_NEW, NAN, 1530000);
	j->why = "the base does not have it";
	j = add("kpi", "steady", "iterations", "count", VERDICT_INFO, 100, 500);
	j->decision.class_ = CLASS_INFO;
	j->why = "for information";
	add("callgrind", "", "", "", VERDICT_NOT_MEASURED, NAN, NAN)->why =
		"head has no run of this suite, which gate.expect lists";
	pairs[n - 1].not_measured = pairs[n - 1].expected = true;
}

static void add_noisy(void)
{
	struct judged *j;
	struct proof *p;

	j = add("kpi", "parse", "wall_ns_per_op", "ns", VERDICT_REGRESSED, 1530000, 1620000);
	prove(j, METHOD_RANKS, .00031, .039, .0782);
	j->culprit = "fedcba9876543210";
	j = add("kpi", "render", "wall_ns_per_op", "ns", VERDICT_REGRESSED, 2000000, 2500000);
	prove(j, METHOD_SESSIONS, 1. / 26, .1, .31);
	j->decision.class_ = CLASS_ADVISORY;
	j->differed = true;
	j->earlier = VERDICT_PASS;
	j->earlier_session = "github/77/1/bench";
	j = add("kpi", "lex", "wall_ns_per_op", "ns", VERDICT_INCONCLUSIVE, 1000000, 1020000);
	prove(j, METHOD_RANKS, .083, -.009, .0516)->needed = 12;
	j = add("kpi", "few", "rss_peak_bytes", "B", VERDICT_INCONCLUSIVE, 67108864, 67208864);
	p = prove(j, METHOD_SESSIONS, 1. / 8, -INFINITY, INFINITY);
	p->n_base = 7;
	p->needed = 20;
	p->detectable = INFINITY;
	j = add("kpi", "advice", "wall_ns_per_op", "ns", VERDICT_INCONCLUSIVE, 1000, 1010);
	j->decision.class_ = CLASS_ADVISORY;
	prove(j, METHOD_RANKS, .2, -.01, .05);
	j = add("kpi", "alert", "wall_ns_per_op", "ns", VERDICT_SUSPECT, 1000000, 1200000);
	prove(j, METHOD_SESSIONS, 1. / 26, .08, .22);
	j = add("kpi", "pooled", "wall_ns_per_op", "ns", VERDICT_ACCEPTED, 1000000, 1200000);
	prove(j, METHOD_RANKS, .00001, .18, .22);
	j->section = "perfgate.conf:12 accept \"alloc pooling\"";
	j->section_reason = "pooled buffers trade time for memory";
	j->without = VERDICT_REGRESSED;
	j = add("trace", "old", "total", "s", VERDICT_WAIVED, 1.5, 2.5);
	prove(j, METHOD_RANKS, .00001, .5, .8);
	j->section = "perfgate.conf:20 waive \"parser rewrite\"";
	j->section_reason = "being rewritten";
	j->without = VERDICT_REGRESSED;
	j = add("kpi", "fast", "wall_ns_per_op", "ns", VERDICT_IMPROVED, 1000000, 800000);
	prove(j, METHOD_RANKS, .0002, -.22, -.18);
	j = add("kpi", "same", "wall_ns_per_op", "ns", VERDICT_PASS, 1000000, 1003000);
	prove(j, METHOD_RANKS, .41, -.009, .016);
}

/* What a slower machine may be the reason of. */
static struct drifts drifts = {
	.runner = "linux-x64",
	.head_session = "github/80/1/bench",
	.base_session = "github/79/1/bench",
	.n_head_sessions = 1,
	.n_base_sessions = 25,
	.v = {{.bound = BOUND_COMPUTE,
		      .key = {"clpeak", "CPU/native/Example/single_precision_compute", "float ST",
			      "FLOPS", "flops", DIRECTION_HIGHER, "AVX2+FMA", "linux-x64"},
		      .base = {1.39e11, 1.4e11, 1.41e11, 250},
		      .head = {1.09e11, 1.1e11, 1.11e11, 10}},
		{.bound = BOUND_LATENCY,
			.key = {"clpeak", "CPU/native/Example/memory_latency", "DRAM", "s",
				"seconds", DIRECTION_LOWER, "64 MiB", "linux-x64"},
			.head = {9.9e-8, 1e-7, 1.1e-7, 10}}},
	.n = 2,
};
static const char *const machine[] = {
	"compute 140 -> 110 GFLOPS, 21 % slower; latency 100 ns (the base has no probe)"};

static void add_drifts(struct report *r)
{
	size_t i;

	for (i = 0; i < drifts.n; i++)
		drift_compare(&drifts.v[i]);
	for (i = 0; i < n; i++)
		if (!strcmp(pairs[i].key.benchmark, "render"))
			verdicts[i].environment = &drifts.v[0];
	r->machine = machine;
	r->n_machine = ARRAY_LEN(machine);
	r->drifts = &drifts;
	r->n_drifts = 1;
}

static struct report every(void)
{
	struct report r = start();

	add_exact();
	add_without_number();
	add_noisy();
	add_drifts(&r);
	r.policy_changes = changes;
	r.n_policy_changes = ARRAY_LEN(changes);
	r.notes = notes;
	r.n_notes = ARRAY_LEN(notes);
	r.next = next;
	r.n_next = ARRAY_LEN(next);
	return r;
}

static struct report quiet(void)
{
	struct report r = start();

	prove(add("kpi", "same", "wall_ns_per_op", "ns", VERDICT_PASS, 1000000, 1003000),
		METHOD_RANKS, .41, -.009, .016);
	return r;
}

static struct report nothing(void)
{
	struct report r = start();

	r.base = (struct report_base){.asked = "main", .why = "no commit of main has a run"};
	r.exit = 3;
	return r;
}

static struct report many(void)
{
	static const enum verdict kinds[] = {VERDICT_REGRESSED, VERDICT_REGRESSED, VERDICT_SUSPECT,
		VERDICT_ACCEPTED, VERDICT_IMPROVED, VERDICT_PASS, VERDICT_PASS};
	static const char *long_notes[300];
	struct report r = start();
	struct judged *j;

	while (n < MANY) {
		char *name = xasprintf("benchmark_with_a_name_of_some_length/%zu/@%0300d", n, 0);
		j = add("kpi", name, "wall_ns_per_op", "ns", kinds[n % ARRAY_LEN(kinds)], 100, 200);
		prove(j, METHOD_RANKS, .0001, .9, 1.1);
		j->section = j->verdict == VERDICT_ACCEPTED ? name : NULL;
		j->decision.class_ = n % 2 ? CLASS_ADVISORY : CLASS_HARD;
	}
	for (size_t i = 0; i < ARRAY_LEN(long_notes); i++)
		long_notes[i] = xasprintf("note %zu %0600d ``````", i, 0);
	r.notes = r.next = r.policy_changes = long_notes;
	r.n_notes = r.n_next = r.n_policy_changes = ARRAY_LEN(long_notes);
	return r;
}

/* ---- hostile ---- */

static const char *const evil[] = {"", " ", "  two  spaces  ", "\033[2J", "\033]0;title\007",
	"\033]8;;http://evil.example\033\\link\033]8;;\033\\",
	"\233"
	"31m",
	"\302\233"
	"31m",
	"\r\nPASS", "\n::error::forged", "::error::forged", "  ::warning title=x::forged",
	"::set-output name=a::b", "##[error]forged", "x ##[add-mask]y", "%0A::error::forged",
	"%0D%0A::stop-commands::x", "%25", "a%3Ab%2Cc", "title=x,file=/etc/passwd",
	"\xE2\x80\xAE rtl", "\xE2\x81\xA6 isolate",
	"\xEF\xBB\xBF"
	"bom",
	"\xEF\xBF\xBE", "\xEF\xBF\xBF", "\xFF\xFE", "\xC3", "\xED\xA0\x80", "\xF4\x90\x80\x80",
	"\xC0\x80", "\xE2\x80\xA8line\xE2\x80\xA9", "\xF3\xA0\x81\x81tag", "\x7F", "\t", "\v\f\b\a",
	"\x01\x02\x1f", "<script>alert(1)</script>", "</code><script>x</script>",
	"<img src=x onerror=alert(1)>", "<!-- x", "-->", "<![CDATA[", "]]>", "<?php ?>",
	"<!DOCTYPE x [<!ENTITY a \"b\">]>", "&a;", "&lt;b&gt;", "&#x1b;", "&#0;", "\"/><x y=\"",
	"' onload='x", "](javascript:alert(1))", "[x](javascript:alert(1))",
	"![x](http://evil.example/x.png)", "<javascript:alert(1)>", "http://evil.example",
	"https://evil.example/a?b=c", "www.evil.example", "WWW.evil.example",
	"mailto:a@evil.example", "a@evil.example", "@user", "@org/team", "x @user y", "#12",
	"GH-12", "owner/repo#12", "!12", "~label", "%12", "$12", "&12", "abc1234", "|", "a|b",
	"a\\|b", "\\", "\\\\", "a\\", "|---|", "`", "``", "```", "```\n\nx", "~~~", "`code`",
	"a`b``c```d", "*bold*", "**x**", "_em_", "__x__", "~~x~~", "# heading", "- item", "1. item",
	"> quote", "---", "===", "    code", "$x$", "$$x$$", ":smile:", "[ ] task", "[^1]",
	"[x]: http://evil.example", "</details>", "</summary>", "</table>", "<br>",
	"=cmd|' /C calc'!A0", "=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1", "'=1+1", "\"",
	"\"\"", "a,b", "a;b", "a\"b", "a\nb", "{x=\"y\"} 1", "# EOF", "\n# EOF\n",
	"x\"} 1\nperfgate_exit_status 0", "\\n", "\\\"", "$(touch pwned)", "`touch pwned`",
	"; rm -rf ~", "--all", "/approve", "/close now", "../../etc/passwd", "%s%n%s", "null",
	"NaN", "{{7*7}}", "${{ github.token }}", "e\xCC\x81\xCC\x81\xCC\x81",
	"\xE6\xBC\xA2\xE5\xAD\x97", "\xF0\x9F\x98\x80"};

static struct report hostile(void)
{
	static char huge[4097], marks[4097];
	static const char *all[ARRAY_LEN(evil) + 2];
	struct report r = start();
	size_t i, k = ARRAY_LEN(all);

	memset(huge, 'A', sizeof(huge) - 1);
	memset(marks, '`', sizeof(marks) - 1);
	memcpy(all, evil, sizeof(evil));
	all[k - 2] = huge;
	all[k - 1] = marks;
	for (i = 0; i < 2 * k; i++) {
		struct judged *j = add(all[(i + 7) % k], all[i % k], all[(i + 1) % k],
			all[(i + 2) % k], (enum verdict)(i % VERDICT_COUNT), 5, 6);
		if (j->verdict == VERDICT_NOT_MEASURED)
			pairs[i].not_measured = true;
		pairs[i].key.variant = all[(i + 3) % k];
		pairs[i].key.runner = all[(i + 4) % k];
		pairs[i].key.quantity = i < k ? "first" : "second";
		j->why = all[(i + 5) % k];
		j->culprit = j->section = j->section_reason = all[(i + 6) % k];
		j->differed = true;
		j->earlier_session = all[(i + 8) % k];
		if (i % 3)
			prove(j, (enum method)(i % 2), NAN, -INFINITY, NAN);
	}
	r.head.subject = r.base.subject = evil[3];
	r.base.asked = evil[8];
	r.base.why = evil[9];
	r.policy_changes = r.notes = r.next = all;
	r.n_policy_changes = r.n_notes = r.n_next = k;
	return r;
}

/* ---- the program ---- */

static const struct scenario {
	const char *name;
	struct report (*make)(void);
} scenarios[] = {{"every", every}, {"quiet", quiet}, {"nothing", nothing}, {"many", many},
	{"hostile", hostile}};

static int usage(void)
{
	fputs("usage: dump-report FORMAT SCENARIO [WIDTH [all]]\n", stderr);
	return 2;
}

static struct report made(const struct scenario *s)
{
	struct report r = s->make();

	verdicts_sort(verdicts, n, &r.options);
	r.verdicts = verdicts;
	r.n = n;
	report_count(&r);
	if (!n)
		r.exit = 3;
	return r;
}

int main(int argc, char **argv)
{
	struct report_style style = {
		.width = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 80, .all = argc > 4};
	const struct report_format *f = argc > 2 ? report_find(argv[1]) : NULL;
	struct err err = ERR_INIT;
	struct report r;
	size_t i;

	setlocale(LC_CTYPE, "C.UTF-8");
	for (i = 0; f && i < ARRAY_LEN(scenarios); i++) {
		if (strcmp(scenarios[i].name, argv[2]) != 0)
			continue;
		r = made(&scenarios[i]);
		return f->write(&r, &style, stdout, &err) < 0 ? 2 : 0;
	}
	return usage();
}
