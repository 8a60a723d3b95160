#include "stream.h"

#if defined(__x86_64__)
#include <emmintrin.h>

typedef __m128 vec;
#define TARGET
#define VEC 16
#define LOAD(p) _mm_load_ps((const float *)(const void *)(p))
#define STORE(p, v) _mm_store_ps((float *)(void *)(p), v)
#define STORE_PAST(p, v) _mm_stream_ps((float *)(void *)(p), v)
#define FENCE() _mm_sfence()
#define SET(f) _mm_set1_ps(f)
#define XOR3(a, b, c) _mm_xor_ps(a, _mm_xor_ps(b, c))
#define MADD(b, c, f) _mm_add_ps(_mm_mul_ps(c, f), b)
#define KERNELS stream_sse2
#define NAME "SSE2"
#define NEEDS ISA_SSE2
#include "stream-kernels.inc"

#endif
