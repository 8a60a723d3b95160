/* What a depot's branch holds. */
#include "depot-private.h"

#include "sha256.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the branch may hold of what is kept in memory. */
enum { HEADER_MAX = 4096, NAMES_MAX = 64 << 20, HELD_MAX = 1000000 };

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
	_cleanup_(buf_release) struct buf out = BUF_INIT;
	const char *line;

	if (depot_ask(d, argv, "reach", &out, err) < 0)
		return -1;
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
	return read_blob(d, file->blob, DEPOT_FILE_MAX, to, err);
}

/* A small file's text. */
static int read_text(struct depot *d, const struct depot_file *file, long long max, char **ret,
	size_t *len, struct err *err)
{
	FILE *f = open_memstream(ret, len);
	int r;

	if (!f)
		return err_set(err, ERR_IO, "out of memory");
	r = read_blob(d, file->blob, max, f, err);
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
	if (!strncmp(path, "data/", 5) && path[5] && path[6] && path[7] == '/')
		return is_name(path + 8, ".ndjson", ret->name) && !strncmp(path + 5, ret->name, 2);
	ret->names = true;
	return !strncmp(path, "names/", 6) && is_name(path + 6, ".txt", ret->name);
}

/* "100644 blob SHA    SIZE\tPATH" */
static bool parse_entry(const char *entry, struct depot_file *ret, const char **path)
{
	static const char lead[] = "100644 blob ";
	char *end;
	size_t n;

	if (strncmp(entry, lead, sizeof(lead) - 1))
		return false;
	entry += sizeof(lead) - 1;
	n = strspn(entry, "0123456789abcdef");
	if ((n != 40 && n != 64) || entry[n] != ' ')
		return false;
	snprintf(ret->blob, sizeof(ret->blob), "%.*s", (int)n, entry);
	ret->size = strtoll(entry + n, &end, 10);
	*path = end + 1;
	return *end == '\t';
}

static void add_stranger(struct depot *d, const char *entry)
{
	const char *tab = strchr(entry, '\t');

	if (d->strangers++ == 0)
		snprintf(d->stranger, sizeof(d->stranger), "%s", tab ? tab + 1 : entry);
}

static void add_entry(struct depot *d, const char *entry, struct depot_file *header)
{
	struct depot_file f = {0};
	const char *path;

	if (!parse_entry(entry, &f, &path)) {
		add_stranger(d, entry);
	} else if (!strcmp(path, "perfgate-data")) {
		*header = f;
	} else if (!parse_path(path, &f)) {
		add_stranger(d, entry);
	} else {
		f.path = xstrdup(path);
		d->files = xgrow(d->files, d->n_files, &d->cap_files, sizeof(*d->files));
		d->files[d->n_files++] = f;
	}
}

static int list_tree(struct depot *d, struct depot_file *header, struct err *err)
{
	const char *argv[] = {"ls-tree", "-r", "-l", "-z", "--full-tree", d->tip, NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT;
	size_t at;

	if (depot_ask(d, argv, "list what came from", &out, err) < 0)
		return -1;
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
	size_t len;

	if (!*header->blob || header->size > HEADER_MAX)
		return foreign(d, err);
	if (read_text(d, header, HEADER_MAX, &text, &len, err) < 0)
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

static int hold(struct depot *d, const char *name, struct err *err)
{
	if (d->held.n == HELD_MAX)
		return err_set(err, ERR_GIT,
			"the branch " DEPOT_BRANCH " of %s names more than %d files", d->shown,
			HELD_MAX);
	d->held.v = xgrow(d->held.v, d->held.n, &d->held.cap, sizeof(*d->held.v));
	memcpy(d->held.v[d->held.n++], name, 65);
	return 0;
}

/* A list that is not what its name says is not believed: what it names would never be pushed. */
static int hold_listed(struct depot *d, const struct depot_file *file, struct err *err)
{
	_cleanup_(freep) char *text = NULL;
	char *line, *rest, name[65];
	size_t len;

	if (file->size > NAMES_MAX)
		return 0;
	if (read_text(d, file, NAMES_MAX, &text, &len, err) < 0)
		return -1;
	sha256_hex(text, len, name);
	if (strcmp(name, file->name))
		return 0;
	for (rest = text; (line = strsep(&rest, "\n"));)
		if (is_name(line, "", name) && hold(d, name, err) < 0)
			return -1;
	return 0;
}

static int read_names(struct depot *d, struct err *err)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < d->n_files; i++)
		r = d->files[i].names ? hold_listed(d, &d->files[i], err)
				      : hold(d, d->files[i].name, err);
	if (d->held.n)
		qsort(d->held.v, d->held.n, sizeof(*d->held.v), compare_names);
	return r;
}

/* Brings the branch's commit without its history. */
static int bring(struct depot *d, struct err *err)
{
	const char *argv[] = {"fetch", "-q", "--depth=1", "--no-tags", "--no-recurse-submodules",
		"--no-write-fetch-head", "--", d->remote, "+" DEPOT_REF ":" TRACKED, NULL};
	static const char *const parse[] = {"rev-parse", "--verify", TRACKED "^{commit}", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT;

	if (depot_ask(d, argv, "fetch from", &out, err) < 0)
		return -1;
	buf_clear(&out);
	if (depot_ask(d, parse, "read what came from", &out, err) < 0)
		return -1;
	if (sscanf(buf_str(&out), "%64[0-9a-f]", d->tip) != 1)
		return foreign(d, err);
	return 0;
}

int depot_fetch(struct depot *d, struct err *err)
{
	struct depot_file header = {0};
	int r;

	depot_forget(d);
	r = d->exists ? 1 : depot_look(d, d->tip, err);
	if (r <= 0)
		return r;
	d->exists = true;
	if (bring(d, err) < 0 || list_tree(d, &header, err) < 0 || read_header(d, &header, err) < 0)
		return -1;
	return read_names(d, err) < 0 ? -1 : 1;
}

size_t depot_files(const struct depot *d, const struct depot_file **ret)
{
	*ret = d->files;
	return d->n_files;
}

size_t depot_strangers(const struct depot *d, const char **first)
{
	*first = d->stranger;
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
