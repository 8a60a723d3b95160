#include "path.h"

#include <stdlib.h>

/* A sign parts two numbers, and so does a letter. */
static void add_number(struct path *p, int whole, bool half, bool negative, bool first)
{
	if (negative)
		buf_addch(p->b, '-');
	else if (!first)
		buf_addch(p->b, ' ');
	if (whole || !half)
		buf_addf(p->b, "%d", whole);
	if (half)
		buf_addstr(p->b, ".5");
}

static void add_across(struct path *p, int halves, bool first)
{
	add_number(p, abs(halves) / 2, halves % 2, halves < 0, first);
}

static void add_down(struct path *p, int y, bool first)
{
	add_number(p, abs(y), false, y < 0, first);
}

/* Left out behind the same: whether it was written, and the number that follows is the first. */
static bool add_letter(struct path *p, char letter)
{
	bool other = p->letter != letter;

	if (other)
		buf_addch(p->b, letter);
	p->letter = letter;
	return other;
}

static void add_flat(struct path *p, int dx)
{
	add_across(p, dx, add_letter(p, 'h'));
	p->x += dx;
}

void path_end(struct path *p)
{
	if (p->flat)
		add_flat(p, p->flat);
	p->flat = 0;
}

static void add_pair(struct path *p, int x, int y)
{
	add_across(p, x, true);
	add_down(p, y, false);
}

/* Numbers behind those of an m would be a line, so its letter is never left out. */
void path_move(struct path *p, int x, int y)
{
	_cleanup_(buf_release) struct buf there = BUF_INIT, away = BUF_INIT;
	struct path absolute = {.b = &there}, relative = {.b = &away};
	bool shorter;

	path_end(p);
	add_pair(&absolute, x, y);
	add_pair(&relative, x - p->x, y - p->y);
	shorter = p->letter && away.len < there.len;
	buf_addf(p->b, "%c%s", shorter ? 'm' : 'M', buf_str(shorter ? &away : &there));
	*p = (struct path){.b = p->b, .x = x, .y = y, .letter = 'm'};
}

void path_line(struct path *p, int x, int y)
{
	bool first;

	if (y == p->y) {
		p->flat = x - p->x;
		return;
	}
	path_end(p);
	first = add_letter(p, x == p->x ? 'v' : 'l');
	if (x != p->x)
		add_across(p, x - p->x, first);
	add_down(p, y - p->y, first && x == p->x);
	p->x = x;
	p->y = y;
}

void path_dot(struct path *p, int x, int y)
{
	path_move(p, x, y);
	add_flat(p, 0);
}

void path_box(struct path *p, int x, int y, int width, int height)
{
	path_move(p, x, y);
	path_line(p, x + width, y);
	path_line(p, x + width, y + height);
	path_line(p, x, y + height);
	path_end(p);
	buf_addch(p->b, 'z');
	p->x = x;
	p->y = y;
	p->letter = 'z';
}
