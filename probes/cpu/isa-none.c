#if !defined(__x86_64__) && !defined(__aarch64__)

#include "isa.h"

void isa_find(bool ret[ISA_COUNT])
{
	(void)ret;
}

#endif
