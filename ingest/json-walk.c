#include "json-walk.h"

#include "json-stream.h"

#include <string.h>

static const char *kind_of(int c)
{
	return c == '{'               ? "an object"
	       : c == '['             ? "an array"
	       : c == '"'             ? "a string"
	       : c == 't' || c == 'f' ? "a boolean"
				      : "a number";
}

static int take_member(struct js *js, const struct js_member *m, void *ctx, struct err *err)
{
	int c = js_peek(js, err);

	if (c < 0)
		return -1;
	if (c == 0 || c == 'n' || (m->opens && !strchr("{[\"tf-0123456789", c)))
		return js_skip(js, err);
	if (m->opens && c != m->opens)
		return js_error(
			js, err, "'%s' is %s, expected %s", m->key, kind_of(c), kind_of(m->opens));
	return m->take(ctx, js, err);
}

static const struct js_member *find(const struct js_member *table, size_t n, const char *key)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(table[i].key, key))
			return &table[i];
	return NULL;
}

int js_members(struct js *js, const struct js_member *table, size_t n, void *ctx, struct err *err)
{
	const struct js_member *m;
	const char *key;
	int r;

	if (js_enter(js, '{', err) < 0)
		return -1;
	while ((r = js_more(js, err)) > 0) {
		if (js_key(js, &key, err) < 0)
			return -1;
		m = find(table, n, key);
		if ((m ? take_member(js, m, ctx, err) : js_skip(js, err)) < 0)
			return -1;
	}
	return r;
}

static int place_error(const char *file, unsigned line, size_t element, const struct jv *v,
	const char *name_key, struct err *err)
{
	const struct jv *name = jv_kind(v) == JV_OBJECT ? jv_get(v, name_key) : NULL;

	if (name && jv_kind(name) == JV_STRING)
		return err_prefix(err, "%s:%u: element %zu ('%.100s')", file, line, element,
			jv_string(name, NULL));
	return err_prefix(err, "%s:%u: element %zu", file, line, element);
}

int js_objects(struct js *js, const char *name_key,
	int (*take)(void *ctx, const struct jv *o, struct err *err), void *ctx, struct err *err)
{
	size_t element = 0;
	int more;

	if (js_enter(js, '[', err) < 0)
		return -1;
	while ((more = js_more(js, err)) > 0) {
		_cleanup_(jv_freep) struct jv *v = NULL;
		unsigned line = js_line(js);

		element++;
		v = js_load(js, err);
		if (!v)
			return -1;
		if (jv_kind(v) != JV_OBJECT)
			err_set(err, ERR_FORMAT, "%s, expected an object",
				jv_kind_name(jv_kind(v)));
		else if (take(ctx, v, err) == 0)
			continue;
		return place_error(input_name(js->in), line, element, v, name_key, err);
	}
	return more;
}
