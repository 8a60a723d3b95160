/* Policies over time and side by side: what matched and what turned, renames in number, a graft, a
 * difference. */
#include "rules.h"

#include "buf.h"
#include "tap.h"

#include <stdlib.h>

static struct policy *policy_of(const char *text)
{
	struct err err = ERR_INIT;
	struct policy *p = policy_new("f", text, strlen(text), &err);

	if (!tap_ok(p != NULL, "the policy is one", __FILE__, __LINE__))
		printf("# %s\n", err.msg);
	return p;
}

static const struct series_key parse = {
	"kpi", "parse", "allocs_per_op", "count", "count", DIRECTION_LOWER, "", "r"};

/* ---- matched, turned ---- */

static void test_idle(void)
{
	struct policy *p =
		policy_of("[accept \"a\"]\nbenchmark = parse\nto = 5\n"
			  "[accept \"b\"]\nbenchmark = parse\nto = 6\n"
			  "[accept \"c\"]\nbenchmark = other\nto = 6\n"
			  "[waive \"d\"]\nbenchmark = parse\nuntil = 2027-01-01\nreason = r\n"
			  "[retire \"e\"]\nbenchmark = parse\n");
	_cleanup_(freep) const char **unused = NULL;
	_cleanup_(freep) int *idle = NULL, *later = NULL;
	struct err err = ERR_INIT;
	struct turn t;

	OK(policy_accept(p, &parse, &t, &err) == 1 && p->sections[t.section].line == 4,
		"the last that matches");
	OK(policy_waive(p, &parse, &t, &err) == 1 && policy_retire(p, &parse, &t, &err) == 1,
		"each kind by itself");
	OK(policy_unused(p, &unused) == 1, "one has matched nothing");
	IS_STR(unused[0], "f:7 accept \"c\"", "... and is named");
	OK(policy_idle(p, &idle) == 3, "accepts and retirements that turned nothing");
	policy_accept(p, &parse, &t, &err);
	policy_turned(p, t.section);
	OK(policy_idle(p, &later) == 2 && later[0] == 0, "one has turned a verdict");
	OK(policy_count(p, "accept") == 3 && policy_count(p, "waive") == 1 &&
			policy_count(p, "retire") == 1 && policy_count(p, "rename") == 0 &&
			policy_count(p, "rule") == 0 && policy_count(p, "gate") == 0,
		"counted by kind");
	policy_free(p);
}

/* ---- the target branch ---- */

static void is_target(const char *glob, const char *branch, bool holds)
{
	_cleanup_(freep) char *text = xasprintf("[gate \"%s\"]\nmax-distance = 7\n", glob);
	_cleanup_(freep) char *what = xasprintf("%s %s", glob, branch ? branch : "(none)");
	struct err err = ERR_INIT;
	struct policy *p = policy_new("f", text, strlen(text), &err);

	policy_set_target(p, branch);
	OK((policy_max_distance(p) == 7) == holds, what);
	policy_free(p);
}

static void test_targets(void)
{
	_cleanup_(freep) char *stars = NULL, *letters = NULL;
	struct buf b = BUF_INIT;
	int i;

	is_target("main", "main", true);
	is_target("main", "main2", false);
	is_target("main", NULL, false);
	is_target("*", "", true);
	is_target("release/*", "release/1/2", true);
	is_target("release/*", "release", false);
	is_target("*/1.?", "a/b/1.2", true);
	is_target("a*b*c", "aXbYbZc", true);
	is_target("a*b*c", "aXbYbZ", false);
	for (i = 0; i < 2000; i++)
		buf_addstr(&b, "a*");
	buf_addch(&b, 'b');
	stars = buf_take(&b);
	for (i = 0; i < 8000; i++)
		buf_addch(&b, 'a');
	letters = buf_take(&b);
	is_target(stars, letters, false);
}

/* The creep of all series changes with the target, after series were decided, too. */
static void test_target_again(void)
{
	struct policy *p = policy_of("[gate]\ncreep = 3%\n[gate \"r*\"]\ncreep = 1%\n");
	struct err err = ERR_INIT;
	struct decision d;

	policy_decide(p, &parse, &d, &err);
	OK(decimal_cmp(d.creep, (struct decimal){3, -2}) == 0, "creep of [gate]");
	policy_set_target(p, "r1");
	policy_decide(p, &parse, &d, &err);
	OK(decimal_cmp(d.creep, (struct decimal){1, -2}) == 0, "creep of [gate \"r*\"]");
	IS_STR(policy_rule_name(p, d.by[ATTR_CREEP]), "f:3 [gate \"r*\"]", "who says so");
	policy_free(p);
	p = policy_of("");
	policy_decide(p, &parse, &d, &err);
	OK(d.by[ATTR_CREEP] < 0, "no creep unless somebody says so");
	policy_free(p);
}

/* ---- renames ---- */

static void is_renamed(struct policy *p, const char *suite, const char *from, const char *expected)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	int r = policy_rename(p, suite, from, &b, &err);

	IS_STR(r < 0 ? err.msg : r ? buf_str(&b) : "(kept)", expected, from);
}

static void test_renames(void)
{
	struct policy *p = policy_of("[rename \"one by one\"]\nfrom = ^([^_]*)_(.*)$\nto = $1/$2\n"
				     "[rename \"escape\"]\nfrom = ^e(.)$\nto = $1\n"
				     "[rename \"kpi\"]\nsuite = ^kpi$\nfrom = ^z\nto = $$\n"
				     "[rename \"first match only\"]\nfrom = oo\nto = u\n");
	char longest[4096 + 1];

	is_renamed(p, "kpi", "a_b_c_d", "a/b/c/d");
	is_renamed(p, "kpi", "abc", "(kept)");
	is_renamed(p, "kpi", "zip", "$ip");
	is_renamed(p, "trace", "zip", "(kept)");
	is_renamed(p, "kpi", "foofoo", "fufu");
	is_renamed(p, "kpi", "a\xFF_b", "(kept)");
	is_renamed(p, "kpi", "e\x1b",
		"f:4 rename \"escape\" renames 'e\x1b' to a name with a control character");
	is_renamed(p, "kpi", "", "(kept)");
	memset(longest, 'x', sizeof(longest) - 1);
	longest[0] = 'z';
	longest[sizeof(longest) - 1] = '\0';
	OK(policy_renames(p), "there are renames");
	policy_free(p);
	p = policy_of("[rename \"longer\"]\nfrom = ^z\nto = yy\n");
	{
		_cleanup_(buf_release) struct buf b = BUF_INIT;
		struct err err = ERR_INIT;
		OK(policy_rename(p, "kpi", longest, &b, &err) < 0 && err.code == ERR_POLICY,
			"over 4 KiB");
	}
	policy_free(p);
	p = policy_of("");
	OK(!policy_renames(p), "there are none");
	is_renamed(p, "kpi", "x", "(kept)");
	policy_free(p);
}

static void test_circles(void)
{
	struct policy *p =
		policy_of("[rename \"a\"]\nfrom = ^a$\nto = b\n[rename \"b\"]\nfrom = ^b$\nto = c\n"
			  "[rename \"c\"]\nfrom = ^c$\nto = d\n[rename \"d\"]\nfrom = ^d$\nto = e\n"
			  "[rename \"e\"]\nfrom = ^e$\nto = b\n");

	is_renamed(p, "kpi", "a",
		"f:4 rename \"b\", f:7 rename \"c\", f:10 rename \"d\" and 1 more: they rename 'b' in a circle");
	is_renamed(p, "kpi", "x", "(kept)");
	policy_free(p);
}

/* Each name is worked out once: asked twice, 100,000 names have the same answers. */
static void test_many(void)
{
	struct policy *p = policy_of("[rename \"x\"]\nfrom = ^b(\\d+)$\nto = bench/$1\n");
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	bool good = true;
	char name[32], expected[32];
	int turn, i;

	for (turn = 0; turn < 2; turn++) {
		for (i = 0; i < 100000; i++) {
			snprintf(name, sizeof(name), "b%d", i);
			snprintf(expected, sizeof(expected), "bench/%d", i);
			good &= policy_rename(p, "kpi", name, &b, &err) == 1 &&
				!strcmp(buf_str(&b), expected);
		}
	}
	OK(good, "100,000 names");
	policy_free(p);
}

/* ---- two policies ---- */

static const char base_text[] = "# base\n[gate]\n\tbase = main\n\tpolicy-from = base\n"
				"[accept \"old\"]\n\tmetric = x\n\tto = 1\n"
				"[rule \"r\"]\n\tmetric = y\n\ttolerance = 2%\n";
static const char head_text[] =
	"\xEF\xBB\xBF[accept \"new\"]\r\n\tmetric = x\r\n\tto = 2\r\n"
	"[rule \"r\"]\n\tmetric = y\n\ttolerance = 50%\n"
	"[waive \"all\"]\n\tmetric = .\n\tuntil = 2027-01-01\n\treason = me\n"
	"[retire \"gone\"]\n\tmetric = z";

static void test_graft(void)
{
	struct err err = ERR_INIT;
	_cleanup_(freep) char *text =
		policy_graft(base_text, strlen(base_text), head_text, strlen(head_text), &err);
	struct series_key y = parse;
	struct decision d;
	struct policy *p;
	struct turn t;

	IS_STR(text,
		"# base\n[gate]\n\tbase = main\n\tpolicy-from = base\n\n\n\n"
		"[rule \"r\"]\n\tmetric = y\n\ttolerance = 2%\n"
		"[accept \"new\"]\r\n\tmetric = x\r\n\tto = 2\r\n[retire \"gone\"]\n\tmetric = z\n",
		"a graft");
	p = policy_new_grafted(
		"f", base_text, strlen(base_text), head_text, strlen(head_text), &err);
	if (!tap_ok(p != NULL, "a policy of it", __FILE__, __LINE__))
		return;
	y.metric = "y";
	policy_decide(p, &y, &d, &err);
	OK(decimal_cmp(d.tolerance, (struct decimal){2, -2}) == 0, "the base's rule holds");
	OK(policy_waive(p, &y, &t, &err) == 0, "a waiver of head's does not");
	y.metric = "x";
	OK(policy_accept(p, &y, &t, &err) == 1 && decimal_cmp(t.to, (struct decimal){2, 0}) == 0,
		"head's accept does");
	y.metric = "z";
	OK(policy_retire(p, &y, &t, &err) == 1, "and its retirement");
	IS_STR(policy_section_name(p, t.section), "f:11 retire \"gone\"", "by its own line");
	OK(policy_from_base(p), "policy-from = base");
	policy_free(p);
}

static void test_graft_nothing(void)
{
	struct err err = ERR_INIT;
	_cleanup_(freep) char *none = policy_graft(NULL, 0, NULL, 0, &err),
			      *one = policy_graft(NULL, 0, head_text, strlen(head_text), &err);
	struct policy *p = policy_new_grafted("f", NULL, 0, NULL, 0, &err);

	IS_STR(none, "", "of two files that are not there");
	IS_STR(one,
		"[accept \"new\"]\r\n\tmetric = x\r\n\tto = 2\r\n[retire \"gone\"]\n\tmetric = z\n",
		"of head's alone");
	OK(p && !policy_require(p), "no file requires nothing");
	policy_free(p);
	OK(!policy_graft("[", 1, "", 0, &err) && err.code == ERR_POLICY, "the base is none");
	IS_STR(err.msg, "base:1: a section has to end with ']': '['", "... and is named");
	err_clear(&err);
	OK(!policy_graft("", 0, "x", 1, &err), "head is none");
	err_clear(&err);
	OK(!policy_new_grafted("f", "", 0, "[accept \"x\"]\n", 13, &err), "head's accept is none");
	IS_STR(err.msg,
		"f:1: [accept \"x\"] needs `benchmark` or `metric`, whose level is accepted",
		"... and its place is said");
}

static void is_difference(const char *base, const char *head, const char *expected)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	char **v;
	size_t n = policy_diff(base, base ? strlen(base) : 0, head, head ? strlen(head) : 0, &v), i;

	for (i = 0; i < n; i++) {
		buf_addf(&b, "%s\n", v[i]);
		free(v[i]);
	}
	free(v);
	IS_STR(buf_str(&b), expected, "a difference");
}

static void test_difference(void)
{
	is_difference(base_text, base_text, "");
	is_difference("# a\n[gate]\nbase=main\n", "[gate]\n\n\tbase = main", "");
	is_difference(base_text, head_text,
		"[accept \"new\"] is new\n"
		"[rule \"r\"]: tolerance was 2%, is 50%\n"
		"[waive \"all\"] is new\n"
		"[retire \"gone\"] is new\n"
		"[gate] is gone\n"
		"[accept \"old\"] is gone\n");
	is_difference("[rule \"x\"]\nmetric = a\nfloor = 1\n",
		"[rule \"x\"]\nfloor = 1\nclass = info\n",
		"[rule \"x\"]: class is info, was not set\n[rule \"x\"]: metric was a, is not set\n");
	is_difference("[rule \"a\"]\n[gate]\n[rule \"b\"]\n[rule \"c\"]\n",
		"[gate]\n[rule \"c\"]\n[rule \"new\"]\n[rule \"b\"]\n[rule \"a\"]\n",
		"[rule \"new\"] is new\nthe [rule] sections stand in another order\n");
	is_difference(NULL, "[gate]\n", "perfgate.conf is new\n[gate] is new\n");
	is_difference("[gate]\n", NULL, "perfgate.conf is gone\n[gate] is gone\n");
	is_difference(NULL, NULL, "");
	is_difference("[gate]\n", "[gate\n",
		"all of it: it cannot be compared (head:1: a section has to end with ']': '[gate')\n");
	is_difference("[", "[", "");
}

int main(void)
{
	test_idle();
	test_targets();
	test_target_again();
	test_renames();
	test_circles();
	test_many();
	test_graft();
	test_graft_nothing();
	test_difference();
	return tap_done();
}
