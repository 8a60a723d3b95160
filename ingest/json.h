/*
 * json: JSON documents of any size in bounded memory. The only module that knows jansson.
 *
 * A js (stream) walks a document from value to value; a value that is to be looked at is loaded
 * whole (js_load, at most JSON_ELEMENT_MAX bytes), one that is not is skipped without memory.
 * Whatever is walked over is held to the limits below. Errors are ERR_FORMAT and begin with
 * "FILE:LINE: ". RFC 8259, with these extra refusals: duplicate keys, a raw NUL byte, an integer
 * outside int64, a double that overflows, a number of more than 64 bytes, nesting past 64.
 */
#ifndef JSON_H
#define JSON_H

#include <stdint.h>

#include "buf.h"
#include "err.h"
#include "input.h"
#include "num.h"

#define JSON_ELEMENT_MAX (16u << 20)
#define JSON_DEPTH_MAX 64

/* ---- loaded values ---- */

struct jv; /* a loaded value; owned by the root that js_load() returned */

enum jv_kind { JV_NULL, JV_BOOL, JV_INT, JV_REAL, JV_STRING, JV_ARRAY, JV_OBJECT };

void jv_free(struct jv *root); /* NULL is fine */
void jv_freep(struct jv **root);
enum jv_kind jv_kind(const struct jv *v);
const char *jv_kind_name(enum jv_kind kind); /* "a string", "an array", ... for messages */

bool jv_bool(const struct jv *v);
struct num jv_num(const struct jv *v); /* of a JV_INT or JV_REAL */
const char *jv_string(
	const struct jv *v, size_t *ret_len); /* NUL-terminated UTF-8; ret_len may be NULL */

size_t jv_len(const struct jv *v); /* elements of an array, members of an object */
const struct jv *jv_at(const struct jv *array, size_t i);
const struct jv *jv_get(const struct jv *object, const char *key); /* NULL when absent */

/* Members in the document's order: for (it = jv_first(o); it; it = jv_next(o, it)). */
const void *jv_first(const struct jv *object);
const void *jv_next(const struct jv *object, const void *it);
const char *jv_member_key(const void *it);
const struct jv *jv_member(const void *it);

/*
 * Typed members. Each returns 1 when the key is there with that type, 0 when it is absent or null,
 * -1 with err set ("'KEY' is a string, expected an integer") otherwise; *ret is untouched unless 1.
 */
int jv_get_string(const struct jv *o, const char *key, const char **ret, struct err *err);
int jv_get_num(const struct jv *o, const char *key, struct num *ret, struct err *err);
int jv_get_int(const struct jv *o, const char *key, int64_t *ret, struct err *err);
int jv_get_bool(const struct jv *o, const char *key, bool *ret, struct err *err);
int jv_get_array(const struct jv *o, const char *key, const struct jv **ret, struct err *err);
int jv_get_object(const struct jv *o, const char *key, const struct jv **ret, struct err *err);
/* An RFC 3339 time in ns; TIME_UNKNOWN where it is absent. */
int jv_get_time(const struct jv *o, const char *key, int64_t *ret, struct err *err);
/* A string that has to be there. */
int jv_need_string(const struct jv *o, const char *key, const char **ret, struct err *err);

/* Loads text that is in memory already. "WHERE:LINE: " precedes errors. NULL with err set. */
struct jv *jv_load_text(const char *where, const char *text, size_t len, struct err *err);

/* Appends v as compact JSON, members in their order; loading and dumping again changes nothing. */
void jv_dump(struct buf *b, const struct jv *v);

/* ---- the stream ---- */

struct js;

/*
 * JS_REALS_AS_TEXT: a number with a point, an exponent or more than 18 characters is loaded as a
 * JV_STRING holding its token, for readers that must not round (trace time stamps) or that meet
 * 64-bit identifiers which they have no use for.
 */
enum { JS_REALS_AS_TEXT = 1 };

struct js *js_open(struct input *in, unsigned flags); /* in is borrowed */
void js_close(struct js *js);                         /* NULL is fine */
void js_closep(struct js **js);

/* The next byte that is not white space (0 at the end of input), not consumed; -1 with err set. */
int js_peek(struct js *js, struct err *err);

/* js_enter() consumes '[' or '{' (bracket). js_more() is 1 at a further element or member, 0
 * after consuming the closing bracket; it also consumes the comma between. For an object it must
 * be followed by js_key(), whose *ret lives until the next call. All return -1 with err set. */
int js_enter(struct js *js, char bracket, struct err *err);
int js_more(struct js *js, struct err *err);
int js_key(struct js *js, const char **ret, struct err *err);

struct jv *js_load(struct js *js, struct err *err); /* NULL with err set */
/* Held to the grammar like what is loaded, but for the pairing of \uD800 to \uDFFF, and for
 * duplicates among the keys of an object beyond the first 65536. */
int js_skip(struct js *js, struct err *err);
int js_end(struct js *js, struct err *err); /* nothing but white space is left */

/*
 * For lenient readers. js_raw_object(): finds the text of the balanced {...} at the cursor
 * (js_peek() gave '{') without loading it; *ret lives until the next call. Returns 1, 0 when the
 * input ends inside it, -1 with err set and the cursor past at least the first byte (a fault that
 * keeps the end from being found, limits). js_drop(): consumes n bytes. js_pass(): skips a value
 * by its brackets and quotes alone, whatever is between them.
 */
int js_raw_object(struct js *js, const char **ret, size_t *ret_len, struct err *err);
int js_drop(struct js *js, size_t n, struct err *err);
int js_pass(struct js *js, struct err *err);

unsigned js_line(const struct js *js); /* of the cursor, from 1 */
/* Sets an ERR_FORMAT error that begins with "FILE:LINE: "; always -1. js_where() puts the same
 * place before an error that a helper set. */
int js_error(struct js *js, struct err *err, const char *fmt, ...) PRINTF_LIKE(3, 4);
int js_where(struct js *js, struct err *err);

#endif
