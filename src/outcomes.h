/*
 * outcomes: the verdicts of a gate as far as `accept` needs them: from a report in JSON, or from
 * judging.
 */
#ifndef OUTCOMES_H
#define OUTCOMES_H

#include "input.h"
#include "intern.h"
#include "verdict.h"

struct outcome {
	struct series_key key; /* unit and quantity are not filled */
	enum verdict verdict;
	struct decimal head; /* the median, of one that is regressed */
};

struct outcomes {
	struct outcome *v;
	size_t n, cap;
	struct intern *names;    /* all strings */
	char head[65], base[65]; /* SHAs; "" not known */
};

void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

void outcomes_add(struct outcomes *o, const struct judged *j);

/*
 * Reads a report (perfgate-formats(7)). Errors (ERR_FORMAT, ERR_IO) begin
 * with "FILE:LINE: ". Refused are, besides what json.h refuses: another schema or version, a
 * verdict that there is none of, a name of more than 4 KiB, a regressed series without a number,
 * and more than a million series or 256 MiB of names.
 */
int outcomes_read(struct outcomes *o, struct input *in, struct err *err);

/* In the order of series_key_compare(). */
void outcomes_sort(struct outcomes *o);

#endif
