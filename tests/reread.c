/* Reads a report in JSON and writes it in another format: reread FORMAT <FILE. */
#include "report-read.h"

#include <locale.h>

int main(int argc, char **argv)
{
	const struct report_style style = {.width = 80};
	const struct report_format *f = argc == 2 ? report_find(argv[1]) : NULL;
	struct input *in = input_file("-");
	struct err err = ERR_INIT;
	struct read_report *x;
	int r;

	setlocale(LC_CTYPE, "C.UTF-8");
	x = f ? report_read(in, &err) : NULL;
	r = x ? f->write(read_report_get(x), &style, stdout, &err) : -1;
	if (r < 0)
		fprintf(stderr, "%s\n", f ? err.msg : "usage: reread FORMAT");
	read_report_free(x);
	input_free(in);
	return r < 0 ? 2 : 0;
}
