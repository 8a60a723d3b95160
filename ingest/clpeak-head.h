/*
 * clpeak-head: what a clpeak result says of the whole run, member by member as they come.
 */
#ifndef CLPEAK_HEAD_H
#define CLPEAK_HEAD_H

#include "json.h"
#include "sink.h"

struct clpeak_head {
	const char *file; /* for messages; borrowed */
	bool has_format, has_host, has_entries, cancelled;
	char *version;                           /* of clpeak; NULL: not said */
	struct buf runner;                       /* empty: the document does not say */
	int64_t started_at;                      /* ns, or TIME_UNKNOWN */
	struct buf host, build, run, invocation; /* facts: members of a JSON object */
};

void clpeak_head_init(struct clpeak_head *h, const char *file);
void clpeak_head_release(struct clpeak_head *h);

/*
 * Takes the value of a member of the outermost object when it belongs to the head. Returns 1, 0
 * with nothing consumed when it does not, -1 with err set: also for a document of another format.
 */
int clpeak_head_member(struct clpeak_head *h, struct js *js, const char *key, struct err *err);

/* The facts as a JSON object; drivers are the members of an object of their own. The caller frees.
 */
char *clpeak_head_facts(const struct clpeak_head *h, const char *drivers);

#endif
