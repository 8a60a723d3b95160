/*
 * path: the data of an SVG path in few bytes: relative whole numbers, no letter or blank that can
 * be left out (SVG 2, 9.3). Across, a coordinate is in halves, so that marks may stand between
 * points.
 */
#ifndef PATH_H
#define PATH_H

#include "buf.h"

struct path {
	struct buf *b;
	int x, y;    /* where the pen is */
	int flat;    /* how far right it is to go from there yet */
	char letter; /* of the command that was written last; 0: none */
};

void path_move(struct path *p, int x, int y); /* begins a line there */
void path_line(struct path *p, int x, int y);
void path_dot(struct path *p, int x, int y); /* seen where line ends are round */
void path_box(struct path *p, int x, int y, int width, int height);
void path_end(struct path *p); /* writes what is left */

#endif
