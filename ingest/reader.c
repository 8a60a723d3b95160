#include "reader.h"

#include <string.h>

/*
 * The formats. To add one: its file ingest/NAME.c with one const struct reader, a line here and in
 * ingest/local.mk, a directory tests/cases/NAME/ with one directory a case, a corpus for
 * tests/fuzz, and a section in docs/perfgate-formats.7. tests/tables.sh checks that nothing of it
 * is lacking.
 */
extern const struct reader reader_kpi;
extern const struct reader reader_clpeak;
extern const struct reader reader_callgrind_summary;
extern const struct reader reader_callgrind_out;
extern const struct reader reader_go;
extern const struct reader reader_trace;
extern const struct reader reader_criterion;
extern const struct reader reader_google_benchmark;
extern const struct reader reader_hyperfine;
extern const struct reader reader_jmh;
extern const struct reader reader_pytest;
extern const struct reader reader_gab;
extern const struct reader reader_custom_smaller;
extern const struct reader reader_custom_bigger;
extern const struct reader reader_bmf;
extern const struct reader reader_samples;
extern const struct reader reader_export;

/* clang-format off */
const struct reader *const readers[] = {
	&reader_kpi,
	&reader_clpeak,
	&reader_callgrind_summary,
	&reader_callgrind_out,
	&reader_go,
	&reader_trace,
	&reader_criterion,
	&reader_google_benchmark,
	&reader_hyperfine,
	&reader_jmh,
	&reader_pytest,
	&reader_gab,
	&reader_custom_smaller,
	&reader_custom_bigger,
	&reader_bmf,
	&reader_samples,
	&reader_export,
	NULL
};
/* clang-format on */

const struct reader *reader_find(const char *name)
{
	size_t i;

	for (i = 0; readers[i]; i++)
		if (!strcmp(readers[i]->name, name))
			return readers[i];
	return NULL;
}

/* What a document that nobody reads looks like, for the message. */
static const char *looks_like(const char *head, size_t len)
{
	size_t i = 0;

	if (len >= 2 && !memcmp(head, "\x1f\x8b", 2))
		return "is gzip data; decompress it first (zcat FILE | perfgate ingest -)";
	while (i < len && strchr(" \t\r\n", head[i]) && head[i])
		i++;
	if (i == len)
		return len ? "holds only white space" : "is empty";
	if (head[i] == '<')
		return "looks like XML or HTML";
	if (head[i] == '{' || head[i] == '[')
		return "is JSON of an unknown kind";
	return memchr(head, 0, len) ? "is binary" : "is text of an unknown kind";
}

const struct reader *reader_detect(struct input *in, struct err *err)
{
	const struct reader *best = NULL, *other = NULL;
	const char *head;
	size_t len, i;
	int sure, best_sure = 0;

	if (input_head(in, &head, &len, err) < 0)
		return NULL;
	for (i = 0; readers[i]; i++) {
		sure = readers[i]->sniff(head, len);
		if (sure > 0 && sure == best_sure)
			other = readers[i];
		if (sure > best_sure) {
			best = readers[i];
			other = NULL;
			best_sure = sure;
		}
	}
	if (!best)
		err_set(err, ERR_FORMAT, "%s: %s; 'perfgate formats' lists what perfgate reads",
			input_name(in), looks_like(head, len));
	else if (other)
		err_set(err, ERR_FORMAT, "%s: can be %s or %s; --format says which", input_name(in),
			best->name, other->name);
	return other ? NULL : best;
}
