#include "arith-x86.h"

#if defined(__x86_64__) && X86_COMPILER(11, 12)

#include <string.h>

/* Intel's manual, volume 1, TILECFG: palette 1, eight tiles of 16 rows of 64 bytes. */
static void configure(struct operands *o)
{
	int i;

	memset(o->config, 0, sizeof(o->config));
	o->config[0] = 1;
	for (i = 0; i < 8; i++) {
		o->config[16 + 2 * i] = 64;
		o->config[48 + i] = 16;
	}
}

/* Six tiles are changed; compilers keep nothing in any of the eight. */
#define AMX(name, features, step)                                                                  \
	static __attribute__((target(features))) void name(struct operands *o, int64_t iterations) \
	{                                                                                          \
		configure(o);                                                                      \
		__asm__ volatile(                                                                  \
			"ldtilecfg (%[config])\n\t"                                                \
			"tileloadd (%[a],%[stride]), %%tmm6\n\t"                                   \
			"tileloadd (%[b],%[stride]), %%tmm7\n\t"                                   \
			".irp r,0,1,2,3,4,5\n\t"                                                   \
			"tileloadd 1024*\\r(%[registers],%[stride]), %%tmm\\r\n\t.endr\n"          \
			"1:\n\t.rept 4\n\t.irp r,0,1,2,3,4,5\n\t" step                             \
			" %%tmm7, %%tmm6, %%tmm\\r\n\t.endr\n\t.endr\n\t"                          \
			"dec %[n]\n\tjnz 1b\n\t"                                                   \
			".irp r,0,1,2,3,4,5\n\t"                                                   \
			"tilestored %%tmm\\r, 1024*\\r(%[registers],%[stride])\n\t.endr\n\t"       \
			"tilerelease"                                                              \
			: [n] "+r"(iterations)                                                     \
			: [config] "r"(o->config), [registers] "r"(o->registers), [a] "r"(o->a),   \
			[b] "r"(o->b), [stride] "r"(INT64_C(64))                                   \
			: "memory", "cc");                                                         \
	}

AMX(amx_int8, "amx-int8", "tdpbssd")
AMX(amx_bf16, "amx-bf16", "tdpbf16ps")

#define AMX_SIZE .variant = "AMX", .registers = 6, .times = 4, .bytes = TILE

const struct kernel arith_amx[] = {
	{ISA_AMX_INT8, ARITH_MATRIX_INT8, .run = amx_int8, .step = step_tile_ss, AMX_SIZE,
		.ops = 16 * 16 * 64 * 2},
	{ISA_AMX_BF16, ARITH_MATRIX_BF16, .run = amx_bf16, .step = step_tile_bf16, AMX_SIZE,
		.ops = 16 * 16 * 32 * 2},
	{ISA_COUNT, .run = NULL},
};

#else

const struct kernel arith_amx[] = {{ISA_COUNT, .run = NULL}};

#endif
