#include "doubts.h"

#include "json.h"
#include "weather.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A benchmark keeps a core or two busy itself, and so did the build before it. */
#define LOAD_A_CORE 1.5

enum { SIDES_MAX = 8 }; /* sessions that are told of */

/* What the runs of a session say; numbers are -1 where they say nothing. */
struct circumstances {
	double load, cores, stolen, throttled_least, throttled_most, throttled_meanwhile;
	bool virtual_, battery;
	char governor[32];
};

struct told {
	const char *sha, *session, *runner;
};

/* ---- the facts of a run ---- */

static double number_of(const struct jv *o, const char *key)
{
	struct err ignored = ERR_INIT;
	struct num n;

	return jv_get_num(o, key, &n, &ignored) > 0 && isfinite(num_double(n)) ? num_double(n) : -1;
}

static void flag_of(const struct jv *o, const char *key, bool *ret)
{
	struct err ignored = ERR_INIT;
	bool flag = false;

	jv_get_bool(o, key, &flag, &ignored);
	*ret |= flag;
}

static void take_most(double *most, double value)
{
	*most = fmax(*most, value);
}

/* $.machine, when it was stored, and $.measure, while perfgate measure ran it. */
static void add_facts(struct circumstances *c, const struct jv *o, bool meanwhile)
{
	const double throttled = number_of(o, "throttled");
	struct err ignored = ERR_INIT;
	const char *governor;

	take_most(&c->stolen, number_of(o, "stolen_share"));
	flag_of(o, "virtual", &c->virtual_);
	flag_of(o, "battery", &c->battery);
	if (!*c->governor && jv_get_string(o, "governor", &governor, &ignored) > 0)
		snprintf(c->governor, sizeof(c->governor), "%s", governor);
	if (meanwhile) {
		take_most(&c->throttled_meanwhile, throttled);
		return;
	}
	take_most(&c->load, number_of(o, "load"));
	take_most(&c->cores, number_of(o, "logical_cores"));
	take_most(&c->throttled_most, throttled);
	if (throttled >= 0 && (c->throttled_least < 0 || throttled < c->throttled_least))
		c->throttled_least = throttled;
}

static void add_run(struct circumstances *c, const struct store_run *r)
{
	struct err ignored = ERR_INIT;
	const struct jv *o;
	struct jv *facts = jv_load_text("facts", r->facts, strlen(r->facts), &ignored);

	if (facts && jv_kind(facts) == JV_OBJECT) {
		if (jv_get_object(facts, "machine", &o, &ignored) > 0)
			add_facts(c, o, false);
		if (jv_get_object(facts, "measure", &o, &ignored) > 0)
			add_facts(c, o, true);
	}
	jv_free(facts);
}

/* ---- what is doubtful ---- */

static void separate(struct buf *b)
{
	if (b->len)
		buf_addstr(b, ", ");
}

static double throttled(const struct circumstances *c)
{
	return fmax(c->throttled_meanwhile, c->throttled_most - c->throttled_least);
}

static void add_doubts(struct buf *b, const struct circumstances *c)
{
	if (c->cores > 0 && c->load > LOAD_A_CORE * c->cores)
		buf_addf(b, "the load was %.1f on %.0f core%s", c->load, c->cores,
			c->cores == 1 ? "" : "s");
	if (c->stolen >= STOLEN_SHARE) {
		separate(b);
		buf_addf(b, "other guests took %.1f %% of its time", 100 * c->stolen);
	}
	if (throttled(c) > 0) {
		separate(b);
		buf_addf(b, "heat slowed cores down %.0f time%s", throttled(c),
			throttled(c) == 1 ? "" : "s");
	}
	if (c->battery) {
		separate(b);
		buf_addstr(b, "it ran on battery");
	}
}

static void add_mentions(struct buf *b, const struct circumstances *c)
{
	const bool governed = *c->governor && strcmp(c->governor, "performance") != 0;

	if (governed)
		buf_addf(b, "governor %s", c->governor);
	if (c->virtual_)
		buf_addf(b, "%sa virtual machine", governed ? ", " : "");
}

static char *line_of(const char *whose, const struct circumstances *c)
{
	_cleanup_(buf_release) struct buf doubts = BUF_INIT, mentions = BUF_INIT;

	add_doubts(&doubts, c);
	add_mentions(&mentions, c);
	if (!doubts.len)
		return NULL;
	return xasprintf("numbers of %s are doubtful: %s%s%s%s", whose, doubts.p,
		mentions.len ? " (" : "", buf_str(&mentions), mentions.len ? ")" : "");
}

/* ---- which sessions ---- */

static bool is_in_question(const struct judged *j)
{
	return j->decision.judge == JUDGE_NOISY && j->proof && !j->pair->one_session &&
	       (j->verdict == VERDICT_REGRESSED || j->verdict == VERDICT_SUSPECT ||
		       j->verdict == VERDICT_IMPROVED);
}

static bool is_told(struct told *told, size_t *n, const struct told *of)
{
	size_t i;

	for (i = 0; i < *n; i++)
		if (!strcmp(told[i].sha, of->sha) && !strcmp(told[i].session, of->session) &&
			!strcmp(told[i].runner, of->runner))
			return true;
	if (*n < SIDES_MAX)
		told[(*n)++] = *of;
	return i == SIDES_MAX;
}

static int look_at(struct comparison *x, const char *whose, const struct told *of, struct err *err)
{
	struct circumstances c = {.load = -1,
		.cores = -1,
		.stolen = -1,
		.throttled_least = -1,
		.throttled_most = -1,
		.throttled_meanwhile = -1};
	struct store_runs runs = {0};
	char *line;
	size_t i;
	int r = store_runs_of_commit(x->c->store, of->sha, &runs, err);

	for (i = 0; r == 0 && i < runs.n; i++)
		if (!strcmp(runs.v[i].session, of->session) &&
			!strcmp(runs.v[i].runner_key, of->runner))
			add_run(&c, &runs.v[i]);
	store_runs_release(&runs);
	line = r == 0 ? line_of(whose, &c) : NULL;
	if (line)
		comparison_take_machine(x, line);
	return r;
}

static int look_at_side(struct comparison *x, const char *whose, const struct side *s,
	const struct series_key *k, struct told *told, size_t *n, struct err *err)
{
	const struct told of = {s->sha, s->session, s->runner ? s->runner : k->runner};

	if (!s->n || !s->sha || !git_is_sha(s->sha) || !s->session || !*s->session ||
		is_told(told, n, &of))
		return 0;
	return look_at(x, whose, &of, err);
}

int doubts_find(struct comparison *x, const struct judged *judged, size_t n, struct err *err)
{
	struct told told[SIDES_MAX];
	size_t n_told = 0, i;

	for (i = 0; x->c->store && i < n; i++) {
		const struct pair *p = judged[i].pair;
		if (!is_in_question(&judged[i]))
			continue;
		if (look_at_side(x, "head", &p->head, &p->key, told, &n_told, err) < 0 ||
			look_at_side(x, "the base", &p->base, &p->key, told, &n_told, err) < 0)
			return -1;
	}
	return 0;
}
