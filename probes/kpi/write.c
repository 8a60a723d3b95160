#include "perfgate/kpi.h"

#include "counter.h"
#include "file.h"
#include "result.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { PARTS_MAX = 1000 };

/* Left-overs of a killed process with the same pid are no reason to fail. */
static int put(const char *path, const struct perfgate_text *t)
{
	unsigned i, first = (unsigned)getpid();
	int r = EEXIST;

	for (i = 0; r == EEXIST && i < PARTS_MAX; i++) {
		char *part = perfgate_file_part(path, first + i);

		r = part ? perfgate_file_put(path, part, t->p, t->len, 0) : ENOMEM;
		free(part);
	}
	return r;
}

static int write_results(const char *path, const struct perfgate_result *results, size_t n)
{
	struct perfgate_text t = {0};
	struct perfgate_result *whole = calloc(n ? n : 1, sizeof(*whole));
	int r = whole ? 0 : ENOMEM;
	size_t i;

	for (i = 0; i < n && !r; i++)
		r = perfgate_result_complete(&whole[i], &results[i]);
	if (!r) {
		perfgate_text_results(&t, whole, n);
		r = t.failed ? ENOMEM : put(path, &t);
	}
	perfgate_text_release(&t);
	free(whole);
	return r;
}

int perfgate_write(const char *path, const struct perfgate_result *results, size_t n)
{
	int r, saved = errno;

	perfgate_hush(1);
	r = write_results(path, results, n);
	perfgate_hush(-1);
	errno = saved;
	return r;
}
