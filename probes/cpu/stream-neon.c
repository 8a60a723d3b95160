#include "stream.h"

#if defined(__aarch64__)
#include <arm_neon.h>

/* A core for Arm notices by itself that whole lines are written, and does not read them first. */
typedef float32x4_t vec;
#define TARGET
#define VEC 16
#define LOAD(p) vld1q_f32((const float *)(const void *)(p))
#define STORE(p, v) vst1q_f32((float *)(void *)(p), v)
#define STORE_PAST STORE
#define FENCE()
#define SET(f) vdupq_n_f32(f)
#define INTEGERS(v) vreinterpretq_u32_f32(v)
#define XOR3(a, b, c)                                                                              \
	vreinterpretq_f32_u32(veorq_u32(INTEGERS(a), veorq_u32(INTEGERS(b), INTEGERS(c))))
#define MADD(b, c, f) vfmaq_f32(b, c, f)
#define KERNELS stream_neon
#define NAME "NEON"
#define NEEDS ISA_NEON
#include "stream-kernels.inc"

#endif
