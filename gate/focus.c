#include "focus.h"

#include "buf.h"

#include <stdbool.h>
#include <stdlib.h>

static double slope(const struct focus_corner *a, const struct focus_corner *b)
{
	return (b->sum - a->sum) / (double)(b->at - a->at);
}

/* Whether the last corner is none any more once c is there: what begins at c is shorter and has
 * risen at least as much, or it is not below the line from the corner before it to c. */
static bool is_passed(const struct focus *f, const struct focus_corner *c)
{
	const struct focus_corner *last = &f->corners[f->n_corners - 1];

	if (c->sum <= last->sum)
		return true;
	return f->n_corners > 1 && slope(last - 1, last) >= slope(last, c);
}

void focus_add(struct focus *f, double z)
{
	struct focus_corner c = {.at = f->n, .sum = f->sum};

	while (f->n_corners && is_passed(f, &c))
		f->n_corners--;
	f->corners = xgrow(f->corners, f->n_corners, &f->cap, sizeof(*f->corners));
	f->corners[f->n_corners++] = c;
	f->n++;
	f->sum += z;
}

double focus_most(const struct focus *f, size_t *ret_from)
{
	double most = 0;
	size_t i;

	for (i = 0; i < f->n_corners; i++) {
		double rise = f->sum - f->corners[i].sum;
		double ratio = rise * rise / (2 * (double)(f->n - f->corners[i].at));

		if (rise > 0 && ratio > most) {
			most = ratio;
			*ret_from = f->corners[i].at;
		}
	}
	return most;
}

void focus_release(struct focus *f)
{
	free(f->corners);
	*f = (struct focus){0};
}
