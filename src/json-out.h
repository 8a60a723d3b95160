/*
 * json-out: members of JSON objects, appended to a buffer. json_key() puts a comma where one is
 * needed: behind everything but "{" and a blank. The json_tight_ ones use no blanks.
 */
#ifndef JSON_OUT_H
#define JSON_OUT_H

#include "buf.h"

void json_key(struct buf *b, const char *key);                       /* a value has to follow */
void json_string(struct buf *b, const char *key, const char *value); /* NULL becomes null */
void json_int(struct buf *b, const char *key, long long value);
void json_bool(struct buf *b, const char *key, bool value);
/* What is no number of JSON becomes null, and -0 becomes 0. */
void json_real(struct buf *b, const char *key, double value);
void json_null(struct buf *b, const char *key);

void json_tight_key(struct buf *b, const char *key);
void json_tight_string(struct buf *b, const char *key, const char *value);

#endif
