#include "export-judgement.h"

#include "line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS_MAX = 64, VERDICT_NAME_MAX = 64 };

/* A commit; "" where there is none. */
static int get_sha(const struct jv *o, const char *key, const char **ret, struct err *err)
{
	int r = jv_get_string(o, key, ret, err);

	return r > 0 ? line_check_hex(key, *ret, 40, 64, err) : r;
}

static int read_counts(const struct jv *o, struct verdict_count *counts, size_t *n, struct err *err)
{
	const void *it;

	if (jv_len(o) > COUNTS_MAX)
		return err_set(err, ERR_FORMAT, "'counts' has more than %d members", COUNTS_MAX);
	for (it = jv_first(o), *n = 0; it; it = jv_next(o, it), ++*n) {
		counts[*n].verdict = jv_member_key(it);
		if (strlen(counts[*n].verdict) > VERDICT_NAME_MAX)
			return err_set(err, ERR_FORMAT, "'counts' has a verdict '%.40s...'",
				counts[*n].verdict);
		if (jv_get_int(o, counts[*n].verdict, &counts[*n].series, err) < 0)
			return -1;
		if (counts[*n].series < 1)
			return err_set(err, ERR_FORMAT,
				"'counts' has '%s', expected numbers from 1", counts[*n].verdict);
	}
	return 0;
}

static int read_exit(const struct jv *o, int *ret, struct err *err)
{
	int64_t exit_status = -1;

	if (jv_get_int(o, "exit", &exit_status, err) < 0)
		return -1;
	if (exit_status < 0 || exit_status > 255)
		return err_set(err, ERR_FORMAT, "'exit' is no exit status");
	*ret = (int)exit_status;
	return 0;
}

int export_read_judgement(struct sink *sink, const struct jv *o, struct err *err)
{
	struct verdict_count counts[COUNTS_MAX] = {{0}};
	struct judgement_fact j = {.tree_state = "clean", .base = "", .counts = counts};
	const struct jv *object = NULL;

	if (jv_need_string(o, "head", &j.head, err) < 0 ||
		line_check_hex("head", j.head, 40, 64, err) < 0 ||
		jv_get_string(o, "tree_state", &j.tree_state, err) < 0 ||
		line_check_state(j.tree_state, err) < 0 || get_sha(o, "base", &j.base, err) < 0 ||
		jv_need_string(o, "policy", &j.policy, err) < 0 ||
		line_check_hex("policy", j.policy, 64, 64, err) < 0 ||
		jv_get_time(o, "made_at", &j.made_at, err) < 0 ||
		read_exit(o, &j.exit_status, err) < 0 ||
		jv_need_string(o, "digest", &j.digest, err) < 0 ||
		line_check_hex("digest", j.digest, 64, 64, err) < 0 ||
		jv_get_object(o, "counts", &object, err) < 0)
		return -1;
	if (j.made_at == TIME_UNKNOWN)
		return err_set(err, ERR_FORMAT, "no 'made_at'");
	if (object && read_counts(object, counts, &j.n_counts, err) < 0)
		return -1;
	return sink->judgement ? sink->judgement(sink, &j, err) : 0;
}

/* NAN where it is not there. */
static int get_number(const struct jv *o, const char *key, double *ret, struct err *err)
{
	struct num v;
	int r = jv_get_num(o, key, &v, err);

	*ret = r > 0 ? num_double(v) : NAN;
	return r;
}

int export_read_verdict(struct sink *sink, const struct jv *o, struct err *err)
{
	struct verdict_fact v = {.benchmark = "",
		.metric = "",
		.unit = "",
		.variant = "",
		.runner = "",
		.base = "",
		.reason = ""};

	if (jv_need_string(o, "suite", &v.suite, err) < 0 ||
		jv_get_string(o, "benchmark", &v.benchmark, err) < 0 ||
		jv_get_string(o, "metric", &v.metric, err) < 0 ||
		jv_get_string(o, "unit", &v.unit, err) < 0 ||
		jv_get_string(o, "variant", &v.variant, err) < 0 ||
		jv_get_string(o, "runner", &v.runner, err) < 0 ||
		jv_need_string(o, "class", &v.class_, err) < 0 ||
		jv_need_string(o, "verdict", &v.verdict, err) < 0 ||
		jv_get_bool(o, "gates", &v.gates, err) < 0 ||
		get_sha(o, "base", &v.base, err) < 0 ||
		get_number(o, "base_median", &v.base_median, err) < 0 ||
		get_number(o, "head_median", &v.head_median, err) < 0 ||
		get_number(o, "change", &v.change, err) < 0 ||
		jv_get_string(o, "reason", &v.reason, err) < 0)
		return -1;
	return sink->verdict ? sink->verdict(sink, &v, err) : 0;
}
