#include "perfgate/kpi.h"

#include "counter.h"
#include "sampler.h"
#include "self.h"

#include <errno.h>
#include <stdlib.h>

struct perfgate_capture {
	struct perfgate_sampler sampler;
	int threads;
	uint64_t allocs, bytes;
	int64_t started_ns;
};

int perfgate_capture_begin(struct perfgate_capture **ret, int interval_ms)
{
	struct perfgate_capture *c;
	int r;

	perfgate_hush(1);
	c = calloc(1, sizeof(*c));
	perfgate_hush(-1);
	if (!c)
		return ENOMEM;
	c->threads = perfgate_threads_settled(PERFGATE_SETTLE_MS, 1);
	r = perfgate_sampler_start(&c->sampler, interval_ms);
	if (r) {
		free(c);
		return r;
	}
	*ret = c;
	perfgate_allocations(&c->allocs, &c->bytes);
	c->started_ns = perfgate_self_clock();
	return 0;
}

int perfgate_capture_end(struct perfgate_capture *c, struct perfgate_metrics *ret)
{
	int64_t ended_ns = perfgate_self_clock();
	struct perfgate_metrics m;

	if (!c)
		return EINVAL;
	m.counted = perfgate_allocations(&m.allocs, &m.bytes);
	m.allocs -= c->allocs;
	m.bytes -= c->bytes;
	m.wall_ns = ended_ns - c->started_ns;
	perfgate_sampler_stop(&c->sampler);
	m.rss_peak_bytes = c->sampler.peak;
	m.rss_final_bytes = c->sampler.last;
	m.threads_left = ret ? perfgate_threads_left(c->threads, PERFGATE_SETTLE_MS) : 0;
	free(c);
	if (ret)
		*ret = m;
	return 0;
}
