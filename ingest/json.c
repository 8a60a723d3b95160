#include "json.h"

#include "json-scan.h"
#include "text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A struct jv is a json_t under another name. */

static const json_t *tree(const struct jv *v)
{
	return (const json_t *)(const void *)v;
}

static const struct jv *wrap(const json_t *v)
{
	return (const struct jv *)(const void *)v;
}

void jv_free(struct jv *root)
{
	json_decref((json_t *)(void *)root);
}

void jv_freep(struct jv **root)
{
	jv_free(*root);
}

enum jv_kind jv_kind(const struct jv *v)
{
	switch (json_typeof(tree(v))) {
	case JSON_OBJECT:
		return JV_OBJECT;
	case JSON_ARRAY:
		return JV_ARRAY;
	case JSON_STRING:
		return JV_STRING;
	case JSON_INTEGER:
		return JV_INT;
	case JSON_REAL:
		return JV_REAL;
	case JSON_TRUE:
	case JSON_FALSE:
		return JV_BOOL;
	default:
		return JV_NULL;
	}
}

const char *jv_kind_name(enum jv_kind kind)
{
	static const char *const names[] = {[JV_NULL] = "null",
		[JV_BOOL] = "a boolean",
		[JV_INT] = "an integer",
		[JV_REAL] = "a number with a fraction",
		[JV_STRING] = "a string",
		[JV_ARRAY] = "an array",
		[JV_OBJECT] = "an object"};

	return names[kind];
}

bool jv_bool(const struct jv *v)
{
	return json_is_true(tree(v));
}

struct num jv_num(const struct jv *v)
{
	if (json_is_integer(tree(v)))
		return num_int(json_integer_value(tree(v)));
	return num_real(json_real_value(tree(v)));
}

const char *jv_string(const struct jv *v, size_t *ret_len)
{
	if (ret_len)
		*ret_len = json_string_length(tree(v));
	return json_string_value(tree(v));
}

size_t jv_len(const struct jv *v)
{
	return json_is_array(tree(v)) ? json_array_size(tree(v)) : json_object_size(tree(v));
}

const struct jv *jv_at(const struct jv *array, size_t i)
{
	return wrap(json_array_get(tree(array), i));
}

const struct jv *jv_get(const struct jv *object, const char *key)
{
	return wrap(json_object_get(tree(object), key));
}

const void *jv_first(const struct jv *object)
{
	return json_object_iter((json_t *)(uintptr_t)object);
}

const void *jv_next(const struct jv *object, const void *it)
{
	return json_object_iter_next((json_t *)(uintptr_t)object, (void *)(uintptr_t)it);
}

const char *jv_member_key(const void *it)
{
	return json_object_iter_key((void *)(uintptr_t)it);
}

const struct jv *jv_member(const void *it)
{
	return wrap(json_object_iter_value((void *)(uintptr_t)it));
}

/* The member when it has one of two kinds: 1, 0 (absent, null) or -1. */
static int member_of_kind(const struct jv *o, const char *key, enum jv_kind a, enum jv_kind b,
	const char *expected, const struct jv **ret, struct err *err)
{
	const struct jv *v = jv_get(o, key);
	enum jv_kind kind;

	if (!v)
		return 0;
	kind = jv_kind(v);
	if (kind == JV_NULL)
		return 0;
	if (kind != a && kind != b)
		return err_set(err, ERR_FORMAT, "'%s' is %s, expected %s", key, jv_kind_name(kind),
			expected);
	*ret = v;
	return 1;
}

int jv_get_string(const struct jv *o, const char *key, const char **ret, struct err *err)
{
	const struct jv *v = NULL;
	int r = member_of_kind(o, key, JV_STRING, JV_STRING, "a string", &v, err);

	if (r > 0)
		*ret = jv_string(v, NULL);
	return r;
}

int jv_get_num(const struct jv *o, const char *key, struct num *ret, struct err *err)
{
	const struct jv *v = NULL;
	int r = member_of_kind(o, key, JV_INT, JV_REAL, "a number", &v, err);

	if (r > 0)
		*ret = jv_num(v);
	return r;
}

int jv_get_int(const struct jv *o, const char *key, int64_t *ret, struct err *err)
{
	const struct jv *v = NULL;
	int r = member_of_kind(o, key, JV_INT, JV_INT, "an integer", &v, err);

	if (r > 0)
		*ret = jv_num(v).i;
	return r;
}

int jv_get_bool(const struct jv *o, const char *key, bool *ret, struct err *err)
{
	const struct jv *v = NULL;
	int r = member_of_kind(o, key, JV_BOOL, JV_BOOL, "a boolean", &v, err);

	if (r > 0)
		*ret = jv_bool(v);
	return r;
}

int jv_get_array(const struct jv *o, const char *key, const struct jv **ret, struct err *err)
{
	return member_of_kind(o, key, JV_ARRAY, JV_ARRAY, "an array", ret, err);
}

int jv_get_object(const struct jv *o, const char *key, const struct jv **ret, struct err *err)
{
	return member_of_kind(o, key, JV_OBJECT, JV_OBJECT, "an object", ret, err);
}

int jv_get_time(const struct jv *o, const char *key, int64_t *ret, struct err *err)
{
	const char *text;
	int r = jv_get_string(o, key, &text, err);

	*ret = TIME_UNKNOWN;
	if (r > 0 && time_parse(text, ret, err) < 0)
		return err_prefix(err, "'%s'", key);
	return r;
}

int jv_need_string(const struct jv *o, const char *key, const char **ret, struct err *err)
{
	int r = jv_get_string(o, key, ret, err);

	return r == 0 ? err_set(err, ERR_FORMAT, "no '%s'", key) : r;
}

static void dump_members(struct buf *b, const struct jv *v)
{
	const void *it;

	buf_addch(b, '{');
	for (it = jv_first(v); it; it = jv_next(v, it)) {
		if (it != jv_first(v))
			buf_addch(b, ',');
		text_json_str(b, jv_member_key(it));
		buf_addch(b, ':');
		jv_dump(b, jv_member(it));
	}
	buf_addch(b, '}');
}

void jv_dump(struct buf *b, const struct jv *v)
{
	size_t i, len;
	const char *s;

	switch (jv_kind(v)) {
	case JV_NULL:
		buf_addstr(b, "null");
		break;
	case JV_BOOL:
		buf_addstr(b, jv_bool(v) ? "true" : "false");
		break;
	case JV_INT:
	case JV_REAL:
		num_format(b, jv_num(v));
		break;
	case JV_STRING:
		s = jv_string(v, &len);
		text_json(b, s, len);
		break;
	case JV_ARRAY:
		buf_addch(b, '[');
		for (i = 0; i < jv_len(v); i++) {
			if (i)
				buf_addch(b, ',');
			jv_dump(b, jv_at(v, i));
		}
		buf_addch(b, ']');
		break;
	case JV_OBJECT:
		dump_members(b, v);
		break;
	}
}

struct jv *jv_parse(const char *where, unsigned line, const char *text, size_t len, struct err *err)
{
	json_error_t e;
	json_t *v;

	/* or else it would call what it had no memory for a bad document */
	json_set_alloc_funcs(xmalloc, free);
	v = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
	if (!v)
		err_set(err, ERR_FORMAT, "%s:%u: %s", where,
			line + (e.line > 0 ? (unsigned)e.line - 1 : 0), e.text);
	return (struct jv *)(void *)v;
}
