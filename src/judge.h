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
	struct store *lent; /* to be judged by; NULL: it is opened */
	bool ever;          /* levels are those of all that there ever was (PAST_EVER) */
};

/* The options of these settings; type has a struct judge_settings called judge. */
/* clang-format off */
#define OPT_JUDGE(type) \
	{"report", 0, OPT_LIST, offsetof(type, judge.reports), "FORMAT[:FILE]", \
		"a report, to a file or standard output; repeats (default: text, and what CI shows)"}, \
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
 * Judges x's pairs and completes r, whose command, head, base, next and options.on_line the caller
 * filled. r->verdicts is the caller's: verdicts_free().
 */
int judge_verdicts(
	struct comparison *x, const struct judge_settings *s, struct report *r, struct err *err);
void verdicts_free(struct report *r);

/* After LEAD, the line that measures both in turns, as the comparison's; head NULL: what is checked
 * out. NULL where no line of shell can hold the names. */
const char *judge_measure_step(
	struct comparison *x, const char *lead, const char *base, const char *head);
/* The same where judged series lack nothing but a session that both sides share; NULL elsewhere. */
const char *judge_missing_session(struct comparison *x, const struct report *r, const char *head);

/* The same where a series is regressed or suspect and the machine was slower, too. */
const char *judge_environment_step(struct comparison *x, const struct report *r, const char *head);

/* Writes the reports that the settings ask for. */
int judge_report(const struct report *r, const struct judge_settings *s, const struct context *c,
	struct err *err);

#endif
