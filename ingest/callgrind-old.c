#include "callgrind-layout.h"

#include <string.h>

/* ---- versions 1 and 2 ---- */

int summary_callgrind_1(struct summary *s, const struct jv *callgrind, struct err *err)
{
	const struct jv *list, *run, *events;
	size_t i;

	if (member_array(callgrind, "summaries", &list, err) < 0)
		return -1;
	for (i = 0; i < jv_len(list); i++) {
		if (member_element(list, i, "summaries", &run, err) < 0 ||
			member_object(run, "events", &events, err) < 0 ||
			summary_add_regressions(s, run, err) < 0 ||
			summary_add_map(s, "Callgrind", events, err) < 0)
			return -1;
	}
	return 0;
}

/* Reads decimal digits. Returns the byte after them, NULL when there are none or too many. */
static const char *digits(const char *p, int64_t *ret)
{
	size_t n = strspn(p, "0123456789");
	struct err ignored = ERR_INIT;

	return n && num_parse_int(p, n, 0, INT64_MAX, ret, &ignored) == 0 ? p + n : NULL;
}

static const char *literal(const char *p, const char *text)
{
	size_t n = strlen(text);

	return p && !strncmp(p, text, n) ? p + n : NULL;
}

enum { ERROR_COUNTS = 4 };

static const char *const error_names[ERROR_COUNTS] = {
	"Errors", "Contexts", "SuppressedErrors", "SuppressedContexts"};

/* "4 errors from 3 contexts (suppressed: 2 from 1)", as Valgrind ends its log. */
static bool parse_error_line(const char *p, int64_t ret[ERROR_COUNTS])
{
	static const char *const after[ERROR_COUNTS] = {
		" errors from ", " contexts (suppressed: ", " from ", ")"};
	size_t i;

	for (i = 0; i < ERROR_COUNTS; i++) {
		p = p ? digits(p, &ret[i]) : NULL;
		p = literal(p, after[i]);
	}
	return p && !*p;
}

/* Whether the runner's own reading of the line says something else. */
static int error_summary_differs(
	const struct jv *run, const int64_t counts[ERROR_COUNTS], bool *ret, struct err *err)
{
	static const char *const keys[ERROR_COUNTS] = {
		"errors", "contexts", "supp_errors", "supp_contexts"};
	const struct jv *o = NULL;
	size_t i;
	int r = jv_get_object(run, "error_summary", &o, err);

	for (i = 0; r > 0 && i < ERROR_COUNTS; i++) {
		int64_t n = counts[i];
		if (jv_get_int(o, keys[i], &n, err) < 0)
			return -1;
		*ret |= n != counts[i];
	}
	return r < 0 ? -1 : 0;
}

/*
 * Runners 0.9 to 0.13 match the line of counts with a greedy pattern that leaves of each number
 * its last digit, so that error_summary is worth nothing by itself: 4 may be 4 or 1234.
 */
static int read_errors_1(struct summary *s, const char *tool, const struct jv *run, struct err *err)
{
	const struct jv *log = NULL, *summary = NULL;
	const char *line = NULL;
	int64_t counts[ERROR_COUNTS];
	bool differs = false;
	size_t i;

	if (jv_get_object(run, "summary", &log, err) < 0 ||
		jv_get_object(run, "error_summary", &summary, err) < 0 ||
		(log && jv_get_string(log, "ERROR SUMMARY", &line, err) < 0))
		return -1;
	if (line && parse_error_line(line, counts)) {
		if (error_summary_differs(run, counts, &differs, err) < 0)
			return -1;
		s->faulty_errors += differs;
		for (i = 0; i < ERROR_COUNTS; i++)
			if (summary_add_count(s, tool, error_names[i], counts[i], err) < 0)
				return -1;
		return 0;
	}
	if (!line && !summary)
		return 0;
	s->faulty_errors++;
	for (i = 0; i < ERROR_COUNTS; i++)
		if (summary_add_absent(s, tool, error_names[i], SINK_ERROR,
			    "the runner's error_summary keeps one digit of each number, and the log line is not there",
			    err) < 0)
			return -1;
	return 0;
}

/* "32097 bytes in 3 blocks" or "102589 bytes" */
static bool parse_dhat_line(const char *p, int64_t *ret_bytes, int64_t *ret_blocks)
{
	*ret_blocks = -1;
	p = literal(digits(p, ret_bytes), " bytes");
	if (p && *p)
		p = literal(digits(literal(p, " in ") ? p + strlen(" in ") : "", ret_blocks),
			" blocks");
	return p && !*p;
}

/* Version 1 has DHAT's numbers only in the words of its log. */
static int read_dhat_words(struct summary *s, const struct jv *log, struct err *err)
{
	static const struct {
		const char *key, *bytes, *blocks;
	} lines[] = {{"Total", "TotalBytes", "TotalBlocks"},
		{"At t-gmax", "AtTGmaxBytes", "AtTGmaxBlocks"},
		{"At t-end", "AtTEndBytes", "AtTEndBlocks"}, {"Reads", "ReadsBytes", NULL},
		{"Writes", "WritesBytes", NULL}};
	const char *line;
	int64_t bytes, blocks;
	size_t i;
	int r;

	for (i = 0; i < ARRAY_LEN(lines); i++) {
		r = jv_get_string(log, lines[i].key, &line, err);
		if (r < 0)
			return -1;
		if (r == 0)
			continue;
		if (!parse_dhat_line(line, &bytes, &blocks))
			return err_set(err, ERR_FORMAT,
				"field '%s': expected 'N bytes in N blocks', not '%.80s'",
				lines[i].key, line);
		if (summary_add_count(s, "DHAT", lines[i].bytes, bytes, err) < 0 ||
			(lines[i].blocks && blocks >= 0 &&
				summary_add_count(s, "DHAT", lines[i].blocks, blocks, err) < 0))
			return -1;
	}
	return 0;
}

int summary_run_1(struct summary *s, const char *tool, const struct jv *run, struct err *err)
{
	const struct jv *costs = NULL, *log = NULL;
	int r = jv_get_object(run, "costs_summary", &costs, err);

	if (r < 0 || jv_get_object(run, "summary", &log, err) < 0)
		return -1;
	if (r > 0 && summary_add_map(s, tool, costs, err) < 0)
		return -1;
	if (r == 0 && log && !strcmp(tool, "DHAT") && read_dhat_words(s, log, err) < 0)
		return -1;
	return read_errors_1(s, tool, run, err);
}
