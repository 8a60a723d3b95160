#include "probe-private.h"

#include "command.h"
#include "reader.h"
#include "storing.h"
#include "text.h"

#include <string.h>

static const char name[] = "the probe";

int probe_read(const struct buf *document, enum batch_use use, struct batch **ret, struct err *err)
{
	const struct read_options none = {0};
	struct input *in = input_memory(name, document->p, document->len);
	struct batch *b = batch_new(NULL);
	int r = reader_find("clpeak")->read(&in, 1, &none, batch_sink(b), err);

	if (r == 0)
		r = batch_finish(b, use, err);
	input_free(in);
	if (r < 0) {
		batch_free(b);
		return -1;
	}
	*ret = b;
	return 0;
}

static void say_stored(const struct batch_run *run, const struct placing *p, enum placed placed)
{
	complain("%zu series of the probe, commit %.12s%s, runner %s%s", run->series, p->sha,
		strcmp(p->tree_state, "clean") ? " (changed)" : "", p->runner_key,
		placed == PLACED_STORED ? "" : ": not new in the store");
}

static int store_batch(struct context *c, struct place *place, struct batch *b, struct err *err)
{
	struct storing storing = {.c = c, .place = place};
	struct placing placing;
	enum placed placed;

	if (place_run(place, batch_run(b, 0), name, &placing, err) < 0 ||
		context_open_store(c, STORE_WRITE, err) < 0 ||
		storing_add(&storing, b, &placing, &placed, err) < 0)
		return -1;
	say_stored(batch_run(b, 0), &placing, placed);
	return 0;
}

static int begin(struct context *c, struct place *place, const struct probe *o, struct err *err)
{
	int r = context_init(c, o->store, err);

	if (r == 0)
		r = context_load_policy(c, NULL, err);
	if (r == 0)
		r = place_init(place, c, &o->place, err);
	place->note = note;
	return r;
}

int probe_store_check(const struct probe *o, struct err *err)
{
	const struct batch_run of_here = {0};
	struct place place = {0};
	struct placing placing;
	struct context c;
	int r = begin(&c, &place, o, err);

	if (r == 0)
		r = place_run(&place, &of_here, name, &placing, err);
	if (r == 0)
		r = context_open_store(&c, STORE_WRITE, err);
	place_release(&place);
	context_release(&c);
	return r;
}

int probe_store(const struct probe *o, const struct buf *document, struct err *err)
{
	_cleanup_(batch_freep) struct batch *b = NULL;
	struct place place = {0};
	struct context c;
	int r = begin(&c, &place, o, err);

	if (r == 0)
		r = probe_read(document, BATCH_STORE, &b, err);
	if (r == 0)
		r = store_batch(&c, &place, b, err);
	place_release(&place);
	context_release(&c);
	return r;
}
