#include "past.h"

#include "compare-private.h"
#include "noisy.h"
#include "past-line.h"
#include "past-order.h"
#include "term.h"

#include <stdlib.h>
#include <string.h>

/* What a pair's past is made of. */
enum kind {
	KIND_EXACT,    /* the newest session of each commit */
	KIND_SESSIONS, /* the median of each session */
	KIND_SAMPLES   /* samples of each commit against those of the one before it; unless sessions
			  are pooled the median of each session as well */
};

/* Samples of one session of the last commit. */
struct kept {
	const char *session;
	struct num *v;
	unsigned char *pairs; /* NULL: of none */
	size_t n;
};

/* One pair's past on its way. */
struct slot {
	size_t pair;
	enum kind kind;
	bool pool; /* KIND_SAMPLES: whatever session they are from */
	enum across across;
	struct observation *v;
	size_t n, cap;
	const char *session; /* of the last of a noisy series */
	struct link *links;
	size_t n_links, cap_links;
	struct kept *kept;
	size_t n_kept;
	uint32_t next; /* of its identity, plus 1; 0 none */
};

struct pasts {
	struct line line;
	unsigned commit;             /* of the line, that is being read */
	struct past_commit *commits; /* of the line */
	struct slot *slots;
	size_t n, cap;
	struct past *v;        /* of the slots */
	uint32_t *by_identity; /* slot + 1; 0 none */
	size_t n_by_identity;
	struct session_times times;
};

static void forget(struct slot *s)
{
	size_t i;

	for (i = 0; i < s->n_kept; i++) {
		free(s->kept[i].v);
		free(s->kept[i].pairs);
	}
	free(s->kept);
	s->kept = NULL;
	s->n_kept = 0;
}

void pasts_free(struct pasts *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->n; i++) {
		forget(&p->slots[i]);
		free(p->slots[i].v);
		free(p->slots[i].links);
	}
	line_release(&p->line);
	session_times_release(&p->times);
	free(p->slots);
	free(p->commits);
	free(p->v);
	free(p->by_identity);
	free(p);
}

/* ---- which pairs ---- */

static enum kind kind_of(const struct pair *p, const struct decision *d)
{
	if (d->judge == JUDGE_EXACT)
		return KIND_EXACT;
	return p->one_session || d->sessions == SESSIONS_POOL ? KIND_SAMPLES : KIND_SESSIONS;
}

static bool has_sessions(const struct slot *s)
{
	return s->kind == KIND_SESSIONS || (s->kind == KIND_SAMPLES && !s->pool);
}

static bool needs_past(const struct pair *p, const struct decision *d, enum past_levels levels)
{
	if (!p->head.n || !p->base.n || d->class_ == CLASS_INFO || d->direction == DIRECTION_NONE)
		return false;
	return levels != PAST_NO_LEVELS || kind_of(p, d) == KIND_SESSIONS;
}

static void add_slot(struct pasts *p, uint32_t identity, struct slot slot)
{
	size_t n = p->n_by_identity;

	if (identity >= n) {
		p->n_by_identity = (size_t)identity * 2 + 1024;
		p->by_identity =
			xrealloc(p->by_identity, p->n_by_identity * sizeof(*p->by_identity));
		memset(p->by_identity + n, 0, (p->n_by_identity - n) * sizeof(*p->by_identity));
	}
	slot.next = p->by_identity[identity];
	p->slots = xgrow(p->slots, p->n, &p->cap, sizeof(*p->slots));
	p->slots[p->n++] = slot;
	p->by_identity[identity] = (uint32_t)p->n;
}

static int choose_pairs(struct comparison *x, struct pasts *p, enum past_levels levels, bool *noisy,
	struct err *err)
{
	size_t i;

	for (i = 0; i < x->n; i++) {
		const struct pair *pair = &x->pairs[i];
		struct decision d;
		struct slot slot = {.pair = i};

		if (pair->not_measured || !pair->head.n || !pair->base.n)
			continue;
		if (policy_decide(x->c->policy, &pair->key, &d, err) < 0)
			return -1;
		if (!needs_past(pair, &d, levels))
			continue;
		slot.kind = kind_of(pair, &d);
		slot.pool = d.sessions == SESSIONS_POOL;
		slot.across = d.across;
		*noisy |= has_sessions(&slot);
		add_slot(p, names_identity(&x->names, &pair->key), slot);
	}
	return 0;
}

/* ---- observations ---- */

static struct num median_of(const struct session_values *s)
{
	return s->n == 1 ? s->values[0] : decimal_num(decimal_median(s->values, s->n));
}

static struct observation *push(
	struct slot *s, struct num median, const char *session, unsigned commit)
{
	s->v = xgrow(s->v, s->n, &s->cap, sizeof(*s->v));
	s->v[s->n] = (struct observation){
		.median = median, .session = session, .commit = commit, .until = commit};
	return &s->v[s->n++];
}

/* Whether a session other than those of perfgate measure has the series. */
static bool is_measured_otherwise(const struct session_values *v)
{
	for (; v; v = v->older)
		if (v->n && !is_measure_session(v->session))
			return true;
	return false;
}

/* One session that measured several commits is one observation: its last. What somebody measured in
 * turns is none where the commit has others: it may be from a machine at work. */
static void observe_session(
	struct slot *s, const struct session_values *v, bool otherwise, unsigned commit)
{
	if (v->older)
		observe_session(s, v->older, otherwise, commit);
	if (!v->n || (otherwise && is_measure_session(v->session)))
		return;
	if (s->n && *v->session && s->session == v->session)
		s->n--;
	push(s, median_of(v), v->session, commit);
	s->session = v->session;
}

static void keep(struct slot *s, const struct session_values *of)
{
	const struct session_values *v;
	size_t n = 0;

	forget(s);
	for (v = of; v; v = v->older)
		n++;
	s->kept = xcalloc(n, sizeof(*s->kept));
	for (v = of; v; v = v->older) {
		struct kept *k = &s->kept[s->n_kept++];
		*k = (struct kept){.session = v->session,
			.v = xmalloc(v->n * sizeof(*k->v)),
			.pairs = v->pairs ? xmalloc(v->n) : NULL,
			.n = v->n};
		if (v->n)
			memcpy(k->v, v->values, v->n * sizeof(*k->v));
		if (v->pairs)
			memcpy(k->pairs, v->pairs, v->n);
	}
}

/* All samples of some sessions, one behind the other; the caller frees. */
static struct num *put_together(const struct kept *k, size_t n_kept, size_t *ret_n)
{
	size_t i, n = 0;
	struct num *all;

	for (i = 0; i < n_kept; i++)
		n += k[i].n;
	all = xmalloc(n * sizeof(*all));
	for (*ret_n = 0, i = 0; i < n_kept; i++) {
		if (k[i].n)
			memcpy(all + *ret_n, k[i].v, k[i].n * sizeof(*all));
		*ret_n += k[i].n;
	}
	return all;
}

static void link_commits(
	struct slot *s, const struct side *now, const struct side *before, unsigned commit)
{
	struct evidence e;

	if (!now->n || !before->n || !noisy_compare(now, before, &e) || !e.relative)
		return;
	s->links = xgrow(s->links, s->n_links, &s->cap_links, sizeof(*s->links));
	s->links[s->n_links++] = (struct link){commit, e.change, e.p_up, e.p_down};
}

static struct side side_of(const struct kept *k)
{
	return (struct side){.values = k->v, .pairs = k->pairs, .n = k->n};
}

/* The newest session that both commits were measured in. */
static bool share_session(const struct kept *now, size_t n_now, const struct kept *before,
	size_t n_before, const struct kept **ret_now, const struct kept **ret_before)
{
	size_t i, k;

	for (i = 0; i < n_now; i++) {
		for (k = 0; k < n_before; k++) {
			if (!*now[i].session || now[i].session != before[k].session || !now[i].n ||
				!before[k].n)
				continue;
			*ret_now = &now[i];
			*ret_before = &before[k];
			return true;
		}
	}
	return false;
}

static void observe_samples(struct slot *s, const struct session_values *of, unsigned commit)
{
	struct slot before = *s;
	const struct kept *now, *then;
	struct side a = {0}, b = {0};

	s->kept = NULL;
	s->n_kept = 0;
	keep(s, of);
	if (s->pool) {
		_cleanup_(freep) struct num *all = put_together(s->kept, s->n_kept, &a.n),
					    *old = put_together(before.kept, before.n_kept, &b.n);
		a.values = all;
		b.values = old;
		link_commits(s, &a, &b, commit);
	} else if (share_session(s->kept, s->n_kept, before.kept, before.n_kept, &now, &then)) {
		a = side_of(now);
		b = side_of(then);
		link_commits(s, &a, &b, commit);
	}
	forget(&before);
}

/* Commits in a row with the same value are one observation. */
static void observe_exact(struct slot *s, const struct measured *x, unsigned commit)
{
	const struct num median = median_of(&x->newest);
	struct observation *last = s->n ? &s->v[s->n - 1] : NULL;

	if (last && num_cmp(last->median, median) == 0)
		last->until = commit;
	else
		push(s, median, NULL, commit);
}

/* The runner whose numbers the pair's base has. */
static const char *runner_of(const struct slot *s, const struct pair *p)
{
	return s->across == ACROSS_FALLBACK && p->base.runner ? p->base.runner : p->key.runner;
}

/* Of several runners that measured a commit the series' own counts, else the nearest. */
static bool counts(
	const struct slot *s, const struct pair *p, struct measurements *m, struct measured *of)
{
	struct measured like = *of, *own;

	like.key.runner = runner_of(s, p);
	if (!strcmp(of->key.runner, like.key.runner))
		return true;
	if (s->across != ACROSS_YES)
		return false;
	own = measurements_find_on(m, &like, like.key.runner);
	return !(own && own->newest.n) && on_other_runner(m, &like, false) == of;
}

/* Levels look at the newest PAST_COMMITS of the base's line, and sessions count once. */
static void observe_in(struct slot *s, const struct line_commit *c, const struct measured *of,
	unsigned commit, bool older)
{
	if (has_sessions(s) && !c->again)
		observe_session(s, &of->newest, is_measured_otherwise(&of->newest), commit);
	if (c->own || older)
		return;
	if (s->kind == KIND_SAMPLES)
		observe_samples(s, &of->newest, commit);
	else if (s->kind == KIND_EXACT && of->newest.n)
		observe_exact(s, of, commit);
}

static void observe(struct comparison *x, struct pasts *p, struct measurements *m,
	struct measured *of, unsigned commit)
{
	const struct line_commit *c = &p->line.v[commit];
	uint32_t identity = measurements_identity(m, of);
	uint32_t at = identity < p->n_by_identity ? p->by_identity[identity] : 0;

	for (; at; at = p->slots[at - 1].next) {
		struct slot *s = &p->slots[at - 1];
		if (counts(s, &x->pairs[s->pair], m, of))
			observe_in(s, c, of, commit, commit < p->line.recent);
	}
}

/* What no pair asks for need not be loaded. */
static bool is_asked_for(void *ctx, const struct series_key *k, int64_t id)
{
	struct comparison *x = ctx;
	struct pasts *p = x->pasts;
	uint32_t identity = names_stored_identity(&x->names, k, id);
	uint32_t at = identity < p->n_by_identity ? p->by_identity[identity] : 0;

	while (at && !has_sessions(&p->slots[at - 1]) && p->commit < p->line.recent)
		at = p->slots[at - 1].next;
	return at;
}

static int observe_commit(struct comparison *x, struct pasts *p, unsigned commit, struct err *err)
{
	struct narrowing narrowing = *x->narrowing;
	struct measurements m;
	size_t i;
	int r;

	p->commit = commit;
	narrowing.wants = is_asked_for;
	narrowing.ctx = x;
	measurements_init(&m, &x->names);
	r = measurements_add_runs(&m, x->c->store, &p->line.v[commit].runs, NULL, &narrowing, err);
	for (i = 0; r == 0 && i < m.n; i++)
		observe(x, p, &m, &m.v[i], commit);
	measurements_release(&m);
	return r;
}

static int observe_line(struct comparison *x, struct pasts *p, struct err *err)
{
	struct progress *progress = progress_start("reading the history");
	size_t i;
	int r = 0;

	p->commits = xcalloc(p->line.n, sizeof(*p->commits));
	for (i = 0; r == 0 && i < p->line.n; i++) {
		const struct line_commit *c = &p->line.v[i];
		p->commits[i] = (struct past_commit){c->sha, c->distance, c->own};
		r = observe_commit(x, p, (unsigned)i, err);
		progress_update(progress, (double)i, (double)p->line.n);
	}
	progress_end(progress);
	return r;
}

/* ---- what follows ---- */

/* A session that measured head too is not another one. */
static size_t without_session(const struct slot *s, const char *session)
{
	return s->n && session && s->session && !strcmp(s->session, session) ? s->n - 1 : s->n;
}

/* The same by time, where it may be any. What head's session says comes last, whenever it was. */
static size_t by_time(struct pasts *p, struct slot *s, const char *session)
{
	size_t n = past_by_time(&p->times, &p->line, s->v, s->n), i, left = 0;

	for (i = 0; i < n; i++)
		if (!session || strcmp(s->v[i].session, session) != 0)
			s->v[left++] = s->v[i];
	return left;
}

static size_t finish(struct pasts *p, struct slot *s, const struct pair *pair)
{
	if (s->kind == KIND_EXACT)
		return s->n;
	return past_is_by_time(&pair->key) ? by_time(p, s, pair->head.session)
					   : without_session(s, pair->head.session);
}

static int give(struct comparison *x, struct pasts *p, bool on_line, struct err *err)
{
	size_t i;

	p->v = xcalloc(p->n, sizeof(*p->v));
	for (i = 0; i < p->n; i++) {
		struct slot *s = &p->slots[i];
		struct pair *pair = &x->pairs[s->pair];

		p->v[i] = (struct past){.commits = p->commits,
			.v = s->v,
			.n = finish(p, s, pair),
			.links = s->links,
			.n_links = s->n_links};
		pair->past = &p->v[i];
		if (s->kind == KIND_EXACT && pair_take_level(x->c->policy, pair, on_line, err) < 0)
			return -1;
	}
	return 0;
}

static void note_unseen(struct comparison *x, const struct pasts *p, const struct baseline *base)
{
	x->line_cut = true;
	comparison_note(x,
		"how %s goes on behind %.12s is not known here: whether one of %lld more measured commits left it worse cannot be seen",
		base->guess, p->line.n ? p->line.v[0].sha : base->start, (long long)p->line.unseen);
}

int comparison_past(struct comparison *x, const struct baseline *base, const char *head_sha,
	enum past_levels levels, bool on_line, struct err *err)
{
	struct pasts *p = xcalloc(1, sizeof(*p));
	bool noisy = false;

	x->pasts = p;
	if (choose_pairs(x, p, levels, &noisy, err) < 0)
		return -1;
	if (!p->n)
		return 0;
	if (line_find(&p->line, x->c, base, head_sha,
		    levels == PAST_EVER ? LINE_WHOLE
		    : noisy             ? PAST_SESSIONS
					: PAST_COMMITS,
		    noisy && !on_line, err) < 0 ||
		observe_line(x, p, err) < 0)
		return -1;
	if (levels == PAST_LEVELS && p->line.unseen)
		note_unseen(x, p, base);
	return give(x, p, on_line, err);
}
