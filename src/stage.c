#include <perfgate/trace.h>

#include "stage.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Somebody's file that is no trace: the store, say. */
static bool is_other(const char *file)
{
	int fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	char first;
	const bool other = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
			   read(fd, &first, 1) == 1 && first != '[';

	if (fd >= 0)
		close(fd);
	return other;
}

int stage_trace(const char *file, struct err *err)
{
	if (is_other(file))
		return err_set(err, ERR_USAGE,
			"'%s' is there and is no trace: --trace does not write over it", file);
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
