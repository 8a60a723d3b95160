#include "reports.h"

#include "command.h"
#include "replace.h"
#include "stage.h"
#include "term.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- FORMAT[:FILE] ---- */

static const struct report_format *format_of(const char *report, const char **file)
{
	const char *colon = strchr(report, ':');
	_cleanup_(freep) char *name =
		colon ? xstrndup(report, (size_t)(colon - report)) : xstrdup(report);

	*file = colon && strcmp(colon + 1, "-") ? colon + 1 : NULL;
	return report_find(name);
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether the second of two reports would take the place of the first. Pipes and devices take both.
 */
static bool collide(const char *a, const char *b)
{
	struct stat sa, sb;

	if (stat(a, &sa) < 0 || stat(b, &sb) < 0)
		return !strcmp(a, b);
	return S_ISREG(sa.st_mode) && same_file(&sa, &sb);
}

static int check_collisions(const struct opt_list *reports, struct err *err)
{
	const char *file, *other;
	size_t i, k;

	for (i = 0; i < reports->n; i++) {
		format_of(reports->v[i], &file);
		for (k = 0; file && k < i; k++) {
			format_of(reports->v[k], &other);
			if (other && collide(file, other))
				return err_set(err, ERR_USAGE,
					"--report %.200s: that file is another report's, --report %.200s",
					reports->v[i], reports->v[k]);
		}
	}
	return 0;
}

int reports_check(const struct opt_list *reports, struct err *err)
{
	_cleanup_(buf_release) struct buf names = BUF_INIT;
	const char *file;
	size_t i, k;

	for (i = 0; i < reports->n; i++) {
		if (format_of(reports->v[i], &file))
			continue;
		for (k = 0; report_formats[k]; k++)
			buf_addf(&names, "%s%s", k ? ", " : "", report_formats[k]->name);
		return err_set(err, ERR_USAGE, "--report %.60s: no such format; there are %s",
			reports->v[i], names.p);
	}
	return check_collisions(reports, err);
}

/* ---- files that no report may take the place of ---- */

static bool is_database(const char *path)
{
	static const char magic[] = "SQLite format 3";
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char found[sizeof(magic)];
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       read(fd, found, sizeof(found)) == sizeof(found) &&
	       !memcmp(found, magic, sizeof(magic));
}

/* The store, or what SQLite keeps beside it. */
static bool is_of_store(const char *path, const char *store)
{
	static const char *const parts[] = {"", "-wal", "-shm", "-journal"};
	struct stat of_path, of_part;
	size_t i;

	for (i = 0; store && stat(path, &of_path) == 0 && i < ARRAY_LEN(parts); i++) {
		_cleanup_(freep) char *part = xasprintf("%s%s", store, parts[i]);
		if (stat(part, &of_part) == 0 && same_file(&of_path, &of_part))
			return true;
	}
	return false;
}

static int protect_store(const struct opt_list *reports, const struct context *c, struct err *err)
{
	const char *file;
	size_t i;

	for (i = 0; i < reports->n; i++) {
		format_of(reports->v[i], &file);
		if (file && (is_of_store(file, c->store_path) || is_database(file)))
			return err_set(err, ERR_USAGE,
				"--report %.300s: not written: that file is a store, or a database",
				reports->v[i]);
	}
	return 0;
}

/* ---- one report ---- */

char *reports_rendered(const struct report *r, const struct report_format *f,
	const struct report_style *style, struct err *err)
{
	char *text = NULL;
	size_t len;
	FILE *memory = open_memstream(&text, &len);
	int ret;

	if (!memory) {
		err_set(err, ERR_IO, "cannot write the report: %s", strerror(errno));
		return NULL;
	}
	ret = f->write(r, style, memory, err);
	if (fclose(memory) != 0 && ret == 0)
		ret = err_set(err, ERR_IO, "cannot write the report: %s", strerror(errno));
	if (ret == 0)
		return text;
	free(text);
	return NULL;
}

static int print_defused(const struct report *r, const struct report_format *f,
	const struct report_style *style, struct err *err)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;
	_cleanup_(freep) char *text = reports_rendered(r, f, style, err);

	if (!text)
		return -1;
	text_defuse(&b, text);
	return report_end(&b, stdout, err);
}

static int print(const struct report *r, const struct report_format *f, bool all,
	const struct context *c, struct err *err)
{
	const struct report_style style = {
		.all = all, .width = term_width(stdout), .colour = term_colour(stdout)};

	if (c->ci.name && (!strcmp(f->name, "text") || !strcmp(f->name, "markdown")))
		return print_defused(r, f, &style, err);
	return f->write(r, &style, stdout, err);
}

static int write_file(const struct report *r, const struct report_format *f, const char *path,
	bool all, struct err *err)
{
	const struct report_style style = {.all = all, .width = 80};
	struct replacement out;
	int ret = replace_open(&out, path, err);

	if (ret == 0) {
		ret = f->write(r, &style, out.f, err);
		if (ret == 0)
			ret = replace_close(&out, err);
		else
			replace_abandon(&out);
	}
	return ret < 0 ? err_prefix(err, "--report: %s", path) : 0;
}

/* ---- GitHub Actions ---- */

/* What a step may write to its summary; GitHub drops all of it beyond that. */
enum { SUMMARY_MAX = 1 << 20 };

/* NULL, or why it could not be appended. */
static const char *append_summary(const char *path, const char *text)
{
	_cleanup_(closep) int fd =
		open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
	const size_t len = strlen(text);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return strerror(errno);
	if (S_ISREG(st.st_mode) && st.st_size > (off_t)(SUMMARY_MAX - len))
		return "a step's summary may have 1 MiB, and it is full";
	return write_all(fd, text, len) < 0 ? strerror(errno) : NULL;
}

static void write_summary(const struct report *r)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY"), *trouble;
	const struct report_style style = {.width = 80};
	_cleanup_(freep) char *text = NULL;
	struct err err = ERR_INIT;

	if (!path || !*path)
		return;
	text = reports_rendered(r, report_find("markdown"), &style, &err);
	trouble = text ? append_summary(path, text) : err.msg;
	if (trouble)
		complain("GITHUB_STEP_SUMMARY: %s: %s", path, trouble);
}

/* ---- GitLab CI ---- */

/* The files are for `artifacts: reports:`, whose paths begin at the project's folder. */
static char *artifact_path(const char *name)
{
	const char *project = getenv("CI_PROJECT_DIR");

	return project && *project == '/' ? xasprintf("%s/%s", project, name) : xstrdup(name);
}

/* Whether a file is one that an earlier run left, or there is none. */
static bool is_ours(const char *path, const char *beginning)
{
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	const size_t len = strlen(beginning);
	char found[128];
	struct stat st;

	if (fd < 0)
		return errno == ENOENT;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && len <= sizeof(found) &&
	       read(fd, found, len) == (ssize_t)len && !memcmp(found, beginning, len);
}

static bool is_committed(const struct context *c, const char *name)
{
	_cleanup_(buf_release) struct buf text = BUF_INIT;
	struct err err = ERR_INIT;

	return c->git && git_file(c->git, "HEAD", name, &text, &err) != 0;
}

/* Returns 0, or -1 with err set. */
static int write_artifact(const struct report *r, const char *format, const char *name,
	const char *beginning, const struct context *c, struct err *err)
{
	_cleanup_(freep) char *path = artifact_path(name);

	if (is_committed(c, name))
		return err_set(
			err, ERR_IO, "%s: not written: the repository has such a file", path);
	if (!is_ours(path, beginning))
		return err_set(
			err, ERR_IO, "%s: not written: what is there is none of perfgate's", path);
	return write_file(r, report_find(format), path, false, err);
}

static void write_artifacts(const struct report *r, const struct context *c)
{
	static const struct {
		const char *format, *name, *beginning;
	} files[] = {
		{"junit", "perfgate-junit.xml",
			"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"perfgate\""},
		{"openmetrics", "perfgate-metrics.txt", "# TYPE perfgate_report info\n"},
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(files); i++) {
		struct err err = ERR_INIT;
		if (write_artifact(r, files[i].format, files[i].name, files[i].beginning, c, &err) <
			0)
			complain("%s", err.msg);
	}
}

/* ---- all of them ---- */

/* What is shown in a CI system without being asked for. The text is there already. */
static int write_shown(const struct report *r, const struct context *c, struct err *err)
{
	if (!c->ci.name || strcmp(r->command, "gate") != 0)
		return 0;
	if (!strcmp(c->ci.name, "github")) {
		if (print(r, report_find("github"), false, c, err) < 0)
			return -1;
		write_summary(r);
	} else if (!strcmp(c->ci.name, "gitlab")) {
		write_artifacts(r, c);
	}
	return 0;
}

int reports_write(const struct report *r, const struct opt_list *reports, bool all,
	const struct context *c, struct err *err)
{
	bool printed = false;
	const char *file;
	size_t i;

	PERFGATE_SCOPE("report");
	if (protect_store(reports, c, err) < 0)
		return -1;
	for (i = 0; i < reports->n; i++) {
		const struct report_format *f = format_of(reports->v[i], &file);
		printed |= !file;
		if ((file ? write_file(r, f, file, all, err) : print(r, f, all, c, err)) < 0)
			return -1;
	}
	if (!printed && print(r, report_find("text"), all, c, err) < 0)
		return -1;
	return reports->n ? 0 : write_shown(r, c, err);
}
