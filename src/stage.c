#include <perfgate/trace.h>

#include "stage.h"

#include <string.h>

int stage_trace(const char *file, struct err *err)
{
	if (perfgate_trace_begin(file) == 0)
		return 0;
	return err_set(err, ERR_IO, "cannot write the trace '%s': %s", file,
		errno == EBUSY ? "another process writes a trace there" : strerror(errno));
}

int stage_trace_end(const char *file, struct err *err)
{
	if (perfgate_trace_end() == 0)
		return 0;
	return err_set(err, ERR_IO, "the trace '%s' is not complete: %s", file, strerror(errno));
}
