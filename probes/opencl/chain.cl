// One dependent chain an element, 16 steps an iteration; host.h says what comes out.
// -DSCALAR=, the type of the chain; -DRESULT=, of what is stored; -DKIND_... which step.
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if defined(KIND_REAL) || defined(KIND_MIXED)
#define SETUP(V, CONVERT, lane, element) \
	V c = (CONVERT(lane & 7u) + (SCALAR)1798) * (SCALAR)(-1.0f / 1024); \
	V x = CONVERT(element >> 3) * (SCALAR)(1.0f / 256);
#else
#define SETUP(V, CONVERT, lane, element) V x = CONVERT((lane & 63u) * 4u + 2u);
#endif

#if defined(KIND_REAL)
#define STEP(width) x = x * x + c;
#elif defined(KIND_MIXED)
#define STEP(width) \
	{ \
		JOIN(HALF_, width) h = JOIN(TO_HALF_, width)(x); \
		x = JOIN(TO_FLOAT_, width)(h) * JOIN(TO_FLOAT_, width)(h) + c; \
	}
#define HALF_1 half
#define HALF_2 half2
#define HALF_4 half4
#define HALF_8 half8
#define HALF_16 half16
#define TO_HALF_1 convert_half
#define TO_HALF_2 convert_half2
#define TO_HALF_4 convert_half4
#define TO_HALF_8 convert_half8
#define TO_HALF_16 convert_half16
#define TO_FLOAT_1 convert_float
#define TO_FLOAT_2 convert_float2
#define TO_FLOAT_4 convert_float4
#define TO_FLOAT_8 convert_float8
#define TO_FLOAT_16 convert_float16
#elif defined(KIND_MAD24)
#define STEP(width) x = mad24(x, x, x);
#elif defined(KIND_DOT)
#define STEP(width) DOT_##width(x)
#define DOT_1(v) v += dot_4x8packed_uu_uint(v, v);
#define DOT_2(v) DOT_1(v.s0) DOT_1(v.s1)
#define DOT_4(v) DOT_2(v) DOT_1(v.s2) DOT_1(v.s3)
#define DOT_8(v) DOT_4(v) DOT_1(v.s4) DOT_1(v.s5) DOT_1(v.s6) DOT_1(v.s7)
#define DOT_16(v) \
	DOT_8(v) DOT_1(v.s8) DOT_1(v.s9) DOT_1(v.sa) DOT_1(v.sb) DOT_1(v.sc) DOT_1(v.sd) \
	DOT_1(v.se) DOT_1(v.sf)
#else
#define STEP(width) x = x * x + x;
#endif

#define CHAIN(width, V, CONVERT) \
	__kernel void chain##width(__global RESULT *out, uint count) \
	{ \
		WORDS(width) element = ELEMENTS_##width; \
		WORDS(width) lane = element + (uint)get_global_id(0); \
		SETUP(V, CONVERT, lane, element) \
		for (uint i = 0; i < count; i++) { \
			SIXTEEN(STEP(width)) \
		} \
		out[get_global_id(0)] = SUM_##width(RESULT, x); \
	}

CHAIN(1, SCALAR, JOIN(convert_, SCALAR))
CHAIN(2, JOIN(SCALAR, 2), JOIN(convert_, JOIN(SCALAR, 2)))
CHAIN(4, JOIN(SCALAR, 4), JOIN(convert_, JOIN(SCALAR, 4)))
CHAIN(8, JOIN(SCALAR, 8), JOIN(convert_, JOIN(SCALAR, 8)))
CHAIN(16, JOIN(SCALAR, 16), JOIN(convert_, JOIN(SCALAR, 16)))
