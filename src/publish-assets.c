/* The style sheet and the scripts come from the binary, uPlot from where it was installed: without
 * it the charts are still. */
#include "publish-private.h"

#include "assets.h"
#include "installed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ASSET_MAX = 4 << 20 };

static const char *const uplot_files[][2] = {
	/* its name there, its path in the site */
	{"uPlot.iife.min.js", "assets/uPlot.iife.min.js"},
	{"uPlot.min.css", "assets/uPlot.min.css"},
	{"LICENSE", "assets/uPlot-LICENSE.txt"},
};

/* 1, 0 there is none, -1 it cannot be read. */
static int read_file(const char *path, struct buf *ret, struct err *err)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	size_t n;

	if (!f)
		return 0;
	do {
		if (ret->len > ASSET_MAX)
			return err_set(err, ERR_IO, "%s: it is too long", path);
		buf_room(ret, 1 << 16);
		n = fread(ret->p + ret->len, 1, 1 << 16, f);
		ret->len += n;
		ret->p[ret->len] = '\0';
	} while (n);
	return ferror(f) ? err_set(err, ERR_IO, "%s: it cannot be read", path) : 1;
}

static bool has_all(const char *dir)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(uplot_files); i++) {
		_cleanup_(freep) char *path = xasprintf("%s/uplot/%s", dir, uplot_files[i][0]);
		if (access(path, R_OK) < 0)
			return false;
	}
	return true;
}

/* Takes over dir; NULL where uPlot is not there. */
static char *if_there(char *dir)
{
	if (dir && has_all(dir))
		return dir;
	free(dir);
	return NULL;
}

/* A build folder has what was fetched in the folder of the source, which it is or is in. */
static char *find_near(const char *own)
{
	_cleanup_(freep) char *status = xasprintf("%s/config.status", own);
	char *dir = if_there(installed_beside(own, PKGDATADIR));

	if (!dir)
		dir = if_there(xasprintf("%s/../share/" PACKAGE, own));
	if (!dir && access(status, F_OK) == 0)
		dir = if_there(xasprintf("%s/share", own));
	if (!dir && access(status, F_OK) == 0)
		dir = if_there(xasprintf("%s/../share", own));
	return dir;
}

char *publish_find_uplot(const struct publish_options *o)
{
	const char *env = getenv("PERFGATE_DATA");
	_cleanup_(freep) char *own = NULL;
	char *dir = NULL;

	if (o->data_dir || (env && *env))
		return if_there(xstrdup(o->data_dir ? o->data_dir : env));
	own = installed_folder();
	if (own)
		dir = find_near(own);
	return dir ? dir : if_there(xstrdup(PKGDATADIR));
}

static int put_text(struct publishing *p, const char *path, const char *text, struct err *err)
{
	return tree_put(p->tree, path, text, strlen(text), err);
}

static int put_uplot(struct publishing *p, size_t i, struct err *err)
{
	_cleanup_(freep) char *path = xasprintf("%s/uplot/%s", p->data_dir, uplot_files[i][0]);
	const int found = read_file(path, &p->page, err);

	if (found < 0)
		return -1;
	if (!found)
		return err_set(err, ERR_IO, "%s: it is gone", path);
	return publish_put(p, uplot_files[i][1], err);
}

static const struct {
	const char *path, *text;
} embedded[] = {
	{"assets/charts.js", assets_charts_js},
	{"assets/compare.js", assets_compare_js},
	{"assets/site.css", assets_site_css},
	{"assets/site.js", assets_site_js},
};

int publish_assets(struct publishing *p, struct err *err)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(embedded); i++)
		if (put_text(p, embedded[i].path, embedded[i].text, err) < 0)
			return -1;
	for (i = 0; p->site.uplot && i < ARRAY_LEN(uplot_files); i++)
		if (put_uplot(p, i, err) < 0)
			return -1;
	return 0;
}
