#include "program.h"

#include "proc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_PATH "/usr/local/bin:/usr/bin:/bin"

/* ---- the file ---- */

/* 0 when path, from dir, is a file that may be run, else what errno would be. */
static int runnable(const char *dir, const char *path)
{
	_cleanup_(freep) char *full = *path == '/' ? xstrdup(path) : xasprintf("%s/%s", dir, path);
	struct stat st;

	if (stat(full, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	return access(full, X_OK) < 0 ? errno : 0;
}

static int find_in_path(struct program *p, const struct launch *l, struct err *err)
{
	const char *path = getenv("PATH"), *from, *name = l->argv[0];
	int error, worst = ENOENT;
	size_t n;

	if (!path)
		path = USUAL_PATH;
	for (from = path;; from += n + 1) {
		n = strcspn(from, ":");
		free(p->path);
		p->path = n ? xasprintf("%.*s/%s", (int)n, from, name) : xasprintf("./%s", name);
		error = *name ? runnable(l->dir, p->path) : ENOENT;
		if (error == 0)
			return 0;
		worst = error == EACCES ? error : worst;
		if (!from[n])
			break;
	}
	return err_set(err, ERR_USAGE, "cannot run '%.100s': %s in PATH (%.300s)", name,
		worst == EACCES ? "it is not executable" : "there is no such program", path);
}

static int check_file(const struct launch *l, struct err *err)
{
	const char *name = l->argv[0];
	const int error = runnable(l->dir, name);

	if (error == ENOENT && *name != '/')
		return err_set(err, ERR_USAGE, "cannot run '%.100s': it is not in %.200s%s", name,
			l->dir,
			l->elsewhere ? "; what is not committed has to be built by --setup" : "");
	if (error == EACCES)
		return err_set(err, ERR_USAGE,
			"cannot run '%.100s' in %.200s: it is not executable (chmod +x)", name,
			l->dir);
	return error ? err_set(err, ERR_USAGE, "cannot run '%.100s' in %.200s: %s", name, l->dir,
			       strerror(error))
		     : 0;
}

int program_refused(const struct program *p, const struct launch *l, int error, struct err *err)
{
	const bool there = error == ENOENT && runnable(l->dir, p->path) == 0;

	return err_set(err, ERR_USAGE, "cannot run '%.100s' in %.200s: %s", l->argv[0], l->dir,
		there ? "what runs it is not there (see its first line)" : strerror(error));
}

/* ---- the environment ---- */

/* What is asked for, and PERFGATE_OUT last, or none. */
static void make_environment(struct program *p, const struct launch *l)
{
	const char **changes;
	size_t n = 0, i;

	while (l->env && l->env[n])
		n++;
	changes = xcalloc(n + 2, sizeof(*changes));
	for (i = 0; i < n; i++)
		changes[i] = l->env[i];
	p->variable =
		l->documents ? xasprintf("PERFGATE_OUT=%s", l->documents) : xstrdup("PERFGATE_OUT");
	changes[n] = p->variable;
	p->environment = proc_environment(changes);
	free(changes);
}

static void make_shell(struct program *p, const struct launch *l)
{
	size_t n;

	for (n = 1; l->argv[n]; n++)
		;
	p->shell = xcalloc(n + 2, sizeof(*p->shell));
	p->shell[0] = (char *)(uintptr_t) "/bin/sh";
	p->shell[1] = p->path;
	memcpy(p->shell + 2, l->argv + 1, (n - 1) * sizeof(*p->shell));
}

/* ---- both ---- */

int program_init(struct program *p, const struct launch *l, struct err *err)
{
	int r = 0;

	*p = (struct program){0};
	if (!strchr(l->argv[0], '/')) {
		r = find_in_path(p, l, err);
	} else {
		p->path = xstrdup(l->argv[0]);
		r = check_file(l, err);
	}
	if (r < 0)
		return -1;
	make_environment(p, l);
	make_shell(p, l);
	return 0;
}

void program_release(struct program *p)
{
	free(p->path);
	free(p->environment);
	free(p->variable);
	free(p->shell);
}
