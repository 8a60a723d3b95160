/* Names of files, packed numbers, and what a series is said to be. */
#include "pack.h"
#include "phrase.h"
#include "slug.h"

#include "tap.h"

#include <math.h>
#include <stdlib.h>

static const char *slug_of(const char *suite, const char *name)
{
	static char ret[4][SLUG_MAX];
	static int next;
	const char *const names[] = {suite, name};

	next = (next + 1) % 4;
	slug(ret[next], names, 2);
	return ret[next];
}

static bool is_plain(const char *s)
{
	return *s && *s != '-' && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(s) &&
	       strlen(s) < SLUG_MAX;
}

static void slugs(void)
{
	_cleanup_(freep) char *longest = xcalloc(4097, 1);
	_cleanup_(buf_release) struct buf urn = BUF_INIT;
	const char *const names[] = {"step", "a"};

	memset(longest, 'x', 4096);
	OK(!strncmp(slug_of("kpi", "Parse/JSON"), "parse-json-", 11), "what can be read of it");
	OK(strcmp(slug_of("kpi", "a"), slug_of("kpi", "A")) != 0, "case makes another");
	OK(strcmp(slug_of("kpi", "a"), slug_of("go", "a")) != 0, "and so does the suite");
	OK(strcmp(slug_of("ab", "c"), slug_of("a", "bc")) != 0, "and where one name ends");
	IS_STR(slug_of("kpi", "a"), slug_of("kpi", "a"), "the same for ever");
	OK(is_plain(slug_of("kpi", "../../etc/passwd")), "nothing leads upwards");
	OK(!strncmp(slug_of("kpi", "../../etc/passwd"), "etc-passwd-", 11), "nor is it lost");
	OK(is_plain(slug_of("kpi", longest)), "the longest name");
	OK(is_plain(slug_of("kpi", "\xc3\xa9\xff\x01<>\"'&%\\")) &&
			strlen(slug_of("kpi", "\xff\x01")) == SLUG_DIGEST,
		"bytes of all kinds");
	OK(is_plain(slug_of("kpi", "")), "no name at all");
	OK(is_plain(slug_of("kpi", "con")) && strlen(slug_of("kpi", "con")) > 3,
		"a name that some systems keep to themselves");
	slug_urn(&urn, names, 2);
	OK(urn.len == 45 && !strncmp(urn.p, "urn:uuid:", 9) && urn.p[23] == '8' && urn.p[28] == '8',
		"an address of version 8");
}

static void codes(void)
{
	_cleanup_(buf_release) struct buf b = BUF_INIT;

	pack_code(&b, 0, 1);
	pack_code(&b, 63, 1);
	pack_code(&b, 64, 2);
	pack_code(&b, 262143, 3);
	pack_code(&b, 1 * 4096 + 2 * 64 + 3, 3);
	IS_STR(b.p, "A_BA___BCD", "the highest part comes first");
}

/* The largest error of the values of a range, in steps; what unpacks them is v = low + step * code.
 */
static double worst(const double *x, size_t n, int *width)
{
	const struct pack_range r = pack_range(x, n);
	double most = 0;
	size_t i;

	*width = r.width;
	for (i = 0; i < n; i++)
		most = fmax(most, fabs(r.low + r.step * pack_in(&r, x[i]) - x[i]) / r.step);
	return most;
}

static void ranges(void)
{
	static const double few[] = {1e15, 1e15 + 63, 1e15 + 1}, more[] = {-5, 4090},
			    most[] = {0, 262143, 77}, reals[] = {.1, .15, .125, .1234, .14999},
			    spike[] = {.0123, .0124, .0122, 1.7}, one[] = {-1.25},
			    huge[] = {-8e307, 8e307, 0}, far[] = {1, 1e300, 2};
	int width;

	OK(worst(few, 3, &width) == 0 && width == 1, "whole numbers that are near");
	OK(worst(more, 2, &width) == 0 && width == 2, "in two characters");
	OK(worst(most, 3, &width) == 0 && width == 3, "in three");
	OK(worst(reals, 5, &width) <= .5001 && width == 2, "others within half a step");
	OK(worst(spike, 4, &width) * pack_range(spike, 4).step < .0122e-3 && width == 3,
		"one that is far from the others leaves them four digits");
	OK(worst(one, 1, &width) == 0 && width == 1, "one value is exact");
	OK(worst(huge, 3, &width) <= .5001, "nearly the whole range of doubles");
	OK(worst(far, 3, &width) <= .5001, "far apart");
	OK(pack_range(NULL, 0).width == 1, "none");
}

static double unpacked(uint32_t code)
{
	return ((code - PACK_FIRST) % 9000 + 1000) *
	       pow(10, (int)((code - PACK_FIRST) / 9000) - 15);
}

static bool is_near(double x)
{
	const uint32_t code = pack_decimal(x);

	return code >= PACK_FIRST && code < 64 * 64 * 64 &&
	       fabs(unpacked(code) - x) <= .5001e-3 * pow(10, floor(log10(x)));
}

static void decimals(void)
{
	static const double values[] = {1, 9.999, 9.9996, 1e-12, 1.2345e-9, 33823, 999949, 999951,
		123456789012345, 9.99e16, 1e16, 0.1, 1000, 9999.4};
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (!is_near(values[i]))
			break;
	OK(i == sizeof(values) / sizeof(values[0]), "four digits");
	OK(unpacked(pack_decimal(1200)) == 1200, "of whole numbers");
	OK(pack_decimal(0) == PACK_ZERO && pack_decimal(-0.0) == PACK_ZERO, "zero");
	OK(pack_decimal(-1) == PACK_ELSEWHERE && pack_decimal(1e17) == PACK_ELSEWHERE &&
			pack_decimal(9e-13) == PACK_ELSEWHERE &&
			pack_decimal(1e300) == PACK_ELSEWHERE,
		"what has no code");
	OK(pack_decimal(9.99999e16) < 64 * 64 * 64, "the last that may have one");
}

static void news(void)
{
	static const struct site s = {.n_commits = 100};

	OK(site_is_recent(&s, 70) && site_is_recent(&s, 99), "the newest 30 commits");
	OK(!site_is_recent(&s, 69) && !site_is_recent(&s, SITE_NONE), "an older one; none");
}

static void order(void)
{
	const struct site_step worse = {.sense = SENSE_WORSE, .change = .1},
			       much = {.sense = SENSE_WORSE, .change = .5},
			       zero = {.sense = SENSE_WORSE, .change = NAN},
			       weak = {.sense = SENSE_WORSE, .change = 3, .strength = STEP_WEAK},
			       better = {.sense = SENSE_BETTER, .change = -.9};

	OK(site_compare_worst(&much, &worse) < 0 && site_compare_worst(&worse, &much) > 0,
		"the larger change first");
	OK(site_compare_worst(&zero, &much) < 0, "from nothing is the largest");
	OK(site_compare_worst(&worse, &weak) < 0, "weak ones last");
	OK(site_compare_worst(&weak, &better) < 0, "what is better after what is worse");
	OK(site_compare_worst(&worse, &worse) == 0, "alike");
}

static const char *change(double x)
{
	static char text[40];
	struct buf b = BUF_INIT;

	phrase_change(&b, x);
	snprintf(text, sizeof(text), "%s", b.p);
	buf_release(&b);
	return text;
}

static void phrases(void)
{
	IS_STR(change(.2), "+20.0 %", "a change");
	IS_STR(change(-.0125), "-1.25 %", "a small one");
	IS_STR(change(NAN), "from 0", "one from nothing");
}

int main(void)
{
	slugs();
	codes();
	ranges();
	decimals();
	news();
	order();
	phrases();
	return tap_done();
}
