// Sixteen vectors an item, in two orders: strided by the work-group, and by the whole range.
#define FETCH s += in[at]; at += stride;

#define SWEEP(name, width, FROM, STRIDE) \
	__kernel void name##width(__global const WORDS(width) *in, __global uint *out) \
	{ \
		uint at = FROM, stride = STRIDE; \
		WORDS(width) s = 0; \
		SIXTEEN(FETCH) \
		out[get_global_id(0)] = SUM_##width(uint, s); \
	}

#define NEAR_FROM (uint)(get_group_id(0) * get_local_size(0) * 16 + get_local_id(0))
#define NEAR_STRIDE (uint)get_local_size(0)
#define FAR_FROM (uint)get_global_id(0)
#define FAR_STRIDE (uint)get_global_size(0)

#define BOTH(width) \
	SWEEP(near, width, NEAR_FROM, NEAR_STRIDE) \
	SWEEP(far, width, FAR_FROM, FAR_STRIDE)

BOTH(1)
BOTH(2)
BOTH(4)
BOTH(8)
BOTH(16)
