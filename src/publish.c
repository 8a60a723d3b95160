#include "publish-private.h"

#include "forge.h"
#include "stage.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = 3 * 1000 * 1000 /* points of which samples are drawn */ };

/* ---- addresses ---- */

/* Whether there is a user's name or a password before the host at p. */
static bool has_credentials(const char *p)
{
	return memchr(p, '@', strcspn(p, "/?#")) != NULL;
}

/* What goes into pages has to be an address that leads to a page, and nothing that ends it. */
static int check_url(const char *option, const char *url, struct err *err)
{
	const char *p = url;

	if (!strncmp(url, "https://", 8))
		p += 8;
	else if (!strncmp(url, "http://", 7))
		p += 7;
	if (p == url || !*p || *p == '/')
		return err_set(err, ERR_USAGE,
			"%s '%.100s': it has to begin with https:// or http:// and a host", option,
			url);
	if (has_credentials(p))
		return err_set(err, ERR_USAGE,
			"%s: the address has a user's name or a password in it, which whoever opens a page could read; leave out what stands before the '@'",
			option);
	for (; *p; p++)
		if ((unsigned char)*p <= ' ' || (unsigned char)*p >= 0x7f ||
			strchr("\"'<>\\^`|", *p))
			return err_set(err, ERR_USAGE,
				"%s '%.100s': a blank or another character that no address has",
				option, url);
	return 0;
}

static int find_addresses(struct publishing *p, struct err *err)
{
	const struct publish_options *o = p->o;

	if (o->base_url && check_url("--base-url", o->base_url, err) < 0)
		return -1;
	if (o->base_url && strpbrk(o->base_url, "?#"))
		return err_set(err, ERR_USAGE,
			"--base-url '%.100s': the names of files are to follow it, so it can have no '?' or '#'",
			o->base_url);
	if (o->commit_url && check_url("--commit-url", o->commit_url, err) < 0)
		return -1;
	if (o->commit_url && !strstr(o->commit_url, "{sha}"))
		return err_set(err, ERR_USAGE,
			"--commit-url '%.100s': {sha} has to stand where the commit goes",
			o->commit_url);
	if (o->base_url)
		p->url = xasprintf("%s%s", o->base_url,
			o->base_url[strlen(o->base_url) - 1] == '/' ? "" : "/");
	p->commit_url = o->commit_url ? xstrdup(o->commit_url)
			: p->c->git   ? forge_commit_url()
				      : NULL;
	return 0;
}

/* ---- what the whole site knows ---- */

static char *title_of(const struct publishing *p)
{
	const char *top = p->c->git ? git_toplevel(p->c->git) : NULL;
	const char *slash = top ? strrchr(top, '/') : NULL;
	_cleanup_(buf_release) struct buf name = BUF_INIT;

	if (p->o->title)
		return xstrdup(p->o->title);
	if (!slash || !slash[1])
		return xstrdup("Benchmarks");
	text_sanitize(&name, slash + 1, strlen(slash + 1));
	return xasprintf("%s: benchmarks", name.p);
}

static void know_commits(struct publishing *p)
{
	const struct trending *t = p->t;
	size_t i;

	p->commits = xcalloc(t->n_commits + 1, sizeof(*p->commits));
	for (i = 0; i < t->n_commits; i++)
		p->commits[i] = (struct site_commit){t->commits[i].sha, t->commits[i].at};
	p->site.commits = p->commits;
	p->site.n_commits = t->n_commits;
	p->site.newest = TIME_UNKNOWN;
	for (i = 0; i < t->n_sessions; i++)
		if (t->sessions[i].at > p->site.newest)
			p->site.newest = t->sessions[i].at;
}

static int know(struct publishing *p, struct err *err)
{
	char root[65] = "";

	if (find_addresses(p, err) < 0 || store_root(p->c->store, root, err) < 0)
		return -1;
	p->title = title_of(p);
	p->site.title = p->title;
	p->site.url = p->url;
	p->site.commit_url = p->commit_url;
	p->site.root = intern_get(p->texts, intern_add(p->texts, root, strlen(root)), NULL);
	p->data_dir = publish_find_uplot(p->o);
	p->site.uplot = p->data_dir != NULL;
	know_commits(p);
	publish_limit(p);
	p->site.medians_alone = trending_count(p->t) > SAMPLES_MAX / (p->t->n_commits + 1);
	return 0;
}

/* ---- all of it ---- */

int publish_put(struct publishing *p, const char *path, struct err *err)
{
	const int r = tree_put(p->tree, path, buf_str(&p->page), p->page.len, err);

	buf_clear(&p->page);
	return r;
}

static void release(struct publishing *p)
{
	size_t i;

	/* those of a benchmark that failed, too */
	for (i = 0; i < p->cap_series; i++)
		free(p->series[i].spark);
	for (i = 0; i < p->n_gates; i++)
		free(p->gates[i].counts);
	tree_close(p->tree);
	intern_free(p->texts);
	intern_free(p->lines);
	buf_release(&p->page);
	free(p->commits);
	free(p->title);
	free(p->url);
	free(p->commit_url);
	free(p->data_dir);
	free(p->series);
	free(p->benchmarks);
	free(p->suites);
	free(p->steps);
	free(p->gates);
	free(p->rows);
	free(p->codes);
	free(p->odd);
}

static int write_all_of(struct publishing *p, struct published *ret,
	void (*progress)(void *ctx, double done, double of), void *ctx, struct err *err)
{
	if (know(p, err) < 0)
		return -1;
	p->tree = tree_open(p->o->dir, p->o->force, err);
	if (!p->tree || publish_assets(p, err) < 0 ||
		trending_each(p->t, publish_benchmark, p, progress, ctx, err) < 0 ||
		publish_gates(p, err) < 0 || publish_lists(p, err) < 0 ||
		publish_comparison(p, err) < 0)
		return -1;
	*ret = (struct published){.benchmarks = p->n_benchmarks,
		.series = p->n_series,
		.commits = p->site.n_commits,
		.uplot = p->site.uplot};
	return tree_finish(p->tree, &ret->counts, err);
}

int publish(struct context *c, const struct publish_options *o, struct published *ret,
	void (*progress)(void *ctx, double done, double of), void *ctx, struct err *err)
{
	struct trending t;
	struct publishing p = {.c = c, .o = o, .t = &t};
	int r;

	PERFGATE_SCOPE("publish");
	if (trending_init(&t, c, &o->trending, err) < 0)
		return -1;
	p.texts = intern_new();
	p.lines = intern_new();
	r = write_all_of(&p, ret, progress, ctx, err);
	release(&p);
	trending_release(&t);
	return r;
}
