/* Reports: the text at several widths, what hostile names do to it, and the JSON. */
#include "nums.h"
#include "report.h"

#include "json.h"
#include "tap.h"
#include "text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

enum { PAIRS_MAX = 6000 };

static struct pair pairs[PAIRS_MAX];
static struct judged verdicts[PAIRS_MAX];
static size_t n_pairs;
static struct policy *policy;

static const struct num n0[] = {I(0), I(0)}, n3[] = {I(3), I(3)}, n5[] = {I(5)}, n6[] = {I(6)},
			n55[] = {I(55)}, n56[] = {I(56)}, allocs[] = {I(32178), I(32179)},
			more_allocs[] = {I(32854), I(32855)}, rate[] = {R(0.75), R(0.75)},
			wide[] = {I(67108864), I(69108864)}, less[] = {I(62108864), I(62108864)},
			wall[] = {I(1530000)}, more_wall[] = {I(1930000)};

#define ADD(suite, name, metric, unit, direction, base, head)                                      \
	add(suite, name, metric, unit, direction, base, ARRAY_LEN(base), head, ARRAY_LEN(head))

static struct pair *add(const char *suite, const char *name, const char *metric, const char *unit,
	enum direction direction, const struct num *base, size_t n_base, const struct num *head,
	size_t n_head)
{
	struct pair *p = &pairs[n_pairs++];

	*p = (struct pair){.key = {suite, name, metric, unit, "q", direction, "", "linux-x64"},
		.head = {.sha = "abc1234def567890", .values = head, .n = n_head},
		.base = {.sha = "def5678abc123456", .distance = 1, .values = base, .n = n_base}};
	return p;
}

static struct report start(void)
{
	n_pairs = 0;
	return (struct report){.command = "gate",
		.exit_counts = true,
		.head = {.sha = "abc1234def567890",
			.subject = "pool the buffers",
			.tree_state = "clean",
			.label = "HEAD"},
		.base = {.asked = "main",
			.sha = "def5678abc123456",
			.distance = 1,
			.why = "merge base of main and HEAD, which has runs"},
		.policy_name = "built-in rules",
		.options = {.require = true}};
}

/* What noisy series get is another test's matter (tests/dump-report.c has all of it). */
static void give_proof(struct judged *j)
{
	static struct proof few = {.method = METHOD_RANKS,
		.p = .5,
		.level = .05,
		.low = -INFINITY,
		.high = INFINITY,
		.detectable = INFINITY,
		.n_head = 1,
		.n_base = 1,
		.needed = 4,
		.family = 1};

	if (j->decision.judge != JUDGE_NOISY || j->decision.direction == DIRECTION_NONE ||
		j->decision.class_ == CLASS_INFO || !j->pair->head.n || !j->pair->base.n)
		return;
	j->verdict = VERDICT_INCONCLUSIVE;
	free(j->proof);
	j->proof = &few;
	j->why = NULL;
}

/* The report; the caller frees. */
static char *written(struct report *r, const char *format, struct report_style style)
{
	char *text = NULL;
	size_t len, i;
	struct err err = ERR_INIT;
	FILE *f = open_memstream(&text, &len);

	for (i = 0; i < n_pairs; i++) {
		judge_pair(policy, &pairs[i], &r->options, &verdicts[i], &err);
		give_proof(&verdicts[i]);
	}
	verdicts_sort(verdicts, n_pairs, &r->options);
	r->verdicts = verdicts;
	r->n = n_pairs;
	report_count(r);
	OK(report_find(format)->write(r, &style, f, &err) == 0 && !err.code, format);
	fclose(f);
	return text;
}

static void is(struct report *r, struct report_style style, const char *expected, const char *what)
{
	_cleanup_(freep) char *got = written(r, "text", style);

	IS_STR(got, expected, what);
}

static struct report typical(void)
{
	static const char *const notes[] = {
		"2 runs of HEAD were measured with local changes and are not used: commit them first"};
	static const char *const next[] = {"perfgate diff HEAD~1 --all", "perfgate log main"};
	struct report r = start();
	struct pair *p;

	ADD("kpi", "single_session_long", "allocs_per_op", "count", DIRECTION_LOWER, allocs,
		more_allocs);
	ADD("kpi", "team_fanout", "cache_hit_rate", "ratio", DIRECTION_HIGHER, rate, n0);
	ADD("kpi", "background_subagents", "goroutines_end", "count", DIRECTION_LOWER, n0, n3);
	ADD("kpi", "steady", "bytes_per_op", "B", DIRECTION_LOWER, wide, less);
	ADD("kpi", "steady", "wall_ns_per_op", "ns", DIRECTION_LOWER, wall, more_wall);
	ADD("kpi", "steady", "allocs_per_op", "count", DIRECTION_LOWER, n55, n56);
	ADD("kpi", "steady", "iterations", "count", DIRECTION_NONE, n5, n56);
	ADD("trace", "parse", "count", "count", DIRECTION_LOWER, n5, n6);
	add("kpi", "output_economy", "allocs_per_op", "count", DIRECTION_LOWER, n55, 1, NULL, 0);
	add("kpi", "fresh", "allocs_per_op", "count", DIRECTION_LOWER, NULL, 0, n6, 1)->gap =
		GAP_NEW;
	p = add("kpi", "output_economy", "bytes_per_op", "B", DIRECTION_LOWER, wide, 2, NULL, 0);
	p->head.absence = "error: the scenario timed out";
	pairs[n_pairs++] = (struct pair){
		.key = {.suite = "callgrind"}, .not_measured = true, .expected = true};
	pairs[n_pairs++] = (struct pair){.key = {.suite = "clpeak"}, .not_measured = true};
	r.notes = notes;
	r.n_notes = 1;
	r.next = next;
	r.n_next = 2;
	return r;
}

static const char at_80[] =
	"FAIL  3 regressed of 6 judged, 1 lost, 1 missing, 1 not measured, 1 improved\n"
	"      (not gating: 1 regressed, 1 not measured, 1 inconclusive): abc1234 against\n"
	"      def5678 (1 commit back)\n"
	"not measured: callgrind (expected), clpeak\n"
	"base: merge base of main and HEAD, which has runs\n"
	"note: 2 runs of HEAD were measured with local changes and are not used: commit\n"
	"      them first\n"
	"\n"
	"           benchmark             metric              base      head    change\n"
	"regressed  background_subagents  goroutines_end         0         3    from 0\n"
	"           3 more than 0; allowed 0 % and 1\n"
	"regressed  team_fanout           cache_hit_rate      0.75         0  -100.0 %\n"
	"           0.75 less than 0.75 (-100.00 %); allowed 5 % and 0.001\n"
	"regressed  single_session_long   allocs_per_op    32178.5   32854.5    +2.1 %\n"
	"           676 more than 32178.5 (+2.10 %); allowed 2 % and 1\n"
	"lost       output_economy        bytes_per_op    65.0 MiB         -         -\n"
	"           error: the scenario timed out\n"
	"missing    output_economy        allocs_per_op         55         -         -\n"
	"not gating:\n"
	"regressed  parse                 count                  5         6   +20.0 %\n"
	"           1 more than 5 (+20.00 %); allowed 0 % and 1\n"
	"improved   steady                bytes_per_op    65.0 MiB  59.2 MiB    -8.8 %\n"
	"           6000000 less than 68108864 (-8.81 %); allowed 2 % and 1; samples\n"
	"           spread 2.9 % (base), more than the tolerance: `judge = noisy` in a\n"
	"           [rule] would allow for it\n"
	"new        fresh                 allocs_per_op          -         6         -\n"
	"\n"
	"1 inconclusive, 1 pass, 1 info: --all lists them\n"
	"next: perfgate diff HEAD~1 --all\n"
	"      perfgate log main\n";

static const char at_140[] =
	"FAIL  3 regressed of 6 judged, 1 lost, 1 missing, 1 not measured, 1 improved (not gating: 1 regressed, "
	"1 not measured, 1 inconclusive):\n"
	"      abc1234 against def5678 (1 commit back)\n"
	"not measured: callgrind (expected), clpeak\n"
	"base: merge base of main and HEAD, which has runs\n"
	"note: 2 runs of HEAD were measured with local changes and are not used: commit them first\n"
	"\n"
	"           suite  benchmark             metric              base      head    change  allowed        n\n"
	"regressed  kpi    background_subagents  goroutines_end         0         3    from 0  0 %, 1         2\n"
	"regressed  kpi    team_fanout           cache_hit_rate      0.75         0  -100.0 %  5 %, 0.001     2\n"
	"regressed  kpi    single_session_long   allocs_per_op    32178.5   32854.5    +2.1 %  2 %, 1         2\n"
	"lost       kpi    output_economy        bytes_per_op    65.0 MiB         -         -  2 %, 1      2, 0  "
	"error: the scenario timed out\n"
	"missing    kpi    output_economy        allocs_per_op         55         -         -  2 %, 1      1, 0\n"
	"not gating:\n"
	"regressed  trace  parse                 count                  5         6   +20.0 %  0 %, 1         1\n"
	"improved   kpi    steady                bytes_per_op    65.0 MiB  59.2 MiB    -8.8 %  2 %, 1         2\n"
	"           6000000 less than 68108864 (-8.81 %); allowed 2 % and 1; samples spread 2.9 % (base), more than "
	"the tolerance: `judge = noisy` in\n"
	"           a [rule] would allow for it\n"
	"new        kpi    fresh                 allocs_per_op          -         6         -  2 %, 1      0, 1\n"
	"\n"
	"1 inconclusive, 1 pass, 1 info: --all lists them\n"
	"next: perfgate diff HEAD~1 --all\n"
	"      perfgate log main\n";

static void test_typical(void)
{
	struct report r = typical();

	is(&r, (struct report_style){.width = 80}, at_80, "80 columns");
	OK(r.exit == 1 && r.judged == 6, "exit status and what was judged");
	is(&r, (struct report_style){.width = 140}, at_140, "140 columns");
	is(&r, (struct report_style){0}, at_80, "an unknown width is 80");
}

static void test_first_lines(void)
{
	struct report r = start();

	r.base.why = NULL;
	is(&r, (struct report_style){.width = 80},
		"NOT JUDGED  nothing to compare: abc1234 against def5678 (1 commit back)\n",
		"no series");
	ADD("kpi", "steady", "allocs_per_op", "count", DIRECTION_LOWER, n55, n56);
	r.base.guess = true;
	r.base.distance = 3;
	r.head.tree_state = "dirty";
	is(&r, (struct report_style){.width = 120},
		"PASS  1 judged: abc1234 with changes against def5678 (3 commits back, a guess)\n"
		"1 pass: --all lists them\n",
		"pass");
	r.base = (struct report_base){.asked = "def5678", .sha = "def5678abc123456", .distance = 1};
	r.head.tree_state = "clean";
	ADD("trace", "parse", "count", "count", DIRECTION_LOWER, n5, n6);
	is(&r, (struct report_style){.width = 120},
		"PASS  2 judged (not gating: 1 regressed): abc1234 against def5678 (1 commit back)\n"
		"\n"
		"           benchmark  metric  base  head   change  allowed  n\n"
		"not gating:\n"
		"regressed  parse      count      5     6  +20.0 %  0 %, 1   1\n"
		"\n"
		"1 pass: --all lists them\n",
		"pass in spite of advice");
	r = start();
	r.base = (struct report_base){.asked = "main", .why = "no commit of main has a run"};
	add("kpi", "a", "allocs_per_op", "count", DIRECTION_LOWER, NULL, 0, n6, 1)->gap =
		GAP_NO_BASE;
	add("kpi", "b", "allocs_per_op", "count", DIRECTION_LOWER, NULL, 0, n6, 1)->gap =
		GAP_NO_BASE;
	pairs[0].gap_reason = pairs[1].gap_reason =
		"no run of this series in the commits before it, a long way back";
	is(&r, (struct report_style){.width = 80},
		"NOT JUDGED  2 without a base: abc1234 against main\n"
		"base: no commit of main has a run\n"
		"\n"
		"         benchmark  metric         base  head  change  allowed     n\n"
		"no-base  a          allocs_per_op     -     6       -  2 %, 1   0, 1\n"
		"no-base  b          allocs_per_op     -     6       -  2 %, 1   0, 1\n"
		"         these 2: no run of this series in the commits before it, a long way\n"
		"         back\n"
		"\n",
		"no base");
	OK(r.exit == 3, "... does not pass");
	r.options.first_run = true;
	pairs[0].gap_reason = pairs[1].gap_reason = "new";
	is(&r, (struct report_style){.width = 80},
		"NOT JUDGED  nothing to judge (not gating: 2 without a base): abc1234 against\n"
		"      main\n"
		"base: no commit of main has a run\n"
		"\n"
		"         benchmark  metric         base  head  change  allowed     n\n"
		"not gating:\n"
		"no-base  a          allocs_per_op     -     6       -  2 %, 1   0, 1  new\n"
		"no-base  b          allocs_per_op     -     6       -  2 %, 1   0, 1  new\n"
		"\n",
		"the first run passes, and says that it judged nothing");
	OK(r.exit == 0, "... with 0");
}

static void test_diff(void)
{
	struct report r = start();

	r.command = "diff";
	r.exit_counts = false;
	r.head = (struct report_commit){.label = "new.json"};
	r.base = (struct report_base){.asked = "old.json"};
	ADD("kpi", "long", "allocs_per_op", "count", DIRECTION_LOWER, allocs, more_allocs);
	ADD("kpi", "steady", "allocs_per_op", "count", DIRECTION_LOWER, n55, n56);
	ADD("trace", "parse", "count", "count", DIRECTION_LOWER, n6, n5);
	add("kpi", "gone", "allocs_per_op", "count", DIRECTION_LOWER, n6, 1, NULL, 0);
	add("kpi", "fresh", "allocs_per_op", "count", DIRECTION_LOWER, NULL, 0, n6, 1)->gap =
		GAP_NEW;
	is(&r, (struct report_style){.width = 100},
		"old.json -> new.json: 1 worse, 1 better, 1 same, 1 missing, 1 new\n"
		"\n"
		"           suite  benchmark  metric            base     head   change  allowed     n\n"
		"regressed  kpi    long       allocs_per_op  32178.5  32854.5   +2.1 %  2 %, 1      2\n"
		"missing    kpi    gone       allocs_per_op        6        -        -  2 %, 1   1, 0\n"
		"improved   trace  parse      count                6        5  -16.7 %  0 %, 1      1\n"
		"new        kpi    fresh      allocs_per_op        -        6        -  2 %, 1   0, 1\n"
		"\n"
		"1 pass: --all lists them\n",
		"a plain diff takes no side");
	n_pairs = 0;
	is(&r, (struct report_style){.width = 100}, "old.json -> new.json: nothing to compare\n",
		"a diff of nothing");
}

static void test_all(void)
{
	struct report r = start();

	ADD("kpi", "steady", "allocs_per_op", "count", DIRECTION_LOWER, n55, n56);
	ADD("kpi", "steady", "iterations", "count", DIRECTION_NONE, n5, n56);
	ADD("x", "none", "score", "points", DIRECTION_NONE, n5, n5);
	is(&r, (struct report_style){.width = 120, .all = true},
		"PASS  1 judged: abc1234 against def5678 (1 commit back)\n"
		"base: merge base of main and HEAD, which has runs\n"
		"\n"
		"      suite  benchmark  metric             base      head     change  allowed  n\n"
		"pass  kpi    steady     allocs_per_op        55        56     +1.8 %  2 %, 1   1\n"
		"not judged:\n"
		"info  x      none       score          5 points  5 points        0 %  10 %     1\n"
		"      no direction: neither higher nor lower is better\n"
		"info  kpi    steady     iterations            5        56  +1020.0 %           1\n"
		"\n",
		"--all");
}

/* ---- hostile names ---- */

static void hostile(struct report *r)
{
	static char huge[4096];
	struct pair *p;

	*r = start();
	memset(huge, 'A', sizeof(huge) - 1);
	ADD("kpi", huge, "allocs_per_op", "count", DIRECTION_LOWER, n5, n6);
	ADD("kpi", "\033[2J\r\nPASS  all good", "allocs_per_op", "count", DIRECTION_LOWER, n5, n6);
	ADD("kpi",
		"\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97"
		"\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97",
		"allocs_per_op", "count", DIRECTION_LOWER, n5, n6);
	ADD("kpi", "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81", "allocs_per_op", huge, DIRECTION_LOWER, n5,
		n6);
	ADD("kpi", "\xE2\x80\xAE rtl", "allocs\t\x7F", "count", DIRECTION_LOWER, n5, n6);
	ADD(huge, "bad \xFF\xC3", "x", "s", DIRECTION_LOWER, n5, n6);
	p = ADD("kpi", "twin", "allocs_per_op", "count", DIRECTION_LOWER, n5, n6);
	p->key.variant = "SSE2";
	p = ADD("kpi", "twin", "allocs_per_op", "count", DIRECTION_LOWER, n5, n6);
	p->key.variant = "AVX2\n";
	p->base.runner = huge;
	p = add("kpi", "lost", "allocs_per_op", "count", DIRECTION_LOWER, n5, 1, NULL, 0);
	p->head.absence = "error: \033]0;title\007 and more of it\nPASS";
	r->base.asked = huge;
	r->base.subject = "\033[31m";
	r->head.label = "\r";
}

/* No byte steers the terminal, and every line fits. */
static bool is_tame(const char *text, size_t width)
{
	size_t n;

	for (; *text; text += n + 1) {
		n = strcspn(text, "\n");
		if (text_width(text, n) > width) {
			printf("# %zu columns: %.*s\n", text_width(text, n), (int)n, text);
			return false;
		}
		for (size_t i = 0; i < n; i++)
			if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F)
				return false;
	}
	return true;
}

static void test_hostile(void)
{
	static const int widths[] = {80, 100, 160, 250};
	struct report r;
	size_t i;

	for (i = 0; i < ARRAY_LEN(widths); i++) {
		_cleanup_(freep) char *what = xasprintf("hostile names at %d columns", widths[i]);
		char *text;
		hostile(&r);
		text = written(&r, "text", (struct report_style){.width = widths[i], .all = true});
		OK(is_tame(text, (size_t)widths[i]), what);
		OK(strstr(text, "twin [SSE2]") && strstr(text, "twin [AVX2\\x0a]"),
			"twins are told apart");
		OK(strstr(text, "\nPASS") == NULL && utf8_valid(text, strlen(text)),
			"no forged line, valid UTF-8");
		free(text);
	}
	hostile(&r);
	free(written(&r, "text", (struct report_style){.width = 1}));
}

static char *without_colour(const char *s)
{
	struct buf b = BUF_INIT;

	for (; *s; s++) {
		if (*s == '\033')
			s += strcspn(s, "m");
		else
			buf_addch(&b, *s);
	}
	return buf_take(&b);
}

static void test_colour(void)
{
	struct report r = typical();
	_cleanup_(freep) char *text =
		written(&r, "text", (struct report_style){.width = 80, .colour = true});
	_cleanup_(freep) char *plain = without_colour(text);

	OK(!strncmp(text, "\033[1;31mFAIL\033[0m  3", 17), "the first word in colour");
	OK(strstr(text, "\033[31mregressed\033[0m") && strstr(text, "\033[33mregressed\033[0m"),
		"what gates is red, what does not is yellow");
	IS_STR(plain, at_80, "colours change nothing else");
}

static void test_many(void)
{
	struct report r = start();
	char *text;
	size_t lines = 0, i;

	for (i = 0; i < 5000; i++)
		ADD("kpi", "same", "allocs_per_op", "count", DIRECTION_LOWER, n5, n6);
	text = written(&r, "text", (struct report_style){.width = 100});
	for (i = 0; text[i]; i++)
		lines += text[i] == '\n';
	OK(lines < 210 && strstr(text, "\n4800 regressed: --all lists them\n"),
		"5000 regressions are cut and counted");
	OK(!strncmp(text, "FAIL  5000 regressed of 5000 judged", 35), "... in the first line too");
	free(text);
}

/* ---- JSON ---- */

static void test_json(void)
{
	struct report r = typical();
	_cleanup_(freep) char *text = written(&r, "json", (struct report_style){0});
	_cleanup_(freep) char *again =
		written(&r, "json", (struct report_style){.width = 7, .colour = true});
	struct err err = ERR_INIT;
	struct jv *doc = jv_load_text("report", text, strlen(text), &err);
	const struct jv *summary, *first, *v;
	int i;

	IS_STR(again, text, "the same bytes for the same input");
	if (!tap_ok(doc != NULL, "valid JSON", __FILE__, __LINE__))
		return;
	IS_STR(jv_string(jv_get(doc, "schema"), NULL), "perfgate/report", "the schema");
	OK(jv_num(jv_get(doc, "version")).i == 1 && jv_num(jv_get(doc, "exit")).i == 1,
		"version and exit");
	summary = jv_get(doc, "summary");
	for (i = 0; i < VERDICT_COUNT; i++)
		OK(jv_num(jv_get(summary, verdict_name((enum verdict)i))).i == (int64_t)r.counts[i],
			verdict_name((enum verdict)i));
	OK(jv_len(summary) == VERDICT_COUNT, "every verdict is counted");
	OK(jv_len(jv_get(doc, "verdicts")) == r.n, "every verdict is there");
	first = jv_at(jv_get(doc, "verdicts"), 2);
	OK(jv_num(jv_get(jv_get(first, "base"), "median")).d == 32178.5, "a median of x.5");
	OK(jv_num(jv_get(jv_get(first, "base"), "n")).i == 2 &&
			jv_num(jv_get(jv_get(first, "base"), "distance")).i == 1,
		"the base's samples and distance");
	v = jv_get(first, "change");
	OK(v && jv_num(v).d > 0.021 && jv_num(v).d < 0.02101, "the change");
	OK(jv_kind(jv_get(jv_at(jv_get(doc, "verdicts"), 0), "change")) == JV_NULL,
		"no change from 0");
	v = jv_at(jv_get(doc, "verdicts"), 3);
	OK(jv_kind(jv_get(v, "head")) == JV_NULL, "no head where there is none");
	IS_STR(jv_string(jv_get(v, "absence"), NULL), "error: the scenario timed out",
		"... but why");
	jv_free(doc);
}

static void test_json_hostile(void)
{
	struct report r;
	struct err err = ERR_INIT;
	struct jv *doc;
	char *text;

	hostile(&r);
	text = written(&r, "json", (struct report_style){0});
	doc = jv_load_text("report", text, strlen(text), &err);
	OK(doc != NULL, "hostile names make valid JSON");
	jv_free(doc);
	free(text);
	r = start();
	r.head = (struct report_commit){.label = "new.json"};
	r.base = (struct report_base){0};
	r.exit_counts = false;
	text = written(&r, "json", (struct report_style){0});
	IS_STR(text,
		"{\"schema\": \"perfgate/report\", \"version\": 1, \"command\": \"gate\", \"exit\": 0, "
		"\"exit_counts\": false, \"policy\": \"built-in rules\", \"judged\": 0,\n"
		" \"head\": {\"label\": \"new.json\", \"sha\": null, \"subject\": null, \"tree_state\": null, "
		"\"merged\": null},\n"
		" \"base\": {\"asked\": null, \"sha\": null, \"subject\": null, \"distance\": null, \"why\": null, "
		"\"guess\": false},\n"
		" \"summary\": {\"regressed\": 0, \"lost\": 0, \"missing\": 0, \"not-measured\": 0, "
		"\"incomparable\": 0, \"no-base\": 0, \"inconclusive\": 0, \"suspect\": 0, \"inherited\": 0, \"accepted\": 0, "
		"\"waived\": 0, \"improved\": 0, \"new\": 0, \"pass\": 0, \"info\": 0},\n"
		" \"policy_changes\": [],\n \"machine\": [],\n \"probes\": [],\n \"notes\": [],\n \"next\": [],\n \"verdicts\": []}\n",
		"a report of nothing");
	free(text);
}

static void is_median(struct num a, struct num b, const char *expected)
{
	struct num values[2] = {a, b};
	_cleanup_(freep) char *text = NULL,
			      *want = xasprintf("\"n\": 2, \"median\": %s}", expected);
	struct report r = start();

	add("kpi", "a", "allocs_per_op", "count", DIRECTION_LOWER, values, 2, values, 2);
	text = written(&r, "json", (struct report_style){0});
	OK(strstr(text, want) != NULL, want);
}

static void test_medians(void)
{
	is_median(num_int(9007199254740993), num_int(9007199254740993), "9007199254740993");
	is_median(num_int(INT64_MAX), num_int(INT64_MAX - 1), "9223372036854775806.5");
	is_median(num_int(INT64_MIN), num_int(INT64_MIN), "-9223372036854775808");
	is_median(num_int(2), num_int(3), "2.5");
	is_median(num_real(0.1), num_real(0.2), "0.15");
	is_median(num_real(21110930000000.0), num_real(21110930000000.0), "21110930000000");
	is_median(num_real(1e300), num_real(1e300), "1e+300");
	is_median(num_real(6.888489e-06), num_real(6.888489e-06), "0.000006888489");
}

static void test_errors(void)
{
	struct report r = typical();
	const struct report_style style = {.width = 80};
	size_t i;

	free(written(&r, "text", style));
	for (i = 0; report_formats[i]; i++) {
		struct err err = ERR_INIT;
		FILE *f = fopen("/dev/full", "w");
		if (!f)
			continue;
		OK(report_formats[i]->write(&r, &style, f, &err) < 0 && err.code == ERR_IO,
			report_formats[i]->name);
		fclose(f);
		OK(report_find(report_formats[i]->name) == report_formats[i], "found by its name");
	}
	OK(!report_find("yaml"), "no other format");
}

static void beyond_units(void)
{
	static const struct num huge[] = {R(1e300)}, more[] = {R(2e300)};
	struct report r = start();
	_cleanup_(freep) char *text = NULL;

	ADD("kpi", "huge", "bytes_per_op", "B", DIRECTION_LOWER, huge, more);
	text = written(&r, "text", (struct report_style){.width = 120});
	OK(strstr(text, "1e+300 B  2e+300 B") != NULL,
		"what no unit is made for stands in its own");
}

int main(void)
{
	struct err err = ERR_INIT;

	setlocale(LC_CTYPE, "C.UTF-8");
	policy = policy_new(NULL, NULL, 0, &err);
	test_typical();
	test_first_lines();
	test_diff();
	test_all();
	test_hostile();
	test_colour();
	test_many();
	test_json();
	test_json_hostile();
	test_medians();
	test_errors();
	beyond_units();
	policy_free(policy);
	return tap_done();
}
