#include "pattern.h"

#include "buf.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/*
 * One match may backtrack STEPS_MAX times from each place where it can start and use HEAP_KIB. No
 * JIT: it counts steps in its own way, and a verdict must not depend on what a machine allows.
 */
enum { PATTERN_MAX = 4096, STEPS_MAX = 100000, HEAP_KIB = 20 << 10 };

struct pattern {
	char *text;
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
};

struct pattern *pattern_new(const char *text, struct err *err)
{
	const uint32_t options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C;
	size_t len = strlen(text);
	PCRE2_SIZE offset;
	struct pattern *p;
	int code;

	if (len > PATTERN_MAX) {
		err_set(err, ERR_POLICY, "a pattern of more than 4 KiB: '%.60s...'", text);
		return NULL;
	}
	p = xcalloc(1, sizeof(*p));
	p->code = pcre2_compile((PCRE2_SPTR)text, len, options, &code, &offset, NULL);
	if (!p->code) {
		PCRE2_UCHAR why[160];
		pcre2_get_error_message(code, why, sizeof(why));
		err_set(err, ERR_POLICY, "pattern '%.80s', byte %zu: %s", text, (size_t)offset,
			(const char *)why);
		free(p);
		return NULL;
	}
	p->text = xstrdup(text);
	p->data = pcre2_match_data_create(1, NULL);
	p->limits = pcre2_match_context_create(NULL);
	if (!p->data || !p->limits)
		xmalloc(SIZE_MAX); /* dies as every allocation does */
	pcre2_set_match_limit(p->limits, STEPS_MAX);
	pcre2_set_heap_limit(p->limits, HEAP_KIB);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_match_context_free(p->limits);
	pcre2_match_data_free(p->data);
	pcre2_code_free(p->code);
	free(p->text);
	free(p);
}

int pattern_match(struct pattern *p, const char *s, size_t len, struct err *err)
{
	int r = pcre2_match(p->code, (PCRE2_SPTR)s, len, 0, 0, p->data, p->limits);

	if (r >= 0)
		return 1;
	if (r == PCRE2_ERROR_NOMATCH || (r <= PCRE2_ERROR_UTF8_ERR1 && r >= PCRE2_ERROR_UTF8_ERR21))
		return 0;
	return err_set(err, ERR_POLICY, "pattern '%.80s' needs too many steps on '%.*s'", p->text,
		(int)(len < 80 ? len : 80), s);
}

const char *pattern_text(const struct pattern *p)
{
	return p->text;
}
