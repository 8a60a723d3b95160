#include "isa.h"

static const char *const names[ISA_COUNT] = {
	[ISA_SSE2] = "SSE2",
	[ISA_SSE41] = "SSE4.1",
	[ISA_SSE42] = "SSE4.2",
	[ISA_AES] = "AES-NI",
	[ISA_PCLMUL] = "PCLMUL",
	[ISA_SHA] = "SHA-NI",
	[ISA_AVX] = "AVX",
	[ISA_AVX2] = "AVX2+FMA",
	[ISA_VAES] = "VAES",
	[ISA_AVX_VNNI] = "AVX-VNNI",
	[ISA_AVX512] = "AVX-512",
	[ISA_AVX512_VAES] = "AVX-512 VAES",
	[ISA_AVX512_VNNI] = "AVX-512 VNNI",
	[ISA_AVX512_BF16] = "AVX-512 BF16",
	[ISA_AVX512_FP16] = "AVX-512 FP16",
	[ISA_AMX_INT8] = "AMX-INT8",
	[ISA_AMX_BF16] = "AMX-BF16",
	[ISA_NEON] = "NEON",
	[ISA_ARM_FP16] = "NEON FP16",
	[ISA_ARM_DOTPROD] = "NEON DotProd",
	[ISA_ARM_I8MM] = "NEON I8MM",
	[ISA_ARM_BF16] = "NEON BF16",
	[ISA_ARM_AES] = "AES",
	[ISA_ARM_SHA256] = "SHA-256",
	[ISA_ARM_CRC32] = "CRC32",
};

bool isa_has(enum isa f)
{
	static bool known, found[ISA_COUNT];

	if (!known)
		isa_find(found);
	known = true;
	return found[f];
}

const char *isa_name(enum isa f)
{
	return names[f];
}
