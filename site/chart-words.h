/*
 * chart-words: what is to be seen on a chart, in words, for who cannot see it.
 */
#ifndef CHART_WORDS_H
#define CHART_WORDS_H

#include "chart.h"

/* Appends a few sentences, escaped. */
void chart_words(struct buf *b, const struct chart *c);

/* "+12.0 %", "-3.1 % weak", "from 0": not escaped. */
void chart_step_label(struct buf *b, const struct trend_step *s);

#endif
