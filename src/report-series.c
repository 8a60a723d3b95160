/* The verdicts of a report that is read. */
#include "report-read-private.h"

#include "sink.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- members ---- */

const char *keep_text(struct read_report *x, const char *s, size_t max, struct err *err)
{
	const size_t len = strlen(s);

	if (len > max) {
		err_set(err, ERR_FORMAT, "a text of more than %zu bytes", max);
		return NULL;
	}
	if (intern_bytes(x->texts) > TEXTS_MAX) {
		err_set(err, ERR_FORMAT, "more than 128 MiB of texts");
		return NULL;
	}
	return intern_get(x->texts, intern_add(x->texts, s, len), NULL);
}

static int read_bounded(struct read_report *x, const struct jv *o, const char *key, size_t max,
	const char **ret, struct err *err)
{
	const char *s, *kept;
	int found = jv_get_string(o, key, &s, err);

	if (found <= 0)
		return found;
	kept = keep_text(x, s, max, err);
	if (!kept)
		return err_prefix(err, "'%s'", key);
	*ret = kept;
	return 1;
}

int read_text(struct read_report *x, const struct jv *o, const char *key, const char **ret,
	struct err *err)
{
	return read_bounded(x, o, key, TEXT_MAX, ret, err);
}

int read_sha(struct read_report *x, const struct jv *o, const char *key, const char **ret,
	struct err *err)
{
	const char *s;
	int found = jv_get_string(o, key, &s, err);

	if (found <= 0)
		return found;
	if (!*s || strlen(s) > 64 || s[strspn(s, "0123456789abcdef")])
		return err_set(err, ERR_FORMAT, "'%s' is '%.80s', which is no SHA", key, s);
	return read_text(x, o, key, ret, err);
}

static int read_count(
	const struct jv *o, const char *key, int64_t max, int64_t *ret, struct err *err)
{
	int64_t n;
	int found = jv_get_int(o, key, &n, err);

	if (found <= 0)
		return found;
	if (n < 0 || n > max)
		return err_set(err, ERR_FORMAT, "'%s' is %lld, expected 0 to %lld", key,
			(long long)n, (long long)max);
	*ret = n;
	return 1;
}

int read_distance(const struct jv *o, int *ret, struct err *err)
{
	int64_t n = 0;

	if (read_count(o, "distance", INT_MAX, &n, err) < 0)
		return -1;
	*ret = (int)n;
	return 0;
}

static int read_size(const struct jv *o, const char *key, size_t *ret, struct err *err)
{
	int64_t n = 0;

	if (read_count(o, key, INT32_MAX, &n, err) < 0)
		return -1;
	*ret = (size_t)n;
	return 0;
}

/* Numbers with a point come as their text, so that no digit is lost. What no double holds is none
 * of ours. 1, 0 absent or null, -1. */
static int read_decimal(const struct jv *o, const char *key, struct decimal *ret, struct err *err)
{
	const struct jv *v = jv_get(o, key);
	struct decimal d;
	const char *text;
	size_t len;

	if (!v || jv_kind(v) == JV_NULL)
		return 0;
	if (jv_kind(v) == JV_INT) {
		*ret = decimal_from(jv_num(v));
		return 1;
	}
	if (jv_kind(v) != JV_STRING)
		return err_set(err, ERR_FORMAT, "'%s' is %s, expected a number", key,
			jv_kind_name(jv_kind(v)));
	text = jv_string(v, &len);
	if (decimal_parse(text, len, &d, err) < 0)
		return err_prefix(err, "'%s'", key);
	if (!isfinite(decimal_double(d)) || (decimal_sign(d) && decimal_double(d) == 0))
		return err_set(err, ERR_FORMAT, "'%s' is %.60s, which is out of range", key, text);
	*ret = d;
	return 1;
}

static int read_real(const struct jv *o, const char *key, double *ret, struct err *err)
{
	struct decimal d;
	int found = read_decimal(o, key, &d, err);

	if (found > 0)
		*ret = decimal_double(d);
	return found;
}

/* ---- words ---- */

static const char *class_word(int i)
{
	return gate_class_name((enum gate_class)i);
}

static const char *judge_word(int i)
{
	return judge_name((enum judge)i);
}

static const char *verdict_word(int i)
{
	return verdict_name((enum verdict)i);
}

static const char *method_word(int i)
{
	return proof_method_name((enum method)i);
}

/* Which of n words the member is. */
static int read_word(const struct jv *o, const char *key, const char *(*word)(int), int n, int *ret,
	struct err *err)
{
	const char *s = NULL;
	int i;

	if (jv_get_string(o, key, &s, err) < 0)
		return -1;
	if (!s)
		return err_set(err, ERR_FORMAT, "'%s' is lacking", key);
	for (i = 0; i < n && strcmp(word(i), s) != 0; i++)
		;
	if (i == n)
		return err_set(err, ERR_FORMAT, "'%s' is '%.60s', which this version does not know",
			key, s);
	*ret = i;
	return 0;
}

/* ---- one verdict ---- */

static int read_key(
	struct read_report *x, const struct jv *v, struct series_key *k, struct err *err)
{
	const struct {
		const char *key, **at;
	} names[] = {{"suite", &k->suite}, {"benchmark", &k->benchmark}, {"metric", &k->metric},
		{"unit", &k->unit}, {"variant", &k->variant}, {"runner", &k->runner}};
	size_t i;

	k->quantity = "";
	for (i = 0; i < ARRAY_LEN(names); i++) {
		int found;
		*names[i].at = "";
		found = read_bounded(x, v, names[i].key, SINK_NAME_MAX, names[i].at, err);
		if (found < 0)
			return -1;
		if (!found && i < 3)
			return err_set(err, ERR_FORMAT, "a verdict without '%s'", names[i].key);
	}
	return 0;
}

static int read_side(struct read_report *x, const struct jv *v, const char *key, struct side *s,
	struct decimal *exact, double *nearest, struct err *err)
{
	const struct jv *o = NULL;
	int found = jv_get_object(v, key, &o, err);

	if (found <= 0)
		return found;
	if (read_text(x, o, "sha", &s->sha, err) < 0 ||
		read_text(x, o, "runner", &s->runner, err) < 0 ||
		read_distance(o, &s->distance, err) < 0 || read_size(o, "n", &s->n, err) < 0)
		return -1;
	found = read_decimal(o, "median", exact, err);
	if (found < 0)
		return -1;
	if (!found || !s->n)
		return err_set(err, ERR_FORMAT, "'%s' without %s", key, found ? "'n'" : "'median'");
	*nearest = decimal_double(*exact);
	return 0;
}

static int read_sides(
	struct read_report *x, const struct jv *v, struct read_series *s, struct err *err)
{
	struct judged *j = &s->j;
	int found;

	if (read_side(x, v, "base", &s->pair.base, &j->base_exact, &j->base_median, err) < 0 ||
		read_side(x, v, "head", &s->pair.head, &j->head_exact, &j->head_median, err) < 0 ||
		read_text(x, v, "absence", &s->pair.head.absence, err) < 0)
		return -1;
	found = read_real(v, "change", &j->change, err);
	j->has_change = found > 0;
	if (found > 0 && (!s->pair.base.n || !s->pair.head.n))
		return err_set(err, ERR_FORMAT, "a 'change' without both sides");
	return found < 0 ? -1 : 0;
}

static int read_proof(const struct jv *v, struct read_series *s, struct err *err)
{
	struct proof *p = &s->proof;
	const struct jv *o = NULL;
	int method, found = jv_get_object(v, "proof", &o, err);

	if (found <= 0)
		return found;
	*p = (struct proof){
		.p = NAN, .level = NAN, .low = -INFINITY, .high = INFINITY, .detectable = INFINITY};
	if (read_word(o, "method", method_word, METHOD_PAIRS + 1, &method, err) < 0 ||
		read_real(o, "p", &p->p, err) < 0 || read_real(o, "level", &p->level, err) < 0 ||
		read_real(o, "low", &p->low, err) < 0 || read_real(o, "high", &p->high, err) < 0 ||
		read_real(o, "detectable", &p->detectable, err) < 0 ||
		read_size(o, "n_base", &p->n_base, err) < 0 ||
		read_size(o, "n_head", &p->n_head, err) < 0 ||
		read_size(o, "needed", &p->needed, err) < 0 ||
		read_size(o, "family", &p->family, err) < 0)
		return err_prefix(err, "proof");
	p->method = (enum method)method;
	s->proven = true;
	return 0;
}

static int read_turns(struct read_report *x, const struct jv *v, struct judged *j, struct err *err)
{
	const struct jv *earlier = NULL;
	int word;

	if (read_text(x, v, "culprit", &j->culprit, err) < 0 ||
		read_text(x, v, "section", &j->section, err) < 0 ||
		read_text(x, v, "section_reason", &j->section_reason, err) < 0 ||
		jv_get_bool(v, "crept", &j->crept, err) < 0 ||
		jv_get_bool(v, "unstable", &j->unstable, err) < 0 ||
		jv_get_object(v, "earlier", &earlier, err) < 0)
		return -1;
	j->differed = earlier != NULL;
	if (!earlier)
		return 0;
	if (read_word(earlier, "verdict", verdict_word, VERDICT_COUNT, &word, err) < 0 ||
		read_text(x, earlier, "session", &j->earlier_session, err) < 0)
		return err_prefix(err, "earlier");
	j->earlier = (enum verdict)word;
	return 0;
}

static int read_decision(
	struct read_report *x, const struct jv *v, struct read_series *s, struct err *err)
{
	struct judged *j = &s->j;
	int class_, judge, verdict;

	if (read_word(v, "class", class_word, CLASS_INFO + 1, &class_, err) < 0 ||
		read_word(v, "judge", judge_word, JUDGE_NOISY + 1, &judge, err) < 0 ||
		read_word(v, "verdict", verdict_word, VERDICT_COUNT, &verdict, err) < 0 ||
		read_decimal(v, "tolerance", &j->tolerance, err) < 0 ||
		read_decimal(v, "floor", &j->decision.floor, err) < 0 ||
		jv_get_bool(v, "gates", &s->gates, err) < 0 ||
		jv_get_bool(v, "expected", &s->pair.expected, err) < 0)
		return -1;
	j->said = "";
	if (read_text(x, v, "reason", &j->said, err) < 0)
		return -1;
	j->decision.class_ = (enum gate_class)class_;
	j->decision.judge = (enum judge)judge;
	j->verdict = (enum verdict)verdict;
	s->pair.not_measured = j->verdict == VERDICT_NOT_MEASURED;
	return 0;
}

int read_series(struct read_report *x, const struct jv *v, struct err *err)
{
	struct read_series *s;

	if (x->n >= SERIES_MAX)
		return err_set(err, ERR_FORMAT, "more than %d series", SERIES_MAX);
	x->series = xgrow(x->series, x->n, &x->cap, sizeof(*x->series));
	s = &x->series[x->n];
	memset(s, 0, sizeof(*s));
	if (read_key(x, v, &s->pair.key, err) < 0 || read_decision(x, v, s, err) < 0 ||
		read_sides(x, v, s, err) < 0 || read_proof(v, s, err) < 0 ||
		read_turns(x, v, &s->j, err) < 0)
		return -1;
	x->n++;
	return 0;
}

/* ---- all of them ---- */

/* What has to hold of the policy and the options for the verdict to gate as it is said to. Missing
 * ones gate whatever is required, so nothing else follows from them. */
static void suppose(struct report *r, struct read_series *s)
{
	struct judge_options *o = &r->options;

	s->j.decision.missing = s->gates ? MISSING_ERROR : MISSING_WARN;
	s->pair.elsewhere = s->gates;
	if (!s->gates || s->j.verdict == VERDICT_MISSING || s->j.verdict == VERDICT_LOST)
		return;
	if (s->j.verdict == VERDICT_REGRESSED)
		o->strict |= s->j.decision.class_ == CLASS_ADVISORY;
	else if (s->j.verdict == VERDICT_NOT_MEASURED && !s->pair.expected)
		r->unmeasured = true;
	else
		o->require = true;
}

int link_series(struct read_report *x, struct err *err)
{
	size_t i;

	x->r.options.first_run = true;
	for (i = 0; i < x->n; i++) {
		struct read_series *s = &x->series[i];
		s->j.pair = &s->pair;
		s->j.proof = s->proven ? &s->proof : NULL;
		suppose(&x->r, s);
	}
	x->verdicts = xcalloc(x->n, sizeof(*x->verdicts));
	for (i = 0; i < x->n; i++) {
		const struct read_series *s = &x->series[i];
		x->verdicts[i] = s->j;
		if ((report_status(&x->r, &s->j) != 0) != s->gates)
			return err_set(err, ERR_FORMAT,
				"'gates' of verdict %zu does not go with the others: this file was changed",
				i + 1);
	}
	return 0;
}
