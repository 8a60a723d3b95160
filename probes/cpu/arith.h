/*
 * arith: how much arithmetic an instruction set does in a second.
 *
 * A kernel works on registers full of lanes: each step changes one of them with the operands a and
 * b, each iteration takes every register `times` times, and there are enough registers for steps to
 * be under way at once in every unit. Kernels are assembly, which no compiler folds at any level;
 * only those of arith-generic.c are C. Before a kernel is timed it runs a few iterations, and all
 * lanes of all registers are compared, bit by bit, with what plain C makes of the same steps
 * (arith-reference.c).
 */
#ifndef ARITH_H
#define ARITH_H

#include <stdint.h>

#include "cpu.h"
#include "err.h"
#include "isa.h"

enum arith_type {
	ARITH_FP32,
	ARITH_FP64,
	ARITH_FP16,
	ARITH_BF16, /* products of bf16 added to fp32 */
	ARITH_INT32,
	ARITH_INT8,        /* products of int8 added to int32 */
	ARITH_MATRIX_BF16, /* the same between small matrices */
	ARITH_MATRIX_INT8
};

enum { TILE = 1024, REGISTERS_MAX = 32 };

/* The memory of one thread. The first `bytes` of a and b are what all steps use. */
struct operands {
	_Alignas(64) unsigned char registers[REGISTERS_MAX * 256];
	_Alignas(64) unsigned char a[TILE], b[TILE];
	_Alignas(64) unsigned char config[64]; /* of tiles */
};

/* Does one step on one register, in plain C. */
typedef void step_fn(void *reg, const void *a, const void *b, int bytes);

struct kernel {
	enum isa isa; /* ISA_COUNT: needs none */
	enum arith_type type;
	const char *variant; /* NULL: the name of isa */
	void (*run)(struct operands *o, int64_t iterations);
	/* The same steps on the first register alone, CHAIN_STEPS an iteration, for the benchmark;
	 * or NULL. */
	void (*chain)(struct operands *o, int64_t iterations);
	step_fn *step;        /* what a step is */
	step_fn *alternative; /* what it may be too, or NULL */
	int registers, times;
	int bytes; /* of a register */
	int ops;   /* of a step: a multiplication and an addition are two */
};

enum { CHAIN_STEPS = 96 };

/* Each ends with a kernel without run. Empty where the architecture or compiler is another. To add
 * an instruction set: docs/HACKING.md. */
extern const struct kernel arith_sse[], arith_avx2[], arith_avx512[], arith_amx[], arith_arm[],
	arith_generic[];

/* The n-th of those that can be used here, narrower ones before wider ones; NULL behind the last.
 */
const struct kernel *arith_kernel(int n);
const struct kernel *arith_widest(enum arith_type type); /* of those; NULL: none */
const char *arith_variant(const struct kernel *k);
double arith_ops(const struct kernel *k); /* of an iteration */

/* Values that stay finite and normal for as long as a kernel runs. */
void arith_fill(const struct kernel *k, struct operands *o);

/* Runs it and compares. 0, or -1 with err set to "wrong result: ...". */
int arith_check(const struct kernel *k, struct err *err);

/* float, double, fp16 and int32: reg * a + b, rounded once (fma) or twice; reg + a * b (mla). */
step_fn step_fma_fp32, step_fma_fp64, step_fma_fp16;
step_fn step_mul_add_fp32, step_mul_add_fp64, step_mul_add_int32;
step_fn step_mla_fp32, step_mla_fp64, step_mla_fp16, step_mla_int32;
/* Lanes of 32 bits: two products of bf16, four of bytes (the first operand without sign: us; the
 * sums of two cut to 16 bits first: cut). */
step_fn step_dot_bf16, step_dot_ss, step_dot_us, step_dot_us_cut;
/* Matrices: x86's tiles of 16 rows, Arm's 2x2 in one register. */
step_fn step_tile_bf16, step_tile_ss, step_mmla_bf16, step_mmla_ss;

extern const struct cpu_group cpu_arith;

#endif
