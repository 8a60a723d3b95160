#include "conf-file.h"

#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static struct buf text(const char *s)
{
	struct buf b = BUF_INIT;

	buf_addstr(&b, s);
	return b;
}

static void holds(const char *path, const char *expected, const char *what)
{
	_cleanup_(buf_release) struct buf got = BUF_INIT;
	struct err err = ERR_INIT;

	OK(conf_file_read(path, &got, &err) == 1, what);
	IS_STR(buf_str(&got), expected, what);
}

/* What somebody else wrote between reading and writing is not lost. */
static void test_changed(const char *path)
{
	_cleanup_(buf_release) struct buf none = BUF_INIT, first = text("# first\n"),
					  second = text("# second\n");
	struct err err = ERR_INIT;

	OK(conf_file_write(path, &first, &none, &err) == 0, "there is no file, as before");
	holds(path, "# first\n", "it is written");
	OK(conf_file_write(path, &second, &none, &err) < 0, "there is one meanwhile");
	OK(err.code == ERR_IO && strstr(err.msg, "somebody else changed it"), "... it is said");
	holds(path, "# first\n", "... and nothing is written");
	err_clear(&err);
	OK(conf_file_write(path, &second, &first, &err) == 0, "it is what was read");
	holds(path, "# second\n", "... and is replaced");
	OK(conf_file_write(path, &second, &first, &err) < 0, "it is another one");
	err_clear(&err);
	OK(unlink(path) == 0 && conf_file_write(path, &second, &first, &err) < 0, "it is gone");
	OK(access(path, F_OK) < 0, "... and stays so");
	err_clear(&err);
	OK(conf_file_write(path, &first, NULL, &err) == 0, "whatever was there");
	OK(conf_file_write(path, &second, NULL, &err) == 0, "... goes");
	holds(path, "# second\n", "... for the new text");
}

int main(void)
{
	char folder[] = "/tmp/perfgate-test.XXXXXX", path[64];

	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/perfgate.conf", folder);
	test_changed(path);
	unlink(path);
	OK(rmdir(folder) == 0, "nothing is left beside it");
	return tap_done();
}
