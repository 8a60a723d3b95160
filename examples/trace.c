/*
 * cc -pthread -o trace trace.c && ./trace trace.json && perfgate ingest trace.json
 */
#include <perfgate/trace.h>

#include <stdio.h>

static unsigned long step(unsigned long n)
{
	PERFGATE_FUNCTION();

	return n % 2 ? 3 * n + 1 : n / 2;
}

static int steps(unsigned long n)
{
	PERFGATE_SCOPE("steps to 1");
	int i;

	for (i = 0; n != 1; i++)
		n = step(n);
	PERFGATE_COUNTER("steps", i);
	return i;
}

int main(int argc, char **argv)
{
	unsigned long n;

	if (argc != 2 || perfgate_trace_begin(argv[1]) < 0) {
		perror("usage: trace FILE");
		return 2;
	}
	for (n = 1; n <= 30; n++)
		printf("%lu: %d\n", n, steps(n));
	if (perfgate_trace_end() < 0) {
		perror(argv[1]);
		return 1;
	}
	return 0;
}
