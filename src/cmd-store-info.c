#include "command.h"

#include "context.h"
#include "term.h"
#include "text.h"

#include <string.h>

struct info {
	const char *store;
	bool json;
};

static const struct opt opts[] = {OPT_STORE(struct info), OPT_JSON(struct info), OPT_END};

struct suites {
	struct buf json;
	struct table *table;
};

static int add_suite(void *ctx, const char *suite, int64_t runs, int64_t samples, int64_t runners,
	struct err *err)
{
	struct suites *s = ctx;

	(void)err;
	buf_addstr(&s->json, s->json.len ? ", {\"suite\": " : "{\"suite\": ");
	text_json_str(&s->json, suite);
	buf_addf(&s->json, ", \"runs\": %lld, \"samples\": %lld, \"runners\": %lld}",
		(long long)runs, (long long)samples, (long long)runners);
	table_cell(s->table, "%s", suite);
	table_cell(s->table, "%lld", (long long)runs);
	table_cell(s->table, "%lld", (long long)samples);
	table_cell(s->table, "%lld", (long long)runners);
	return 0;
}

static double per_sample(const struct store_info *i)
{
	return i->samples ? (double)i->bytes / (double)i->samples : 0;
}

static void print_json(
	const struct store *s, const struct store_info *i, const struct suites *suites)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	buf_addstr(&b, "{\"path\": ");
	text_json_str(&b, store_path(s));
	buf_addf(&b, ", \"version\": %d, \"root\": ", i->version);
	text_json_str(&b, *i->root ? i->root : NULL);
	buf_addf(&b,
		", \"runs\": %lld, \"commits\": %lld, \"benchmarks\": %lld, \"series\": %lld, \"samples\": %lld, "
		"\"dropped\": %lld, \"pruned\": %lld, \"gates\": %lld, \"bytes\": %lld, \"suites\": [%s]}",
		(long long)i->runs, (long long)i->commits, (long long)i->benchmarks,
		(long long)i->series, (long long)i->samples, (long long)i->tombstones,
		(long long)i->pruned, (long long)i->judgements, (long long)i->bytes,
		buf_str(&suites->json));
	puts(b.p);
}

static void print_text(const struct store *s, const struct store_info *i, struct suites *suites)
{
	_cleanup_(buf_release) struct buf path = BUF_INIT;

	text_escape(&path, store_path(s), strlen(store_path(s)));
	printf("store      %s\nschema     %d\nrepository %s\n", path.p, i->version,
		*i->root ? i->root : "(not known yet)");
	printf("holds      %lld runs of %lld commits, %lld samples of %lld series, %lld benchmarks\n",
		(long long)i->runs, (long long)i->commits, (long long)i->samples,
		(long long)i->series, (long long)i->benchmarks);
	if (i->tombstones)
		printf("dropped    %lld runs\n", (long long)i->tombstones);
	if (i->pruned)
		printf("pruned     %lld runs\n", (long long)i->pruned);
	if (i->judgements)
		printf("recorded   %lld gates\n", (long long)i->judgements);
	printf("size       %.1f MiB (%.1f bytes a sample)\n\n", (double)i->bytes / (1 << 20),
		per_sample(i));
	table_write(suites->table, stdout);
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct info *o = values;
	struct suites suites = {.table = table_new("SUITE", ">RUNS", ">SAMPLES", ">RUNNERS", NULL)};
	struct store_info info;
	struct context c;
	int r = context_init(&c, o->store, err);

	(void)args;
	(void)n;
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = store_info(c.store, &info, err);
	if (r == 0)
		r = store_info_suites(c.store, add_suite, &suites, err);
	if (r == 0 && !o->json)
		print_text(c.store, &info, &suites);
	else
		table_free(suites.table);
	if (r == 0 && o->json)
		print_json(c.store, &info, &suites);
	buf_release(&suites.json);
	context_release(&c);
	return r;
}

const struct command cmd_store_info = {.name = "info",
	.args = "",
	.summary = "what the store holds and how large it is",
	.opts = opts,
	.values_size = sizeof(struct info),
	.max_args = 0,
	.run = run};
