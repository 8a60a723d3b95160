#include "outline.h"

#include "text.h"

#include <math.h>

void outline_next(struct outline *w)
{
	if (!w->first)
		buf_addstr(w->b, w->line ? ", " : ",");
	if (!w->line && w->depth) {
		buf_addch(w->b, '\n');
		buf_addf(w->b, "%*s", 2 * w->depth, "");
	}
	w->first = false;
}

void outline_key(struct outline *w, const char *key)
{
	outline_next(w);
	buf_addf(w->b, "\"%s\": ", key);
}

void outline_open(struct outline *w, const char *key, char bracket)
{
	if (key)
		outline_key(w, key);
	else
		outline_next(w);
	buf_addch(w->b, bracket);
	w->depth++;
	w->first = true;
}

void outline_close(struct outline *w, char bracket)
{
	w->depth--;
	if (!w->first && !w->line) {
		buf_addch(w->b, '\n');
		buf_addf(w->b, "%*s", 2 * w->depth, "");
	}
	buf_addch(w->b, bracket);
	w->first = false;
}

void outline_text(struct outline *w, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	outline_key(w, key);
	text_json_str(w->b, value);
}

void outline_element(struct outline *w, const char *value)
{
	outline_next(w);
	text_json_str(w->b, value);
}

void outline_int(struct outline *w, const char *key, int64_t value)
{
	outline_key(w, key);
	buf_addf(w->b, "%lld", (long long)value);
}

void outline_known(struct outline *w, const char *key, int64_t value)
{
	if (value >= 0)
		outline_int(w, key, value);
}

void outline_bool(struct outline *w, const char *key, bool value)
{
	outline_key(w, key);
	buf_addstr(w->b, value ? "true" : "false");
}

void outline_real(struct outline *w, const char *key, double value)
{
	if (!isfinite(value))
		return;
	if (key)
		outline_key(w, key);
	buf_addf(w->b, "%.7g", value);
}
