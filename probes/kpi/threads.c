#include "perfgate/kpi.h"

#include "sampler.h"
#include "self.h"

#include <time.h>

static int threads_now(void)
{
	int n = perfgate_self_threads();

	if (n <= 0)
		return 0;
	n -= perfgate_samplers();
	return n < 1 ? 1 : n;
}

static void doze(void)
{
	struct timespec t = {.tv_nsec = 500000};

	nanosleep(&t, NULL);
}

int perfgate_threads_settled(int settle_ms, int enough)
{
	int64_t until = perfgate_self_clock() + (int64_t)(settle_ms < 1 ? 1 : settle_ms) * 1000000;
	int least = threads_now();

	while (least > enough && perfgate_self_clock() < until) {
		int n;

		doze();
		n = threads_now();
		least = n < least ? n : least;
	}
	return least;
}

int perfgate_threads_left(int baseline, int settle_ms)
{
	int n = baseline > 0 ? perfgate_threads_settled(settle_ms, baseline) : 0;

	return n > baseline ? n - baseline : 0;
}
