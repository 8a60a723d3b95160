/*
 * isa: which instruction sets can be used here: the processor has them and the system keeps
 * their registers. What the architecture does not know is not there.
 */
#ifndef ISA_H
#define ISA_H

#include <stdbool.h>

enum isa {
	/* x86-64; each wants what comes with it: AVX-512 is F, BW, DQ and VL */
	ISA_SSE2,
	ISA_SSE41,
	ISA_SSE42, /* with CRC32 */
	ISA_AES,
	ISA_PCLMUL,
	ISA_SHA,
	ISA_AVX,
	ISA_AVX2, /* with FMA */
	ISA_VAES, /* with AVX2 */
	ISA_AVX_VNNI,
	ISA_AVX512,
	ISA_AVX512_VAES,
	ISA_AVX512_VNNI,
	ISA_AVX512_BF16,
	ISA_AVX512_FP16,
	ISA_AMX_INT8,
	ISA_AMX_BF16,
	/* 64-bit Arm */
	ISA_NEON,
	ISA_ARM_FP16,
	ISA_ARM_DOTPROD,
	ISA_ARM_I8MM,
	ISA_ARM_BF16,
	ISA_ARM_AES,
	ISA_ARM_SHA256,
	ISA_ARM_CRC32,
	ISA_COUNT
};

/* The first call asks the processor and the system, the latter for leave to use AMX too. */
bool isa_has(enum isa f);

/* As people write it: "AVX-512 FP16". */
const char *isa_name(enum isa f);

/* Of the architecture (isa-x86.c, isa-arm.c, isa-none.c): ret is all false. */
void isa_find(bool ret[ISA_COUNT]);

#endif
