#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static void add_key(struct perfgate_text *t, const char *key)
{
	perfgate_text_puts(t, ",\n    \"");
	perfgate_text_puts(t, key);
	perfgate_text_puts(t, "\": ");
}

static void add_signed(struct perfgate_text *t, const char *key, int64_t v)
{
	char buf[24];

	snprintf(buf, sizeof(buf), "%" PRId64, v);
	add_key(t, key);
	perfgate_text_puts(t, buf);
}

static void add_unsigned(struct perfgate_text *t, const char *key, uint64_t v)
{
	char buf[24];

	snprintf(buf, sizeof(buf), "%" PRIu64, v);
	add_key(t, key);
	perfgate_text_puts(t, buf);
}

static void add_time(struct perfgate_text *t, const char *key, int64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm tm = {0};
	char buf[80];

	gmtime_r(&when, &tm);
	snprintf(buf, sizeof(buf), "\"%04d-%02d-%02dT%02d:%02d:%02dZ\"", tm.tm_year + 1900,
		tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
	add_key(t, key);
	perfgate_text_puts(t, buf);
}

static void add_result(struct perfgate_text *t, const struct perfgate_result *r)
{
	perfgate_text_puts(t, "  {\n    \"schema_version\": 1");
	add_key(t, "name");
	perfgate_text_string(t, r->name);
	add_signed(t, "sample", r->sample);
	add_key(t, "git_sha");
	perfgate_text_string(t, r->git_sha);
	add_time(t, "timestamp", r->timestamp);
	add_signed(t, "iterations", r->iterations);
	add_unsigned(t, "allocs_per_op", r->allocs_per_op);
	add_unsigned(t, "bytes_per_op", r->bytes_per_op);
	add_signed(t, "goroutines_end", r->goroutines_end);
	add_signed(t, "tokens_input", r->tokens_input);
	add_signed(t, "tokens_output", r->tokens_output);
	add_signed(t, "tokens_cache_read", r->tokens_cache_read);
	add_key(t, "cache_hit_rate");
	perfgate_text_real(t, r->cache_hit_rate);
	add_unsigned(t, "rss_peak_bytes", r->rss_peak_bytes);
	add_unsigned(t, "rss_final_bytes", r->rss_final_bytes);
	add_signed(t, "wall_clock_ns", r->wall_clock_ns);
	perfgate_text_puts(t, "\n  }");
}

void perfgate_text_results(struct perfgate_text *t, const struct perfgate_result *r, size_t n)
{
	size_t i;

	perfgate_text_puts(t, n ? "[\n" : "[");
	for (i = 0; i < n; i++) {
		add_result(t, &r[i]);
		perfgate_text_puts(t, i + 1 < n ? ",\n" : "\n");
	}
	perfgate_text_puts(t, "]\n");
}
