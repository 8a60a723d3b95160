#include "stream.h"

#if defined(__x86_64__)
#include <immintrin.h>

typedef __m512i vec;
#define TARGET __attribute__((target("avx512f")))
#define VEC 64
#define LOAD(p) _mm512_load_si512(p)
#define STORE(p, v) _mm512_store_si512(p, v)
#define STORE_PAST(p, v) _mm512_stream_si512((__m512i *)(void *)(p), v)
#define FENCE() _mm_sfence()
#define SET(f) _mm512_castps_si512(_mm512_set1_ps(f))
#define FLOATS(v) _mm512_castsi512_ps(v)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define MADD(b, c, f) _mm512_castps_si512(_mm512_fmadd_ps(FLOATS(c), FLOATS(f), FLOATS(b)))
#define KERNELS stream_avx512
#define NAME "AVX-512"
#define NEEDS ISA_AVX512
#include "stream-kernels.inc"

#endif
