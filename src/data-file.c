#include "data-file.h"

#include "export.h"
#include "intern.h"
#include "sha256.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Unmeasured commits that a session's file tells of before one of its own; a walk for a base is
 * no longer. */
enum { LINEAGE_MAX = 1000 };

/* ---- names ---- */

static bool counts(const char *line)
{
	static const char *const kinds[] = {"{\"run\":", "{\"tombstone\":", "{\"judgement\":"};
	size_t i;

	for (i = 0; i < ARRAY_LEN(kinds); i++)
		if (!strncmp(line, kinds[i], strlen(kinds[i])))
			return true;
	return false;
}

int data_name_of_file(const char *path, char ret[65], struct err *err)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	bool begins = true, counted = false;
	struct sha256 *h;
	char chunk[65536];

	if (!f)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	h = sha256_new();
	while (fgets(chunk, sizeof(chunk), f)) {
		size_t n = strlen(chunk);
		if (begins)
			counted = counts(chunk);
		if (counted)
			sha256_add(h, chunk, n);
		begins = n && chunk[n - 1] == '\n';
	}
	sha256_end(h, ret);
	return ferror(f) ? err_set(err, ERR_IO, "%s: cannot be read", path) : 0;
}

/* ---- which files ---- */

/* Runs without a session go by commit. */
static int compare_sessions(const struct store_run *a, const struct store_run *b)
{
	int c = strcmp(a->session, b->session);

	return c || *a->session ? c : strcmp(a->sha, b->sha);
}

static int compare_runs(const void *a, const void *b)
{
	const struct store_run *x = *(const struct store_run *const *)a,
			       *y = *(const struct store_run *const *)b;
	int c = compare_sessions(x, y);

	return c ? c : (x > y) - (x < y);
}

static void choose_runs(struct data_files *f)
{
	size_t i;

	f->runs = xcalloc(f->stored.n + 1, sizeof(*f->runs));
	f->measured = intern_new();
	for (i = 0; i < f->stored.n; i++) {
		const struct store_run *r = &f->stored.v[i];
		if (strcmp(r->tree_state, "clean"))
			continue;
		f->runs[f->n_runs++] = r;
		intern_add(f->measured, r->sha, strlen(r->sha));
	}
	if (f->n_runs)
		qsort(f->runs, f->n_runs, sizeof(*f->runs), compare_runs);
}

/* What tells a run from all others that are clean. */
static char *key_of(const char *sha, const char *digest, const char *runner)
{
	return xasprintf("%s %s %s", sha, digest, runner);
}

/* The undoing of a run's drop; NULL it was never dropped. */
static struct undone *undone_of(const struct data_files *f, const struct store_run *r)
{
	_cleanup_(freep) char *key = key_of(r->sha, r->digest, r->runner_key);
	uint32_t id = intern_find(f->undone_keys, key, strlen(key));

	return id == INTERN_NONE ? NULL : &f->undone[id];
}

/* Those of its runs. */
static void write_undone(const struct data_file *file, FILE *f)
{
	size_t i;

	for (i = 0; i < file->n_runs; i++) {
		struct undone *u = undone_of(file->all, file->all->runs[file->first + i]);
		if (!u)
			continue;
		fputs(u->line, f);
		u->with_run = true;
	}
}

static int name_runs(struct data_file *file, struct err *err)
{
	_cleanup_(freep) char *text = NULL;
	size_t len = 0, i;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return err_set(err, ERR_IO, "no memory for a text");
	write_undone(file, f);
	for (i = 0; i < file->n_runs; i++)
		export_run_line(f, file->all->runs[file->first + i]);
	fclose(f);
	sha256_hex(text, len, file->name);
	return 0;
}

static struct data_file *add_file(struct data_files *f)
{
	f->v = xgrow(f->v, f->n, &f->cap, sizeof(*f->v));
	f->v[f->n] = (struct data_file){.all = f};
	return &f->v[f->n++];
}

static int add_pruned(void *ctx, const char *session, int64_t at, struct err *err)
{
	struct data_files *f = ctx;
	uint32_t id = intern_add(f->pruned, session, strlen(session));

	(void)err;
	f->pruned_at = xgrow(f->pruned_at, id, &f->cap_pruned, sizeof(*f->pruned_at));
	f->pruned_at[id] = at;
	return 0;
}

/* What is left of a session after a part of it was pruned is no news. */
static bool is_rest(const struct data_files *f, size_t first, size_t end)
{
	const char *session = f->runs[first]->session;
	uint32_t id = intern_find(f->pruned, session, strlen(session));

	if (id == INTERN_NONE)
		return false;
	while (first < end && f->runs[first]->ingested_at <= f->pruned_at[id])
		first++;
	return first == end;
}

static int add_sessions(struct data_files *f, struct err *err)
{
	struct data_file *file;
	size_t i, k;

	for (i = 0; i < f->n_runs; i = k) {
		for (k = i + 1; k < f->n_runs && !compare_sessions(f->runs[i], f->runs[k]); k++)
			;
		if (is_rest(f, i, k))
			continue;
		file = add_file(f);
		file->first = i;
		file->n_runs = k - i;
		if (name_runs(file, err) < 0)
			return -1;
	}
	return 0;
}

/* Runs that were dropped at the same moment were dropped by one command. */
static struct dropped *drop_of(struct data_files *f, int64_t at, bool undone)
{
	size_t i;

	for (i = 0; i < f->n_drops; i++)
		if (f->drops[i].at == at && f->drops[i].undone == undone)
			return &f->drops[i];
	f->drops = xgrow(f->drops, f->n_drops, &f->cap_drops, sizeof(*f->drops));
	f->drops[f->n_drops] =
		(struct dropped){.at = at, .undone = undone, .commits = intern_new()};
	return &f->drops[f->n_drops++];
}

static void add_drop(
	struct data_files *f, int64_t at, bool undone, const char *sha, const char *line)
{
	struct dropped *drop = drop_of(f, at, undone);

	buf_addstr(&drop->lines, line);
	intern_add(drop->commits, sha, strlen(sha));
}

static void add_undone(struct data_files *f, const struct tombstone *t, const char *line)
{
	_cleanup_(freep) char *key = key_of(t->sha, t->digest, t->runner_key);
	uint32_t id = intern_add(f->undone_keys, key, strlen(key));

	f->undone = xgrow(f->undone, id, &f->cap_undone, sizeof(*f->undone));
	f->undone[id] =
		(struct undone){.line = xstrdup(line), .sha = xstrdup(t->sha), .at = t->dropped_at};
}

static int add_tombstone(void *ctx, const struct tombstone *t, struct err *err)
{
	_cleanup_(freep) char *text = NULL;
	bool undone = !strcmp(t->tree_state, TOMBSTONE_UNDONE "clean");
	size_t len = 0;
	FILE *f;

	if (!undone && strcmp(t->tree_state, "clean"))
		return 0;
	f = open_memstream(&text, &len);
	if (!f)
		return err_set(err, ERR_IO, "no memory for a text");
	export_tombstone(f, t, err);
	fclose(f);
	if (undone)
		add_undone(ctx, t, text);
	else
		add_drop(ctx, t->dropped_at, false, t->sha, text);
	return 0;
}

/* What was undone goes with the run that came back, where it did. */
static void add_drops(struct data_files *f)
{
	size_t i;

	for (i = 0; i < intern_count(f->undone_keys); i++)
		if (!f->undone[i].with_run)
			add_drop(f, f->undone[i].at, true, f->undone[i].sha, f->undone[i].line);
	for (i = 0; i < f->n_drops; i++) {
		struct data_file *file = add_file(f);

		file->drop = &f->drops[i];
		sha256_hex(file->drop->lines.p, file->drop->lines.len, file->name);
	}
}

/* ---- recorded gates ---- */

/* A file each. */
static int add_judgement(void *ctx, const struct judgement_fact *j, struct err *err)
{
	struct data_files *f = ctx;
	struct data_file *file;
	char *text = NULL;
	size_t len = 0;
	FILE *m;

	if (strcmp(j->tree_state, "clean"))
		return 0;
	m = open_memstream(&text, &len);
	if (!m)
		return err_set(err, ERR_IO, "no memory for a text");
	export_judgement(m, j, err);
	fclose(m);
	f->judgements =
		xgrow(f->judgements, f->n_judgements, &f->cap_judgements, sizeof(*f->judgements));
	f->judgements[f->n_judgements++] = text;
	file = add_file(f);
	file->judgement = text;
	sha256_hex(text, strcspn(text, "\n") + 1, file->name);
	return 0;
}

int data_files_load(struct data_files *ret, struct store *s, struct err *err)
{
	*ret = (struct data_files){.s = s, .undone_keys = intern_new(), .pruned = intern_new()};
	if (store_pruned_sessions(s, add_pruned, ret, err) < 0 || store_series_load(s, err) < 0 ||
		store_runs_exported(s, &ret->stored, err) < 0 ||
		store_tombstones(s, add_tombstone, ret, err) < 0)
		return -1;
	choose_runs(ret);
	if (add_sessions(ret, err) < 0)
		return -1;
	add_drops(ret);
	return store_judgements_exported(s, add_judgement, ret, err);
}

void data_files_release(struct data_files *f)
{
	size_t i;

	for (i = 0; i < f->n_drops; i++) {
		buf_release(&f->drops[i].lines);
		intern_free(f->drops[i].commits);
	}
	free(f->drops);
	for (i = 0; f->undone_keys && i < intern_count(f->undone_keys); i++) {
		free(f->undone[i].line);
		free(f->undone[i].sha);
	}
	free(f->undone);
	for (i = 0; i < f->n_judgements; i++)
		free(f->judgements[i]);
	free(f->judgements);
	intern_free(f->undone_keys);
	intern_free(f->pruned);
	free(f->pruned_at);
	free(f->v);
	free(f->runs);
	intern_free(f->measured);
	store_runs_release(&f->stored);
}

/* ---- one file ---- */

static bool is_measured(const struct data_files *f, const char *sha)
{
	return intern_find(f->measured, sha, strlen(sha)) != INTERN_NONE;
}

/* A commit and its unmeasured first parents, as far as the store knows them. */
static int write_lineage(
	struct data_files *all, const char *sha, struct intern *seen, FILE *f, struct err *err)
{
	struct commit_fact c;
	char at[65];
	int i, r;

	snprintf(at, sizeof(at), "%s", sha);
	for (i = 0; i <= LINEAGE_MAX; i++) {
		uint32_t known = intern_count(seen);

		if (intern_add(seen, at, strlen(at)) < known)
			return 0;
		r = store_commit(all->s, at, &c, err);
		if (r <= 0)
			return r;
		export_commit(f, &c, err);
		if (c.n_parents <= 0 || is_measured(all, c.parents[0]))
			return 0;
		snprintf(at, sizeof(at), "%s", c.parents[0]);
	}
	return 0;
}

static int write_runs(const struct data_file *file, FILE *f, struct err *err)
{
	struct data_files *all = file->all;
	struct intern *seen = intern_new();
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < file->n_runs; i++)
		r = write_lineage(all, all->runs[file->first + i]->sha, seen, f, err);
	intern_free(seen);
	write_undone(file, f);
	for (i = 0; r == 0 && i < file->n_runs; i++)
		r = export_run(f, all->s, all->runs[file->first + i], err);
	return r;
}

static int write_drop(const struct data_file *file, FILE *f, struct err *err)
{
	const struct intern *commits = file->drop->commits;
	struct intern *seen = intern_new();
	uint32_t i;
	int r = 0;

	for (i = 0; r == 0 && i < intern_count(commits); i++)
		r = write_lineage(file->all, intern_get(commits, i, NULL), seen, f, err);
	intern_free(seen);
	fputs(file->drop->lines.p, f);
	return r;
}

int data_file_write(void *file, FILE *f, struct err *err)
{
	const struct data_file *x = file;

	export_head(f, x->judgement ? 2 : 1);
	if (x->judgement) {
		fputs(x->judgement, f);
		return 0;
	}
	return x->drop ? write_drop(x, f, err) : write_runs(x, f, err);
}
