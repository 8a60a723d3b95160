#include "err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *err, int code, const char *fmt, ...)
{
	if (err->code == ERR_NONE) {
		va_list ap;
		err->code = code;
		va_start(ap, fmt);
		vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
		va_end(ap);
	}
	return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	char old[sizeof(err->msg)];
	va_list ap;
	int n;

	if (err->code == ERR_NONE)
		return -1;
	memcpy(old, err->msg, sizeof(old));
	va_start(ap, fmt);
	n = vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < sizeof(err->msg) - 2) {
		size_t room = sizeof(err->msg) - (size_t)n - 3, len = strlen(old);
		len = len < room ? len : room;
		memcpy(err->msg + n, ": ", 2);
		memcpy(err->msg + n + 2, old, len);
		err->msg[(size_t)n + 2 + len] = '\0';
	}
	return -1;
}

void err_clear(struct err *err)
{
	err->code = ERR_NONE;
	err->msg[0] = '\0';
}
