/*
 * The report as workflow commands of GitHub Actions. GitHub shows ten annotations of each kind a
 * step; the worst come first, and the tenth says how many there are besides.
 */
#include "report.h"

#include "figure.h"
#include "report-words.h"
#include "text.h"

#include <string.h>

enum { MOST = 10, TITLE_MAX = 200, MESSAGE_MAX = 1000 };

enum kind { KIND_ERROR, KIND_WARNING, KIND_NOTICE, KIND_COUNT };

static const char *const commands[KIND_COUNT] = {"error", "warning", "notice"};

/* Escapes as the runner undoes it. Line breaks and other controls are gone already. */
static void add_escaped(struct buf *b, const char *s, bool property)
{
	for (; *s; s++) {
		if (*s == '%')
			buf_addstr(b, "%25");
		else if (*s == ':' && property)
			buf_addstr(b, "%3A");
		else if (*s == ',' && property)
			buf_addstr(b, "%2C");
		else
			buf_addch(b, *s);
	}
}

/* Both texts are escaped for a terminal. */
static void add_command(struct buf *b, enum kind kind, const char *title, const char *message)
{
	_cleanup_(buf_release) struct buf short_title = BUF_INIT, short_message = BUF_INIT;

	words_cut(&short_title, title, TITLE_MAX);
	words_cut(&short_message, message, MESSAGE_MAX);
	buf_addf(b, "::%s title=", commands[kind]);
	add_escaped(b, buf_str(&short_title), true);
	buf_addstr(b, "::");
	add_escaped(b, buf_str(&short_message), false);
	buf_addch(b, '\n');
}

/* ---- one verdict ---- */

static enum kind kind_of(const struct judged *j, const struct report *r)
{
	if (r->exit_counts && report_status(r, j))
		return KIND_ERROR;
	switch (j->verdict) {
	case VERDICT_INCONCLUSIVE:
		return j->decision.class_ == CLASS_HARD ? KIND_WARNING : KIND_COUNT;
	case VERDICT_ACCEPTED:
	case VERDICT_WAIVED:
	case VERDICT_IMPROVED:
		return KIND_NOTICE;
	default:
		return j->verdict < VERDICT_IMPROVED ? KIND_WARNING : KIND_COUNT;
	}
}

static void add_figures(struct buf *b, const struct judged *j)
{
	_cleanup_(buf_release) struct buf base = BUF_INIT, head = BUF_INIT;

	if (!j->pair->head.n || !j->pair->base.n)
		return;
	figure_pair(&base, &head, &j->base_exact, &j->head_exact, j->pair->key.unit);
	buf_addf(b, "%s -> %s", base.p, head.p);
	if (j->has_change) {
		buf_addstr(b, " (");
		figure_change(b, j->change, j->tolerance, 1);
		buf_addch(b, ')');
	}
	buf_addstr(b, "; ");
}

static void add_verdict(struct buf *b, enum kind kind, const struct judged *j)
{
	_cleanup_(buf_release) struct buf title = BUF_INIT, message = BUF_INIT;
	_cleanup_(freep) char *reason = words_reason(j, 0);

	buf_addf(&title, "%s: ", verdict_name(j->verdict));
	words_series(&title, &j->pair->key);
	add_figures(&message, j);
	buf_addstr(&message, reason);
	add_command(b, kind, title.p, buf_str(&message));
}

/* ---- all of a kind ---- */

struct kinds {
	struct buf b;
	size_t listed[KIND_COUNT], total[KIND_COUNT];
};

/* The line that closes a kind where there are too many: the first of those left out, or the rest.
 */
static void add_rest(struct kinds *k, enum kind kind)
{
	_cleanup_(freep) char *rest = NULL;

	if (k->total[kind] <= MOST)
		return;
	rest = xasprintf("and %zu more, which the other reports list", k->total[kind] - (MOST - 1));
	add_command(&k->b, kind, "perfgate", rest);
}

static bool has_room(struct kinds *k, enum kind kind)
{
	const size_t room = k->total[kind] > MOST ? MOST - 1 : MOST;

	return k->listed[kind]++ < room;
}

static void add_headline(struct kinds *k, const struct report *r, enum kind kind)
{
	_cleanup_(freep) char *title = xasprintf("perfgate: %s", words_outcome(r));
	_cleanup_(buf_release) struct buf text = BUF_INIT, base = BUF_INIT, missing = BUF_INIT;

	words_counts(&text, r);
	buf_addstr(&text, ": ");
	words_sides(&text, r);
	words_base(&base, r);
	if (base.len)
		buf_addf(&text, "; base: %s", base.p);
	words_not_measured(&missing, r);
	if (missing.len)
		buf_addf(&text, "; not measured: %s", missing.p);
	if (has_room(k, kind))
		add_command(&k->b, kind, title, text.p);
}

static void count(struct kinds *k, const struct report *r, enum kind headline)
{
	size_t i;

	k->total[headline]++;
	k->total[KIND_WARNING] += r->n_policy_changes > 0;
	k->total[KIND_NOTICE] += r->n_machine + r->n_notes;
	for (i = 0; i < r->n; i++) {
		enum kind kind = kind_of(&r->verdicts[i], r);
		if (kind != KIND_COUNT)
			k->total[kind]++;
	}
}

/* In one annotation: there may be many, and the verdicts need the room. */
static void add_changes(struct kinds *k, const struct report *r)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	size_t i;

	if (!r->n_policy_changes || !has_room(k, KIND_WARNING))
		return;
	for (i = 0; i < r->n_policy_changes; i++) {
		buf_addstr(&text, i ? "; " : "");
		text_escape(&text, r->policy_changes[i], strlen(r->policy_changes[i]));
	}
	add_command(&k->b, KIND_WARNING, "policy differs from the base's", text.p);
}

static void add_notices(struct kinds *k, const char *title, const char *const *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		_cleanup_(buf_release) struct buf text = BUF_INIT;
		text_escape(&text, v[i], strlen(v[i]));
		if (has_room(k, KIND_NOTICE))
			add_command(&k->b, KIND_NOTICE, title, buf_str(&text));
	}
}

static void add_verdicts(struct kinds *k, const struct report *r, enum kind kind)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (kind_of(&r->verdicts[i], r) == kind && has_room(k, kind))
			add_verdict(&k->b, kind, &r->verdicts[i]);
}

static int github_write(
	const struct report *r, const struct report_style *style, FILE *out, struct err *err)
{
	const enum kind headline = r->exit_counts && r->exit ? KIND_ERROR
				   : r->judged               ? KIND_NOTICE
							     : KIND_WARNING;
	struct kinds k = {0};
	int kind, ret;

	(void)style;
	count(&k, r, headline);
	add_headline(&k, r, headline);
	add_changes(&k, r);
	for (kind = 0; kind < KIND_COUNT; kind++)
		add_verdicts(&k, r, (enum kind)kind);
	add_notices(&k, "machine", r->machine, r->n_machine);
	add_notices(&k, "note", r->notes, r->n_notes);
	for (kind = 0; kind < KIND_COUNT; kind++)
		add_rest(&k, (enum kind)kind);
	ret = report_end(&k.b, out, err);
	buf_release(&k.b);
	return ret;
}

const struct report_format report_github = {
	.name = "github", .summary = "annotations of GitHub Actions", .write = github_write};
