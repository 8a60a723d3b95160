/*
 * level-scale: the scale on which the levels of a series are compared: logarithms of magnitudes
 * where all values have one sign; else the values, divided so that a difference of 0.01 is about
 * one of 1 %.
 */
#ifndef LEVEL_SCALE_H
#define LEVEL_SCALE_H

#include <stddef.h>

/* x: n finite values in any order, replaced; scratch has room for n. Returns what they were divided
 * by: the median magnitude, or where that is (next to) nothing the largest, or 1; 0: they are
 * logarithms. */
double to_level_scale(double *x, size_t n, double *scratch);

#endif
