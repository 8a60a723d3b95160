/*
 * json-walk: the two ways that readers go through JSON: the members of an object by a table, and
 * the objects of an array one by one.
 */
#ifndef JSON_WALK_H
#define JSON_WALK_H

#include "json.h"

/* A known key, and what consumes its value from the stream. A null is passed over, as if the key
 * were not there; every other value has to begin with opens ('{', '[', '"', or 0 for anything). */
struct js_member {
	const char *key;
	char opens;
	int (*take)(void *ctx, struct js *js, struct err *err);
};

/* The object at the cursor; keys that are not in the table are skipped. 0, or -1 with err set. */
int js_members(struct js *js, const struct js_member *table, size_t n, void *ctx, struct err *err);

/*
 * The array at the cursor, loading one element at a time; each has to be an object. An error of
 * take gets "FILE:LINE: element N ('NAME'): " before it, with the string that name_key holds.
 */
int js_objects(struct js *js, const char *name_key,
	int (*take)(void *ctx, const struct jv *o, struct err *err), void *ctx, struct err *err);

#endif
