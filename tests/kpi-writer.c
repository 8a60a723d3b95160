/* Programs that link libperfgate and end in different ways; tests/kpi-library.sh runs it. */
#include "perfgate/kpi.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int record(const char *name)
{
	struct perfgate_metrics m = {0};
	struct perfgate_result r;

	perfgate_result_init(&r, name, &m, 1);
	return perfgate_record(&r);
}

static void record_late(void)
{
	record("late");
}

/* END, and names to record; END once more flushes between. */
int main(int argc, char **argv)
{
	int i;

	if (argc < 2)
		return 99;
	for (i = 2; i < argc; i++) {
		if (!strcmp(argv[i], argv[1]) ? perfgate_flush() : record(argv[i]))
			return 98;
	}
	if (!strcmp(argv[1], "late") && atexit(record_late))
		return 97;
	if (!strcmp(argv[1], "chdir") && chdir("/"))
		return 96;
	if (!strcmp(argv[1], "abort"))
		abort();
	if (!strcmp(argv[1], "_exit"))
		_exit(0);
	if (!strcmp(argv[1], "kill"))
		raise(SIGKILL);
	return 0;
}
