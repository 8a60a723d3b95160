/*
 * plain-stream: what the probe of main memory is held against: loops as anybody writes them,
 * compiled with -O3 -march=native, in equal shares on as many threads as there are CPUs.
 */
#ifndef PLAIN_STREAM_H
#define PLAIN_STREAM_H

enum plain_way { PLAIN_READ, PLAIN_COPY, PLAIN_TRIAD, PLAIN_WAYS };

/* Arrays of `bytes` bytes in all, in large pages where there are any. 0, or -1. */
int plain_begin(long bytes, int threads);
/* Bytes per second of one round, counted as the probe counts. */
double plain_round(enum plain_way way);
void plain_end(void);

#endif
