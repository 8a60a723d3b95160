/* replay: runs the fuzzers' function over the files named on the command line. */
#include "buf.h"
#include "input.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_all(const char *path, struct buf *b)
{
	struct input *in = input_file(path);
	struct err err = ERR_INIT;
	char block[65536];
	long n;

	while ((n = input_read(in, block, sizeof(block), &err)) > 0)
		buf_add(b, block, (size_t)n);
	input_free(in);
	if (n < 0)
		fprintf(stderr, "%s\n", err.msg);
	return n < 0 ? -1 : 0;
}

/* A copy of exactly that size, so that a sanitizer sees the first byte read past the end. */
static void run(const struct buf *b)
{
	_cleanup_(freep) uint8_t *data = xmalloc(b->len);

	if (b->len)
		memcpy(data, b->p, b->len);
	LLVMFuzzerTestOneInput(data, b->len);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		_cleanup_(buf_release) struct buf b = BUF_INIT;
		if (read_all(argv[i], &b) < 0)
			return 1;
		/* Flushed before the run, so that the last line names the file at fault. */
		printf("%s\n", argv[i]);
		fflush(stdout);
		run(&b);
	}
	return 0;
}
