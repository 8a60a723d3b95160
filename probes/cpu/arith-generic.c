/* For any processor: vectors of 16 bytes in C, which the compiler turns into what it has. */
#include "arith.h"

#include <string.h>

enum { CHAINS = 8, TIMES = 16 };

/* The registers go through memory after each iteration, out of the compiler's sight, so that it
 * can neither leave one out nor make one step of many. */
#define GENERIC(name, type)                                                                        \
	static void name(struct operands *o, int64_t iterations)                                   \
	{                                                                                          \
		typedef type lanes __attribute__((vector_size(16)));                               \
		lanes r[CHAINS], a, b;                                                             \
		int i, t;                                                                          \
                                                                                                   \
		memcpy(r, o->registers, sizeof(r));                                                \
		memcpy(&a, o->a, sizeof(a));                                                       \
		memcpy(&b, o->b, sizeof(b));                                                       \
		for (; iterations > 0; iterations--) {                                             \
			for (t = 0; t < TIMES; t++)                                                \
				for (i = 0; i < CHAINS; i++)                                       \
					r[i] = r[i] * a + b;                                       \
			__asm__ volatile("" : "+m"(r), "+m"(a), "+m"(b));                          \
		}                                                                                  \
		memcpy(o->registers, r, sizeof(r));                                                \
	}

GENERIC(generic_fp32, float)
GENERIC(generic_fp64, double)
GENERIC(generic_int32, uint32_t)

#define GENERIC_SIZE .variant = "portable", .registers = CHAINS, .times = TIMES, .bytes = 16

const struct kernel arith_generic[] = {
	{ISA_COUNT, ARITH_FP32, .run = generic_fp32, .step = step_mul_add_fp32,
		.alternative = step_fma_fp32, GENERIC_SIZE, .ops = 8},
	{ISA_COUNT, ARITH_FP64, .run = generic_fp64, .step = step_mul_add_fp64,
		.alternative = step_fma_fp64, GENERIC_SIZE, .ops = 4},
	{ISA_COUNT, ARITH_INT32, .run = generic_int32, .step = step_mul_add_int32, GENERIC_SIZE,
		.ops = 8},
	{ISA_COUNT, .run = NULL},
};
