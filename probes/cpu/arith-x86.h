/*
 * arith-x86: what the kernels of x86-64 are made of.
 */
#ifndef ARITH_X86_H
#define ARITH_X86_H

#include "arith.h"

/*
 * A kernel: loads a, b and the registers of the list, begins, does the step `times` times to each
 * of them an iteration, and stores them. The step is a text in which \\r is the number of the
 * register. The assembler writes the loop out, so that every compiler and every level has the same
 * one.
 */
#define X86_KERNEL(name, features, move, reg, size, ra, rb, list, times, begin, step, end, ...)    \
	static __attribute__((target(features))) void name(struct operands *o, int64_t iterations) \
	{                                                                                          \
		__asm__ volatile(move " (%[a]), " ra "\n\t" move " (%[b]), " rb "\n\t" begin       \
				      ".irp r," list "\n\t" move " " size                          \
				      "*\\r(%[registers]), " reg "\\r\n\t.endr\n"                  \
				      "1:\n\t"                                                     \
				      ".rept " times "\n\t.irp r," list "\n\t" step                \
				      "\n\t.endr\n\t.endr\n\t"                                     \
				      "dec %[n]\n\tjnz 1b\n\t"                                     \
				      ".irp r," list "\n\t" move " " reg "\\r, " size              \
				      "*\\r(%[registers])\n\t.endr\n\t" end                        \
				 : [n] "+r"(iterations)                                            \
				 : [registers] "r"(o->registers), [a] "r"(o->a), [b] "r"(o->b)     \
				 : "memory", "cc", __VA_ARGS__);                                   \
	}

#define X86_LIST_12 "0,1,2,3,4,5,6,7,8,9,10,11"
#define X86_LIST_14 X86_LIST_12 ",12,13"
#define X86_LIST_24 X86_LIST_14 ",14,15,16,17,18,19,20,21,22,23"

#define X86_CLOBBERS_16                                                                            \
	"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",   \
		"xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
#define X86_CLOBBERS_26                                                                            \
	X86_CLOBBERS_16, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23",   \
		"xmm24", "xmm25"

/* Which instructions the compiler, and the assembler of its time, know. */
#if defined(__clang__)
#define X86_COMPILER(gcc, clang) (__clang_major__ >= (clang))
#else
#define X86_COMPILER(gcc, clang) (__GNUC__ >= (gcc))
#endif

#endif
