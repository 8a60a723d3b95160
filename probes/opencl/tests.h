/* tests: all tests of the OpenCL probe; the table is in main.c. */
#ifndef TESTS_H
#define TESTS_H

#include "ocl.h"

extern const struct ocl_test ocl_single, ocl_half, ocl_double, ocl_mixed;
extern const struct ocl_test ocl_int, ocl_int_fast, ocl_char, ocl_short, ocl_dot;
extern const struct ocl_test ocl_global, ocl_local, ocl_image;
extern const struct ocl_test ocl_transfer, ocl_latency;

#endif
