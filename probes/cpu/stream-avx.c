#include "stream.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef __m256 vec;
#define TARGET __attribute__((target("avx")))
#define VEC 32
#define LOAD(p) _mm256_load_ps((const float *)(const void *)(p))
#define STORE(p, v) _mm256_store_ps((float *)(void *)(p), v)
#define STORE_PAST(p, v) _mm256_stream_ps((float *)(void *)(p), v)
#define FENCE() _mm_sfence()
#define SET(f) _mm256_set1_ps(f)
#define XOR3(a, b, c) _mm256_xor_ps(a, _mm256_xor_ps(b, c))
#define MADD(b, c, f) _mm256_add_ps(_mm256_mul_ps(c, f), b)
#define KERNELS stream_avx
#define NAME "AVX"
#define NEEDS ISA_AVX
#include "stream-kernels.inc"

#endif
