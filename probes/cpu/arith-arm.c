#include "arith.h"

#if defined(__aarch64__)

#define LIST_24 "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23"

/* Like X86_KERNEL, four times. */
#define STEPS(step) ".irp r," LIST_24 "\n\t" step "\n\t.endr\n\t"
#define NEON(name, step)                                                                           \
	static void name(struct operands *o, int64_t iterations)                                   \
	{                                                                                          \
		__asm__ volatile(                                                                  \
			"ldr q30, [%[a]]\n\tldr q31, [%[b]]\n\t" STEPS(                            \
				"ldr q\\r, [%[registers], #16*\\r]") "\n1:\n\t" STEPS(step)        \
				STEPS(step) STEPS(step)                                            \
					STEPS(step) "subs %[n], %[n], #1\n\tb.ne 1b\n\t" STEPS(    \
						"str q\\r, [%[registers], #16*\\r]")               \
			: [n] "+r"(iterations)                                                     \
			: [registers] "r"(o->registers), [a] "r"(o->a), [b] "r"(o->b)              \
			: "memory", "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8",    \
			"v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18",       \
			"v19", "v20", "v21", "v22", "v23", "v30", "v31");                          \
	}

NEON(neon_fp32, "fmla v\\r\\().4s, v30.4s, v31.4s")
NEON(neon_fp64, "fmla v\\r\\().2d, v30.2d, v31.2d")
NEON(neon_int32, "mla v\\r\\().4s, v30.4s, v31.4s")

/* Extensions as numbers, since assemblers differ in how they want to be told of them: the register
 * that is changed is the lowest five bits, and the operands are v30 and v31. */
NEON(neon_fp16, ".inst 0x4e5f0fc0 + \\r") /* fmla v.8h, v30.8h, v31.8h */
NEON(neon_bf16, ".inst 0x6e5fffc0 + \\r") /* bfdot v.4s, v30.8h, v31.8h */
NEON(neon_int8, ".inst 0x4e9f97c0 + \\r") /* sdot v.4s, v30.16b, v31.16b */
NEON(mmla_bf16, ".inst 0x6e5fefc0 + \\r") /* bfmmla v.4s, v30.8h, v31.8h */
NEON(mmla_int8, ".inst 0x4e9fa7c0 + \\r") /* smmla v.4s, v30.16b, v31.16b */

#define NEON_SIZE .registers = 24, .times = 4, .bytes = 16

const struct kernel arith_arm[] = {
	{ISA_NEON, ARITH_FP32, .run = neon_fp32, .step = step_mla_fp32, NEON_SIZE, .ops = 8},
	{ISA_NEON, ARITH_FP64, .run = neon_fp64, .step = step_mla_fp64, NEON_SIZE, .ops = 4},
	{ISA_ARM_FP16, ARITH_FP16, .run = neon_fp16, .step = step_mla_fp16, NEON_SIZE, .ops = 16},
	{ISA_ARM_BF16, ARITH_BF16, .run = neon_bf16, .step = step_dot_bf16, NEON_SIZE, .ops = 16},
	{ISA_NEON, ARITH_INT32, .run = neon_int32, .step = step_mla_int32, NEON_SIZE, .ops = 8},
	{ISA_ARM_DOTPROD, ARITH_INT8, .run = neon_int8, .step = step_dot_ss, NEON_SIZE, .ops = 32},
	{ISA_ARM_I8MM, ARITH_MATRIX_INT8, .variant = "MMLA", .run = mmla_int8, .step = step_mmla_ss,
		NEON_SIZE, .ops = 64},
	{ISA_ARM_BF16, ARITH_MATRIX_BF16, .variant = "MMLA", .run = mmla_bf16,
		.step = step_mmla_bf16, NEON_SIZE, .ops = 32},
	{ISA_COUNT, .run = NULL},
};

#else

const struct kernel arith_arm[] = {{ISA_COUNT, .run = NULL}};

#endif
