/* The kernels of this machine do the arithmetic that they are timed for, and it would be seen if
 * they did not. */
#include "arith.h"
#include "half.h"
#include "tap.h"

#include <math.h>

static void test_kernels(void)
{
	const struct kernel *k;
	char what[100];
	int i, generic;

	for (i = 0; (k = arith_kernel(i)); i++) {
		struct err err = ERR_INIT;
		snprintf(what, sizeof(what), "%s, type %d", arith_variant(k), k->type);
		if (!OK(arith_check(k, &err) == 0, what))
			printf("# %s\n", err.msg);
	}
	OK(i > 0, "there are kernels");
	for (generic = 0; (k = &arith_generic[generic])->run; generic++) {
		struct err err = ERR_INIT;
		snprintf(what, sizeof(what), "portable, type %d", k->type);
		if (!OK(arith_check(k, &err) == 0, what))
			printf("# %s\n", err.msg);
	}
}

/* What the kernel under test was made from. */
static const struct kernel *real;

static void one_bit_off(struct operands *o, int64_t iterations)
{
	real->run(o, iterations);
	o->registers[real->registers * real->bytes - 1] ^= 0x40;
}

static void one_short(struct operands *o, int64_t iterations)
{
	real->run(o, iterations - 1);
}

static void idle(struct operands *o, int64_t iterations)
{
	(void)o;
	(void)iterations;
}

static void last_register_dead(struct operands *o, int64_t iterations)
{
	struct operands before = *o;
	int at = (real->registers - 1) * real->bytes;

	real->run(o, iterations);
	memcpy(o->registers + at, before.registers + at, (size_t)real->bytes);
}

static bool refused(void (*run)(struct operands *, int64_t))
{
	struct kernel wrong = *real;
	struct err err = ERR_INIT;

	wrong.run = run;
	return arith_check(&wrong, &err) < 0 && !strncmp(err.msg, "wrong result: ", 14);
}

static void test_wrong(void)
{
	char what[120];
	int i;

	for (i = 0; (real = arith_kernel(i)); i++) {
		snprintf(what, sizeof(what), "%s, type %d: a wrong kernel is refused",
			arith_variant(real), real->type);
		OK(refused(one_bit_off) && refused(one_short) && refused(idle) &&
				refused(last_register_dead),
			what);
	}
}

/* A lane that came to rest, overflowed or ran out of precision would say nothing. */
static void test_values(void)
{
	const struct kernel *k;
	struct operands o, later;
	int i;

	for (i = 0; (k = arith_kernel(i)); i++) {
		float f;
		if (k->type != ARITH_FP32)
			continue;
		arith_fill(k, &o);
		k->run(&o, 1);
		later = o;
		k->run(&later, 1);
		OK(memcmp(&o, &later, sizeof(o)) != 0,
			"values change from one iteration to the next");
		k->run(&later, 100000);
		memcpy(&f, later.registers, sizeof(f));
		OK(isnormal(f), "and are normal after many");
	}
}

/* Known values of IEEE 754 binary16. */
static void test_half(void)
{
	static const struct {
		double d;
		uint16_t h;
	} known[] = {{0, 0}, {1, 0x3c00}, {-2, 0xc000}, {65504, 0x7bff}, {65519, 0x7bff},
		{65520, 0x7c00}, {0x1p-14, 0x0400}, {0x1p-24, 0x0001}, {0x1p-25, 0}, {0x1.8p-24, 2},
		{1 + 0x1p-11, 0x3c00}, {1 + 0x3p-11, 0x3c02}, {0x1.ffep-15, 0x0400},
		{-INFINITY, 0xfc00}};
	size_t i;
	uint32_t h;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (half_from_double(known[i].d) != known[i].h)
			break;
	OK(i == sizeof(known) / sizeof(*known), "known halves, ties to even");
	for (h = 0; h < 0x7c00; h++)
		if (half_from_double(half_to_double((uint16_t)h)) != h)
			break;
	OK(h == 0x7c00, "every half is itself again");
	OK(bf16_to_float(0x3fc0) == 1.5f && bf16_from_float(-0.375f) == 0xbec0, "bf16");
}

int main(void)
{
	test_half();
	test_kernels();
	test_wrong();
	test_values();
	return tap_done();
}
