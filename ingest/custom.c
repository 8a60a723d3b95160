/* The arrays that github-action-benchmark takes for its tools customSmallerIsBetter and
 * customBiggerIsBetter. Nothing in them tells the two apart. */
#include "gab.h"

#include <string.h>

static int read_array(
	struct points *ps, const struct row *row, struct js *js, const char *file, struct err *err)
{
	_cleanup_(points_donep) struct rowing *r = points_begin(ps, row);
	int more;

	if (js_enter(js, '[', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0) {
		unsigned line = js_line(js);
		_cleanup_(jv_freep) struct jv *v = js_load(js, err);

		if (!v)
			return -1;
		if (points_add(r, v, err) < 0)
			return err_prefix(err, "%s:%u", file, line);
	}
	return more < 0 || js_end(js, err) < 0 ? -1 : points_end(r, err);
}

static int read_custom(struct input *in, const char *tool, const char *format,
	const struct read_options *opts, struct sink *sink, struct err *err)
{
	struct points *ps = points_new(sink, opts);
	struct row row = {.group = points_group(ps, ""),
		.number = 1,
		.head = {.format = format, .started_at = TIME_UNKNOWN}};
	struct js *js = js_open(in, JS_REALS_AS_TEXT);
	int r;

	tool_find(tool, &row.tool);
	r = read_array(ps, &row, js, input_name(in), err);
	if (r == 0)
		points_note(ps);
	js_close(js);
	points_free(ps);
	return r;
}

static int smaller_read(struct input **in, size_t n, const struct read_options *opts,
	struct sink *sink, struct err *err)
{
	(void)n;
	return read_custom(in[0], "customSmallerIsBetter", "custom-smaller", opts, sink, err);
}

static int bigger_read(struct input **in, size_t n, const struct read_options *opts,
	struct sink *sink, struct err *err)
{
	(void)n;
	return read_custom(in[0], "customBiggerIsBetter", "custom-bigger", opts, sink, err);
}

/* Both: whoever asks is told to say which. */
static int custom_sniff(const char *head, size_t len)
{
	static const char *const keys[] = {"\"name\"", "\"unit\"", "\"value\""};
	size_t i = 0, k;

	while (i < len && head[i] && strchr(" \t\r\n[", head[i]))
		i++;
	if (i == 0 || i == len || head[i] != '{' || !memchr(head, '[', i))
		return 0;
	for (k = 0; k < ARRAY_LEN(keys); k++)
		if (!memmem(head, len, keys[k], strlen(keys[k])))
			return 0;
	return 40;
}

const struct reader reader_custom_smaller = {.name = "custom-smaller",
	.suite = "custom",
	.foreign = true,
	.summary = "arrays of name, unit, value, of which smaller ones are better (needs --format)",
	.sniff = custom_sniff,
	.read = smaller_read};

const struct reader reader_custom_bigger = {.name = "custom-bigger",
	.suite = "custom",
	.foreign = true,
	.summary = "the same, of which bigger ones are better (needs --format)",
	.sniff = custom_sniff,
	.read = bigger_read};
