#include "plan.h"

#include <stdlib.h>

void plan_device(struct plan *p, const struct device *d)
{
	p->devices = xgrow(p->devices, p->n_devices, &p->cap_devices, sizeof(*p->devices));
	p->devices[p->n_devices++] = *d;
}

void plan_property(struct plan *p, const char *key, const char *value)
{
	struct device *d = &p->devices[p->n_devices - 1];

	d->properties =
		xgrow(d->properties, d->n_properties, &d->cap_properties, sizeof(*d->properties));
	d->properties[d->n_properties++] = (struct property){.key = key, .value = value};
}

void plan_test(struct plan *p, const struct test *t)
{
	p->tests = xgrow(p->tests, p->n_tests, &p->cap_tests, sizeof(*p->tests));
	p->tests[p->n_tests] = *t;
	p->tests[p->n_tests++].device = p->n_devices - 1;
}

void plan_reading(struct plan *p, const struct reading *r)
{
	p->readings = xgrow(p->readings, p->n_readings, &p->cap_readings, sizeof(*p->readings));
	p->readings[p->n_readings] = *r;
	p->readings[p->n_readings++].test = p->n_tests - 1;
}

const char *plan_text(struct plan *p, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	p->texts = xgrow(p->texts, p->n_texts, &p->cap_texts, sizeof(*p->texts));
	return p->texts[p->n_texts++] = buf_take(&b);
}

void plan_release(struct plan *p)
{
	size_t i;

	for (i = 0; i < p->n_devices; i++)
		free(p->devices[i].properties);
	for (i = 0; i < p->n_texts; i++)
		free(p->texts[i]);
	free(p->devices);
	free(p->tests);
	free(p->readings);
	free(p->texts);
	*p = (struct plan)PLAN_INIT;
}
