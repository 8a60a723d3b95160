// Sixteen texels an item, down its column; the bits are summed, so that nothing is rounded.
__constant sampler_t sampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

#define FETCH s += as_uint4(read_imagef(in, sampler, at)); at.y++;

__kernel void texels(__read_only image2d_t in, __global uint *out)
{
	int2 at = (int2)((int)get_global_id(0), (int)get_global_id(1) * 16);
	uint4 s = 0;

	SIXTEEN(FETCH)
	out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = SUM_4(uint, s);
}
