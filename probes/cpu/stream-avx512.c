#include "stream.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef __m512 vec;
#define TARGET __attribute__((target("avx512f")))
#define VEC 64
#define LOAD(p) _mm512_load_ps(p)
#define STORE(p, v) _mm512_store_ps(p, v)
#define STORE_PAST(p, v) _mm512_stream_ps((float *)(void *)(p), v)
#define FENCE() _mm_sfence()
#define SET(f) _mm512_set1_ps(f)
#define INTEGERS(v) _mm512_castps_si512(v)
#define XOR3(a, b, c)                                                                              \
	_mm512_castsi512_ps(_mm512_ternarylogic_epi64(INTEGERS(a), INTEGERS(b), INTEGERS(c), 0x96))
#define MADD(b, c, f) _mm512_fmadd_ps(c, f, b)
#define KERNELS stream_avx512
#define NAME "AVX-512"
#define NEEDS ISA_AVX512
#include "stream-kernels.inc"

#endif
