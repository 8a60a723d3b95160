#include "interval.h"

#include "tap.h"

#include <math.h>

static bool is_near(double a, double b)
{
	return fabs(a - b) < 5e-5;
}

/* R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3. */
static void test_trials(void)
{
	static const struct {
		double hits, n, low, high;
	} known[] = {{81, 263, .2553, .3662}, {15, 148, .0624, .1605}, {0, 20, 0, .1611},
		{1, 29, .0061, .1718}};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct interval x = interval_of_trials(known[i].hits, known[i].n);
		OK(is_near(x.low, known[i].low) && is_near(x.high, known[i].high),
			"a known answer");
		x = interval_of_trials(known[i].n - known[i].hits, known[i].n);
		OK(is_near(x.low, 1 - known[i].high) && is_near(x.high, 1 - known[i].low),
			"... and its mirror image");
	}
}

static void test_shares(void)
{
	double all_or_none[20] = {1, 1, 1}, even[20], none[20] = {0};
	struct interval x, y;
	size_t i;

	for (i = 0; i < 20; i++)
		even[i] = i % 2 ? .14 : .16;
	x = interval_of_shares(all_or_none, 20, 1000);
	y = interval_of_trials(3, 20);
	OK(x.low <= y.low + .01 && x.high >= y.high - .01,
		"shares of one or nothing are single trials");
	OK(is_near(x.share, .15), "the share is the mean");
	x = interval_of_shares(even, 20, 1000);
	y = interval_of_trials(150, 1000);
	OK(is_near(x.low, y.low) && is_near(x.high, y.high),
		"shares that hardly differ count as all trials");
	x = interval_of_shares(none, 20, 1000);
	OK(x.low == 0 && is_near(x.high, .1611), "none at all: as many trials as shares");
	x = interval_of_shares(all_or_none, 1, 1000);
	OK(x.high == 1 && x.low < .21, "one share says little");
}

int main(void)
{
	test_trials();
	test_shares();
	return tap_done();
}
