/*
 * What Criterion.rs leaves under target/criterion: a folder "new" for each benchmark with
 * benchmark.json (its name), sample.json (iterations and times of each sample, in ns) and
 * estimates.json. Versions 0.3 to 0.7.
 */
#include "reader.h"

#include "intern.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>

#define NS_A_SECOND 1e9

static const struct metric time_metric = {"time", "s", "time", DIRECTION_LOWER};

enum kind { KIND_NONE, KIND_BENCHMARK, KIND_SAMPLE, KIND_ESTIMATES };

struct folder {
	char *name;   /* of its benchmark; NULL: not known */
	bool samples; /* there is a sample.json, whose median is that of estimates.json */
};

struct tree {
	struct sink *sink;
	int run;
	const char *only; /* --name */
	struct intern *folders;
	struct folder *v; /* by number */
	size_t cap, left_out;
	bool fresh; /* some of the folders are "new": others are baselines */
};

/* ---- which file is what ---- */

static size_t folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

static bool in_new(const char *path)
{
	const size_t len = folder_len(path);

	return len >= 3 && !memcmp(path + len - 3, "new", 3) && (len == 3 || path[len - 4] == '/');
}

static bool has(const char *head, size_t len, const char *key)
{
	return memmem(head, len, key, strlen(key)) != NULL;
}

static enum kind kind_of(const char *head, size_t len)
{
	size_t i = 0;

	while (i < len && head[i] && strchr(" \t\r\n", head[i]))
		i++;
	if (i == len || head[i] != '{')
		return KIND_NONE;
	if (has(head, len, "\"group_id\"") && has(head, len, "\"full_id\""))
		return KIND_BENCHMARK;
	if (has(head, len, "\"iters\"") && has(head, len, "\"times\""))
		return KIND_SAMPLE;
	return has(head, len, "\"point_estimate\"") && has(head, len, "\"median_abs_dev\"")
		       ? KIND_ESTIMATES
		       : KIND_NONE;
}

static int look(struct input *in, enum kind *ret, struct err *err)
{
	const char *head;
	size_t len;

	if (input_head(in, &head, &len, err) < 0)
		return -1;
	*ret = kind_of(head, len);
	if (*ret == KIND_NONE)
		return err_set(err, ERR_FORMAT,
			"%s: neither benchmark.json nor sample.json nor estimates.json of Criterion",
			input_name(in));
	return 0;
}

static struct jv *load(struct input *in, struct err *err)
{
	_cleanup_(js_closep) struct js *js = js_open(in, 0);
	struct jv *v = js_load(js, err);

	if (v && jv_kind(v) != JV_OBJECT)
		err_set(err, ERR_FORMAT, "%s:1: %s, expected an object", input_name(in),
			jv_kind_name(jv_kind(v)));
	else if (v && js_end(js, err) == 0)
		return v;
	jv_free(v);
	return NULL;
}

/* ---- names ---- */

static struct folder *folder_of(struct tree *t, struct input *in)
{
	const char *path = input_name(in);
	const uint32_t known = intern_count(t->folders),
		       id = intern_add(t->folders, path, folder_len(path));

	if (id == known) {
		t->v = xgrow(t->v, id, &t->cap, sizeof(*t->v));
		t->v[id] = (struct folder){0};
	}
	return &t->v[id];
}

static int read_name(struct tree *t, struct input *in, const struct jv *o, struct err *err)
{
	struct folder *f = folder_of(t, in);
	const char *full;
	int r = jv_get_string(o, "full_id", &full, err);

	if (r == 0 || (r > 0 && !*full))
		r = err_set(err, ERR_FORMAT, "no 'full_id'");
	if (r < 0)
		return -1;
	free(f->name);
	f->name = xstrdup(full);
	return 0;
}

static int64_t series_of(struct tree *t, struct input *in, struct err *err)
{
	const char *name = t->only ? t->only : folder_of(t, in)->name;

	if (!name)
		return err_set(err, ERR_FORMAT,
			"no benchmark.json was given from its folder, which has the benchmark's name: name the folder, or use --name");
	return t->sink->series(t->sink, name, &time_metric, "", err);
}

/* ---- numbers ---- */

static int number_at(
	const struct jv *array, size_t i, const char *key, double *ret, struct err *err)
{
	const struct jv *v = jv_at(array, i);

	if (jv_kind(v) != JV_INT && jv_kind(v) != JV_REAL)
		return err_set(err, ERR_FORMAT, "'%s' holds %s, expected numbers", key,
			jv_kind_name(jv_kind(v)));
	*ret = num_double(jv_num(v));
	return 0;
}

static int need_array(const struct jv *o, const char *key, const struct jv **ret, struct err *err)
{
	int r = jv_get_array(o, key, ret, err);

	return r == 0 ? err_set(err, ERR_FORMAT, "no '%s'", key) : r;
}

static int put_sample(struct tree *t, int64_t series, double iterations, double ns, struct err *err)
{
	if (iterations < 1)
		return err_set(err, ERR_FORMAT, "'iters' holds %g, expected 1 or more", iterations);
	if (ns < 0)
		return err_set(err, ERR_FORMAT, "'times' holds %g, which is negative", ns);
	return t->sink->sample(
		t->sink, t->run, series, num_real(ns / iterations / NS_A_SECOND), err);
}

static int read_samples(struct tree *t, struct input *in, const struct jv *o, struct err *err)
{
	const struct jv *iterations, *times;
	double n, ns;
	size_t i;
	int64_t series;

	if (need_array(o, "iters", &iterations, err) < 0 || need_array(o, "times", &times, err) < 0)
		return -1;
	if (jv_len(iterations) != jv_len(times))
		return err_set(err, ERR_FORMAT, "%zu 'iters', but %zu 'times'", jv_len(iterations),
			jv_len(times));
	series = series_of(t, in, err);
	for (i = 0; series >= 0 && i < jv_len(times); i++)
		if (number_at(iterations, i, "iters", &n, err) < 0 ||
			number_at(times, i, "times", &ns, err) < 0 ||
			put_sample(t, series, n, ns, err) < 0)
			return -1;
	return series < 0 ? -1 : 0;
}

static int read_estimate(struct tree *t, struct input *in, const struct jv *o, struct err *err)
{
	const struct jv *median;
	struct num ns;
	int64_t series;
	int r;

	if (folder_of(t, in)->samples)
		return 0;
	r = jv_get_object(o, "median", &median, err);
	if (r > 0)
		r = jv_get_num(median, "point_estimate", &ns, err);
	if (r <= 0)
		return r < 0 ? -1 : err_set(err, ERR_FORMAT, "no 'median' with 'point_estimate'");
	series = series_of(t, in, err);
	if (series < 0)
		return -1;
	return t->sink->sample(
		t->sink, t->run, series, num_real(num_double(ns) / NS_A_SECOND), err);
}

/* ---- the tree ---- */

static bool is_left_out(const struct tree *t, struct input *in)
{
	return t->fresh && !in_new(input_name(in));
}

/* One file, when its turn has come: names come before numbers. */
static int read_file(struct tree *t, struct input *in, bool names, struct err *err)
{
	_cleanup_(jv_freep) struct jv *o = NULL;
	enum kind kind;
	int r;

	if (look(in, &kind, err) < 0)
		return -1;
	folder_of(t, in)->samples |= kind == KIND_SAMPLE;
	if ((kind == KIND_BENCHMARK) != names)
		return 0;
	o = load(in, err);
	if (!o)
		return -1;
	r = kind == KIND_BENCHMARK ? read_name(t, in, o, err)
	    : kind == KIND_SAMPLE  ? read_samples(t, in, o, err)
				   : read_estimate(t, in, o, err);
	return r < 0 ? err_prefix(err, "%s", input_name(in)) : 0;
}

static int read_files(struct tree *t, struct input **in, size_t n, bool names, struct err *err)
{
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < n; i++) {
		if (is_left_out(t, in[i])) {
			t->left_out += names;
			continue;
		}
		r = read_file(t, in[i], names, err);
		if (strcmp(input_name(in[i]), "standard input") != 0)
			input_close(in[i]);
	}
	return r;
}

static void tree_release(struct tree *t)
{
	uint32_t i;

	for (i = 0; i < intern_count(t->folders); i++)
		free(t->v[i].name);
	free(t->v);
	intern_free(t->folders);
}

static int criterion_read(struct input **in, size_t n, const struct read_options *opts,
	struct sink *sink, struct err *err)
{
	static const struct run_head head = {
		.suite = "criterion", .format = "criterion", .started_at = TIME_UNKNOWN};
	struct tree t = {.sink = sink, .only = opts->name, .folders = intern_new()};
	size_t i;
	int r;

	for (i = 0; i < n; i++)
		t.fresh |= in_new(input_name(in[i]));
	t.run = sink->run(sink, &head, err);
	r = t.run < 0 ? -1 : read_files(&t, in, n, true, err);
	if (r == 0)
		r = read_files(&t, in, n, false, err);
	if (r == 0 && t.left_out)
		sink->note(sink,
			"%zu files of saved baselines were left out: only folders called new are measured now",
			t.left_out);
	tree_release(&t);
	return r;
}

static int criterion_sniff(const char *head, size_t len)
{
	return kind_of(head, len) == KIND_NONE ? 0 : 85;
}

const struct reader reader_criterion = {.name = "criterion",
	.suite = "criterion",
	.summary = "Criterion.rs results: the tree target/criterion",
	.together = true,
	.sniff = criterion_sniff,
	.read = criterion_read};
