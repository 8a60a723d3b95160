#if defined(__aarch64__)

#include "isa.h"

#if defined(__linux__)

#include <sys/auxv.h>

/* Linux, arch/arm64/include/uapi/asm/hwcap.h: not all C libraries have all names. */
enum {
	CAP_ASIMD = 1,
	CAP_AES = 3,
	CAP_SHA2 = 6,
	CAP_CRC32 = 7,
	CAP_ASIMDHP = 10,
	CAP_ASIMDDP = 20,
	CAP2_I8MM = 13,
	CAP2_BF16 = 14
};

void isa_find(bool ret[ISA_COUNT])
{
	unsigned long caps = getauxval(AT_HWCAP), caps2 = getauxval(AT_HWCAP2);

	ret[ISA_NEON] = caps >> CAP_ASIMD & 1;
	ret[ISA_ARM_FP16] = caps >> CAP_ASIMDHP & 1;
	ret[ISA_ARM_DOTPROD] = caps >> CAP_ASIMDDP & 1;
	ret[ISA_ARM_I8MM] = caps2 >> CAP2_I8MM & 1;
	ret[ISA_ARM_BF16] = caps2 >> CAP2_BF16 & 1;
	ret[ISA_ARM_AES] = caps >> CAP_AES & 1;
	ret[ISA_ARM_SHA256] = caps >> CAP_SHA2 & 1;
	ret[ISA_ARM_CRC32] = caps >> CAP_CRC32 & 1;
}

#else

/* Every 64-bit Arm has it; for more this system would have to be asked. */
void isa_find(bool ret[ISA_COUNT])
{
	ret[ISA_NEON] = true;
}

#endif

#endif
