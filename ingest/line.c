#include "line.h"

#include <string.h>

int line_each(struct input *in, int (*row)(void *ctx, const struct jv *o, struct err *err),
	void *ctx, struct err *err)
{
	_cleanup_(js_closep) struct js *js = js_open(in, 0);
	int c;

	while ((c = js_peek(js, err)) > 0) {
		const unsigned line = js_line(js);
		_cleanup_(jv_freep) struct jv *v = js_load(js, err);

		if (!v)
			return -1;
		if (jv_kind(v) != JV_OBJECT)
			err_set(err, ERR_FORMAT, "%s, expected an object",
				jv_kind_name(jv_kind(v)));
		else if (row(ctx, v, err) == 0)
			continue;
		return err_prefix(err, "%s:%u", input_name(in), line);
	}
	return c;
}

int64_t line_series(struct sink *sink, const struct jv *o, struct err *err)
{
	const char *benchmark, *variant = "", *direction = "none";
	struct metric m = {.unit = "", .quantity = "unknown"};

	if (jv_need_string(o, "benchmark", &benchmark, err) < 0 ||
		jv_need_string(o, "metric", &m.name, err) < 0 ||
		jv_get_string(o, "unit", &m.unit, err) < 0 ||
		jv_get_string(o, "quantity", &m.quantity, err) < 0 ||
		jv_get_string(o, "direction", &direction, err) < 0 ||
		jv_get_string(o, "variant", &variant, err) < 0)
		return -1;
	if (direction_parse(direction, &m.direction) < 0)
		return err_set(err, ERR_FORMAT,
			"'direction' is '%.40s', expected lower, higher or none", direction);
	return sink->series(sink, benchmark, &m, variant, err);
}

int line_absence(struct sink *sink, int run, int64_t series, const struct jv *o, struct err *err)
{
	const char *text, *reason = "";
	enum sink_status status;

	if (jv_need_string(o, "status", &text, err) < 0 ||
		jv_get_string(o, "reason", &reason, err) < 0)
		return -1;
	if (sink_status_parse(text, &status) < 0)
		return err_set(err, ERR_FORMAT,
			"'status' is '%.40s', expected unsupported, skipped or error", text);
	return sink->absence(sink, run, series, status, reason, err);
}

int line_check_hex(const char *key, const char *s, size_t a, size_t b, struct err *err)
{
	size_t len = strlen(s);

	if ((len != a && len != b) || strspn(s, "0123456789abcdef") != len)
		return err_set(
			err, ERR_FORMAT, "'%s' is not %zu hexadecimal digits: '%.80s'", key, a, s);
	return 0;
}

int line_check_state(const char *state, struct err *err)
{
	if (strcmp(state, "clean") && strncmp(state, "dirty:", 6))
		return err_set(err, ERR_FORMAT,
			"'tree_state' is '%.80s', expected clean or dirty:DIGEST", state);
	return 0;
}
