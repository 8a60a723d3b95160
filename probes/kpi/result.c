#include "result.h"

#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 4096 };

#define LAST_SECOND 9214646399 /* of the year 2261, the last whole one in 2^63 nanoseconds */

const char *perfgate_variable(const char *name)
{
	const char *value = getuid() == geteuid() && getgid() == getegid() ? getenv(name) : NULL;

	return value && *value ? value : NULL;
}

static uint64_t per_op(uint64_t total, int64_t iterations)
{
	return total / (uint64_t)iterations;
}

void perfgate_result_init(struct perfgate_result *ret, const char *name,
	const struct perfgate_metrics *m, int64_t iterations)
{
	int64_t ops = iterations < 1 ? 1 : iterations;
	struct perfgate_result r = {.name = name,
		.iterations = ops,
		.allocs_per_op = per_op(m->allocs, ops),
		.bytes_per_op = per_op(m->bytes, ops),
		.goroutines_end = m->threads_left,
		.rss_peak_bytes = m->rss_peak_bytes,
		.rss_final_bytes = m->rss_final_bytes,
		.wall_clock_ns = m->wall_ns};

	*ret = r;
}

static int good_name(const char *name)
{
	size_t len = name ? perfgate_text_length(name) : 0;

	return len > 0 && len <= NAME_MAX_BYTES;
}

static int good_sha(const char *sha)
{
	size_t len = strlen(sha);

	return !len || ((len == 40 || len == 64) && strspn(sha, "0123456789abcdef") == len);
}

static int good_numbers(const struct perfgate_result *r)
{
	const int64_t s[] = {r->sample, r->iterations, r->goroutines_end, r->tokens_input,
		r->tokens_output, r->tokens_cache_read, r->wall_clock_ns};
	const uint64_t u[] = {
		r->allocs_per_op, r->bytes_per_op, r->rss_peak_bytes, r->rss_final_bytes};
	size_t i;

	for (i = 0; i < sizeof(s) / sizeof(*s); i++) {
		if (s[i] < 0)
			return 0;
	}
	for (i = 0; i < sizeof(u) / sizeof(*u); i++) {
		if (u[i] > INT64_MAX)
			return 0;
	}
	return r->tokens_input <= INT64_MAX - r->tokens_output && isfinite(r->cache_hit_rate) &&
	       r->cache_hit_rate >= 0;
}

int perfgate_result_complete(struct perfgate_result *ret, const struct perfgate_result *r)
{
	struct perfgate_result whole = *r;
	const char *sha = perfgate_variable("PERFGATE_SHA");

	if (!whole.git_sha)
		whole.git_sha = sha ? sha : "";
	if (!whole.timestamp)
		whole.timestamp = (int64_t)time(NULL);
	if (!good_name(whole.name) || !good_sha(whole.git_sha) || !good_numbers(&whole) ||
		whole.timestamp < 0 || whole.timestamp > LAST_SECOND)
		return EINVAL;
	*ret = whole;
	return 0;
}
