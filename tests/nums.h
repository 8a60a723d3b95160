/* Initialisers of numbers, for tests. */
#ifndef NUMS_H
#define NUMS_H

#include "num.h"

#define I(x)                                                                                       \
	{                                                                                          \
		.is_int = true, .i = x                                                             \
	}
#define R(x)                                                                                       \
	{                                                                                          \
		.is_int = false, .d = x                                                            \
	}

#endif
