/* Sets of CPUs: their text, and whether a process can be bound to them. */
#include "cpus.h"
#include "pin.h"
#include "tap.h"

static void reads(const char *text, const char *expected)
{
	_cleanup_(buf_release) struct buf got = BUF_INIT;
	struct err err = ERR_INIT;
	struct cpus c;

	if (cpus_parse(&c, text, &err) == 0)
		cpus_format(&got, &c);
	IS_STR(buf_str(&got), expected, text);
}

static void refuses(const char *text)
{
	struct err err = ERR_INIT;
	struct cpus c = {.set = {42}};

	OK(cpus_parse(&c, text, &err) < 0 && err.code == ERR_USAGE && c.set[0] == 42, text);
}

static void test_text(void)
{
	reads("0", "0");
	reads("0-3,8", "0-3,8");
	reads("5,1-2,3,3,8191", "1-3,5,8191");
	reads("63,64", "63-64");
	reads("7-7", "7");
	refuses("");
	refuses("x");
	refuses("-1");
	refuses("3-1");
	refuses("1,");
	refuses("1,,2");
	refuses("1-");
	refuses(" 1");
	refuses("8192");
	refuses("0-99999999999999999999");
}

static void test_pin(void)
{
	struct err err = ERR_INIT;
	struct cpus c = {0}, all;

	OK(cpus_none(&c) && !cpus_have(&c, 0) && !cpus_have(&c, CPUS_MAX), "an empty set");
	cpus_add(&c, CPUS_MAX - 1);
	OK(cpus_have(&c, CPUS_MAX - 1) && !cpus_none(&c), "the last CPU there can be");
	OK(pin_check(&c, &err) < 0 && err.code == ERR_USAGE, "... is not here");
	memset(&all, 0xff, sizeof(all));
	err_clear(&err);
	OK(pin_check(&all, &err) < 0 && strlen(err.msg) > 0, "nor are all there can be");
}

int main(void)
{
	test_text();
	test_pin();
	return tap_done();
}
