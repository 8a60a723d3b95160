/*
 * Policies: the built-in rules against DESIGN's table, and tests/cases-policy. A case has a policy,
 * "input", and either the message that refuses it, "error", or "expected": its settings, and what
 * its own rules and sections say of the series below. A file "target" has the target branch.
 */
#include "rules.h"

#include "buf.h"
#include "tap.h"

#include <dirent.h>
#include <stdlib.h>

#define KPI_IN(b, m, u, d)                                                                         \
	{                                                                                          \
		"kpi", b, m, u, "count", d, "", "linux-x64"                                        \
	}
#define KPI(b, m, d) KPI_IN(b, m, "count", d)
#define CALLGRIND(b, m, v)                                                                         \
	{                                                                                          \
		"callgrind", b, m, "count", "count", DIRECTION_LOWER, v, "linux-x64"               \
	}
#define CLPEAK(b, m, r)                                                                            \
	{                                                                                          \
		"clpeak", b, m, "FLOPS", "flops", DIRECTION_HIGHER, "", r                          \
	}
#define IAI "iai/v6/callgrind"
#define RAW "callgrind-3.22"

static const struct series_key series[] = {
	KPI("single_session_long", "allocs_per_op", DIRECTION_LOWER),
	KPI("tui_steady", "allocs_per_op", DIRECTION_LOWER),
	KPI("tui_steady", "goroutines_end", DIRECTION_LOWER),
	KPI_IN("team_fanout", "bytes_per_op", "B", DIRECTION_LOWER),
	KPI_IN("team_fanout", "cache_hit_rate", "ratio", DIRECTION_HIGHER),
	KPI_IN("team_fanout", "wall_ns_per_op", "ns", DIRECTION_LOWER),
	CALLGRIND("parse::short", "Ir", IAI),
	CALLGRIND("sort", "Ir", RAW),
	CLPEAK("CPU/native/Xeon/single_precision_compute", "float", "linux-x64"),
	CLPEAK("CPU/native/Xeon/single_precision_compute", "float", "fast-one"),
	{"bench", "a", "score", "points", "unknown", DIRECTION_NONE, "", "linux-x64"},
};

static void add_attribute(struct buf *b, const char *name, const char *value)
{
	buf_addf(b, " %s=%s", name, value);
}

static void add_decimal(struct buf *b, const char *name, struct decimal d)
{
	buf_addf(b, " %s=", name);
	decimal_format(b, d);
}

static void add_decision(struct buf *b, const struct decision *d)
{
	buf_addf(b, "%s %s", gate_class_name(d->class_), judge_name(d->judge));
	add_attribute(b, "direction", direction_name(d->direction));
	add_decimal(b, "tolerance", d->tolerance);
	add_decimal(b, "floor", d->floor);
	add_decimal(b, "cross", d->cross_tolerance);
	add_attribute(b, "missing", missing_rule_name(d->missing));
	add_attribute(b, "across", across_name(d->across));
	if (d->sessions == SESSIONS_POOL)
		add_attribute(b, "sessions", sessions_rule_name(d->sessions));
	if (d->by[ATTR_CREEP] >= 0)
		add_decimal(b, "creep", d->creep);
}

static bool is_own(const struct policy *p, int rule)
{
	return strncmp(policy_rule_name(p, rule), "input:", 6) == 0;
}

/* The rules of the file that decided something, in order. */
static void add_deciders(struct buf *b, const struct policy *p, const struct decision *d)
{
	int rule, a;

	for (rule = 0; rule < (int)p->n; rule++) {
		for (a = 0; a < ATTR_COUNT && d->by[a] != rule; a++)
			;
		if (a < ATTR_COUNT && is_own(p, rule))
			buf_addf(b, " <%s>", policy_rule_name(p, rule));
	}
}

static void add_series(struct buf *b, struct policy *p, const struct series_key *k)
{
	_cleanup_(buf_release) struct buf by = BUF_INIT;
	struct decision d;
	struct err err = ERR_INIT;

	if (policy_decide(p, k, &d, &err) < 0) {
		buf_addf(b, "error: %s\n", err.msg);
		return;
	}
	add_deciders(&by, p, &d);
	if (!by.len)
		return;
	buf_addf(b, "%s %s %s %s: ", k->suite, k->benchmark, k->metric, k->runner);
	add_decision(b, &d);
	if (d.by[ATTR_BOUND] >= 0 && is_own(p, d.by[ATTR_BOUND]))
		add_attribute(b, "bound", bound_name(d.bound));
	buf_addf(b, "%s\n", by.p);
}

static void add_section(
	struct buf *b, const struct policy *p, const struct series_key *k, const struct turn *t)
{
	const char *reason = policy_section_reason(p, t->section);

	buf_addf(b, "%s %s %s %s: %s", k->suite, k->benchmark, k->metric, k->runner,
		policy_section_name(p, t->section));
	if (reason)
		buf_addf(b, " (%s)", reason);
}

static void add_accept(struct buf *b, struct policy *p, const struct series_key *k)
{
	struct err err = ERR_INIT;
	struct turn t;
	int r = policy_accept(p, k, &t, &err);

	if (r < 0)
		buf_addf(b, "error: %s\n", err.msg);
	if (r <= 0)
		return;
	add_section(b, p, k, &t);
	add_decimal(b, "to", t.to);
	buf_addch(b, '\n');
}

static void add_waive(struct buf *b, struct policy *p, const struct series_key *k)
{
	struct err err = ERR_INIT;
	struct turn t;

	if (policy_waive(p, k, &t, &err) <= 0)
		return;
	add_section(b, p, k, &t);
	buf_addstr(b, " until=");
	time_format(b, t.until);
	buf_addch(b, '\n');
}

static void add_retire(struct buf *b, struct policy *p, const struct series_key *k)
{
	struct err err = ERR_INIT;
	struct turn t;

	if (policy_retire(p, k, &t, &err) <= 0)
		return;
	add_section(b, p, k, &t);
	buf_addch(b, '\n');
}

static void add_rename(struct buf *b, struct policy *p, const struct series_key *k)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;
	struct err err = ERR_INIT;
	int r = policy_rename(p, k->suite, k->benchmark, &name, &err), by;

	if (r < 0)
		buf_addf(b, "error: %s\n", err.msg);
	by = policy_renamed_by(p, k->suite, k->benchmark, &err);
	if (r > 0 && by >= 0)
		buf_addf(b, "%s %s: renamed %s by %s\n", k->suite, k->benchmark, name.p,
			policy_section_name(p, by));
}

static void add_sections(struct buf *b, struct policy *p, const struct series_key *k)
{
	add_accept(b, p, k);
	add_waive(b, p, k);
	add_retire(b, p, k);
	add_rename(b, p, k);
}

static void add_jobs(struct buf *b, const struct policy *p)
{
	_cleanup_(freep) struct measure_job *jobs = NULL;
	size_t n = policy_measure_jobs(p, &jobs), i, k;

	for (i = 0; i < n; i++) {
		const struct measure_job *j = &jobs[i];
		buf_addf(b, " %s:", j->name);
		for (k = 0; k < j->n_command; k++)
			buf_addf(b, " command:%s", j->command[k]);
		if (j->setup)
			buf_addf(b, " setup=%s", j->setup);
		if (j->pairs)
			buf_addf(b, " pairs=%lld", (long long)j->pairs);
		if (j->timeout)
			buf_addf(b, " timeout=%llds", (long long)(j->timeout / 1000000000));
		if (j->cpus)
			buf_addf(b, " cpus=%s", j->cpus);
	}
}

static void add_settings(struct buf *b, const struct policy *p)
{
	const char *const *v;
	size_t i, n;

	buf_addf(b, "base=%s max-distance=%d require=%s", policy_base(p) ? policy_base(p) : "-",
		policy_max_distance(p), policy_require(p) ? "yes" : "no");
	if (policy_reference(p))
		buf_addf(b, " reference=%s", policy_reference(p));
	if (policy_from_base(p))
		buf_addstr(b, " policy-from=base");
	n = policy_expected(p, &v);
	for (i = 0; i < n; i++)
		buf_addf(b, " expect:%s", v[i]);
	n = policy_ignore_dirty(p, &v);
	for (i = 0; i < n; i++)
		buf_addf(b, " ignore-dirty:%s", v[i]);
	add_jobs(b, p);
	buf_addch(b, '\n');
}

static void add_unused(struct buf *b, const struct policy *p)
{
	_cleanup_(freep) const char **unused = NULL;
	size_t i, n = policy_unused(p, &unused);

	for (i = 0; i < n; i++)
		buf_addf(b, "unused: %s\n", unused[i]);
}

/* The caller frees; NULL where there is no such file. */
static char *read_file(const char *dir, const char *name, size_t *ret_len)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, name);
	_cleanup_(fclosep) FILE *f = fopen(path, "rb");
	struct buf b = BUF_INIT;
	char chunk[4096];
	size_t n;

	if (!f)
		return NULL;
	while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
		buf_add(&b, chunk, n);
	*ret_len = b.len;
	return buf_take(&b);
}

static void run_case(const char *dir, const char *name)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", dir, name);
	_cleanup_(buf_release) struct buf got = BUF_INIT;
	struct policy *p = NULL;
	struct err err = ERR_INIT;
	size_t len = 0, ignored, i;
	_cleanup_(freep) char *input = read_file(path, "input", &len);
	_cleanup_(freep) char *expected = read_file(path, "expected", &ignored);
	_cleanup_(freep) char *error = read_file(path, "error", &ignored);
	_cleanup_(freep) char *target = read_file(path, "target", &ignored);

	if (!tap_ok(input && !expected != !error, name, __FILE__, __LINE__))
		return;
	p = policy_new("input", input, len, &err);
	if (p) {
		if (target)
			target[strcspn(target, "\n")] = '\0';
		policy_set_target(p, target);
		add_settings(&got, p);
		for (i = 0; i < ARRAY_LEN(series); i++)
			add_series(&got, p, &series[i]);
		for (i = 0; i < ARRAY_LEN(series); i++)
			add_sections(&got, p, &series[i]);
		add_unused(&got, p);
	} else {
		buf_addf(&got, "%s\n", err.msg);
	}
	IS_STR(buf_str(&got),
		p       ? (expected ? expected : "(an error)")
		: error ? error
			: "(none)",
		name);
	policy_free(p);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void test_cases(void)
{
	const char *srcdir = getenv("srcdir");
	_cleanup_(freep) char *dir = xasprintf("%s/tests/cases-policy", srcdir ? srcdir : ".");
	DIR *d = opendir(dir);
	struct dirent *e;
	char *names[500];
	size_t n = 0, i;

	if (!tap_ok(d != NULL, "tests/cases-policy is there", __FILE__, __LINE__))
		return;
	while ((e = readdir(d)) && n < ARRAY_LEN(names))
		if (e->d_name[0] != '.')
			names[n++] = xstrdup(e->d_name);
	closedir(d);
	qsort(names, n, sizeof(*names), by_name);
	for (i = 0; i < n; i++) {
		run_case(dir, names[i]);
		free(names[i]);
	}
}

/* ---- the table of built-in rules ---- */

struct known {
	const char *suite, *metric, *variant;
	const char *decision;
};

#define DIR " direction=lower"

/* DESIGN section 5, in its order. */
static const struct known table[] = {
	{"kpi", "allocs_per_op", "",
		"hard exact" DIR " tolerance=0.02 floor=1 cross=0.02 missing=error across=yes"},
	{"kpi", "bytes_per_op", "",
		"hard exact" DIR " tolerance=0.02 floor=1 cross=0.02 missing=error across=yes"},
	{"kpi", "tokens_total", "",
		"hard exact" DIR " tolerance=0.02 floor=1 cross=0.02 missing=error across=yes"},
	{"kpi", "goroutines_end", "",
		"hard exact" DIR " tolerance=0 floor=1 cross=0 missing=error across=yes"},
	{"kpi", "cache_hit_rate", "",
		"hard exact direction=higher tolerance=0.05 floor=0.001 cross=0.05 missing=error across=yes"},
	{"kpi", "wall_ns_per_op", "",
		"advisory noisy" DIR " tolerance=0.05 floor=0 cross=0.05 missing=warn across=no"},
	{"kpi", "rss_peak_bytes", "",
		"advisory noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"kpi", "rss_final_bytes", "",
		"advisory noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"kpi", "tokens_input", "",
		"info exact" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=yes"},
	{"kpi", "wall_clock_ns", "",
		"info noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"kpi", "iterations", "",
		"info noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"kpi", "sample", "",
		"info noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"kpi", "timestamp", "",
		"info noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"callgrind", "Ir", IAI,
		"hard exact" DIR
		" tolerance=0.005 floor=5 cross=0.02 missing=error across=fallback"},
	{"callgrind", "Dw", IAI,
		"hard exact" DIR
		" tolerance=0.005 floor=5 cross=0.02 missing=error across=fallback"},
	{"callgrind", "Ir", RAW,
		"hard exact" DIR
		" tolerance=0.01 floor=100 cross=0.03 missing=error across=fallback"},
	{"callgrind", "Dr", RAW,
		"hard exact" DIR
		" tolerance=0.01 floor=100 cross=0.03 missing=error across=fallback"},
	{"callgrind", "D1mr", IAI,
		"hard exact" DIR " tolerance=0.02 floor=20 cross=0.02 missing=error across=no"},
	{"callgrind", "EstimatedCycles", IAI,
		"hard exact" DIR " tolerance=0.02 floor=20 cross=0.02 missing=error across=no"},
	{"callgrind", "L1hits", IAI,
		"info exact" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"callgrind", "RamHits", IAI,
		"info exact" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"callgrind", "LLHitRate", IAI,
		"info exact" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"callgrind", "sysTime", RAW,
		"advisory noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"callgrind", "Memcheck/Errors", IAI,
		"hard exact" DIR " tolerance=0 floor=1 cross=0 missing=error across=no"},
	{"callgrind", "DRD/Errors", IAI,
		"hard exact" DIR " tolerance=0 floor=1 cross=0 missing=error across=no"},
	{"callgrind", "DHAT/TotalBytes", IAI,
		"hard exact" DIR " tolerance=0.01 floor=1 cross=0.01 missing=error across=no"},
	{"callgrind", "DHAT/AtTGmaxBlocks", IAI,
		"hard exact" DIR " tolerance=0.01 floor=1 cross=0.01 missing=error across=no"},
	{"clpeak", "float", "",
		"advisory noisy" DIR " tolerance=0.05 floor=0 cross=0.05 missing=warn across=no"},
	{"trace", "total", "",
		"advisory noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"trace", "self", "",
		"advisory noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"trace", "count", "",
		"advisory exact" DIR " tolerance=0 floor=1 cross=0 missing=warn across=no"},
	{"callgrind", "Bcm", IAI,
		"advisory noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
	{"whatever", "score", "",
		"advisory noisy" DIR " tolerance=0.1 floor=0 cross=0.1 missing=warn across=no"},
};

static void test_builtin(void)
{
	struct err err = ERR_INIT;
	struct policy *p = policy_new(NULL, NULL, 0, &err);
	struct decision d;
	size_t i;

	for (i = 0; i < ARRAY_LEN(table); i++) {
		const struct known *k = &table[i];
		struct series_key key = {k->suite, "b", k->metric, "count", "count",
			DIRECTION_LOWER, k->variant, "r"};
		_cleanup_(buf_release) struct buf b = BUF_INIT;
		_cleanup_(freep) char *what = xasprintf("%s %s", k->suite, k->metric);
		policy_decide(p, &key, &d, &err);
		add_decision(&b, &d);
		IS_STR(b.p, k->decision, what);
	}
	OK(!policy_require(p) && !policy_base(p) && policy_max_distance(p) == 1000,
		"settings without a file");
	OK(strlen(policy_digest(p)) == 64, "a digest without a file");
	IS_STR(policy_rule_name(p, d.by[ATTR_DIRECTION]), "the document",
		"a direction is the document's");
	IS_STR(policy_rule_name(p, d.by[ATTR_CLASS]), "built-in: what no other rule knows",
		"a rule's name");
	policy_free(p);
}

static void test_digest(void)
{
	struct err err = ERR_INIT;
	struct policy *p = policy_new("f", "", 0, &err);

	/* FIPS 180-4: SHA-256 of nothing. */
	IS_STR(policy_digest(p), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"the digest of an empty file");
	OK(policy_require(p), "an empty file requires");
	policy_free(p);
}

static void test_steps(void)
{
	static const char text[] = "[rule \"slow\"]\nbenchmark = (a+)+$\nclass = info\n";
	struct series_key key = KPI(
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "allocs_per_op", DIRECTION_LOWER);
	struct err err = ERR_INIT;
	struct policy *p = policy_new("f", text, strlen(text), &err);
	struct decision d;

	OK(policy_decide(p, &key, &d, &err) < 0 && err.code == ERR_POLICY,
		"catastrophic backtracking is cut");
	IS_STR(err.msg,
		"f:1 slow: pattern '(a+)+$' needs too many steps on "
		"'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'",
		"... and said");
	err_clear(&err);
	key.benchmark = "ab\xFF";
	OK(policy_decide(p, &key, &d, &err) == 0 && d.class_ == CLASS_HARD,
		"invalid UTF-8 matches nothing");
	policy_free(p);
}

/* Order and repetition do not matter: the caches forget nothing and mix nothing up. */
static void test_caches(void)
{
	static const char text[] = "[rule \"a\"]\nbenchmark = 1$\ntolerance = 1%\n"
				   "[rule \"b\"]\nrunner = ^fast\nmetric = s_per\nfloor = 7\n"
				   "[rule \"c\"]\nmetric = ^bytes\nmissing = warn\n";
	static const char *const metrics[] = {"allocs_per_op", "bytes_per_op"},
				 *const benchmarks[] = {"b1", "b2"},
				 *const runners[] = {"fast", "slow"};
	struct err err = ERR_INIT;
	struct policy *p = policy_new("f", text, strlen(text), &err);
	struct decision d;
	bool good = true;
	unsigned i, x = 1;

	for (i = 0; i < 500; i++) {
		unsigned m, b, r;
		x = x * 1664525 + 1013904223;
		m = x >> 29 & 1;
		b = x >> 30 & 1;
		r = x >> 31;
		struct series_key key = {"kpi", benchmarks[b], metrics[m], "count", "count",
			DIRECTION_LOWER, "", runners[r]};
		if (policy_decide(p, &key, &d, &err) < 0 ||
			decimal_cmp(d.tolerance, (struct decimal){b ? 2 : 1, -2}) != 0 ||
			decimal_cmp(d.floor, (struct decimal){r ? 1 : 7, 0}) != 0 ||
			d.missing != (m ? MISSING_WARN : MISSING_ERROR))
			good = false;
	}
	OK(good, "500 decisions in any order");
	policy_free(p);
}

int main(void)
{
	test_builtin();
	test_digest();
	test_steps();
	test_caches();
	test_cases();
	return tap_done();
}
