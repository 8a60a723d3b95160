#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "buf.h"

const struct stream_kernels *const stream_all[] = {
#if defined(__x86_64__)
	&stream_avx512, &stream_avx, &stream_sse2,
#elif defined(__aarch64__)
	&stream_neon,
#endif
	&stream_plain, NULL};

const struct stream_kernels *stream_widest(void)
{
	size_t i = 0;

	while (stream_all[i + 1] && !isa_has(stream_all[i]->needs))
		i++;
	return stream_all[i];
}

/* ---- the kernels against plain loops ---- */

enum { BYTES = 16 * STREAM_STEP, FLOATS = BYTES / sizeof(float), GUARD = 16 };

/* b and c to read, a to write with a guard behind it that no kernel may touch. */
struct sample {
	float *a, *b, *c;
};

/* Whole numbers of 20 bits, so that b + 1.5 c is exact however it is rounded. */
static float sample_value(size_t i)
{
	return (float)((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 44);
}

static void sample_clear(const struct sample *s)
{
	for (size_t i = 0; i < FLOATS + GUARD; i++)
		s->a[i] = -1;
}

static void sample_init(struct sample *s)
{
	float *p = aligned_alloc(64, (3 * FLOATS + GUARD) * sizeof(float));

	*s = (struct sample){.a = p, .b = p + FLOATS + GUARD, .c = p + 2 * FLOATS + GUARD};
	for (size_t i = 0; p && i < FLOATS; i++) {
		s->b[i] = sample_value(i);
		s->c[i] = sample_value(FLOATS + i);
	}
}

static uint64_t plain_read(const float *from, size_t floats)
{
	uint64_t sum = 0, word;

	for (size_t i = 0; i < floats; i += 2) {
		memcpy(&word, from + i, sizeof(word));
		sum ^= word;
	}
	return sum;
}

/* a is b * x + c * y + z up to float `floats`, and untouched behind; then it is cleared. */
static int expect(const struct sample *s, const char *what, float x, float y, float z,
	size_t floats, struct err *err)
{
	size_t i;

	for (i = 0; i < floats && s->a[i] == s->b[i] * x + s->c[i] * y + z; i++)
		;
	for (; i >= floats && i < FLOATS + GUARD && s->a[i] == -1; i++)
		;
	sample_clear(s);
	if (i == FLOATS + GUARD)
		return 0;
	return err_set(err, ERR_FORMAT, "%s went wrong at float %zu", what, i);
}

static int expect_sum(const char *what, uint64_t got, uint64_t wanted, struct err *err)
{
	if (got == wanted)
		return 0;
	return err_set(err, ERR_FORMAT, "%s has the sum %llx instead of %llx", what,
		(unsigned long long)got, (unsigned long long)wanted);
}

static int check_blocks(const struct stream_kernels *k, const struct sample *s, struct err *err)
{
	expect_sum("read", k->read(s->b, BYTES), plain_read(s->b, FLOATS), err);
	k->write(s->a, 7, BYTES);
	expect(s, "write", 0, 0, 7, FLOATS, err);
	k->copy(s->a, s->b, BYTES);
	expect(s, "copy", 1, 0, 0, FLOATS, err);
	k->triad(s->a, s->b, s->c, BYTES);
	expect(s, "triad", 1, STREAM_FACTOR, 0, FLOATS, err);
	k->write_past(s->a, 7, BYTES);
	expect(s, "write past the caches", 0, 0, 7, FLOATS, err);
	k->copy_past(s->a, s->b, BYTES);
	expect(s, "copy past the caches", 1, 0, 0, FLOATS, err);
	k->triad_past(s->a, s->b, s->c, BYTES);
	return expect(s, "triad past the caches", 1, STREAM_FACTOR, 0, FLOATS, err);
}

/* What is read twice is not in the sum. */
static int check_rings(const struct stream_kernels *k, const struct sample *s, struct err *err)
{
	const int64_t steps = BYTES / STREAM_STEP;
	uint64_t sum = plain_read(s->b, FLOATS);

	expect_sum("read of a ring", k->read_ring(s->b, BYTES, steps), sum, err);
	expect_sum("two rounds", k->read_ring(s->b, BYTES, 2 * steps), 0, err);
	expect_sum("three rounds", k->read_ring(s->b, BYTES, 3 * steps), sum, err);
	k->write_ring(s->a, 7, BYTES, steps / 2);
	expect(s, "write of half a ring", 0, 0, 7, FLOATS / 2, err);
	k->write_ring(s->a, 7, BYTES, steps * 3 / 2);
	expect(s, "write of a ring", 0, 0, 7, FLOATS, err);
	k->copy_ring(s->a, s->b, BYTES, steps / 2);
	expect(s, "copy of half a ring", 1, 0, 0, FLOATS / 2, err);
	k->copy_ring(s->a, s->b, BYTES, steps * 3 / 2);
	return expect(s, "copy of a ring", 1, 0, 0, FLOATS, err);
}

int stream_check(const struct stream_kernels *k, struct err *err)
{
	struct sample s;

	sample_init(&s);
	if (!s.a)
		return err_set(err, ERR_IO, "cannot have %zu bytes", 3 * (size_t)BYTES);
	sample_clear(&s);
	check_blocks(k, &s, err);
	check_rings(k, &s, err);
	free(s.a);
	if (err->code)
		return err_prefix(err, "%s", k->name);
	return 0;
}
