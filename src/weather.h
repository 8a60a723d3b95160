/*
 * weather: what makes measurements on this machine noisy, as far as it says so.
 */
#ifndef WEATHER_H
#define WEATHER_H

#include "buf.h"

/* Appends one line each ("\n" at its end): a load average above half the cores, a frequency
 * governor that is not performance, turbo, time stolen by other guests. Nothing where the machine
 * does not tell. */
void weather_warnings(struct buf *ret);

#endif
