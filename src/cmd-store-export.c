#include "command.h"

#include "context.h"
#include "export.h"

#include <string.h>

struct export_options {
	const char *store, *format;
};

static const struct opt opts[] = {OPT_STORE(struct export_options),
	{"format", 'f', OPT_STRING, offsetof(struct export_options, format), "NAME",
		"perfgate: everything (the default); samples: one sample a line, for other programs"},
	OPT_END};

static const struct {
	const char *name;
	int (*write)(FILE *f, struct store *s, struct err *err);
} formats[] = {{"perfgate", export_all}, {"samples", export_samples}};

static int write_as(const char *name, struct store *s, struct err *err)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(formats); i++)
		if (!strcmp(formats[i].name, name))
			return formats[i].write(stdout, s, err);
	return err_set(err, ERR_USAGE, "no format '%s' to export in: perfgate or samples", name);
}

static int run(void *values, char **args, int n, struct err *err)
{
	const struct export_options *o = values;
	struct context c;
	int r = context_init(&c, o->store, err);

	(void)args;
	(void)n;
	if (r == 0)
		r = context_open_store(&c, STORE_READ, err);
	if (r == 0)
		r = write_as(o->format ? o->format : "perfgate", c.store, err);
	context_release(&c);
	return r;
}

const struct command cmd_store_export = {.name = "export",
	.args = "",
	.summary = "write everything as text (NDJSON) that ingest reads back",
	.help = "The output is in a fixed order, so that equal stores give equal bytes; ingesting it into\n"
		"a store that has the runs adds nothing. man perfgate-formats describes it.",
	.opts = opts,
	.values_size = sizeof(struct export_options),
	.max_args = 0,
	.run = run};
