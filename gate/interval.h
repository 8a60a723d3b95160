/*
 * interval: 95 % confidence intervals of a measured share.
 */
#ifndef INTERVAL_H
#define INTERVAL_H

#include <stddef.h>

struct interval {
	double share, low, high;
};

/* hits of n independent trials, n > 0; neither has to be whole. Wilson's score interval: E. B.
 * Wilson, Journal of the American Statistical Association 22 (1927) 209-212. */
struct interval interval_of_trials(double hits, double n);

/*
 * The mean of n >= 1 shares, each of which comes from trials that belong together: trials in all.
 * Wilson's interval for the effective number of trials, which the spread of the shares tells: E. L.
 * Korn and B. I. Graubard, Survey Methodology 24 (1998) 193-201. It is n where they do not spread.
 */
struct interval interval_of_shares(const double *shares, size_t n, double trials);

#endif
