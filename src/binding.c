#include "binding.h"

#include "pin.h"

#include <stdio.h>
#include <string.h>

/* An empty file where there are none. */
static bool find_isolated(const char *root, struct cpus *ret)
{
	_cleanup_(freep) char *path = xasprintf("%s/sys/devices/system/cpu/isolated", root);
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	struct err err = ERR_INIT;
	char line[1024];

	if (!f || !fgets(line, sizeof(line), f))
		return false;
	line[strcspn(line, "\n")] = '\0';
	return cpus_parse(ret, line, &err) == 0 && pin_check(ret, &err) == 0;
}

int binding_choose(const char *text, const char *root, enum binding *ret, struct cpus *ret_cpus,
	struct err *err)
{
	*ret = BINDING_NONE;
	if (!strcmp(text, "none"))
		return 0;
	if (!strcmp(text, "auto")) {
		*ret = find_isolated(root, ret_cpus) ? BINDING_ISOLATED : BINDING_NONE;
		return 0;
	}
	if (cpus_parse(ret_cpus, text, err) < 0 || pin_check(ret_cpus, err) < 0)
		return -1;
	*ret = BINDING_ASKED;
	return 0;
}
