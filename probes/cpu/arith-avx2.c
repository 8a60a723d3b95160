#include "arith-x86.h"

#if defined(__x86_64__)

#define AVX(name, features, list, times, step)                                                     \
	X86_KERNEL(name, features, "vmovups", "%%ymm", "32", "%%ymm14", "%%ymm15", list, times,    \
		"", step, "vzeroupper", X86_CLOBBERS_16)

#define FMA_FP32 "vfmadd213ps %%ymm15, %%ymm14, %%ymm\\r"
#define FMA_FP64 "vfmadd213pd %%ymm15, %%ymm14, %%ymm\\r"

AVX(avx_fp32, "avx2,fma", X86_LIST_14, "4", FMA_FP32)
AVX(avx_fp64, "avx2,fma", X86_LIST_14, "4", FMA_FP64)
AVX(chain_fp32, "avx2,fma", "0", "96", FMA_FP32)
AVX(chain_fp64, "avx2,fma", "0", "96", FMA_FP64)
AVX(avx_int32, "avx2", X86_LIST_14, "4",
	"vpmulld %%ymm14, %%ymm\\r, %%ymm\\r\n\tvpaddd %%ymm15, %%ymm\\r, %%ymm\\r")

/* Without VNNI a dot product takes three instructions, and pairs of products are cut to 16 bits:
 * ymm12 is all ones in them. */
X86_KERNEL(avx_int8, "avx2", "vmovups", "%%ymm", "32", "%%ymm14", "%%ymm15", X86_LIST_12, "4",
	"vpcmpeqw %%ymm12, %%ymm12, %%ymm12\n\tvpabsw %%ymm12, %%ymm12\n\t",
	"vpmaddubsw %%ymm15, %%ymm14, %%ymm13\n\tvpmaddwd %%ymm12, %%ymm13, %%ymm13\n\t"
	"vpaddd %%ymm13, %%ymm\\r, %%ymm\\r",
	"vzeroupper", X86_CLOBBERS_16)

#if X86_COMPILER(11, 12)
AVX(vnni_int8, "avxvnni", X86_LIST_14, "4", "%{vex%} vpdpbusd %%ymm15, %%ymm14, %%ymm\\r")
#endif

#define AVX_SIZE .registers = 14, .times = 4, .bytes = 32

const struct kernel arith_avx2[] = {
	{ISA_AVX2, ARITH_FP32, .run = avx_fp32, .chain = chain_fp32, .step = step_fma_fp32,
		AVX_SIZE, .ops = 16},
	{ISA_AVX2, ARITH_FP64, .run = avx_fp64, .chain = chain_fp64, .step = step_fma_fp64,
		AVX_SIZE, .ops = 8},
	{ISA_AVX2, ARITH_INT32, .run = avx_int32, .step = step_mul_add_int32, AVX_SIZE, .ops = 16},
	{ISA_AVX2, ARITH_INT8, .run = avx_int8, .step = step_dot_us_cut, .registers = 12,
		.times = 4, .bytes = 32, .ops = 64},
#if X86_COMPILER(11, 12)
	{ISA_AVX_VNNI, ARITH_INT8, .run = vnni_int8, .step = step_dot_us, AVX_SIZE, .ops = 64},
#endif
	{ISA_COUNT, .run = NULL},
};

#else

const struct kernel arith_avx2[] = {{ISA_COUNT, .run = NULL}};

#endif
