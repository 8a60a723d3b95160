#include "stream.h"

#include <string.h>

/* Whatever the compiler makes of 16 bytes, for CPUs that have no file of their own. */
typedef float vec __attribute__((vector_size(16), may_alias));
typedef uint32_t bits __attribute__((vector_size(16)));
#define TARGET
#define VEC 16
#define LOAD(p) (*(const vec *)(const void *)(p))
#define STORE(p, v) (*(vec *)(void *)(p) = (v))
#define STORE_PAST STORE
#define FENCE()
#define SET(f) ((vec){f, f, f, f})
#define XOR3(a, b, c) ((vec)((bits)(a) ^ (bits)(b) ^ (bits)(c)))
#define MADD(b, c, f) ((b) + (c) * (f))
#define KERNELS stream_plain
#define NAME "plain C"
#define NEEDS ISA_COUNT
#include "stream-kernels.inc"
