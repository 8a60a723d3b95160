#include "callgrind-collect.h"

#include "buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 4 << 20, KIND_MAX = 64 };

static struct intern **sets_of(struct collection *c, size_t i)
{
	struct intern **const sets[] = {
		&c->names, &c->packages, &c->metrics, &c->versions, &c->kinds, &c->claims};

	return i < ARRAY_LEN(sets) ? sets[i] : NULL;
}

void collection_init(struct collection *c)
{
	size_t i;

	for (i = 0; sets_of(c, i); i++)
		*sets_of(c, i) = intern_new();
}

void collection_release(struct collection *c)
{
	size_t i;

	for (i = 0; sets_of(c, i); i++)
		intern_free(*sets_of(c, i));
	free(c->benches);
	free(c->values);
}

const char *path_last(const char *path, size_t *ret_len)
{
	size_t end = strlen(path), start;

	while (end > 0 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && path[start - 1] != '/';)
		start--;
	*ret_len = end - start;
	return path + start;
}

static bool names_package(const char *dir)
{
	size_t len;
	const char *last = dir ? path_last(dir, &len) : NULL;

	return last && len > 0 && !(len == 1 && *last == '.');
}

/* Version 7 gives directories relative to the project's, whose own package has none. */
static uint32_t package_of(struct collection *c, const struct summary *s)
{
	const char *dir = names_package(s->package_dir)    ? s->package_dir
			  : names_package(s->project_root) ? s->project_root
							   : "";

	return intern_add(c->packages, dir, strlen(dir));
}

static uint32_t metric_of(struct collection *c, const struct summary_value *v)
{
	_cleanup_(buf_release) struct buf key = BUF_INIT;

	buf_add(&key, v->tool, strlen(v->tool) + 1);
	buf_add(&key, v->name, strlen(v->name) + 1);
	if (v->unit)
		buf_addstr(&key, v->unit);
	return intern_add(c->metrics, key.p, key.len);
}

struct metric_use collection_metric(const struct collection *c, uint32_t id)
{
	size_t len;
	const char *tool = intern_get(c->metrics, id, &len), *name = tool + strlen(tool) + 1;
	const char *unit = name + strlen(name) + 1;

	return (struct metric_use){tool, name, *unit ? unit : NULL};
}

/* Whether a version is one of the layout's. The last layout also holds what came after it. */
static bool version_fits(enum summary_layout layout, long version)
{
	switch (layout) {
	case SUMMARY_1:
		return version == 1 || version == 2;
	case SUMMARY_3:
		return version == 3;
	case SUMMARY_4:
		return version >= 4 && version <= 6;
	case SUMMARY_7:
		return version == 7;
	default:
		return true;
	}
}

static void check_version(struct collection *c, const struct summary *s)
{
	static const char *const layouts[] = {[SUMMARY_1] = "1 and 2",
		[SUMMARY_3] = "3",
		[SUMMARY_4] = "4 to 6",
		[SUMMARY_7] = "7"};
	struct err ignored = ERR_INIT;
	int64_t version;

	if (!s->version)
		return;
	intern_add(c->versions, s->version, strlen(s->version));
	if (num_parse_int(s->version, strlen(s->version), 0, INT32_MAX, &version, &ignored) < 0)
		version = -1;
	if (version_fits(s->layout, (long)version) || c->mislabelled++ > 0)
		return;
	if (version < 0)
		snprintf(c->mislabel, sizeof(c->mislabel),
			"a version that is no number and the layout of %s", layouts[s->layout]);
	else
		snprintf(c->mislabel, sizeof(c->mislabel), "version %lld and the layout of %s",
			(long long)version, layouts[s->layout]);
}

static void hold_values(struct collection *c, const struct summary *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		const struct summary_value *v = &s->values[i];
		c->values = xgrow(c->values, c->n_values, &c->cap_values, sizeof(*c->values));
		c->values[c->n_values++] = (struct held_value){.metric = metric_of(c, v),
			.known = v->known,
			.status = (unsigned char)v->status,
			.value = v->value,
			.reason = v->reason};
	}
}

static int hold_summary(struct collection *c, const struct summary *s, uint32_t file, unsigned line,
	struct err *err)
{
	_cleanup_(buf_release) struct buf name = BUF_INIT;

	buf_addstr(&name, s->module_path);
	if (s->id && *s->id)
		buf_addf(&name, "::%s", s->id);
	if (name.len > SINK_NAME_MAX - PACKAGE_MAX)
		return err_set(err, ERR_FORMAT,
			"a benchmark name of %zu bytes, expected at most %d", name.len,
			SINK_NAME_MAX - PACKAGE_MAX);
	if (c->n_values + s->n > VALUES_MAX)
		return err_set(err, ERR_FORMAT,
			"more than %d values in one run; read the files in several calls",
			VALUES_MAX);
	c->benches = xgrow(c->benches, c->n_benches, &c->cap_benches, sizeof(*c->benches));
	c->benches[c->n_benches++] = (struct bench){.name = intern_add(c->names, name.p, name.len),
		.package = package_of(c, s),
		.file = file,
		.line = line,
		.layout = s->layout,
		.first = c->n_values,
		.n = s->n};
	hold_values(c, s);
	check_version(c, s);
	if (s->kind && strlen(s->kind) <= KIND_MAX)
		intern_add(c->kinds, s->kind, strlen(s->kind));
	c->regressions += s->regressions;
	c->faulty_errors += s->faulty_errors;
	c->empty += s->n == 0;
	return 0;
}

static int take_summary(
	struct collection *c, const struct jv *doc, uint32_t file, unsigned line, struct err *err)
{
	struct summary s;
	int r = summary_decode(doc, &s, err);

	if (r == 0)
		r = hold_summary(c, &s, file, line, err);
	summary_release(&s);
	return r < 0 ? err_prefix(err, "%s:%u", input_name(c->in[file]), line) : 0;
}

int collection_read(struct collection *c, uint32_t file, struct err *err)
{
	_cleanup_(summary_stream_closep) struct summary_stream *s =
		summary_stream_open(c->in[file]);
	const size_t before = c->n_benches;
	struct jv *doc = NULL;
	unsigned line, foreign;
	int r;

	while ((r = summary_stream_next(s, &doc, &line, err)) > 0) {
		r = take_summary(c, doc, file, line, err);
		jv_free(doc);
		if (r < 0)
			return -1;
	}
	foreign = summary_stream_foreign(s);
	c->foreign += foreign;
	if (r == 0 && c->n_benches == before)
		return err_set(err, ERR_FORMAT,
			"%s: no iai-callgrind or gungraun summary in it (%u other JSON object%s)",
			input_name(c->in[file]), foreign, foreign == 1 ? "" : "s");
	return r;
}
