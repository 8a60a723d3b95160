/*
 * runner: the class of machine that a number belongs to, as one line of text.
 *
 * The key holds what decides whether two numbers may be compared and what stays the same over the
 * life of a machine: no clock speed, no host name, no kernel, and memory only as a class, since
 * what a system reports of its memory differs from boot to boot.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include <stdint.h>

#include "buf.h"

/*
 * Appends "ARCH/CPU/CORES cores/NGiB". arch goes by its Linux name (arm64 is aarch64; amd64, x64
 * and x86-64 are x86_64); runs of white space in cpu become one space; memory is rounded up to a
 * power of two GiB. Parts that are NULL, blank or not positive are left out.
 */
void runner_key(
	struct buf *out, const char *arch, const char *cpu, int64_t cores, int64_t memory_bytes);

#endif
