#include "arith-x86.h"

#if defined(__x86_64__)

#define SSE(name, features, step)                                                                  \
	X86_KERNEL(name, features, "movups", "%%xmm", "16", "%%xmm14", "%%xmm15", X86_LIST_14,     \
		"4", "", step, "", X86_CLOBBERS_16)

SSE(sse_fp32, "sse2", "mulps %%xmm14, %%xmm\\r\n\taddps %%xmm15, %%xmm\\r")
SSE(sse_fp64, "sse2", "mulpd %%xmm14, %%xmm\\r\n\taddpd %%xmm15, %%xmm\\r")
SSE(sse_int32, "sse4.1", "pmulld %%xmm14, %%xmm\\r\n\tpaddd %%xmm15, %%xmm\\r")

#define SSE_SIZE .registers = 14, .times = 4, .bytes = 16

const struct kernel arith_sse[] = {
	{ISA_SSE2, ARITH_FP32, .run = sse_fp32, .step = step_mul_add_fp32, SSE_SIZE, .ops = 8},
	{ISA_SSE2, ARITH_FP64, .run = sse_fp64, .step = step_mul_add_fp64, SSE_SIZE, .ops = 4},
	{ISA_SSE41, ARITH_INT32, .run = sse_int32, .step = step_mul_add_int32, SSE_SIZE, .ops = 8},
	{ISA_COUNT, .run = NULL},
};

#else

const struct kernel arith_sse[] = {{ISA_COUNT, .run = NULL}};

#endif
