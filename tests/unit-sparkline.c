/* Series as a row of characters. */
#include "sparkline.h"

#include "tap.h"

#include <stdlib.h>

static void drawn(
	const double *v, size_t n, struct sparkline how, const char *expected, const char *what)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	sparkline(&b, &how, v, n);
	IS_STR(buf_str(&b), expected, what);
}

static void locale(
	const char *all, const char *ctype, const char *lang, bool expected, const char *what)
{
	setenv("LC_ALL", all, 1);
	setenv("LC_CTYPE", ctype, 1);
	setenv("LANG", lang, 1);
	OK(sparkline_unicode() == expected, what);
}

int main(void)
{
	static const double ramp[] = {0, 1, 2, 3, 4, 5, 6, 7}, same[] = {5, 5, 5, 5},
			    spike[] = {1, 1, 90, 1, 1, 1, 2, 2, 2, 2, 2, 2},
			    tail[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2},
			    huge[] = {-1.7e308, 1.7e308};

	drawn(ramp, 8, (struct sparkline){.width = 20}, "_.-:=+*#", "each point its height");
	drawn(ramp, 8, (struct sparkline){.width = 8, .unicode = true}, "▁▂▃▄▅▆▇█", "in blocks");
	drawn(ramp, 8, (struct sparkline){.width = 4}, "_-+#", "two points a character");
	drawn(ramp, 8, (struct sparkline){.width = 8, .least = 64},
		"::::====", "no more than noise");
	drawn(same, 4, (struct sparkline){.width = 8}, "____", "no range at all");
	drawn(spike, 12, (struct sparkline){.width = 4}, "__##", "one point that lies far off");
	drawn(tail, 12, (struct sparkline){.width = 3}, "___", "a newest point goes under");
	drawn(tail, 12, (struct sparkline){.width = 3, .tail = 1}, "__#",
		"... unless it has its own");
	drawn(tail, 12, (struct sparkline){.width = 12, .tail = 1}, "___________#",
		"... which needs no room where each has");
	drawn(huge, 2, (struct sparkline){.width = 2}, "__", "a range beyond numbers");
	drawn(NULL, 0, (struct sparkline){.width = 2}, "", "nothing of nothing");
	locale("", "", "", false, "no locale");
	locale("", "", "de_DE.UTF-8", true, "LANG");
	locale("C", "", "de_DE.UTF-8", false, "LC_ALL before LANG");
	locale("", "en_US.utf8", "C", true, "LC_CTYPE before LANG");
	locale("ja_JP.eucJP", "", "", false, "another set");
	return tap_done();
}
