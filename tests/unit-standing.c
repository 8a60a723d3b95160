/* What is said of series whose steps are known. */
#include "standing.h"

#include "use-policy.h"

#include "tap.h"

#include <math.h>

static struct trend_step steps[4];
static const char *machine[4];
static int64_t now;
static const char rule[] =
	"[rule \"t\"]\nmetric = time\ntolerance = 10%\nclass = advisory\njudge = noisy\n";

static struct trending_series series(size_t n_steps)
{
	struct err err = ERR_INIT;
	struct trending_series s = {.key = {.suite = "own",
					    .benchmark = "parse",
					    .metric = "time",
					    .unit = "s",
					    .quantity = "time",
					    .direction = DIRECTION_LOWER,
					    .variant = "",
					    .runner = "ci"},
		.n = 100,
		.machine = machine};

	policy_decide(policy, &s.key, &s.decision, &err);
	s.trend.steps = steps;
	s.trend.n_steps = n_steps;
	s.trend.level = n_steps ? steps[n_steps - 1].after : 1;
	return s;
}

static void step(size_t i, double before, double after)
{
	steps[i] = (struct trend_step){.at = 20 * (i + 1),
		.before = before,
		.after = after,
		.change = after / before - 1,
		.strength = STEP_CONFIRMED,
		.sense = after > before * 1.1   ? SENSE_WORSE
			 : after < before * 0.9 ? SENSE_BETTER
						: SENSE_NONE};
	machine[i] = NULL;
}

static struct trending_series suspect(struct trending_series s)
{
	s.trend.suspect = (struct trend_suspect){.is = true,
		.from = 97,
		.before = 1,
		.after = 1.4,
		.change = .4,
		.sense = SENSE_WORSE};
	return s;
}

static struct standing of(struct trending_series s, size_t from)
{
	struct err err = ERR_INIT;
	struct standing ret;

	OK(standing_of(policy, &s, from, now, &ret, &err) == 0, "it stands somewhere");
	return ret;
}

static void is(struct standing s, enum standing_kind kind, size_t at, bool sure, bool suspected,
	const char *what)
{
	IS_STR(standing_name(s.kind), standing_name(kind), what);
	OK(s.step == at && s.sure == sure && s.suspected == suspected, what);
}

static void test_steps(void)
{
	struct trending_series s;

	is(of(series(0), 0), STANDING_STEADY, SIZE_MAX, false, false, "no step");
	s = series(0);
	s.n = 9;
	is(of(s, 0), STANDING_FEW, SIZE_MAX, false, false, "too few points for one");
	s.trend.exact = true;
	is(of(s, 0), STANDING_STEADY, SIZE_MAX, false, false, "... unless it is exact");
	step(0, 1, 1.3);
	is(of(series(1), 0), STANDING_WORSE, 0, true, false, "a step for the worse");
	is(of(series(1), 21), STANDING_STEADY, SIZE_MAX, false, false,
		"... before what is looked at");
	step(1, 1.3, 1);
	is(of(series(2), 0), STANDING_BETTER, 1, false, false, "... that was made good");
	step(1, 1.3, 1.25);
	is(of(series(2), 0), STANDING_WORSE, 0, true, false, "... that was not quite");
	step(2, 1.25, .5);
	step(3, .5, .8);
	is(of(series(4), 0), STANDING_WORSE, 3, true, false, "the newest that lasts");
	step(0, 1, 1.05);
	is(of(series(1), 0), STANDING_MOVED, 0, false, false, "within the tolerance");
	use_policy("[rule \"t\"]\nmetric = time\nfloor = 2s\n");
	step(0, 1, 1.3);
	is(of(series(1), 0), STANDING_MOVED, 0, false, false, "below the floor");
	step(0, 1, .7);
	is(of(series(1), 0), STANDING_MOVED, 0, false, false, "... for the better");
	use_policy(rule);
}

static void test_doubts(void)
{
	struct trending_series s;

	step(0, 1, 1.3);
	steps[0].strength = STEP_WEAK;
	is(of(series(1), 0), STANDING_SUSPECT, 0, false, true, "a weak step");
	step(1, 1.3, 1.7);
	machine[1] = "probe";
	is(of(series(2), 0), STANDING_SUSPECT, 1, false, true, "one that is the machine's");
	OK(fabs(of(series(2), 0).size - log(1.7 / 1.3)) < 1e-9, "... of its size");
	step(0, 1, 1.3);
	is(of(series(2), 0), STANDING_WORSE, 0, true, false, "... and a sure one before");
	s = suspect(series(1));
	is(of(s, 0), STANDING_WORSE, 0, true, true, "... which newest points that are worse keep");
	steps[0].strength = STEP_WEAK;
	is(of(s, 0), STANDING_SUSPECT, SIZE_MAX, false, true, "... and come before a weak one");
	s = suspect(series(0));
	is(of(s, 0), STANDING_SUSPECT, SIZE_MAX, false, true, "suspect for the worse");
	is(of(s, 98), STANDING_STEADY, SIZE_MAX, false, false, "... before what is looked at");
	s.trend.suspect.sense = SENSE_BETTER;
	is(of(s, 0), STANDING_SUSPECT, SIZE_MAX, false, false, "... for the better");
	s.missing = true;
	is(of(s, 0), STANDING_MISSING, SIZE_MAX, false, false, "what is missing is that first");
	use_policy("[rule \"t\"]\nmetric = time\nfloor = 2s\n");
	is(of(suspect(series(0)), 0), STANDING_STEADY, SIZE_MAX, false, false,
		"nothing below the floor is suspect");
	use_policy(rule);
}

static void test_policy(void)
{
	step(0, 1, 1.3);
	use_policy("[accept \"pool\"]\nbenchmark = parse\nto = 1.25\nreason = r\n");
	is(of(series(1), 0), STANDING_ACCEPTED, 0, false, false,
		"accepted, with the tolerance beyond");
	OK(of(series(1), 0).section != NULL, "... by a section");
	is(of(suspect(series(1)), 0), STANDING_SUSPECT, SIZE_MAX, false, true,
		"newest points beyond what is accepted");
	OK(of(suspect(series(1)), 0).section == NULL, "... by no section");
	step(0, 1, 1.6);
	is(of(series(1), 0), STANDING_WORSE, 0, true, false, "beyond what is accepted");
	use_policy("[accept \"pool\"]\nbenchmark = parse\nto = 1.4\nreason = r\n");
	is(of(suspect(series(0)), 0), STANDING_ACCEPTED, SIZE_MAX, false, false,
		"newest points within what is accepted");
	OK(of(suspect(series(0)), 0).section != NULL, "... by a section");
	use_policy("[waive \"w\"]\nbenchmark = parse\nuntil = 2000-01-01\nreason = r\n");
	is(of(series(1), 0), STANDING_ACCEPTED, 0, false, false, "waived");
	is(of(suspect(series(0)), 0), STANDING_ACCEPTED, SIZE_MAX, false, false,
		"newest points of what is waived");
	now = INT64_C(946857600000000000); /* 2000-01-03 */
	is(of(series(1), 0), STANDING_WORSE, 0, true, false, "no longer waived");
}

int main(void)
{
	use_policy(rule);
	test_steps();
	test_doubts();
	test_policy();
	policy_free(policy);
	return tap_done();
}
