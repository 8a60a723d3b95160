/*
 * judge: what gate and diff share: from a comparison to verdicts, reports and an exit status.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "compare.h"
#include "opt.h"
#include "report.h"

struct judge_settings {
	bool strict, first_run, all;
	struct opt_list reports; /* FORMAT or FORMAT:FILE */
	struct opt_list suites;
	const char *only;
};

/* The options of these settings; type has a struct judge_settings called judge. */
/* clang-format off */
#define OPT_JUDGE(type) \
	{"report", 0, OPT_LIST, offsetof(type, judge.reports), "FORMAT[:FILE]", \
		"text or json, to a file or standard output; repeats (default: text)"}, \
	{"suite", 0, OPT_LIST, offsetof(type, judge.suites), "SUITE", "only this suite; repeats"}, \
	{"only", 0, OPT_STRING, offsetof(type, judge.only), "PATTERN", \
		"only benchmarks whose name matches (PCRE2)"}, \
	{"all", 'a', OPT_FLAG, offsetof(type, judge.all), NULL, \
		"list every series, not only what moved"}, \
	{"strict", 0, OPT_FLAG, offsetof(type, judge.strict), NULL, "advisory regressions fail too"}, \
	{"first-run", 0, OPT_FLAG, offsetof(type, judge.first_run), NULL, \
		"an empty history is no failure, this once"}
/* clang-format on */

/* Checks formats and compiles the pattern; release with narrowing_release(). */
int judge_settings_check(const struct judge_settings *s, struct narrowing *ret, struct err *err);
void narrowing_release(struct narrowing *w);

/*
 * Judges x's pairs, completes r (whose command, head, base and next the caller filled) and writes
 * the reports. *exit_status: what the gate says.
 */
int judge_report(struct comparison *x, const struct judge_settings *s, struct report *r,
	int *exit_status, struct err *err);

/* The head side from the store: HEAD's clean runs, or the present work tree's when they are asked
 * for or there is nothing else. */
struct head_side {
	struct git_commit commit;
	bool checkout; /* the commit is what is checked out */
	bool have_tree_state;
	char tree_state[80]; /* of the runs used */
	bool any;            /* there are runs */
};

enum head_choice { HEAD_COMMIT_FIRST, HEAD_WORK_TREE };

/* rev NULL: what is checked out (or what the CI system says is). Fills x->head. */
int judge_head(struct comparison *x, const char *rev, enum head_choice choice,
	struct head_side *ret, struct err *err);

#endif
