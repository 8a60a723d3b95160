/*
 * The report in GitHub's and GitLab's markdown: the table, why, how to reproduce it, and the rest
 * folded. A comment may have 65,536 characters in GitHub, so this has at most 60,000 bytes whatever
 * is compared: what finds no room is counted.
 */
#include "report.h"

#include "markdown.h"
#include "report-rows.h"
#include "report-words.h"

#include <string.h>

enum {
	ALL_MAX = 60000,
	CHANGES_MAX = 6000,
	TABLE_MAX = 22000,
	WHY_MAX = 9000,
	NEXT_MAX = 3000,
	ROWS_MAX = 2000, /* more than find room */
	ROOM_MIN = 2000,
	CLOSING = 200 /* what may come behind a part that is full */
};

/* ---- above the table ---- */

static void add_headline(struct buf *b, const struct report *r)
{
	_cleanup_(buf_release) struct buf counts = BUF_INIT;

	words_counts(&counts, r);
	buf_addf(b, "### perfgate: %s, %s\n\n", words_outcome(r), counts.p);
}

static void add_sha(struct buf *b, const char *sha, const char *label)
{
	_cleanup_(freep) char *name = sha ? xstrndup(sha, strnlen(sha, 12)) : NULL;

	markdown_raw_code(b, name ? name : label ? label : "nothing");
}

/* "abc1234 against def5678, 1 commit back: "subject"" and the reason. */
static void add_sides(struct buf *b, const struct report *r)
{
	const struct report_base *base = &r->base;

	add_sha(b, r->head.sha, r->head.label);
	if (r->head.tree_state && !strcmp(r->head.tree_state, "dirty"))
		buf_addstr(b, " with changes");
	if (r->head.subject) {
		buf_addch(b, ' ');
		markdown_raw_code(b, r->head.subject);
	}
	buf_addstr(b, " against ");
	add_sha(b, base->sha, base->asked);
	if (base->sha && base->subject) {
		buf_addch(b, ' ');
		markdown_raw_code(b, base->subject);
	}
	if (base->sha && base->distance > 0)
		buf_addf(b, ", %d commit%s back", base->distance, base->distance == 1 ? "" : "s");
	buf_addstr(b, base->guess ? ", a guess" : "");
	buf_addstr(b, "\n");
	if (base->why) {
		buf_addstr(b, "<br>Base: ");
		markdown_raw_code(b, base->why);
		buf_addch(b, '\n');
	}
}

static void add_above(struct buf *b, const struct report *r)
{
	_cleanup_(buf_release) struct buf suites = BUF_INIT, changes = BUF_INIT;

	add_headline(b, r);
	if (r->n_policy_changes) {
		markdown_lines(&changes, r->policy_changes, r->n_policy_changes, CHANGES_MAX);
		buf_addstr(b, "The policy differs from the base's:\n\n");
		markdown_block(b, "text", changes.p);
	}
	add_sides(b, r);
	words_not_measured(&suites, r);
	if (suites.len) {
		buf_addstr(b, "<br>Not measured: ");
		markdown_code(b, suites.p);
		buf_addch(b, '\n');
	}
	buf_addch(b, '\n');
}

/* ---- tables ---- */

struct span {
	const struct rows *rows;
	size_t first, end;
	size_t left_out;     /* rows that were not made */
	bool suites, proofs; /* there is more than one suite; any row has a proof */
};

static const struct {
	enum column column;
	const char *title, *rule;
	bool name;
} columns[] = {
	{COL_VERDICT, "", "---", false},
	{COL_SUITE, "suite", "---", true},
	{COL_BENCHMARK, "benchmark", "---", true},
	{COL_METRIC, "metric", "---", true},
	{COL_BASE, "base", "--:", false},
	{COL_HEAD, "head", "--:", false},
	{COL_CHANGE, "change", "--:", false},
	{COL_INTERVAL, "95 % interval", "--:", false},
	{COL_EVIDENCE, "evidence", "---", false},
	{COL_ALLOWED, "allowed", "---", false},
	{COL_N, "n", "--:", false},
};

static bool is_shown(const struct span *s, enum column c)
{
	if (c == COL_SUITE)
		return s->suites;
	return s->proofs || (c != COL_INTERVAL && c != COL_EVIDENCE);
}

static void look_at(struct span *s)
{
	const struct row *v = s->rows->v;
	size_t i;

	for (i = s->first; i < s->end; i++) {
		s->suites |= strcmp(v[i].j->pair->key.suite, v[0].j->pair->key.suite) != 0;
		s->proofs |= v[i].j->proof != NULL;
	}
}

static void add_titles(struct buf *b, const struct span *s)
{
	size_t c;

	for (c = 0; c < ARRAY_LEN(columns); c++)
		if (is_shown(s, columns[c].column))
			buf_addf(b, "| %s ", columns[c].title);
	buf_addstr(b, "|\n");
	for (c = 0; c < ARRAY_LEN(columns); c++)
		if (is_shown(s, columns[c].column))
			buf_addf(b, "|%s", columns[c].rule);
	buf_addstr(b, "|\n");
}

static void add_row(struct buf *b, const struct span *s, const struct row *row)
{
	size_t c;

	for (c = 0; c < ARRAY_LEN(columns); c++) {
		const char *cell = row->cells[columns[c].column];
		if (!is_shown(s, columns[c].column))
			continue;
		buf_addstr(b, "| ");
		if (columns[c].name)
			markdown_code(b, cell);
		else if (columns[c].column == COL_VERDICT && row->section == SECTION_GATES)
			buf_addf(b, "**%s**", cell);
		else
			markdown_cell(b, cell);
		buf_addch(b, ' ');
	}
	buf_addstr(b, "|\n");
}

static void add_table(struct buf *b, struct span s, size_t max)
{
	_cleanup_(buf_release) struct buf row = BUF_INIT;
	const size_t start = b->len;
	size_t i, more;

	look_at(&s);
	add_titles(b, &s);
	for (i = s.first; i < s.end; i++) {
		buf_clear(&row);
		add_row(&row, &s, &s.rows->v[i]);
		if (b->len - start + row.len + CLOSING > max)
			break;
		buf_add(b, row.p, row.len);
	}
	buf_addch(b, '\n');
	more = s.end - i + s.left_out;
	if (more)
		buf_addf(b, "and %zu more, which the JSON report has\n\n", more);
}

/* ---- why ---- */

static bool needs_why(const struct row *row)
{
	const struct judged *j = row->j;

	return j->verdict < VERDICT_IMPROVED || j->section || j->differed || j->unstable;
}

static void add_one_why(struct buf *lines, const struct row *row)
{
	_cleanup_(buf_release) struct buf line = BUF_INIT;
	_cleanup_(freep) char *reason = words_reason(row->j, 0);

	words_cut(&line, row->cells[COL_BENCHMARK], MARKDOWN_NAME_MAX);
	buf_addch(&line, ' ');
	words_cut(&line, row->cells[COL_METRIC], MARKDOWN_NAME_MAX);
	buf_addf(&line, ": %s: %s", row->cells[COL_VERDICT], reason);
	markdown_line(lines, line.p);
}

static void add_why(struct buf *b, const struct rows *rows, size_t end)
{
	_cleanup_(buf_release) struct buf lines = BUF_INIT;
	size_t i, left = 0;

	for (i = 0; i < end; i++) {
		if (!needs_why(&rows->v[i]))
			continue;
		if (lines.len + MARKDOWN_LINE_MAX + CLOSING > WHY_MAX)
			left++;
		else
			add_one_why(&lines, &rows->v[i]);
	}
	if (left)
		buf_addf(&lines, "and %zu more, which the JSON report has\n", left);
	if (lines.len) {
		buf_addstr(b, "**Why**\n\n");
		markdown_block(b, "text", lines.p);
	}
}

/* A list of remarks below a title; nothing when there are none. */
static void add_list(struct buf *b, const char *title, const char *const *v, size_t n)
{
	_cleanup_(buf_release) struct buf lines = BUF_INIT;

	if (!n)
		return;
	markdown_lines(&lines, v, n, NEXT_MAX);
	buf_addf(b, "**%s**\n\n", title);
	markdown_block(b, "text", lines.p);
}

/* ---- how to see it for oneself ---- */

/* A revision that needs no quoting in a shell. */
static bool is_sha(const char *s)
{
	return s && *s && s[strspn(s, "0123456789abcdef")] == '\0';
}

static void add_reproduction(struct buf *b, const struct report *r)
{
	const bool dirty = r->head.tree_state && !strcmp(r->head.tree_state, "dirty");
	_cleanup_(buf_release) struct buf lines = BUF_INIT;

	if (!is_sha(r->head.sha) || !is_sha(r->base.sha))
		return;
	buf_addstr(&lines, "# where the store has these runs (perfgate store merge FILE)\n");
	buf_addf(&lines, "git fetch origin %s %s\n", r->base.sha, r->head.sha);
	buf_addf(&lines, "perfgate %s %s %s\n", dirty ? "diff" : r->command, r->base.sha,
		dirty ? "" : r->head.sha);
	buf_addstr(b, "**Reproduce**\n\n");
	markdown_block(b, "sh", lines.p);
}

/* ---- the rest ---- */

/* "3 new, 13 pass": the rows from first on, and those that were not made. */
static void count_folded(
	struct buf *b, const struct rows *rows, size_t first, const size_t left[VERDICT_COUNT])
{
	size_t counts[VERDICT_COUNT], i;
	int v;

	memcpy(counts, left, sizeof(counts));
	for (i = first; i < rows->n; i++)
		counts[rows->v[i].j->verdict]++;
	for (v = 0; v < VERDICT_COUNT; v++) {
		if (!counts[v])
			continue;
		buf_addstr(b, b->len ? ", " : "");
		words_count(b, counts[v], (enum verdict)v);
	}
}

static void add_folded(struct buf *b, struct span span, const size_t left[VERDICT_COUNT])
{
	_cleanup_(buf_release) struct buf counts = BUF_INIT;

	if (span.first == span.end || b->len + ROOM_MIN > ALL_MAX)
		return;
	count_folded(&counts, span.rows, span.first, left);
	buf_addf(b, "<details><summary>%s</summary>\n\n", buf_str(&counts));
	add_table(b, span, ALL_MAX - CLOSING - b->len);
	buf_addstr(b, "</details>\n");
}

/* The rows from which on nothing needs attention: they are sorted. */
static size_t remarkable(const struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->n; i++)
		if (rows->v[i].section == SECTION_INFO || rows->v[i].j->verdict > VERDICT_IMPROVED)
			break;
	return i;
}

static int markdown_write(
	const struct report *r, const struct report_style *style, FILE *out, struct err *err)
{
	const struct report_style all = {.width = 80, .all = true};
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	struct rows rows = {0};
	struct span span;
	size_t left[VERDICT_COUNT], end, more = 0;
	int v;

	(void)style;
	report_rows(&rows, r, &all, ROWS_MAX, left);
	for (v = 0; v < VERDICT_COUNT; v++)
		more += left[v];
	end = remarkable(&rows);
	span = (struct span){.rows = &rows, .end = end, .left_out = end == rows.n ? more : 0};
	add_above(&b, r);
	if (end)
		add_table(&b, span, TABLE_MAX);
	add_why(&b, &rows, end);
	add_list(&b, "Machine", r->machine, r->n_machine);
	add_list(&b, "Notes", r->notes, r->n_notes);
	add_reproduction(&b, r);
	add_list(&b, "Next", r->next, r->n_next);
	add_folded(&b, (struct span){.rows = &rows, .first = end, .end = rows.n, .left_out = more},
		left);
	report_rows_release(&rows);
	return report_end(&b, out, err);
}

const struct report_format report_markdown = {.name = "markdown",
	.summary = "for step summaries and comments, at most 60,000 bytes",
	.write = markdown_write};
