#include "gpu.h"

#include "kernels/pattern.h"

#define MIB (INT64_C(1) << 20)

/* Reading a buffer: kernels/memory.cu says how blocks share it. */
struct buffer {
	cuda_address words;
	uint32_t chunks, first, step;
	int width;       /* words of a vector */
	uint32_t a_pass; /* chunks that a block reads in a pass */
};

struct memory_data {
	struct gpu *gpu;
	const char *kernel;
	int width;
	bool l2;
};

static int64_t chunk_bytes(int width)
{
	return (int64_t)BLOCK_THREADS * FETCHES * width * 4;
}

static uint32_t expect_read(const void *arg, uint32_t thread, int passes)
{
	const struct buffer *b = arg;
	uint32_t block = thread / BLOCK_THREADS, at = thread % BLOCK_THREADS, sum = 0, n, i, w;
	uint32_t chunk = (uint32_t)((uint64_t)b->first * block % b->chunks);

	for (n = 0; n < (uint32_t)passes * b->a_pass; n++) {
		for (i = 0; i < FETCHES; i++)
			for (w = 0; w < (uint32_t)b->width; w++)
				sum += pattern_word(((chunk * FETCHES + i) * BLOCK_THREADS + at) *
							    (uint32_t)b->width +
						    w);
		chunk = (chunk + b->step) % b->chunks;
	}
	return sum;
}

static uint32_t expect_shared(const void *arg, uint32_t thread, int passes)
{
	uint32_t width = *(const uint32_t *)arg, at = thread % BLOCK_THREADS, sum = 0, i, w;

	for (i = 0; i < FETCHES; i++)
		for (w = 0; w < width; w++)
			sum += pattern_word(
				(at + i * BLOCK_THREADS) * width % (SHARED_BYTES / 4) + w);
	return sum * (uint32_t)passes;
}

static uint32_t expect_constant(const void *arg, uint32_t thread, int passes)
{
	uint32_t at = thread % BLOCK_THREADS / 32 * FETCHES * 2, sum = 0, i;

	(void)arg;
	for (; passes > 0; passes--, at += FETCHES * 2)
		for (i = 0; i < FETCHES * 2; i++)
			sum += pattern_word((at + i) % (CONSTANT_BYTES / 4));
	return sum;
}

/* Fills the buffer by the kernel of that name. */
static int fill(struct gpu *g, cuda_address words, uint32_t n, struct err *err)
{
	cuda_handle module, function;
	uint32_t first = 0;
	void *parameters[] = {&words, &first, &n};

	if (gpu_module(g, IMAGE_MEMORY, &module, err) < 0 ||
		CUDA_TRY(function, (&function, module, "fill"), err) < 0 ||
		CUDA_TRY(launch,
			(function, (unsigned)g->units * 8, 1, 1, BLOCK_THREADS, 1, 1, 0, NULL,
				parameters, NULL),
			err) < 0)
		return -1;
	return CUDA_TRY(synchronize, (), err);
}

/* Of memory: as much as the settings and the device allow, in whole turns of the grid, so that each
 * block reads equally much. Of the L2: a quarter, which each block reads in full. */
static int64_t set_bytes(const struct gpu *g, const struct settings *s, bool l2)
{
	int64_t most = s->memory_max < g->memory_bytes / 4 ? s->memory_max : g->memory_bytes / 4;

	if (l2 && g->l2_bytes > 0 && most > g->l2_bytes / 4)
		most = g->l2_bytes / 4;
	return most < 16 * MIB || l2 ? most : most / MIB * MIB;
}

static int plan_buffer(struct buffer *b, const struct run *r, const struct memory_data *d,
	const struct settings *s, struct err *err)
{
	int64_t chunks = set_bytes(d->gpu, s, d->l2) / chunk_bytes(d->width);

	b->width = d->width;
	if (!d->l2)
		chunks -= chunks % r->grid;
	if (chunks < 1)
		return err_set(err, ERR_IO,
			"%u blocks of %lld bytes are more than the working set allowed", r->grid,
			(long long)chunk_bytes(d->width));
	b->chunks = (uint32_t)chunks;
	b->first = d->l2 ? 7 : 1;
	b->step = d->l2 ? 1 % b->chunks : r->grid % b->chunks;
	b->a_pass = d->l2 ? b->chunks : b->chunks / r->grid;
	return 0;
}

/* What a bus can carry, unless part of the set lies in the cache. */
static double memory_limit(const struct memory_data *d, const struct buffer *b)
{
	bool cached = (int64_t)b->chunks * chunk_bytes(b->width) < 4 * d->gpu->l2_bytes;

	return d->l2 || cached ? 0 : d->gpu->memory_peak * 1.05;
}

static void read_buffer(struct run *r, const struct memory_data *d, struct buffer *b,
	const struct settings *s, struct outcome *ret)
{
	r->parameters[1] = &b->words;
	r->parameters[2] = &b->chunks;
	r->parameters[3] = &b->first;
	r->parameters[4] = &b->step;
	r->parameters[5] = &r->count;
	r->count_a_pass = b->a_pass;
	run_measure(r, s, ret, &(struct check){expect_read, b, 1},
		(double)r->grid * b->a_pass * (double)chunk_bytes(b->width), memory_limit(d, b));
}

static void measure_buffer(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct memory_data *d = data;
	struct buffer b = {0};
	struct err err = ERR_INIT;
	size_t bytes;
	struct run r;

	if (d->l2 && d->gpu->l2_bytes <= 0) {
		outcome_refuse(ret, OUTCOME_UNSUPPORTED, "the driver names no L2 cache");
		return;
	}
	if (run_begin(&r, d->gpu, &(struct kernel){IMAGE_MEMORY, d->kernel, BLOCK_THREADS}, &err) ==
			0 &&
		plan_buffer(&b, &r, d, s, &err) == 0) {
		bytes = (size_t)b.chunks * (size_t)chunk_bytes(b.width);
		if (CUDA_TRY(alloc, (&b.words, bytes), &err) == 0 &&
			fill(d->gpu, b.words, (uint32_t)(bytes / 4), &err) == 0)
			read_buffer(&r, d, &b, s, ret);
	}
	if (err.code)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	if (b.words)
		cuda.free(b.words);
	run_end(&r);
}

static void measure_shared(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct memory_data *d = data;
	uint32_t width = (uint32_t)d->width;
	struct err err = ERR_INIT;
	struct run r;

	if (run_begin(&r, d->gpu, &(struct kernel){IMAGE_MEMORY, d->kernel, BLOCK_THREADS}, &err) <
		0) {
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
		return;
	}
	r.parameters[1] = &r.count;
	run_measure(&r, s, ret, &(struct check){expect_shared, &width, 3},
		(double)r.grid * BLOCK_THREADS * FETCHES * width * 4, 0);
	run_end(&r);
}

static int fill_constants(struct gpu *g, struct err *err)
{
	uint32_t words[CONSTANT_BYTES / 4], i;
	cuda_handle module;
	cuda_address at;
	size_t bytes;

	for (i = 0; i < CONSTANT_BYTES / 4; i++)
		words[i] = pattern_word(i);
	if (gpu_module(g, IMAGE_MEMORY, &module, err) < 0 ||
		CUDA_TRY(global, (&at, &bytes, module, "constant_words"), err) < 0 ||
		CUDA_TRY(to_device, (at, words, sizeof(words), NULL), err) < 0)
		return -1;
	return CUDA_TRY(synchronize, (), err);
}

static void measure_constant(const void *data, const struct settings *s, struct outcome *ret)
{
	const struct memory_data *d = data;
	struct err err = ERR_INIT;
	struct run r = {0};

	if (fill_constants(d->gpu, &err) < 0 ||
		run_begin(&r, d->gpu, &(struct kernel){IMAGE_MEMORY, d->kernel, BLOCK_THREADS},
			&err) < 0) {
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
		return;
	}
	r.parameters[1] = &r.count;
	run_measure(&r, s, ret, &(struct check){expect_constant, NULL, 3},
		(double)r.grid * BLOCK_THREADS * FETCHES * 8, 0);
	run_end(&r);
}

static void add(struct plan *plan, struct gpu *g, const char *id, const char *kernel, int width,
	void (*fn)(const void *, const struct settings *, struct outcome *))
{
	struct memory_data d = {.gpu = g, .kernel = kernel, .width = width};

	d.l2 = kernel[4] == '_';
	plan_reading(plan, &(struct reading){.id = id,
				   .quick = fn == measure_buffer && !d.l2 && width == 4,
				   .measure = fn,
				   .data = gpu_keep(&d, sizeof(d))});
}

static const char *size_text(struct plan *plan, int64_t bytes)
{
	if (bytes >= MIB && bytes % MIB == 0)
		return plan_text(plan, "%lld MiB", (long long)(bytes / MIB));
	return plan_text(plan, "%lld KiB", (long long)(bytes >> 10));
}

static void list_test(
	struct plan *plan, const char *id, const char *variant, const char *title, const char *axis)
{
	plan_test(plan, &(struct test){.id = id,
				.variant = variant,
				.title = title,
				.category = "bandwidth",
				.homogeneous = true,
				.axis = axis,
				.unit = "bps"});
}

static void list(struct plan *plan, struct gpu *g, const struct settings *s)
{
	list_test(plan, "global_memory_bandwidth", size_text(plan, set_bytes(g, s, false)),
		"Global memory bandwidth", "vector width");
	add(plan, g, "float", "read1", 1, measure_buffer);
	add(plan, g, "float2", "read2", 2, measure_buffer);
	add(plan, g, "float4", "read4", 4, measure_buffer);
	list_test(plan, "cache_bandwidth", size_text(plan, set_bytes(g, s, true)),
		"Cache bandwidth", "cache level");
	add(plan, g, "L2", "read_l2", 4, measure_buffer);
	list_test(plan, "local_memory_bandwidth", size_text(plan, SHARED_BYTES),
		"Local (shared) memory bandwidth", "vector width");
	add(plan, g, "float", "shared1", 1, measure_shared);
	add(plan, g, "float2", "shared2", 2, measure_shared);
	add(plan, g, "float4", "shared4", 4, measure_shared);
	list_test(plan, "constant_memory_bandwidth", size_text(plan, CONSTANT_BYTES),
		"Constant memory bandwidth", "vector width");
	add(plan, g, "float2", "constant2", 2, measure_constant);
}

const struct group group_memory = {.list = list};
