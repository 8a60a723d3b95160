#include "counter.h"

#pragma weak perfgate_alloc_totals
#pragma weak perfgate_alloc_hush

int perfgate_allocations(uint64_t *ret_allocs, uint64_t *ret_bytes)
{
	*ret_allocs = *ret_bytes = 0;
	if (!perfgate_alloc_totals)
		return 0;
	perfgate_alloc_totals(ret_allocs, ret_bytes);
	return 1;
}

void perfgate_hush(int by)
{
	if (perfgate_alloc_hush)
		perfgate_alloc_hush(by);
}
