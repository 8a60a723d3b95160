#include "go.h"

#include "json.h"

#include <string.h>

enum { LINE_MAX_BYTES = 65536, HELD_MAX = 16 << 20 };

/* Output comes in pieces, which end where the test process wrote. */
static int add_output(
	struct go_reading *g, struct go_stream *s, const char *p, size_t *held, struct err *err)
{
	const char *nl;

	for (; (nl = strchr(p, '\n')); p = nl + 1) {
		struct text line;
		buf_add(&s->partial, p, (size_t)(nl - p));
		*held -= s->partial.len - (size_t)(nl - p);
		line.p = buf_str(&s->partial);
		line.end = line.p + s->partial.len;
		if (line.end > line.p && line.end[-1] == '\r')
			line.end--;
		if (go_line(g, s, line, err) < 0)
			return -1;
		buf_clear(&s->partial);
	}
	buf_addstr(&s->partial, p);
	*held += strlen(p);
	if (s->partial.len > LINE_MAX_BYTES)
		return err_set(err, ERR_FORMAT, "a line of more than 64 KiB");
	if (*held > HELD_MAX)
		return err_set(err, ERR_FORMAT, "more than 16 MiB of unfinished lines");
	return 0;
}

static int read_event(struct go_reading *g, const struct jv *o, size_t *held, struct err *err)
{
	const char *action = "", *package = "", *output = "";

	if (jv_kind(o) != JV_OBJECT)
		return err_set(err, ERR_FORMAT, "%s, expected an object", jv_kind_name(jv_kind(o)));
	if (jv_get_string(o, "Action", &action, err) < 0 ||
		jv_get_string(o, "Package", &package, err) < 0 ||
		jv_get_string(o, "Output", &output, err) < 0)
		return -1;
	return strcmp(action, "output")
		       ? 0
		       : add_output(g, go_stream_of(g, package), output, held, err);
}

int go_json(struct go_reading *g, struct input *in, struct err *err)
{
	_cleanup_(js_closep) struct js *js = js_open(in, 0);
	size_t held = 0;
	int c;

	while ((c = js_peek(js, err)) > 0) {
		unsigned line = js_line(js);
		_cleanup_(jv_freep) struct jv *v = js_load(js, err);

		if (!v)
			return -1;
		if (read_event(g, v, &held, err) < 0)
			return err_prefix(err, "%s:%u", input_name(in), line);
	}
	return c;
}
