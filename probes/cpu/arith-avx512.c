#include "arith-x86.h"

#if defined(__x86_64__)

#define AVX512(name, features, list, times, step)                                                  \
	X86_KERNEL(name, "avx512f" features, "vmovups", "%%zmm", "64", "%%zmm24", "%%zmm25", list, \
		times, "", step, "vzeroupper", X86_CLOBBERS_26)

#define FMA_FP32 "vfmadd213ps %%zmm25, %%zmm24, %%zmm\\r"
#define FMA_FP64 "vfmadd213pd %%zmm25, %%zmm24, %%zmm\\r"

AVX512(avx512_fp32, "", X86_LIST_24, "4", FMA_FP32)
AVX512(avx512_fp64, "", X86_LIST_24, "4", FMA_FP64)
AVX512(chain_fp32, "", "0", "96", FMA_FP32)
AVX512(chain_fp64, "", "0", "96", FMA_FP64)
AVX512(avx512_int32, "", X86_LIST_24, "4",
	"vpmulld %%zmm24, %%zmm\\r, %%zmm\\r\n\tvpaddd %%zmm25, %%zmm\\r, %%zmm\\r")
AVX512(avx512_int8, ",avx512vnni", X86_LIST_24, "4", "vpdpbusd %%zmm25, %%zmm24, %%zmm\\r")
#if X86_COMPILER(10, 9)
AVX512(avx512_bf16, ",avx512bf16", X86_LIST_24, "4", "vdpbf16ps %%zmm25, %%zmm24, %%zmm\\r")
#endif
#if X86_COMPILER(12, 14)
AVX512(avx512_fp16, ",avx512fp16", X86_LIST_24, "4", "vfmadd213ph %%zmm25, %%zmm24, %%zmm\\r")
#endif

#define AVX512_SIZE .registers = 24, .times = 4, .bytes = 64

const struct kernel arith_avx512[] = {
	{ISA_AVX512, ARITH_FP32, .run = avx512_fp32, .chain = chain_fp32, .step = step_fma_fp32,
		AVX512_SIZE, .ops = 32},
	{ISA_AVX512, ARITH_FP64, .run = avx512_fp64, .chain = chain_fp64, .step = step_fma_fp64,
		AVX512_SIZE, .ops = 16},
#if X86_COMPILER(12, 14)
	{ISA_AVX512_FP16, ARITH_FP16, .run = avx512_fp16, .step = step_fma_fp16, AVX512_SIZE,
		.ops = 64},
#endif
#if X86_COMPILER(10, 9)
	{ISA_AVX512_BF16, ARITH_BF16, .run = avx512_bf16, .step = step_dot_bf16, AVX512_SIZE,
		.ops = 64},
#endif
	{ISA_AVX512, ARITH_INT32, .run = avx512_int32, .step = step_mul_add_int32, AVX512_SIZE,
		.ops = 32},
	{ISA_AVX512_VNNI, ARITH_INT8, .run = avx512_int8, .step = step_dot_us, AVX512_SIZE,
		.ops = 128},
	{ISA_COUNT, .run = NULL},
};

#else

const struct kernel arith_avx512[] = {{ISA_COUNT, .run = NULL}};

#endif
