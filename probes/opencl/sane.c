#include "sane.h"

#include <math.h>

double sane_seconds(double wall_s, int64_t event_ns, const char **ret_doubt)
{
	double event_s = (double)event_ns * 1e-9;

	*ret_doubt = NULL;
	if (event_ns <= 0)
		*ret_doubt = "the driver's event times are 0 or run backwards";
	else if (event_s > wall_s * 1.01 + 10e-6)
		*ret_doubt = "the driver's event times are longer than the wall clock's";
	else if (wall_s > 1e-3 && event_s < wall_s / 8)
		*ret_doubt = "the driver's event times are far shorter than the wall clock's";
	return *ret_doubt ? wall_s : event_s;
}

int sane_growth(double seconds, double more, double more_seconds, struct err *err)
{
	double grown = more_seconds / seconds;

	if (!(grown >= 1 + (more - 1) * 0.3))
		return err_set(err, ERR_FORMAT,
			"compiler folded the loop: %.3g times the work took %.3g times as long",
			more, grown);
	if (grown > more * 16)
		return err_set(err, ERR_FORMAT,
			"time does not follow the work: %.3g times the work took %.3g times as long",
			more, grown);
	return 0;
}

uint32_t sane_count(int64_t n, unsigned r)
{
	uint32_t count = n < 1 ? 1 : n > INT32_MAX ? INT32_MAX : (uint32_t)n;

	while (count % 3 != r)
		count++;
	return count;
}

size_t sane_groups(uint64_t compute_units, bool cpu)
{
	uint64_t units = compute_units < 1 ? 1 : compute_units > 4096 ? 4096 : compute_units;

	return (size_t)(units * (cpu ? 8 : 64));
}

double sane_unit_limit(uint64_t compute_units, uint64_t clock_mhz)
{
	return fmax((double)compute_units, 1) * fmax((double)clock_mhz, 4000) * 1e6 * 4096;
}
