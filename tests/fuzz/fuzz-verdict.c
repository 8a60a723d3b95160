/*
 * fuzz-verdict: any bytes at all as the verdict that `perfgate comment --from` reads and renders.
 */
#include "report-read.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

enum { MARKDOWN_MAX = 60000 };

/* Fits into a comment, and no line is a command to GitLab. */
static void check(const struct report *r)
{
	const struct report_style style = {.width = 80};
	struct err err = ERR_INIT;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	require(out && report_find("markdown")->write(r, &style, out, &err) == 0);
	require(fclose(out) == 0 && len <= MARKDOWN_MAX);
	require(text[0] != '/' && !strstr(text, "\n/"));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input *in = input_memory("input", data, size);
	struct err err = ERR_INIT;
	struct read_report *x = report_read(in, &err);

	require((x != NULL) == (err.code == ERR_NONE));
	require(x || *err.msg);
	if (x)
		check(read_report_get(x));
	read_report_free(x);
	input_free(in);
	return 0;
}
