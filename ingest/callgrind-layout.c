#include "callgrind-layout.h"

#include <string.h>

enum { VERSION_MAX = 32 };

/* ---- version 3 and later ---- */

/* "None" or {"Callgrind": map}: the one key repeats the tool in a spelling of its own. */
static int read_wrapped_map(
	struct summary *s, const char *tool, const struct jv *v, struct err *err)
{
	const void *it;

	if (!v)
		return member_needed(0, "summary", err);
	if (jv_kind(v) == JV_STRING && !strcmp(jv_string(v, NULL), "None"))
		return 0;
	if (jv_kind(v) != JV_OBJECT || jv_len(v) != 1)
		return err_set(err, ERR_FORMAT, "expected \"None\" or one map of metrics, not %s",
			jv_kind_name(jv_kind(v)));
	it = jv_first(v);
	if (jv_kind(jv_member(it)) != JV_OBJECT)
		return member_wrong(jv_member_key(it), jv_member(it), "an object", err);
	return summary_add_map(s, tool, jv_member(it), err);
}

static int read_callgrind_3(struct summary *s, const struct jv *callgrind, struct err *err)
{
	const struct jv *run, *total, *map;

	if (member_object(callgrind, "callgrind_run", &run, err) < 0 ||
		member_object(run, "total", &total, err) < 0 ||
		member_object(total, "summary", &map, err) < 0 ||
		summary_add_regressions(s, total, err) < 0)
		return -1;
	return summary_add_map(s, "Callgrind", map, err);
}

static int read_profile_4(
	struct summary *s, const char *tool, const struct jv *profile, struct err *err)
{
	const struct jv *data, *total;

	if (member_object(profile, "summaries", &data, err) < 0 ||
		member_object(data, "total", &total, err) < 0 ||
		summary_add_regressions(s, total, err) < 0)
		return -1;
	return read_wrapped_map(s, tool, jv_get(total, "summary"), err);
}

/* perf leaves the total empty: its numbers are in the parts. */
static int read_profile_7(
	struct summary *s, const char *tool, const struct jv *profile, struct err *err)
{
	const struct jv *data, *total, *metrics, *parts, *part;
	size_t i;

	if (member_object(profile, "data", &data, err) < 0 ||
		member_object(data, "total", &total, err) < 0 ||
		member_object(total, "metrics", &metrics, err) < 0 ||
		summary_add_regressions(s, total, err) < 0)
		return -1;
	if (jv_len(metrics) > 0)
		return summary_add_map(s, tool, metrics, err);
	if (member_array(data, "parts", &parts, err) < 0)
		return -1;
	for (i = 0; i < jv_len(parts); i++) {
		if (member_element(parts, i, "parts", &part, err) < 0 ||
			member_object(part, "metrics", &metrics, err) < 0 ||
			summary_add_map(s, tool, metrics, err) < 0)
			return -1;
	}
	return 0;
}

/* ---- tools ---- */

static int tool_name(const struct jv *entry, const char **ret, struct err *err)
{
	if (member_needed(jv_get_string(entry, "tool", ret, err), "tool", err) < 0)
		return -1;
	return **ret ? 0 : err_set(err, ERR_FORMAT, "a tool without a name");
}

/* An entry of tool_summaries. */
static int read_tool(struct summary *s, const struct jv *entry, const char *tool, struct err *err)
{
	const struct jv *runs = jv_get(entry, "summaries"), *run;
	size_t i;

	if (runs && jv_kind(runs) == JV_OBJECT) {
		s->layout = SUMMARY_3;
		return read_wrapped_map(s, tool, jv_get(runs, "total"), err);
	}
	if (member_array(entry, "summaries", &runs, err) < 0)
		return -1;
	s->layout = SUMMARY_1;
	for (i = 0; i < jv_len(runs); i++) {
		if (member_element(runs, i, "summaries", &run, err) < 0 ||
			summary_run_1(s, tool, run, err) < 0)
			return -1;
	}
	return 0;
}

static int read_profile(
	struct summary *s, const struct jv *profile, const char *tool, struct err *err)
{
	s->layout = jv_get(profile, "data") ? SUMMARY_7 : SUMMARY_4;
	return s->layout == SUMMARY_7 ? read_profile_7(s, tool, profile, err)
				      : read_profile_4(s, tool, profile, err);
}

static int read_list(struct summary *s, const struct jv *list, const char *key,
	int (*read)(struct summary *, const struct jv *, const char *, struct err *),
	struct err *err)
{
	enum summary_layout before = s->layout;
	const struct jv *entry;
	const char *tool;
	size_t i;

	for (i = 0; i < jv_len(list); i++) {
		s->source++;
		if (member_element(list, i, key, &entry, err) < 0 ||
			tool_name(entry, &tool, err) < 0)
			return -1;
		if (read(s, entry, tool, err) < 0)
			return err_prefix(err, "%.80s", tool);
		if (before != SUMMARY_NONE && s->layout != before)
			return err_set(
				err, ERR_FORMAT, "'%s' mixes layouts of different versions", key);
		before = s->layout;
	}
	return 0;
}

static int read_callgrind(struct summary *s, const struct jv *callgrind, struct err *err)
{
	int r;

	s->layout = jv_get(callgrind, "callgrind_run") ? SUMMARY_3 : SUMMARY_1;
	r = s->layout == SUMMARY_3 ? read_callgrind_3(s, callgrind, err)
				   : summary_callgrind_1(s, callgrind, err);
	return r < 0 ? err_prefix(err, "Callgrind") : 0;
}

static int read_tools(struct summary *s, const struct jv *doc, struct err *err)
{
	const struct jv *callgrind = NULL, *list = NULL;
	int r = jv_get_array(doc, "profiles", &list, err);

	if (r < 0)
		return -1;
	if (r > 0)
		return read_list(s, list, "profiles", read_profile, err);
	r = jv_get_object(doc, "callgrind_summary", &callgrind, err);
	if (r < 0 || (r > 0 && read_callgrind(s, callgrind, err) < 0))
		return -1;
	r = jv_get_array(doc, "tool_summaries", &list, err);
	if (r < 0)
		return -1;
	if (r == 0 && !jv_get(doc, "callgrind_summary"))
		return err_set(err, ERR_FORMAT,
			"none of the layouts 1 to 7: no 'profiles', 'callgrind_summary' or 'tool_summaries'");
	return r > 0 ? read_list(s, list, "tool_summaries", read_tool, err) : 0;
}

/* ---- what a count of nothing means ---- */

static const struct summary_value *find(const struct summary *s, const char *tool, const char *name)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->values[i].tool, tool) && !strcmp(s->values[i].name, name))
			return &s->values[i];
	return NULL;
}

static bool is_zero(const struct summary_value *v)
{
	return v && v->known && num_cmp(v->value, num_int(0)) == 0;
}

static void withdraw(struct summary_value *v, enum sink_status status, const char *reason)
{
	if (!v->known)
		return;
	v->known = false;
	v->status = status;
	v->reason = reason;
}

/*
 * A function that was measured executed an instruction: 0 is a toggle that matched nothing or a
 * runner that does not fit its library. Collection that a function switches on counts no system
 * calls at all.
 */
static void withdraw_unmeasured(struct summary *s)
{
	static const char *const tools[] = {"Callgrind", "Cachegrind"};
	size_t t, i;

	for (t = 0; t < ARRAY_LEN(tools); t++) {
		bool nothing = is_zero(find(s, tools[t], "Ir")),
		     no_calls = is_zero(find(s, tools[t], "SysCount"));
		for (i = 0; i < s->n; i++) {
			struct summary_value *v = &s->values[i];
			if (strcmp(v->tool, tools[t]) != 0)
				continue;
			if (nothing)
				withdraw(v, SINK_ERROR, "0 instructions: nothing was measured");
			else if (no_calls && !strncmp(v->name, "Sys", 3))
				withdraw(v, SINK_SKIPPED, "0 system calls: they were not counted");
		}
	}
}

static int read_identity(struct summary *s, const struct jv *doc, struct err *err)
{
	if (member_needed(jv_get_string(doc, "module_path", &s->module_path, err), "module_path",
		    err) < 0 ||
		jv_get_string(doc, "id", &s->id, err) < 0 ||
		jv_get_string(doc, "version", &s->version, err) < 0 ||
		jv_get_string(doc, "kind", &s->kind, err) < 0 ||
		jv_get_string(doc, "package_dir", &s->package_dir, err) < 0 ||
		jv_get_string(doc, "project_root", &s->project_root, err) < 0)
		return -1;
	if (s->version && strlen(s->version) > VERSION_MAX)
		return err_set(err, ERR_FORMAT, "field 'version': expected a number, not %zu bytes",
			strlen(s->version));
	return *s->module_path ? 0 : err_set(err, ERR_FORMAT, "field 'module_path' is empty");
}

int summary_decode(const struct jv *doc, struct summary *ret, struct err *err)
{
	*ret = (struct summary){.keys = intern_new()};
	if (read_identity(ret, doc, err) < 0)
		return -1;
	if (read_tools(ret, doc, err) < 0)
		return err_prefix(err, "'%.200s%s%.100s'", ret->module_path, ret->id ? "::" : "",
			ret->id ? ret->id : "");
	withdraw_unmeasured(ret);
	return 0;
}
