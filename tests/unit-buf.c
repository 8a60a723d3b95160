#include "buf.h"

#include "tap.h"

#include <stdlib.h>

static void growing(void)
{
	struct buf b = BUF_INIT;
	char *taken;
	int i;

	IS_STR(buf_str(&b), "", "an empty buffer is a string");
	for (i = 0; i < 1000; i++)
		buf_addf(&b, "%d,", i % 10);
	OK(b.len == 2000 && b.p[2000] == '\0', "it grows and stays terminated");
	buf_clear(&b);
	buf_add(&b, "a\0b", 3);
	OK(b.len == 3 && !memcmp(b.p, "a\0b", 4), "it holds any byte");
	buf_addch(&b, 'c');
	buf_add(&b, NULL, 0);
	OK(b.len == 4, "nothing can be added");
	taken = buf_take(&b);
	OK(!memcmp(taken, "a\0bc", 5) && !b.p && !b.len, "taking empties it");
	free(taken);
	taken = buf_take(&b);
	IS_STR(taken, "", "an empty one can be taken");
	free(taken);
	buf_release(&b);
	buf_release(NULL);
}

static void bounded(void)
{
	struct buf b = {.max = 4};

	OK(buf_room(&b, 4) == 0, "room up to the maximum");
	OK(buf_room(&b, 5) == -1, "no room past it");
	buf_addstr(&b, "abc");
	OK(buf_room(&b, 2) == -1 && buf_room(&b, 1) == 0, "what is held counts");
	OK(buf_room(&b, (size_t)-1) == -1, "no overflow");
	IS_STR(buf_str(&b), "abc", "a refusal changes nothing");
	buf_release(&b);
}

static void by_number(void)
{
	size_t n = 0, i, wrong = 0;
	int *v = NULL;

	v = xgrow_to(v, &n, 0, sizeof(*v));
	OK(n >= 1 && v[0] == 0, "the first element");
	v[0] = 7;
	v = xgrow_to(v, &n, 1000, sizeof(*v));
	OK(n > 1000 && v[0] == 7, "what is there stays");
	for (i = 1; i < n; i++)
		wrong += v[i] != 0;
	OK(!wrong, "what is new is zero");
	i = n;
	v = xgrow_to(v, &n, 5, sizeof(*v));
	OK(n == i, "there is room already");
	free(v);
}

static void arrays(void)
{
	_cleanup_(freep) int *a = NULL;
	size_t cap = 0, n;
	bool good = true;

	for (n = 0; n < 100; n++) {
		a = xgrow(a, n, &cap, sizeof(*a));
		a[n] = (int)n;
	}
	for (n = 0; n < 100; n++)
		good = good && a[n] == (int)n;
	OK(good && cap >= 100, "an array grows");
}

static void errors(void)
{
	struct err err = ERR_INIT;
	char longer[600];

	OK(err_prefix(&err, "x") == -1 && err.code == ERR_NONE, "no error, no prefix");
	OK(err_set(&err, ERR_IO, "%s: %d", "file", 7) == -1 && err.code == ERR_IO,
		"an error is set");
	err_set(&err, ERR_USAGE, "later");
	IS_STR(err.msg, "file: 7", "the first one wins");
	err_prefix(&err, "dir %d", 1);
	IS_STR(err.msg, "dir 1: file: 7", "context goes before it");
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = '\0';
	err_clear(&err);
	OK(err.code == ERR_NONE && !*err.msg, "it can be cleared");
	err_set(&err, ERR_FORMAT, "%s", longer);
	OK(strlen(err.msg) == sizeof(err.msg) - 1, "a long message is cut");
	err_prefix(&err, "%s", longer);
	OK(strlen(err.msg) == sizeof(err.msg) - 1, "so is a long prefix");
}

int main(void)
{
	growing();
	bounded();
	arrays();
	by_number();
	errors();
	return tap_done();
}
