/*
 * fuzz-report: any bytes at all as the JSON report that `perfgate accept --from` reads.
 */
#include "input.h"
#include "outcomes.h"
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

static void check(const struct outcome *o)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	require(o->verdict < VERDICT_COUNT);
	require(utf8_valid(o->key.benchmark, strlen(o->key.benchmark)));
	decimal_format(&b, o->head);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input *in = input_memory("input", data, size);
	struct outcomes o;
	struct err err = ERR_INIT;
	size_t i;
	int r;

	outcomes_init(&o);
	r = outcomes_read(&o, in, &err);
	require((r == 0) == (err.code == ERR_NONE));
	require(r == 0 || *err.msg);
	if (r == 0)
		outcomes_sort(&o);
	for (i = 0; r == 0 && i < o.n; i++)
		check(&o.v[i]);
	outcomes_release(&o);
	input_free(in);
	return 0;
}
