/*
 * fuzz-heard: any bytes at all as what a back end of `perfgate probe` says: a list, and behind it
 * what comes of measuring all of it. Whatever that is, the document made of it can be read.
 */
#include "clpeak-write.h"
#include "batch.h"
#include "heard.h"
#include "reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

/* Feeds lines until one is wrong or the last; *at moves behind them. */
static void feed(struct heard *h, const char *data, size_t size, size_t *at)
{
	struct err err = ERR_INIT;
	int r = 0;

	while (r >= 0 && !h->ended && *at < size) {
		const char *end = memchr(data + *at, '\n', size - *at);
		const size_t n = end ? (size_t)(end - data) - *at : size - *at;
		r = heard_line(h, data + *at, n, &err);
		require((r < 0) == (err.code != ERR_NONE));
		*at += n + (end != NULL);
	}
}

static void check_document(const struct record *r)
{
	_cleanup_(buf_release) struct buf document = BUF_INIT;
	_cleanup_(batch_freep) struct batch *b = batch_new(NULL);
	const struct read_options none = {0};
	struct err err = ERR_INIT;
	struct input *in;

	clpeak_write(&document, r);
	in = input_memory("document", document.p, document.len);
	require(reader_find("clpeak")->read(&in, 1, &none, batch_sink(b), &err) == 0);
	require(batch_finish(b, BATCH_STORE, &err) == 0);
	input_free(in);
}

static void measure(struct probed *p, const char *data, size_t size, size_t *at)
{
	_cleanup_(freep) size_t *all = xcalloc(p->plan.n_readings + 1, sizeof(*all));
	struct heard h;
	size_t i;

	for (i = 0; i < p->plan.n_readings; i++) {
		all[i] = i;
		p->chosen[i] = true;
	}
	heard_begin(&h, p, all, p->plan.n_readings);
	feed(&h, data, size, at);
	heard_release(&h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct record r;
	struct heard h;
	size_t at = 0;

	record_init(&r, "fuzzing");
	r.back_ends = xcalloc(1, sizeof(*r.back_ends));
	r.n_back_ends = 1;
	r.back_ends->name = "CPU";
	r.back_ends->flag = "cpu";
	r.verbose = true;
	heard_begin(&h, r.back_ends, NULL, 0);
	feed(&h, (const char *)data, size, &at);
	heard_release(&h);
	probed_ready(r.back_ends);
	if (!r.back_ends->unavailable)
		measure(r.back_ends, (const char *)data, size, &at);
	check_document(&r);
	record_release(&r);
	return 0;
}
