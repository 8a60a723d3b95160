/*
 * past-order: the sessions of a series that tells of machines and not of commits, by time.
 *
 * What clpeak reads is the same whatever is checked out. Its sessions count in the order in which
 * they began, each once: with the last of what they measured.
 */
#ifndef PAST_ORDER_H
#define PAST_ORDER_H

#include "history.h"
#include "past-line.h"
#include "series.h"

/* When each session of the line's commits began. */
struct session_times {
	struct intern *names; /* NULL: not asked for yet */
	int64_t *at;
	size_t cap;
};

bool past_is_by_time(const struct series_key *k);
/* Orders v; t is filled when it is first needed. Returns how many there are now. */
size_t past_by_time(struct session_times *t, const struct line *l, struct observation *v, size_t n);
void session_times_release(struct session_times *t);

#endif
