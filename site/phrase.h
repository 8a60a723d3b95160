/*
 * phrase: figures and states in the words of the site: plain text, fit for markup_text().
 */
#ifndef PHRASE_H
#define PHRASE_H

#include "site.h"

void phrase_value(struct buf *b, double value, const char *unit); /* "1.53 ms"; NAN: "–" */
void phrase_pair(struct buf *ret_a, struct buf *ret_b, double a, double b, const char *unit);
void phrase_change(struct buf *b, double change); /* "+2.1 %"; NAN: "from 0" */
/* "exact", "2.1 %"; in its unit where logarithms do not apply. */
void phrase_noise(struct buf *b, const struct site_series *s);
void phrase_metric(struct buf *b, const struct series_key *k); /* "metric [variant]" */
void phrase_series(
	struct buf *b, const struct series_key *k); /* "suite: benchmark metric [variant]" */
/* An estimate for a program: five digits; what is not finite: nothing. Returns whether it is
 * there. */
bool phrase_estimate(struct buf *b, double value);
/* "worse", "better, weak", "within the tolerance": what a step is. */
void phrase_step(struct buf *b, const struct site_step *s);
/* A class for its row: "worse", "better", "weak"; "" none. */
const char *phrase_step_class(const struct site_step *s);

#endif
