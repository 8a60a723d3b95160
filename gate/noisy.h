/*
 * noisy: the rules for measured metrics (DESIGN 5.4 and 5.5), on what evidence.h and history.h
 * compute.
 */
#ifndef NOISY_H
#define NOISY_H

#include "verdict.h"

bool lower_is_better(const struct judged *j);

/* A change as measured, as a worsening: positive is worse. */
double worsening(const struct judged *j, double change);

/* The rule that history judges a series by. accept NULL: none. */
struct step_rule step_rule_of(const struct judged *j, const struct decimal *accept);

/* Samples that may be compared, of one session by its pairs where both sides have any. false: no
 * pair has both. */
bool noisy_compare(const struct side *head, const struct side *base, struct evidence *ret);

/*
 * Gives j its proof. By sessions the verdict is final; samples against samples wait for
 * noisy_settle(), as inconclusive. Medians of both sides are filled. Returns whether an accept
 * turned anything.
 */
bool noisy_judge(struct judged *j, const struct decimal *accept, bool on_line);

/* The verdicts of the series that were compared sample by sample. */
void noisy_settle(struct judged *j, size_t n, bool on_line);

/* What another session of head would have been given, of the same series, past and accept. */
enum verdict noisy_earlier(const struct judged *j, const struct side *head,
	const struct decimal *accept, bool on_line);

#endif
