/*
 * heard-private: what heard.c (the protocol) and heard-list.c (what a list holds) share.
 */
#ifndef HEARD_PRIVATE_H
#define HEARD_PRIVATE_H

#include "heard.h"

/* Each adds the object that a line of the list holds to the plan. 0, or -1 with err set. */
int heard_add_device(struct heard *h, const struct jv *o, struct err *err);
int heard_add_test(struct heard *h, const struct jv *o, struct err *err);
int heard_add_reading(struct heard *h, const struct jv *o, struct err *err);

#endif
