/*
 * half: the 16-bit formats of floating point, in plain C.
 */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

double half_to_double(uint16_t h);
uint16_t half_from_double(double d); /* to the nearest, ties to even; what is too large: infinity */

float bf16_to_float(uint16_t h);
uint16_t bf16_from_float(float f); /* of a value that fits: its upper half */

#endif
