/*
 * A benchmark in C. Built and run with
 *
 *     cc bench.c $(pkg-config --cflags --libs perfgate-alloc) -o bench
 *     mkdir -p results && PERFGATE_OUT=results ./bench && perfgate ingest results
 *
 * where `perfgate` in place of `perfgate-alloc` counts no allocations.
 */
#include <perfgate/kpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is measured: a copy of a text, made word by word. */
static void copy_words(void *arg)
{
	const char *text = (const char *)arg;
	char *copy = NULL;
	size_t len = 0;

	while (*text) {
		size_t word = strcspn(text, " ") + 1;
		char *more = (char *)realloc(copy, len + word + 1);

		if (!more)
			break;
		copy = more;
		memcpy(copy + len, text, word);
		len += word;
		text += text[word - 1] ? word : word - 1;
	}
	free(copy);
}

/* The same by hand, where a result has more to tell than a capture sees. */
static int measure_cache(void)
{
	struct perfgate_capture *capture;
	struct perfgate_metrics seen;
	struct perfgate_result result;
	int i, status = perfgate_capture_begin(&capture, 0);

	if (status)
		return status;
	for (i = 0; i < 100; i++) {
		void *entry = malloc(1000);

		perfgate_keep(entry); /* the compiler would leave out what nobody uses */
		free(entry);
	}
	perfgate_capture_end(capture, &seen);
	perfgate_result_init(&result, "cache", &seen, 100);
	result.tokens_input = 1000;
	result.tokens_cache_read = 750;
	result.cache_hit_rate = 0.75;
	return perfgate_record(&result);
}

int main(void)
{
	static char text[] = "the quick brown fox jumps over the lazy dog";
	int status = perfgate_run("copy_words", 1000, copy_words, text);

	if (!status)
		status = measure_cache();
	if (!status)
		status = perfgate_flush();
	if (status > 0)
		fprintf(stderr, "bench: %s\n", strerror(status));
	if (status == PERFGATE_UNSET)
		fprintf(stderr, "bench: PERFGATE_OUT is not set, nothing is written\n");
	return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
