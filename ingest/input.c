#include "input.h"

#include "buf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct input {
	char *name;
	char *path; /* NULL: memory */
	int fd;     /* -1: not open */
	const char *data;
	size_t data_len, data_pos;
	char *head;
	size_t head_len, head_pos;
	int64_t pos, size;
};

static struct input *input_new(const char *name)
{
	struct input *in = xcalloc(1, sizeof(*in));

	in->name = xstrdup(name);
	in->fd = -1;
	in->size = -1;
	return in;
}

struct input *input_file(const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct input *in = input_new(is_stdin ? "standard input" : path);

	in->path = xstrdup(path);
	return in;
}

struct input *input_memory(const char *name, const void *data, size_t len)
{
	struct input *in = input_new(name);

	in->data = data;
	in->data_len = len;
	in->size = (int64_t)len;
	return in;
}

void input_close(struct input *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
	in->data_pos = 0;
	free(in->head);
	in->head = NULL;
	in->head_len = in->head_pos = 0;
	in->pos = 0;
}

void input_free(struct input *in)
{
	if (!in)
		return;
	input_close(in);
	free(in->name);
	free(in->path);
	free(in);
}

const char *input_name(const struct input *in)
{
	return in->name;
}

int input_error_at(
	const struct input *in, unsigned line, struct err *err, const char *fmt, va_list ap)
{
	char msg[sizeof(err->msg)];

	vsnprintf(msg, sizeof(msg), fmt, ap);
	return err_set(err, ERR_FORMAT, "%s:%u: %s", in->name, line, msg);
}

static int open_file(struct input *in, struct err *err)
{
	struct stat st;

	if (!in->path || in->fd >= 0)
		return 0;
	if (!strcmp(in->path, "-")) {
		in->fd = STDIN_FILENO;
		return 0;
	}
	in->fd = open(in->path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return err_set(err, ERR_IO, "%s: %s", in->name, strerror(errno));
	if (fstat(in->fd, &st) == 0 && S_ISREG(st.st_mode))
		in->size = st.st_size;
	else if (S_ISDIR(st.st_mode)) {
		close(in->fd);
		in->fd = -1;
		return err_set(err, ERR_IO, "%s: is a directory", in->name);
	}
	return 0;
}

static long read_raw(struct input *in, void *buf, size_t n, struct err *err)
{
	ssize_t got;

	if (!in->path) {
		size_t left = in->data_len - in->data_pos;
		n = n < left ? n : left;
		if (n)
			memcpy(buf, in->data + in->data_pos, n);
		in->data_pos += n;
		return (long)n;
	}
	if (open_file(in, err) < 0)
		return -1;
	do
		got = read(in->fd, buf, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return err_set(err, ERR_IO, "%s: %s", in->name, strerror(errno));
	return (long)got;
}

int input_head(struct input *in, const char **ret, size_t *ret_len, struct err *err)
{
	if (!in->head) {
		in->head = xmalloc(INPUT_HEAD);
		while (in->head_len < INPUT_HEAD) {
			long n = read_raw(
				in, in->head + in->head_len, INPUT_HEAD - in->head_len, err);
			if (n < 0)
				return -1;
			if (n == 0)
				break;
			in->head_len += (size_t)n;
		}
	}
	*ret = in->head;
	*ret_len = in->head_len;
	return 0;
}

long input_read(struct input *in, void *buf, size_t n, struct err *err)
{
	size_t left = in->head_len - in->head_pos;
	long got;

	if (left) {
		n = n < left ? n : left;
		memcpy(buf, in->head + in->head_pos, n);
		in->head_pos += n;
		got = (long)n;
	} else {
		got = read_raw(in, buf, n, err);
	}
	if (got > 0)
		in->pos += got;
	return got;
}

int64_t input_position(const struct input *in)
{
	return in->pos;
}

int64_t input_size(const struct input *in)
{
	return in->size;
}
