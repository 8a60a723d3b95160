/*
 * unroll: UNROLL before a loop of a constant number of rounds writes each of them out, so that what
 * they work on stays in registers.
 */
#ifndef UNROLL_H
#define UNROLL_H

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 64")
#endif

#endif
