/*
 * heard: what a back end of `perfgate probe` says (probes/back-end.h has the protocol), line by
 * line. A driver shares the program and may write anything: a line counts only when it is what the
 * protocol has at that moment, with texts, words and numbers that a document can hold.
 */
#ifndef HEARD_H
#define HEARD_H

#include "json.h"
#include "record.h"

enum { HEARD_LINE_MAX = 1 << 20 }; /* bytes */

enum heard_event {
	HEARD_NOTHING, /* a line of the list, or the first one */
	HEARD_LOG,
	HEARD_START,
	HEARD_DONE,
	HEARD_UNAVAILABLE, /* probed->unavailable says why; nothing follows */
	HEARD_END
};

struct heard {
	struct probed *to;
	const size_t *readings; /* to be measured, by their numbers; NULL: it is to list */
	size_t n_readings;
	size_t next;  /* index in readings of the next to start */
	bool started; /* one is being measured: readings[next - 1] */
	bool greeted, ended;
	/* of the last HEARD_LOG; live until the next line */
	const char *level, *source, *message;
	struct jv *line;
};

void heard_begin(struct heard *h, struct probed *to, const size_t *readings, size_t n);
void heard_release(struct heard *h);

/*
 * Takes a line without its newline. Lists go into the plan, numbers into the outcomes. Returns an
 * event, or -1 with err set (ERR_FORMAT) when it is not what may be said now; then nothing that
 * follows can be trusted.
 */
int heard_line(struct heard *h, const char *line, size_t len, struct err *err);

#endif
