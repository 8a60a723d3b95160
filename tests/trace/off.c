/* Every macro, compiled out: nothing may remain, and no argument be evaluated. */
#define PERFGATE_TRACE 0
#include <perfgate/trace.h>

int off(const char *path, int *calls);

int off(const char *path, int *calls)
{
	PERFGATE_SCOPE("a");
	PERFGATE_SCOPE("b");
	PERFGATE_FUNCTION();
	PERFGATE_SCOPE_COPY(path + ++*calls);
	PERFGATE_BEGIN("c");
	PERFGATE_BEGIN_COPY(path + ++*calls);
	PERFGATE_END();
	PERFGATE_INSTANT("d");
	PERFGATE_INSTANT_COPY(path + ++*calls);
	PERFGATE_COUNTER("e", ++*calls);
	PERFGATE_COUNTER_COPY(path, ++*calls);
	PERFGATE_THREAD(path + ++*calls);
	perfgate_trace_flush();
	if (perfgate_trace_begin(path + ++*calls) < 0)
		return 1;
	return perfgate_trace_end() < 0 || perfgate_trace_dropped() > 0;
}
