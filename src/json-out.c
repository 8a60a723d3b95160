#include "json-out.h"

#include "num.h"
#include "text.h"

#include <math.h>
#include <string.h>

static bool is_first(const struct buf *b)
{
	return !b->len || strchr("{ ", b->p[b->len - 1]);
}

void json_key(struct buf *b, const char *key)
{
	buf_addf(b, "%s\"%s\": ", is_first(b) ? "" : ", ", key);
}

void json_string(struct buf *b, const char *key, const char *value)
{
	json_key(b, key);
	text_json_str(b, value);
}

void json_int(struct buf *b, const char *key, long long value)
{
	json_key(b, key);
	buf_addf(b, "%lld", value);
}

void json_bool(struct buf *b, const char *key, bool value)
{
	json_key(b, key);
	buf_addstr(b, value ? "true" : "false");
}

void json_real(struct buf *b, const char *key, double value)
{
	json_key(b, key);
	if (!isfinite(value))
		buf_addstr(b, "null");
	else
		num_format(b, value == 0 ? num_int(0) : num_real(value));
}

void json_null(struct buf *b, const char *key)
{
	json_string(b, key, NULL);
}

void json_tight_key(struct buf *b, const char *key)
{
	buf_addf(b, "%s\"%s\":", is_first(b) ? "" : ",", key);
}

void json_tight_string(struct buf *b, const char *key, const char *value)
{
	json_tight_key(b, key);
	text_json_str(b, value);
}
