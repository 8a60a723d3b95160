/* Putting files on a depot's branch. */
#include "depot-private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* "NAME <MAIL> SECONDS ZONE" of whoever commits here; a CI job often has no name. */
static const char *committer(struct depot *d)
{
	static const char *const argv[] = {
		"-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT", NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	struct err ignored = ERR_INIT;
	int status = 1;

	if (d->committer)
		return d->committer;
	if (depot_git(d, argv, DEPOT_LOCAL_S, &out, &errors, &status, &ignored) == 0 && !status &&
		strchr(buf_str(&out), '<'))
		d->committer = xstrndup(out.p, strcspn(out.p, "\n"));
	else
		d->committer = xasprintf(
			"perfgate <perfgate@localhost> %lld +0000", (long long)time(NULL));
	return d->committer;
}

/* A file's content and its length before it, by way of a temporary file. */
static int put_data(struct depot *d, struct depot_change *c, FILE *to, struct err *err)
{
	_cleanup_(freep) char *path = xasprintf("%s/spool", d->folder.path);
	FILE *f = fopen(path, "w+e");
	char chunk[65536];
	size_t n;
	int r;

	if (!f)
		return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	unlink(path);
	r = c->write(c->ctx, f, err);
	if (r == 0 && (fflush(f) || ferror(f)))
		r = err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	if (r == 0 && ftello(f) > DEPOT_FILE_MAX)
		r = err_set(err, ERR_STORE,
			"%s: %lld bytes are more than %d, which one file of a branch may have",
			c->path, (long long)ftello(f), DEPOT_FILE_MAX);
	if (r == 0) {
		fprintf(to, "data %lld\n", (long long)ftello(f));
		rewind(f);
		while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
			fwrite(chunk, 1, n, to);
		fputc('\n', to);
	}
	fclose(f);
	return r;
}

static int put_blobs(
	struct depot *d, struct depot_change *changes, size_t n, FILE *to, struct err *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (!changes[i].write || changes[i].mark)
			continue;
		fprintf(to, "blob\nmark :%u\n", ++d->last_mark);
		if (put_data(d, &changes[i], to, err) < 0)
			return -1;
		changes[i].mark = d->last_mark;
	}
	return 0;
}

static void put_header(const struct depot *d, const char *root, FILE *to)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	if (*d->tip && (*d->root || !root))
		return;
	buf_addstr(&b, "perfgate data 1\n");
	if (root)
		buf_addf(&b, "root %s\n", root);
	fprintf(to, "M 100644 inline perfgate-data\ndata %zu\n%s\n", b.len, b.p);
}

static void put_commit(struct depot *d, const struct depot_change *changes, size_t n,
	const char *root, const char *message, FILE *to)
{
	const char *who = committer(d);
	size_t i;

	fprintf(to, "reset " DEPOT_REF "\n");
	if (*d->tip)
		fprintf(to, "from %s\n", d->tip);
	fprintf(to, "commit " DEPOT_REF "\ncommitter %s\ndata %zu\n%s\n", who, strlen(message),
		message);
	if (*d->tip)
		fprintf(to, "from %s\n", d->tip);
	put_header(d, root, to);
	for (i = 0; i < n; i++)
		if (!changes[i].write)
			fprintf(to, "D %s\n", changes[i].path);
	for (i = 0; i < n; i++)
		if (changes[i].write)
			fprintf(to, "M 100644 :%u %s\n", changes[i].mark, changes[i].path);
	fprintf(to, "done\n");
}

/* One process writes the blobs that are not written yet, the trees and the commit. */
static int make_commit(struct depot *d, struct depot_change *changes, size_t n, const char *root,
	const char *message, struct err *err)
{
	_cleanup_(freep) char *import = xasprintf("--import-marks-if-exists=%s", d->marks);
	_cleanup_(freep) char *export = xasprintf("--export-marks=%s", d->marks);
	const char *argv[] = {"fast-import", "--quiet", "--force", "--done", import, export, NULL};
	_cleanup_(buf_release) struct buf errors = BUF_INIT;
	struct proc p;
	FILE *to;
	int r, status, fd;

	if (depot_start(d, &p, argv, err) < 0)
		return -1;
	fd = dup(p.in);
	to = fd >= 0 ? fdopen(fd, "w") : NULL;
	r = to ? put_blobs(d, changes, n, to, err) : err_set(err, ERR_IO, "cannot write to git");
	if (r == 0)
		put_commit(d, changes, n, root, message, to);
	if (to)
		fclose(to);
	status = proc_finish(&p, r == 0, &errors);
	return r == 0 && status ? depot_failed(d, "make a commit for", &errors, err) : r;
}

/* "!\tFROM:TO\tWHY": what became of the branch, as git sums it up; "" when it says nothing. */
static const char *why_not(const char *said)
{
	const char *line = !strncmp(said, "!\t", 2) ? said : strstr(said, "\n!\t");

	line = line ? strchr(line + 3, '\t') : NULL;
	return line ? line + 1 : "";
}

/* Whether it was because the branch has moved, or is just being moved by somebody else. */
static bool is_race(const char *why)
{
	static const char *const words[] = {"[rejected]", "cannot lock ref", "failed to update ref",
		"reference already exists", "incorrect old value", "failed to lock", "stale info"};
	_cleanup_(freep) char *line = xstrndup(why, strcspn(why, "\n"));
	size_t i;

	for (i = 0; i < ARRAY_LEN(words); i++)
		if (strstr(line, words[i]))
			return true;
	return false;
}

enum { REFUSED_MAX = 4 };

/* Where nobody else was faster again and again, something else is wrong: a lock left behind. */
static bool is_stuck(struct depot *d)
{
	d->refused = d->refused && !strcmp(d->refused_at, d->tip) ? d->refused + 1 : 1;
	memcpy(d->refused_at, d->tip, sizeof(d->tip));
	return d->refused == REFUSED_MAX;
}

int depot_push(struct depot *d, struct depot_change *changes, size_t n, const char *root,
	const char *message, struct err *err)
{
	const char *argv[] = {"push", "--porcelain", "--no-verify", "--no-progress", "--",
		d->remote, DEPOT_REF ":" DEPOT_REF, NULL};
	_cleanup_(buf_release) struct buf out = BUF_INIT, errors = BUF_INIT;
	int status;

	if (make_commit(d, changes, n, root, message, err) < 0)
		return -1;
	if (depot_git(d, argv, DEPOT_NETWORK_S, &out, &errors, &status, err) < 0)
		return err_prefix(err, "git cannot push to %s", d->shown);
	if (!status)
		return 1;
	if (is_race(why_not(buf_str(&out))) && !is_stuck(d))
		return 0;
	return depot_failed(d, "push to", &errors, err);
}
