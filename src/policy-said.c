#include "policy-said.h"

int said_ask(struct policy *p, const struct said_of *of, struct said *s, struct err *err)
{
	*s = (struct said){.of = of, .p = p};
	s->renamed_by = policy_renamed_by(p, of->key.suite, of->stored, err);
	if (err->code || policy_decide(p, &of->key, &s->d, err) < 0)
		return -1;
	s->has_accept = policy_accept(p, &of->key, &s->accept, err);
	s->has_waive = policy_waive(p, &of->key, &s->waive, err);
	s->has_retire = policy_retire(p, &of->key, &s->retire, err);
	return err->code ? -1 : 0;
}

const char *said_by(const struct said *s, enum attribute a)
{
	if (s->d.by[a] < 0)
		return a == ATTR_DIRECTION ? "the document" : "default";
	return policy_rule_name(s->p, s->d.by[a]);
}

const char *said_word(const struct said *s, enum attribute a)
{
	switch (a) {
	case ATTR_CLASS:
		return gate_class_name(s->d.class_);
	case ATTR_JUDGE:
		return judge_name(s->d.judge);
	case ATTR_DIRECTION:
		return direction_name(s->d.direction);
	case ATTR_MISSING:
		return missing_rule_name(s->d.missing);
	case ATTR_ACROSS:
		return across_name(s->d.across);
	case ATTR_SESSIONS:
		return sessions_rule_name(s->d.sessions);
	case ATTR_BOUND:
		return bound_name(s->d.bound);
	default:
		return NULL;
	}
}

struct decimal said_number(const struct said *s, enum attribute a)
{
	return a == ATTR_TOLERANCE         ? s->d.tolerance
	       : a == ATTR_CROSS_TOLERANCE ? s->d.cross_tolerance
	       : a == ATTR_CREEP           ? s->d.creep
					   : s->d.floor;
}

bool said_is_set(const struct said *s, enum attribute a)
{
	if (a == ATTR_BOUND)
		return s->d.judge == JUDGE_NOISY;
	return a != ATTR_CREEP || s->d.by[a] >= 0;
}
