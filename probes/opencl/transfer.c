#include "tests.h"

#include "host.h"
#include "num.h"
#include "sane.h"

#define BYTES ((size_t)256 << 20)
#define COPIES_MAX 10000

struct transfer {
	struct ocl_device *d;
	bool to_host;
	size_t bytes;
	cl_mem device, pinned; /* pinned: where the driver allocates memory of the host */
	uint32_t *host;        /* pinned, mapped */
	uint32_t serial;       /* of the batch: marks some words, so that each one has to arrive */
};

#define MARKS 3

/* The words that are looked at: both ends and the middle. */
static size_t mark_at(const struct transfer *x, int i)
{
	const size_t words = x->bytes / sizeof(uint32_t), at[MARKS] = {0, words / 2 + 1, words - 1};

	return at[i];
}

/* Marks the words where the copy starts from, and spoils them where it ends. */
static int mark(struct transfer *x, struct err *err)
{
	uint32_t word;
	int i;

	x->serial++;
	for (i = 0; i < MARKS; i++) {
		word = host_word((uint32_t)mark_at(x, i)) + x->serial;
		x->host[mark_at(x, i)] = x->to_host ? 0 : word;
		if (x->to_host && ocl_write(x->d, x->device, mark_at(x, i) * sizeof(word), &word,
					  sizeof(word), err) < 0)
			return -1;
	}
	return 0;
}

static int check(const struct transfer *x, struct err *err)
{
	uint32_t got;
	int i;

	for (i = 0; i < MARKS; i++) {
		got = x->host[mark_at(x, i)];
		if (!x->to_host && ocl_read(x->d, x->device, mark_at(x, i) * sizeof(got), &got,
					   sizeof(got), err) < 0)
			return -1;
		if (got != host_word((uint32_t)mark_at(x, i)) + x->serial)
			return err_set(err, ERR_FORMAT, "wrong result: word %zu did not arrive",
				mark_at(x, i));
	}
	return 0;
}

static int copy(struct transfer *x, cl_event *event, struct err *err)
{
	cl_int code;

	if (x->to_host)
		code = clEnqueueReadBuffer(
			x->d->queue, x->device, CL_FALSE, 0, x->bytes, x->host, 0, NULL, event);
	else
		code = clEnqueueWriteBuffer(
			x->d->queue, x->device, CL_FALSE, 0, x->bytes, x->host, 0, NULL, event);
	if (code == CL_SUCCESS)
		return 0;
	return ocl_fail(err, x->to_host ? "clEnqueueReadBuffer" : "clEnqueueWriteBuffer", code);
}

static int batch(void *arg, int64_t n, double *ret_seconds, struct err *err)
{
	_cleanup_(ocl_eventp) cl_event first = NULL;
	_cleanup_(ocl_eventp) cl_event last = NULL;
	struct transfer *x = arg;
	int64_t i, before, event_ns, wall_ns;
	cl_int code;

	if (mark(x, err) < 0)
		return -1;
	before = clock_ns(CLOCK_MONOTONIC);
	for (i = 0; i < n; i++)
		if (copy(x, i == 0 ? &first : i == n - 1 ? &last : NULL, err) < 0)
			return -1;
	code = clFinish(x->d->queue);
	wall_ns = clock_ns(CLOCK_MONOTONIC) - before;
	if (code != CL_SUCCESS)
		return ocl_fail(err, "clFinish", code);
	if (ocl_event_ns(first, CL_PROFILING_COMMAND_START, last ? last : first,
		    CL_PROFILING_COMMAND_END, &event_ns, err) < 0)
		return -1;
	*ret_seconds = ocl_seconds(x->d, (double)wall_ns * 1e-9, event_ns);
	return check(x, err);
}

static int map(struct transfer *x, struct err *err)
{
	cl_int code = CL_SUCCESS;

	x->pinned = ocl_buffer(x->d, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, x->bytes, err);
	if (!x->pinned)
		return -1;
	x->host = clEnqueueMapBuffer(x->d->queue, x->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
		x->bytes, 0, NULL, NULL, &code);
	if (!x->host)
		return ocl_fail(err, "clEnqueueMapBuffer", code);
	/* Copies from other starts are many times slower on some devices. */
	if ((uintptr_t)x->host % 64)
		back_end_log("warning", "opencl", "pinned memory is not aligned to 64 bytes");
	return 0;
}

static int set_up(struct transfer *x, struct err *err)
{
	x->device = ocl_buffer(x->d, CL_MEM_READ_WRITE, x->bytes, err);
	if (!x->device || map(x, err) < 0)
		return -1;
	host_fill(x->host, 0, x->bytes / sizeof(*x->host));
	return x->to_host ? ocl_write(x->d, x->device, 0, x->host, x->bytes, err) : 0;
}

static void let_go(struct transfer *x)
{
	if (x->host)
		clEnqueueUnmapMemObject(x->d->queue, x->pinned, x->host, 0, NULL, NULL);
	clFinish(x->d->queue);
	ocl_memp(&x->pinned);
	ocl_memp(&x->device);
}

/* A driver that only passes a pointer on has no such number. */
static void refuse_zero_copy(struct outcome *o)
{
	int i;

	for (i = 0; i < o->n; i++)
		if (o->values[i] > SANE_TRANSFER_LIMIT)
			outcome_refuse(o, OUTCOME_SKIPPED,
				"%.3g bytes a second: nothing was copied (zero-copy)",
				o->values[i]);
}

static void measure(struct ocl_device *d, const struct ocl_test *t, size_t which,
	const struct settings *s, struct outcome *ret)
{
	struct transfer x = {.d = d, .to_host = which == 1};
	struct err err = ERR_INIT;
	double warm;

	(void)t;
	x.bytes = ocl_bytes_max(d, s, ocl_is_cpu(d) ? BYTES / 4 : BYTES) / 4096 * 4096;
	if (!x.bytes)
		err_set(&err, ERR_IO, "there is no room for 4 KiB of data");
	else if (set_up(&x, &err) == 0 && batch(&x, 1, &warm, &err) == 0)
		outcome_rate(ret, s, batch, &x, (double)x.bytes, COPIES_MAX);
	if (err.code)
		outcome_refuse(ret, OUTCOME_ERROR, "%s", err.msg);
	refuse_zero_copy(ret);
	let_go(&x);
}

static const struct reading ways[] = {{.id = "h2d_pinned"}, {.id = "d2h_pinned"}};

const struct ocl_test ocl_transfer = {.readings = ways,
	.n_readings = ARRAY_LEN(ways),
	.measure = measure,
	.test = {.id = "transfer_bandwidth",
		.title = "Transfer bandwidth",
		.category = "bandwidth",
		.axis = "direction",
		.unit = "bps",
		.description = "copies between the host's pinned memory and the device's"}};
