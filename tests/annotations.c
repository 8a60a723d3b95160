#include "annotations.h"

#include "buf.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MARGIN = 5 };

char *samples_path(const char *name)
{
	const char *srcdir = getenv("srcdir");

	return xasprintf("%s/../shared/samples/changepoint/%s", srcdir ? srcdir : "..", name);
}

json_t *samples_load(const char *name)
{
	_cleanup_(freep) char *path = samples_path(name);
	json_error_t e;

	return json_load_file(path, 0, &e);
}

size_t samples_numbers(const json_t *rows, int column, double *x)
{
	size_t i, n = 0;
	json_t *row;

	json_array_foreach(rows, i, row)
	{
		if (column >= 0)
			row = json_array_get(row, (size_t)column);
		if (json_is_number(row) && n < MOST_POINTS)
			x[n++] = json_number_value(row);
	}
	return n;
}

static int ascending(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

static void add(struct list *l, size_t x)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->v[i] == x)
			return;
	l->v[l->n++] = x;
	qsort(l->v, l->n, sizeof(*l->v), ascending);
}

static struct list marked_by(const json_t *marks)
{
	struct list l = {.n = 0};
	json_t *mark;
	size_t i;

	add(&l, 0);
	json_array_foreach(marks, i, mark) add(&l, (size_t)json_integer_value(mark));
	return l;
}

static size_t apart(size_t a, size_t b)
{
	return a < b ? b - a : a - b;
}

/* How many of t are found within the margin, each prediction serving once. */
static size_t true_positives(const struct list *t, const struct list *predicted)
{
	bool used[MOST_POINTS] = {false};
	size_t i, k, count = 0;

	for (i = 0; i < t->n; i++) {
		size_t best = predicted->n, off = MARGIN + 1;
		for (k = 0; k < predicted->n; k++) {
			if (used[k] || apart(predicted->v[k], t->v[i]) >= off)
				continue;
			off = apart(predicted->v[k], t->v[i]);
			best = k;
		}
		if (best == predicted->n)
			continue;
		used[best] = true;
		count++;
	}
	return count;
}

double annotations_f1(json_t *annotators, const struct list *predicted)
{
	struct list found = *predicted, all = {.n = 0};
	double recall = 0, precision;
	const char *annotator;
	json_t *marks;
	size_t i;

	add(&found, 0);
	json_object_foreach(annotators, annotator, marks)
	{
		struct list one = marked_by(marks);
		for (i = 0; i < one.n; i++)
			add(&all, one.v[i]);
		recall += (double)true_positives(&one, &found) / (double)one.n;
	}
	recall /= (double)json_object_size(annotators);
	precision = (double)true_positives(&all, &found) / (double)found.n;
	return 2 * precision * recall / (precision + recall);
}

/* Intersection over union of from ... to and the segment of l that has most of it. */
static double covered(const struct list *l, size_t n, double from, double to)
{
	double best = 0;
	size_t i;

	for (i = 0; i < l->n; i++) {
		double a = (double)l->v[i], b = (double)(i + 1 < l->n ? l->v[i + 1] : n);
		best = fmax(best, (fmin(to, b) - fmax(from, a)) / (fmax(to, b) - fmin(from, a)));
	}
	return best;
}

double annotations_cover(json_t *annotators, const struct list *predicted, size_t n)
{
	struct list found = *predicted;
	double sum = 0, from, to;
	const char *annotator;
	json_t *marks;
	size_t i;

	add(&found, 0);
	json_object_foreach(annotators, annotator, marks)
	{
		struct list one = marked_by(marks);
		for (i = 0; i < one.n; i++) {
			from = (double)one.v[i];
			to = (double)(i + 1 < one.n ? one.v[i + 1] : n);
			sum += (to - from) / (double)n * covered(&found, n, from, to);
		}
	}
	return sum / (double)json_object_size(annotators);
}
