/* The OpenCL probe's arithmetic on the host, which needs no OpenCL. */
#include "host.h"
#include "sane.h"
#include "tap.h"

#include <math.h>

/* Known answers: the maps iterated in Python, with whole numbers and with fractions. */
static void test_chains(void)
{
	const struct chain real = {.kind = CHAIN_REAL, .tolerance = 1e-4};
	const struct chain word = {.kind = CHAIN_INT, .bits = 32};
	const struct chain byte = {.kind = CHAIN_INT, .bits = 8};

	OK(host_chain_ok(&word, 1, 0, 1, 3699563330.0), "an int after one iteration");
	OK(host_chain_ok(&word, 1, 0, 11, 3773418434.0), "an int after eleven");
	OK(!host_chain_ok(&word, 1, 0, 2, 3699563330.0), "an int that stayed behind");
	OK(host_chain_ok(&byte, 1, 0, 1, 66), "a char after one iteration");
	OK(host_chain_ok(&byte, 1, 64, 1, 66), "lanes repeat by 64");
	OK(host_chain_ok(&real, 1, 0, 31, -1.755831), "a float after 31 iterations");
	OK(host_chain_ok(&real, 1, 0, 32, 1.327084), "after 32");
	OK(host_chain_ok(&real, 1, 0, 33, 0.005294), "after 33");
	OK(!host_chain_ok(&real, 1, 0, 34, 1.327084), "a float of another count");
	OK(!host_chain_ok(&real, 1, 0, 31, NAN), "not a number");
	OK(!host_chain_ok(&real, 1, 0, 31, INFINITY), "infinite");
}

static double mad24_once(uint32_t x, int steps, uint32_t mask, uint32_t sign)
{
	uint32_t y;

	while (steps-- > 0) {
		y = (x & mask) | (x & sign ? ~mask : 0);
		x += y * y;
	}
	return x;
}

static void test_operands(void)
{
	const struct chain fast = {.kind = CHAIN_MAD24, .bits = 32};

	OK(host_chain_ok(&fast, 1, 0, 3, mad24_once(2, 48, UINT32_MAX, 0)), "mad24 of all bits");
	OK(host_chain_ok(&fast, 1, 0, 3, mad24_once(2, 48, 0xffffff, 0)), "of the low 24");
	OK(host_chain_ok(&fast, 1, 0, 3, mad24_once(2, 48, 0xffffff, 0x800000)),
		"of 24 with a sign");
	OK(!host_chain_ok(&fast, 1, 0, 3, mad24_once(2, 47, 0xffffff, 0)), "of a step fewer");
}

static void test_data(void)
{
	uint32_t words[4], i, seen = 0;

	host_fill(words, 7, 4);
	OK(words[0] == host_word(7) && words[3] == host_word(10), "words by their number");
	for (i = 0; i < 1000; i++)
		seen += (host_word(i) & 0x7f800000) == 0x7f800000 || !(host_word(i) & 0x7f800000);
	OK(seen == 0, "neither infinite nor subnormal");
	OK(host_sweep(3, 1, 1) - host_sweep(4, 1, 1) == host_word(3) - host_word(19), "a sweep");
	OK(host_sweep(0, 1, 2) == host_sweep(0, 1, 1) + host_sweep(16, 1, 1), "a wider one");
	OK(host_pass(5, 8, 1, 0) == 5 * 16, "no exchange");
	OK(host_pass(5, 8, 1, 4) == 1 * 16 + 4, "four exchanges, around the end");
	OK(host_pass(0, 8, 2, 1) == 16 + 1 + 16 + 1 + 1, "both elements");
}

static void test_seconds(void)
{
	const char *doubt;

	OK(fabs(sane_seconds(0.02, 19000000, &doubt) - 0.019) < 1e-9 && !doubt,
		"the driver's time");
	OK(sane_seconds(0.02, 0, &doubt) == 0.02 && doubt, "no event time");
	OK(sane_seconds(0.02, -5, &doubt) == 0.02 && doubt, "one that runs backwards");
	OK(sane_seconds(0.02, 30000000, &doubt) == 0.02 && doubt, "longer than the wall's");
	OK(sane_seconds(0.02, 1000, &doubt) == 0.02 && doubt, "far shorter");
	OK(fabs(sane_seconds(20e-6, 1000, &doubt) - 1e-6) < 1e-12 && !doubt,
		"a short launch is mostly overhead");
}

static void grows(double more, double times, int expected, const char *what)
{
	struct err err = ERR_INIT;

	OK(sane_growth(0.01, more, 0.01 * times, &err) == expected, what);
}

static void test_growth(void)
{
	struct err err = ERR_INIT;

	grows(8, 8, 0, "linear");
	grows(8, 4, 0, "one core more for the larger");
	grows(8, 16, 0, "one core fewer");
	grows(8, 1, -1, "folded");
	grows(8, 2.9, -1, "mostly folded");
	grows(8, 32, 0, "a long launch that shared the processor");
	grows(8, 200, -1, "much too long");
	grows(2, 1.1, -1, "twice the work for nothing");
	grows(2, NAN, -1, "no time at all");
	sane_growth(0.01, 2, 0.01, &err);
	IS_STR(err.msg, "compiler folded the loop: 2 times the work took 1 times as long", "said");
}

static void test_sizes(void)
{
	OK(sane_count(1, 1) == 1 && sane_count(2, 1) == 4 && sane_count(6, 2) == 8, "counts");
	OK(sane_count(-1, 1) == 1 && sane_count(INT64_MAX, 1) % 3 == 1, "absurd counts");
	OK(sane_groups(2, true) == 16 && sane_groups(132, false) == 132 * 64, "groups");
	OK(sane_groups(0, true) == 8 && sane_groups(UINT64_MAX, false) == 4096 * 64,
		"absurd compute units");
	OK(sane_unit_limit(2, 2100) == 2 * 4e9 * 4096, "the limit, at 4 GHz at least");
	OK(sane_unit_limit(0, 0) > 1e13, "nothing known of the device");
}

int main(void)
{
	test_chains();
	test_operands();
	test_data();
	test_seconds();
	test_growth();
	test_sizes();
	return tap_done();
}
