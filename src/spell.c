#include "weather.h"

#include <math.h>
#include <unistd.h>

#include "json-out.h"

/* From what on it is said. */
#define OTHERS_SHARE .1     /* of its cores */
#define DISPLACED_PER_S 50. /* of the command's CPU time */
#define LONG_ENOUGH_S 1.    /* for what the kernel counts in ticks */

static double seconds(const struct spell *s)
{
	return (double)(s->after.at - s->before.at) * 1e-9;
}

static bool has_ticks(const struct spell *s)
{
	return s->before.ticks >= 0 && s->after.ticks > s->before.ticks;
}

/* How many cores programs other than perfgate and what it started kept busy; -1 not known. */
static double cores_of_others(const struct spell *s)
{
	const double tick = 1. / (double)sysconf(_SC_CLK_TCK);
	double busy;

	if (!has_ticks(s) || !(seconds(s) > 0))
		return -1;
	busy = (double)(s->after.busy - s->before.busy) * tick -
	       (double)(s->after.own_ns - s->before.own_ns) * 1e-9;
	return fmax(0, busy / seconds(s));
}

/* Per second of CPU time; to start a command and to end it may take one each. */
static double displaced_per_s(const struct spell *s)
{
	const double cpu = (double)(s->after.children_ns - s->before.children_ns) * 1e-9;
	const double times = (double)(s->after.displaced - s->before.displaced);

	return cpu > 0 ? fmax(0, times - 2 * (double)s->runs) / cpu : -1;
}

/* How much more it is; -1 not known. */
static int64_t more(int64_t before, int64_t after)
{
	return before < 0 || after < before ? -1 : after - before;
}

static void say_time(const struct spell *s, struct buf *ret)
{
	const double others = cores_of_others(s), stolen = weather_stolen(&s->before, &s->after),
		     displaced = displaced_per_s(s);

	if (others > OTHERS_SHARE * (double)s->after.cores)
		buf_addf(ret, "other programs kept %.1f of %lld core%s busy meanwhile\n", others,
			(long long)s->after.cores, s->after.cores == 1 ? "" : "s");
	if (stolen > STOLEN_SHARE)
		buf_addf(ret, "other guests took %.1f %% of this machine's time meanwhile\n",
			100 * stolen);
	if (displaced > DISPLACED_PER_S)
		buf_addf(ret,
			"what ran had to give up its CPU %.0f times a second: to other programs, or to its own threads\n",
			displaced);
}

void spell_events(const struct spell *s, struct buf *ret)
{
	const int64_t hot = more(s->before.throttled, s->after.throttled);
	const int64_t pages = more(s->before.swapped_in, s->after.swapped_in);

	if (seconds(s) >= LONG_ENOUGH_S)
		say_time(s, ret);
	if (hot > 0)
		buf_addf(ret, "heat slowed cores down %lld time%s meanwhile\n", (long long)hot,
			hot == 1 ? "" : "s");
	if (pages > 0)
		buf_addf(ret, "%.1f MiB were read back from swap meanwhile\n",
			(double)pages * (double)sysconf(_SC_PAGESIZE) / (1 << 20));
}

/* ---- to keep ---- */

static void add_real(struct buf *b, const char *key, double value)
{
	if (value < 0)
		return;
	json_tight_key(b, key);
	buf_addf(b, "%.4g", value);
}

static void add_count(struct buf *b, const char *key, int64_t value)
{
	if (value < 0)
		return;
	json_tight_key(b, key);
	buf_addf(b, "%lld", (long long)value);
}

static void add_bool(struct buf *b, const char *key, bool value)
{
	json_tight_key(b, key);
	buf_addstr(b, value ? "true" : "false");
}

void weather_facts(const struct weather *w, struct buf *ret)
{
	add_real(ret, "load", w->load);
	add_real(ret, "stolen_share", weather_stolen(NULL, w));
	add_count(ret, "throttled", w->throttled);
	if (*w->governor)
		json_tight_string(ret, "governor", w->governor);
	add_bool(ret, "virtual", w->virtual_);
	add_bool(ret, "battery", w->battery);
}

void spell_facts(const struct spell *s, struct buf *ret)
{
	_cleanup_(buf_release) struct buf cpus = BUF_INIT;

	add_real(ret, "seconds", seconds(s));
	if (s->before.cpus) {
		cpus_format(&cpus, s->before.cpus);
		json_tight_string(ret, "cpus", buf_str(&cpus));
	}
	add_real(ret, "load", s->before.load);
	add_real(ret, "others_cores", cores_of_others(s));
	add_real(ret, "stolen_share", weather_stolen(&s->before, &s->after));
	add_real(ret, "displaced_per_s", displaced_per_s(s));
	add_count(ret, "throttled", more(s->before.throttled, s->after.throttled));
	add_count(ret, "swapped_in_pages", more(s->before.swapped_in, s->after.swapped_in));
	if (*s->before.governor)
		json_tight_string(ret, "governor", s->before.governor);
	if (s->before.turbo_known)
		add_bool(ret, "turbo", s->before.turbo_off);
	add_bool(ret, "virtual", s->before.virtual_);
	add_bool(ret, "battery", s->before.battery);
}
