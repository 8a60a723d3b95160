#include "publish-tree.h"

#include "buf.h"
#include "intern.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char head[] = "perfgate site 1\n";

enum { PATH_LONGEST = 200, LIST_MAX = 256 << 20, CHUNK = 1 << 16 };

struct tree {
	char *dir;
	int fd, list;             /* the folder; TREE_LIST, to which new paths are added */
	struct intern *old, *put; /* paths */
	struct intern *folders;
	int *folder_fds; /* by folders */
	size_t cap_folders;
	struct tree_counts counts;
};

static int fail(const struct tree *t, const char *path, struct err *err)
{
	const int code = errno;

	return err_set(err, ERR_IO, "%s%s%s: %s%s", t->dir, *path ? "/" : "", path, strerror(code),
		code == ELOOP || code == ENOTDIR
			? ": a link or a file is in the way of a folder, or a link of a file"
		: code == EISDIR || code == ENOTEMPTY ? ": a folder is in the way of a file"
						      : "");
}

/* ---- paths ---- */

/* What may be put, and what may be removed: nothing outside, nothing hidden. */
static bool is_path(const char *s, size_t len)
{
	size_t i;

	if (!len || len > PATH_LONGEST || s[len - 1] == '/')
		return false;
	for (i = 0; i < len; i++) {
		const char c = s[i], before = i ? s[i - 1] : '/';
		const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
				  (c >= '0' && c <= '9') || c == '-' || c == '_';
		if (!word && (before == '/' || (c != '.' && c != '/')))
			return false;
	}
	return true;
}

static uint32_t add_folder(struct tree *t, const char *name, size_t len, int fd)
{
	const uint32_t id = intern_add(t->folders, name, len);

	t->folder_fds = xgrow_to(t->folder_fds, &t->cap_folders, id, sizeof(*t->folder_fds));
	t->folder_fds[id] = fd;
	return id;
}

/* The folder name[0..len) of the site; make: where there is none. -1 with errno. */
static int folder(struct tree *t, const char *name, size_t len, bool make)
{
	const uint32_t known = intern_find(t->folders, name, len);
	_cleanup_(freep) char *last = NULL;
	size_t slash = len;
	int above, fd;

	if (!len)
		return t->fd;
	if (known != INTERN_NONE)
		return t->folder_fds[known];
	while (slash && name[slash - 1] != '/')
		slash--;
	above = folder(t, name, slash ? slash - 1 : 0, make);
	last = xstrndup(name + slash, len - slash);
	if (above < 0 || (make && mkdirat(above, last, 0777) < 0 && errno != EEXIST))
		return -1;
	fd = openat(above, last, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		add_folder(t, name, len, fd);
	return fd;
}

/* ---- what is listed ---- */

static int read_list(struct tree *t, int fd, struct err *err)
{
	_cleanup_(buf_release) struct buf text = {.max = LIST_MAX};
	const char *p, *end;
	ssize_t n;

	do {
		if (buf_room(&text, CHUNK) < 0)
			return err_set(err, ERR_IO, "%s/" TREE_LIST ": it is too long", t->dir);
		n = read(fd, text.p + text.len, CHUNK);
		if (n < 0)
			return fail(t, TREE_LIST, err);
		text.len += (size_t)n;
		text.p[text.len] = '\0';
	} while (n > 0);
	if (strncmp(text.p, head, sizeof(head) - 1) != 0)
		return err_set(err, ERR_USAGE,
			"%s/" TREE_LIST
			": not the list of a site that perfgate wrote; --force overwrites it",
			t->dir);
	for (p = text.p + sizeof(head) - 1; (end = strchr(p, '\n')); p = end + 1)
		if (is_path(p, (size_t)(end - p)))
			intern_add(t->old, p, (size_t)(end - p));
	return 0;
}

/* Whether there is anything that others may have put here: 1, 0, -1. */
static int is_occupied(struct tree *t, struct err *err)
{
	const int fd = openat(t->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	int found = 0;

	if (!d) {
		fail(t, "", err);
		closep((int[]){fd});
		return -1;
	}
	while (!found && (e = readdir(d)))
		found = e->d_name[0] != '.';
	closedir(d);
	return found;
}

static int begin_list(struct tree *t, bool force, struct err *err)
{
	int occupied = force ? 0 : is_occupied(t, err);

	if (occupied > 0)
		return err_set(err, ERR_USAGE,
			"%s: it is not empty and holds no site that perfgate wrote (no " TREE_LIST
			"); name another folder, or give --force to write into this one",
			t->dir);
	if (occupied < 0)
		return -1;
	t->list = openat(t->fd, TREE_LIST,
		O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (t->list < 0 || write_all(t->list, head, sizeof(head) - 1) < 0)
		return fail(t, TREE_LIST, err);
	return 0;
}

static int open_list(struct tree *t, bool force, struct err *err)
{
	_cleanup_(closep) int fd =
		openat(t->fd, TREE_LIST, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct err bad = ERR_INIT;
	struct stat st;

	if (fd < 0 && errno != ENOENT)
		return fail(t, TREE_LIST, err);
	if (fd < 0)
		return begin_list(t, force, err);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return err_set(err, ERR_IO, "%s/" TREE_LIST ": it is no file", t->dir);
	if (read_list(t, fd, &bad) < 0) {
		if (force && bad.code == ERR_USAGE)
			return begin_list(t, true, err);
		*err = bad;
		return -1;
	}
	t->list = openat(t->fd, TREE_LIST, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	return t->list < 0 ? fail(t, TREE_LIST, err) : 0;
}

/* ---- open and close ---- */

static int lock(struct tree *t, struct err *err)
{
	/* not every file system has locks */
	if (flock(t->fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		return err_set(
			err, ERR_IO, "%s: another perfgate publish is writing into it", t->dir);
	return 0;
}

struct tree *tree_open(const char *dir, bool force, struct err *err)
{
	struct tree *t = xcalloc(1, sizeof(*t));

	t->dir = xstrdup(dir);
	t->list = -1;
	t->old = intern_new();
	t->put = intern_new();
	t->folders = intern_new();
	t->fd = mkdir(dir, 0777) == 0 || errno == EEXIST
			? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
			: -1;
	if (t->fd < 0)
		err_set(err, ERR_IO, "%s: %s", dir, strerror(errno));
	else if (lock(t, err) == 0 && open_list(t, force, err) == 0)
		return t;
	tree_close(t);
	return NULL;
}

void tree_close(struct tree *t)
{
	uint32_t i;

	if (!t)
		return;
	for (i = 0; i < intern_count(t->folders); i++)
		close(t->folder_fds[i]);
	closep(&t->list);
	closep(&t->fd);
	intern_free(t->old);
	intern_free(t->put);
	intern_free(t->folders);
	free(t->folder_fds);
	free(t->dir);
	free(t);
}

/* ---- files ---- */

static bool is_same(int at, const char *name, const char *data, size_t len)
{
	_cleanup_(closep) int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char chunk[CHUNK];
	struct stat st;
	size_t done = 0;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size != (off_t)len)
		return false;
	while (done < len) {
		n = read(fd, chunk, sizeof(chunk));
		if (n <= 0 || (size_t)n > len - done || memcmp(chunk, data + done, (size_t)n) != 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

/* A part that a killed process left is in nobody's way. */
static int write_file(int at, const char *name, const void *data, size_t len)
{
	_cleanup_(freep) char *part = xasprintf("%s.part", name);
	int fd, code;

	unlinkat(at, part, 0);
	fd = openat(at, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return -1;
	code = write_all(fd, data, len) < 0 ? errno : 0;
	if (close(fd) < 0 && !code)
		code = errno;
	if (!code && renameat(at, part, at, name) < 0)
		code = errno;
	if (!code)
		return 0;
	unlinkat(at, part, 0);
	errno = code;
	return -1;
}

/* Before a file is there, it is listed, lest a run that is ended leave something that no other
 * knows of. */
static int note_path(struct tree *t, const char *path)
{
	_cleanup_(freep) char *line = xasprintf("%s\n", path);
	const size_t len = strlen(path);

	intern_add(t->put, path, len);
	if (intern_find(t->old, path, len) != INTERN_NONE)
		return 0;
	return write_all(t->list, line, len + 1);
}

static int put(struct tree *t, const char *path, const void *data, size_t len, struct err *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const int at = folder(t, path, slash ? (size_t)(slash - path) : 0, true);

	if (at < 0)
		return fail(t, path, err);
	t->counts.bytes += (int64_t)len;
	if (is_same(at, name, data, len)) {
		t->counts.unchanged++;
		return 0;
	}
	if (write_file(at, name, data, len) < 0)
		return fail(t, path, err);
	t->counts.written++;
	return 0;
}

int tree_put(struct tree *t, const char *path, const void *data, size_t len, struct err *err)
{
	if (!is_path(path, strlen(path)))
		return err_set(err, ERR_IO, "%s: no path for a page: '%s'", t->dir, path);
	if (note_path(t, path) < 0)
		return fail(t, TREE_LIST, err);
	return put(t, path, data, len, err);
}

/* ---- the end ---- */

/* A folder that is in the way of one of its own is not the site's, nor is what a link leads to, nor
 * what lies where a file is now. */
static bool is_gone(int code)
{
	return code == ENOENT || code == ENOTDIR || code == ELOOP || code == EISDIR;
}

static int remove_path(struct tree *t, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	const int at = folder(t, path, slash ? (size_t)(slash - path) : 0, false);

	if (at >= 0 && unlinkat(at, slash ? slash + 1 : path, 0) == 0) {
		t->counts.removed++;
		return 0;
	}
	return is_gone(errno) ? 0 : fail(t, path, err);
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_list(struct buf *b, const struct intern *in)
{
	const size_t n = intern_count(in);
	_cleanup_(freep) const char **v = xcalloc(n + 1, sizeof(*v));
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = intern_get(in, (uint32_t)i, NULL);
	qsort(v, n, sizeof(*v), compare_paths);
	buf_addstr(b, head);
	for (i = 0; i < n; i++)
		buf_addf(b, "%s\n", v[i]);
}

int tree_finish(struct tree *t, struct tree_counts *ret, struct err *err)
{
	_cleanup_(buf_release) struct buf list = BUF_INIT;
	const char *path;
	size_t len;
	uint32_t i;

	for (i = 0; i < intern_count(t->old); i++) {
		path = intern_get(t->old, i, &len);
		if (intern_find(t->put, path, len) == INTERN_NONE && remove_path(t, path, err) < 0)
			return -1;
	}
	*ret = t->counts;
	add_list(&list, t->put);
	return put(t, TREE_LIST, list.p, list.len, err);
}
