/* fuzz-policy: any bytes at all as perfgate.conf, then a few series decided by it. */
#include "buf.h"
#include "policy.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct series_key keys[] = {
	{"kpi", "parse", "allocs_per_op", "count", "count", DIRECTION_LOWER, "",
		"x86_64/Example 9000"},
	{"kpi", "tui_scroll", "wall_ns_per_op", "ns", "time", DIRECTION_LOWER, "", "ci"},
	{"clpeak", "CPU/x#0/fp64", "double", "FLOPS", "flops", DIRECTION_HIGHER, "avx2", "ci"},
	{"callgrind", "a::b::c", "Ir", "count", "count", DIRECTION_LOWER, "v2", "ci"},
	{"trace", "\xff\xfe", "self", "s", "time", DIRECTION_NONE, "", ""},
};

static void require(bool good)
{
	if (!good)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err err = ERR_INIT;
	_cleanup_(policy_freep) struct policy *p =
		policy_new("conf", (const char *)data, size, &err);
	struct decision d;
	size_t i;
	int a;

	require(!p == (err.code != ERR_NONE));
	for (i = 0; p && i < ARRAY_LEN(keys); i++) {
		err_clear(&err);
		if (policy_decide(p, &keys[i], &d, &err) < 0)
			continue;
		for (a = 0; a < ATTR_COUNT; a++)
			require(d.by[a] >= -1 && d.by[a] < policy_rules(p));
	}
	return 0;
}
