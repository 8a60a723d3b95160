#include "command.h"

#include "reader.h"
#include "term.h"
#include "text.h"

struct formats {
	bool json;
};

static const struct opt opts[] = {OPT_JSON(struct formats), OPT_END};

static void print_json(void)
{
	size_t i;

	for (i = 0; readers[i]; i++) {
		_cleanup_(buf_release) struct buf b = BUF_INIT;
		buf_addstr(&b, i ? ",\n {\"name\": " : "[\n {\"name\": ");
		text_json_str(&b, readers[i]->name);
		buf_addstr(&b, ", \"suite\": ");
		text_json_str(&b, readers[i]->suite);
		buf_addstr(&b, ", \"summary\": ");
		text_json_str(&b, readers[i]->summary);
		printf("%s}", b.p);
	}
	puts("\n]");
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct formats *o = values;
	struct table *t;
	size_t i;

	(void)args;
	(void)n;
	(void)err;
	if (o->json) {
		print_json();
		return 0;
	}
	t = table_new("FORMAT", "SUITE", "READS", NULL);
	for (i = 0; readers[i]; i++) {
		table_cell(t, "%s", readers[i]->name);
		table_cell(t, "%s", readers[i]->suite);
		table_cell(t, "%s", readers[i]->summary);
	}
	table_write(t, stdout);
	return 0;
}

const struct command cmd_formats = {.name = "formats",
	.args = "",
	.summary = "list the document formats that perfgate reads",
	.opts = opts,
	.values_size = sizeof(struct formats),
	.max_args = 0,
	.run = run};
