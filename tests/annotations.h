/*
 * annotations: series that people marked changes in, and how well predicted changes agree with
 * them. All of them lie in ../shared/samples/changepoint, which may be absent.
 *
 * The scores are those of the Turing Change Point Dataset (van den Burg and Williams, "An
 * evaluation of change point detection algorithms", 2020; analysis/scripts/metrics.py of
 * TCPDBench): each annotator's marks, and the prediction, begin with 0.
 */
#ifndef ANNOTATIONS_H
#define ANNOTATIONS_H

#include <jansson.h>
#include <stddef.h>

enum { MOST_POINTS = 2048 };

struct list {
	size_t v[MOST_POINTS], n;
};

/* Of a file of that folder; the caller frees it. */
char *samples_path(const char *name);
/* A document of that folder, or NULL. */
json_t *samples_load(const char *name);

/* The numbers of an array, or the column-th of each of its rows where column >= 0; null ones left
 * out. Returns how many; x has room for MOST_POINTS. */
size_t samples_numbers(const json_t *rows, int column, double *x);

/* 2 P R / (P + R), where P is the share of the predicted changes that anybody marked, within five
 * points, and R the share of the marks that were predicted, as a mean over the annotators; each
 * prediction serves once. */
double annotations_f1(json_t *annotators, const struct list *predicted);

/* For each annotator, the mean over the n points of how much of the segment that he has them in is
 * covered: intersection over union with that of the predicted segments which covers it best. The
 * mean over the annotators. */
double annotations_cover(json_t *annotators, const struct list *predicted, size_t n);

#endif
