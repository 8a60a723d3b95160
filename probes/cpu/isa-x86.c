#if defined(__x86_64__)

#include "isa.h"

#include <cpuid.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Intel's manual, volume 2A, CPUID; volume 1, XCR0. */
struct leaf {
	unsigned a, b, c, d;
};

/* Zeroes where the processor knows no such leaf. */
static struct leaf cpuid(unsigned leaf, unsigned subleaf)
{
	struct leaf r = {0};

	if (!__get_cpuid_count(leaf, subleaf, &r.a, &r.b, &r.c, &r.d))
		r = (struct leaf){0};
	return r;
}

static bool bit(unsigned word, int n)
{
	return word >> n & 1;
}

/* Which registers the system saves when it switches between threads. */
static uint64_t saved_registers(const struct leaf *basic)
{
	unsigned low, high;

	if (!bit(basic->c, 27))
		return 0;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

/* Linux saves the registers of AMX only for a process that asked (arch/x86/include/uapi/asm). */
static bool tiles_granted(uint64_t saved)
{
	enum { ARCH_REQ_XCOMP_PERM = 0x1023, XTILEDATA = 18 };

#if defined(SYS_arch_prctl)
	return (saved >> 17 & 3) == 3 &&
	       syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XTILEDATA) == 0;
#else
	return (saved >> 17 & 3) == 3 && ARCH_REQ_XCOMP_PERM && XTILEDATA;
#endif
}

static void find_128(bool *ret, const struct leaf *l1, const struct leaf *l7)
{
	ret[ISA_SSE2] = bit(l1->d, 26);
	ret[ISA_SSE41] = bit(l1->c, 19);
	ret[ISA_SSE42] = bit(l1->c, 20);
	ret[ISA_AES] = bit(l1->c, 25);
	ret[ISA_PCLMUL] = bit(l1->c, 1);
	ret[ISA_SHA] = bit(l7->b, 29) && ret[ISA_SSE41];
}

static void find_256(
	bool *ret, const struct leaf *l1, const struct leaf *l7, const struct leaf *l71)
{
	ret[ISA_AVX] = bit(l1->c, 28);
	ret[ISA_AVX2] = ret[ISA_AVX] && bit(l7->b, 5) && bit(l1->c, 12);
	ret[ISA_VAES] = ret[ISA_AVX2] && bit(l7->c, 9);
	ret[ISA_AVX_VNNI] = ret[ISA_AVX2] && bit(l71->a, 4);
}

static void find_512(bool *ret, const struct leaf *l7, const struct leaf *l71)
{
	ret[ISA_AVX512] = ret[ISA_AVX2] && bit(l7->b, 16) && bit(l7->b, 17) && bit(l7->b, 30) &&
			  bit(l7->b, 31);
	ret[ISA_AVX512_VAES] = ret[ISA_AVX512] && bit(l7->c, 9);
	ret[ISA_AVX512_VNNI] = ret[ISA_AVX512] && bit(l7->c, 11);
	ret[ISA_AVX512_BF16] = ret[ISA_AVX512] && bit(l71->a, 5);
	ret[ISA_AVX512_FP16] = ret[ISA_AVX512] && bit(l7->d, 23);
}

void isa_find(bool ret[ISA_COUNT])
{
	struct leaf l1 = cpuid(1, 0), l7 = cpuid(7, 0), l71 = cpuid(7, 1);
	uint64_t saved = saved_registers(&l1);

	find_128(ret, &l1, &l7);
	if ((saved & 0x6) == 0x6) /* XMM, YMM */
		find_256(ret, &l1, &l7, &l71);
	if ((saved & 0xe6) == 0xe6) /* masks, both halves of ZMM */
		find_512(ret, &l7, &l71);
	if (bit(l7.d, 24) && tiles_granted(saved)) {
		ret[ISA_AMX_INT8] = bit(l7.d, 25);
		ret[ISA_AMX_BF16] = bit(l7.d, 22);
	}
}

#endif
