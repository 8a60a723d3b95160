/* What a depot's branch holds. */
#include "depot-private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 64 << 20 };

#define TRACKED "refs/perfgate/data"

static int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int compare_files(const void *a, const void *b)
{
	return strcmp(((const struct depot_file *)a)->path, ((const struct depot_file *)b)->path);
}

static void stop_objects(struct depot *d)
{
	_cleanup_(buf_release) struct buf errors = BUF_INIT;

	if (!d->answers)
		return;
	fclose(d->answers);
	d->answers = NULL;
	proc_finish(&d->objects, false, &errors);
}

void depot_forget(struct depot *d)
{
	size_t i;

	stop_objects(d);
	for (i = 0; i < d->n_files; i++)
		free(d->files[i].path);
	free(d->files);
	free(d->held.v);
	d->files = NULL;
	d->held = (struct names){0};
	d->n_files = d->cap_files = d->strangers = 0;
	d->tip[0] = d->root[0] = '\0';
}

int depot_look(struct depot *d, char ret[65], struct err *err)
{
	const char *argv[] = {"ls-remote", "-q", "--", d->remote, DEPOT_REF, NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	const char *line;
	int status;

	if (depot_git(d, argv, DEPOT_NETWORK_S, &out, &errors, &status, err) < 0)
		return -1;
	if (status)
		return depot_failed(d, "reach", &errors, err);
	/* git matches the end of names: refs/x/refs/heads/... would be another */
	for (line = buf_str(&out); *line; line += strcspn(line, "\n") + 1) {
		size_t n = strspn(line, "0123456789abcdef");
		if ((n == 40 || n == 64) &&
			!strncmp(line + n, "\t" DEPOT_REF "\n", sizeof(DEPOT_REF) + 1)) {
			snprintf(ret, 65, "%.*s", (int)n, line);
			return 1;
		}
	}
	return 0;
}

/* ---- objects ---- */

static int start_objects(struct depot *d, struct err *err)
{
	static const char *const argv[] = {"cat-file", "--batch", NULL};
	int fd;

	if (d->answers)
		return 0;
	if (depot_start(d, &d->objects, argv, err) < 0)
		return -1;
	fd = dup(d->objects.out);
	d->answers = fd >= 0 ? fdopen(fd, "r") : NULL;
	return d->answers ? 0 : err_set(err, ERR_IO, "cannot read from git");
}

static int copy(FILE *from, FILE *to, long long n)
{
	char chunk[65536];

	while (n > 0) {
		size_t want = n < (long long)sizeof(chunk) ? (size_t)n : sizeof(chunk);
		size_t got = fread(chunk, 1, want, from);
		if (got == 0 || fwrite(chunk, 1, got, to) != got)
			return -1;
		n -= (long long)got;
	}
	return 0;
}

static int read_blob(struct depot *d, const char *blob, long long max, FILE *to, struct err *err)
{
	char line[256];
	size_t n = strlen(blob);
	long long size;

	if (start_objects(d, err) < 0 || proc_write(&d->objects, blob, n, err) < 0 ||
		proc_write(&d->objects, "\n", 1, err) < 0)
		return -1;
	if (!fgets(line, sizeof(line), d->answers) || strncmp(line, blob, n) ||
		strncmp(line + n, " blob ", 6))
		return err_set(err, ERR_GIT, "git cannot read the object %s", blob);
	size = strtoll(line + n + 6, NULL, 10);
	if (size < 0 || size > max)
		return err_set(err, ERR_GIT, "the object %s is larger than %lld bytes", blob, max);
	if (copy(d->answers, to, size) < 0 || fgetc(d->answers) != '\n')
		return err_set(err, ERR_GIT, "git did not give all of the object %s", blob);
	return fflush(to) == 0 ? 0 : err_set(err, ERR_IO, "cannot write a temporary file");
}

int depot_read(struct depot *d, const struct depot_file *file, FILE *to, struct err *err)
{
	return read_blob(d, file->blob, 1LL << 40, to, err);
}

/* A small file's text. */
static int read_text(struct depot *d, const struct depot_file *file, char **ret, struct err *err)
{
	size_t len;
	FILE *f = open_memstream(ret, &len);
	int r;

	if (!f)
		return err_set(err, ERR_IO, "out of memory");
	r = read_blob(d, file->blob, TEXT_MAX, f, err);
	fclose(f);
	return r;
}

/* ---- the branch ---- */

static bool is_name(const char *s, const char *suffix, char ret[65])
{
	if (strspn(s, "0123456789abcdef") != 64 || strcmp(s + 64, suffix))
		return false;
	snprintf(ret, 65, "%.64s", s);
	return true;
}

/* Takes a path apart; what is not exactly so is none of perfgate's, whatever it is. */
static bool parse_path(const char *path, struct depot_file *ret)
{
	*ret = (struct depot_file){0};
	if (!strncmp(path, "data/", 5) && path[5] && path[6] && path[7] == '/')
		return is_name(path + 8, ".ndjson", ret->name) && !strncmp(path + 5, ret->name, 2);
	ret->names = true;
	return !strncmp(path, "names/", 6) && is_name(path + 6, ".txt", ret->name);
}

/* "100644 blob SHA\tPATH" */
static bool parse_entry(const char *entry, char blob[65], const char **path)
{
	static const char lead[] = "100644 blob ";
	size_t n;

	if (strncmp(entry, lead, sizeof(lead) - 1))
		return false;
	entry += sizeof(lead) - 1;
	n = strspn(entry, "0123456789abcdef");
	if ((n != 40 && n != 64) || entry[n] != '\t')
		return false;
	snprintf(blob, 65, "%.*s", (int)n, entry);
	*path = entry + n + 1;
	return true;
}

static void add_entry(struct depot *d, const char *entry, struct depot_file *header)
{
	struct depot_file f;
	const char *path;
	char blob[65];

	if (!parse_entry(entry, blob, &path)) {
		d->strangers++;
	} else if (!strcmp(path, "perfgate-data")) {
		memcpy(header->blob, blob, sizeof(blob));
	} else if (!parse_path(path, &f)) {
		d->strangers++;
	} else {
		memcpy(f.blob, blob, sizeof(blob));
		f.path = xstrdup(path);
		d->files = xgrow(d->files, d->n_files, &d->cap_files, sizeof(*d->files));
		d->files[d->n_files++] = f;
	}
}

static int list_tree(struct depot *d, struct depot_file *header, struct err *err)
{
	const char *argv[] = {"ls-tree", "-r", "-z", "--full-tree", d->tip, NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	size_t at;
	int status;

	if (depot_git(d, argv, DEPOT_LOCAL_S, &out, &errors, &status, err) < 0)
		return -1;
	if (status)
		return depot_failed(d, "list what came from", &errors, err);
	for (at = 0; at < out.len; at += strlen(out.p + at) + 1)
		add_entry(d, out.p + at, header);
	if (d->n_files)
		qsort(d->files, d->n_files, sizeof(*d->files), compare_files);
	return 0;
}

static int foreign(const struct depot *d, struct err *err)
{
	return err_set(err, ERR_GIT,
		"the branch " DEPOT_BRANCH " of %s holds something else than perfgate's data",
		d->shown);
}

static int read_header(struct depot *d, const struct depot_file *header, struct err *err)
{
	_cleanup_(freep) char *text = NULL;
	const char *root;

	if (!*header->blob)
		return foreign(d, err);
	if (read_text(d, header, &text, err) < 0)
		return -1;
	if (strncmp(text, "perfgate data ", 14))
		return foreign(d, err);
	if (strncmp(text + 14, "1\n", 2))
		return err_set(err, ERR_GIT,
			"the branch " DEPOT_BRANCH
			" of %s is of a newer version; this perfgate knows 1",
			d->shown);
	root = strstr(text, "\nroot ");
	if (root)
		sscanf(root + 6, "%64[0-9a-f]", d->root);
	return 0;
}

static void hold(struct depot *d, const char *name)
{
	d->held.v = xgrow(d->held.v, d->held.n, &d->held.cap, sizeof(*d->held.v));
	memcpy(d->held.v[d->held.n++], name, 65);
}

static int read_names(struct depot *d, struct err *err)
{
	char *line, *rest, name[65];
	size_t i;

	for (i = 0; i < d->n_files; i++) {
		_cleanup_(freep) char *text = NULL;
		if (!d->files[i].names) {
			hold(d, d->files[i].name);
			continue;
		}
		if (read_text(d, &d->files[i], &text, err) < 0)
			return -1;
		for (rest = text; (line = strsep(&rest, "\n"));)
			if (is_name(line, "", name))
				hold(d, name);
	}
	if (d->held.n)
		qsort(d->held.v, d->held.n, sizeof(*d->held.v), compare_names);
	return 0;
}

int depot_fetch(struct depot *d, struct err *err)
{
	const char *argv[] = {"fetch", "-q", "--depth=1", "--no-tags", "--no-recurse-submodules",
		"--no-write-fetch-head", "--", d->remote, "+" DEPOT_REF ":" TRACKED, NULL};
	static const char *const parse[] = {"rev-parse", "--verify", TRACKED "^{commit}", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	struct depot_file header = {0};
	int status, r;

	depot_forget(d);
	r = d->exists ? 1 : depot_look(d, d->tip, err);
	if (r <= 0)
		return r;
	d->exists = true;
	if (depot_git(d, argv, DEPOT_NETWORK_S, &out, &errors, &status, err) < 0)
		return -1;
	if (status)
		return depot_failed(d, "fetch from", &errors, err);
	if (depot_git(d, parse, DEPOT_LOCAL_S, &out, &errors, &status, err) < 0)
		return -1;
	if (status || sscanf(buf_str(&out), "%64[0-9a-f]", d->tip) != 1)
		return depot_failed(d, "read what came from", &errors, err);
	if (list_tree(d, &header, err) < 0 || read_header(d, &header, err) < 0)
		return -1;
	return read_names(d, err) < 0 ? -1 : 1;
}

size_t depot_files(const struct depot *d, const struct depot_file **ret)
{
	*ret = d->files;
	return d->n_files;
}

size_t depot_strangers(const struct depot *d)
{
	return d->strangers;
}

const char *depot_root(const struct depot *d)
{
	return d->root;
}

const char *depot_tip(const struct depot *d)
{
	return d->tip;
}

bool depot_has(const struct depot *d, const char *name)
{
	return d->held.n && bsearch(name, d->held.v, d->held.n, sizeof(*d->held.v), compare_names);
}

size_t depot_names(const struct depot *d, const char (**ret)[65])
{
	*ret = (const char(*)[65])d->held.v;
	return d->held.n;
}
