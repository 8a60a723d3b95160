#include "figure.h"

#include "tap.h"

#include <math.h>

static void rough(double share, const char *expected)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	figure_rough_percent(&b, share);
	IS_STR(buf_str(&b), expected, expected);
}

int main(void)
{
	rough(0, "0 %");
	rough(.05, "5 %");
	rough(.0123, "1.2 %");
	rough(.996, "100 %");
	rough(.3149, "31 %");
	rough(1.2345, "120 %");
	rough(.000456, "0.046 %");
	rough(1e5, "more than itself");
	rough(INFINITY, "more than itself");
	return tap_done();
}
