// Every item writes a vector to local memory and reads that of the next one, plus 1.
#define PASS(width) \
	__kernel void pass##width(__global uint *out, uint count, __local WORDS(width) *scratch) \
	{ \
		uint id = get_local_id(0), next = (id + 1) % (uint)get_local_size(0); \
		WORDS(width) v = id * 16u + ELEMENTS_##width; \
		for (uint i = 0; i < count; i++) { \
			scratch[id] = v; \
			barrier(CLK_LOCAL_MEM_FENCE); \
			v = scratch[next] + 1u; \
			barrier(CLK_LOCAL_MEM_FENCE); \
		} \
		out[get_global_id(0)] = SUM_##width(uint, v); \
	}

PASS(1)
PASS(2)
PASS(4)
PASS(8)
