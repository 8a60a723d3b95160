#include "driver.h"

#include <dlfcn.h>
#include <string.h>

struct driver cuda;
static void *library;

static const struct symbol {
	const char *name;
	size_t at;
} symbols[] = {
#define ROW(MEMBER, SYMBOL, PARAMETERS) {#SYMBOL, offsetof(struct driver, MEMBER)},
	CUDA_FUNCTIONS(ROW)
#undef ROW
};

int driver_check(int returned, const char *call, struct err *err)
{
	const char *name = NULL;

	if (returned == 0)
		return 0;
	if (cuda.error_name(returned, &name) != 0 || !name)
		return err_set(err, ERR_IO, "%s: error %d", call, returned);
	return err_set(err, ERR_IO, "%s: %.80s", call, name);
}

static int find_symbols(struct err *err)
{
	size_t i;
	void *p;

	for (i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		p = dlsym(library, symbols[i].name);
		if (!p)
			return err_set(err, ERR_IO,
				"the driver is too old: libcuda.so.1 has no %s (CUDA 11 has it)",
				symbols[i].name);
		memcpy((char *)&cuda + symbols[i].at, &p, sizeof(p));
	}
	return 0;
}

int driver_open(struct err *err)
{
	library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return err_set(err, ERR_IO, "no driver (%.200s)", dlerror());
	if (find_symbols(err) < 0)
		return -1;
	return CUDA_TRY(init, (0), err);
}

/* The library stays: drivers have threads and handlers of their own at exit. */
void driver_close(void)
{
	library = NULL;
}
