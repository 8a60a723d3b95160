#include "back-ends.h"

#include "buf.h"
#include "installed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The back ends, in the order in which they run. To add one: a row here and a number in enum
 * back_end_id, its folder probes/NAME with the program and a part of probes/local.mk, an option in
 * src/cmd-probe.c, a check in tests/cmd-probe.sh and an item in the section of perfgate(1).
 * tests/tables.sh checks that nothing of it is lacking.
 */
const struct back_end_kind back_ends[BACK_END_COUNT] = {
	[BACK_END_CPU] = {"CPU", "cpu", "perfgate-probe-cpu", "install perfgate anew", NULL},
	[BACK_END_OPENCL] = {"OpenCL", "opencl", "perfgate-probe-opencl",
		"build perfgate where OpenCL's headers and loader are (configure --with-opencl)",
		"install a driver for OpenCL: that of the device, or PoCL (pocl-opencl-icd) for the CPU"},
	[BACK_END_CUDA] = {"CUDA", "cuda", "perfgate-probe-cuda",
		"build perfgate where nvcc is (configure --with-cuda)",
		"install NVIDIA's driver (libcuda.so.1); nvidia-smi shows whether it works"},
};

static char *runnable(char *path)
{
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static char *find_beside(const char *folder, const char *program)
{
	_cleanup_(freep) char *moved = installed_beside(folder, PKGLIBEXECDIR);
	char *path = runnable(xasprintf("%s/probes/%s", folder, program));

	if (!path && moved)
		path = runnable(xasprintf("%s/%s", moved, program));
	return path ? path : runnable(xasprintf("%s/../libexec/" PACKAGE "/%s", folder, program));
}

char *back_end_path(const struct back_end_kind *k)
{
	const char *folder = getenv("PERFGATE_LIBEXEC");
	_cleanup_(freep) char *own = NULL;
	char *path = NULL;

	if (folder && *folder)
		return runnable(xasprintf("%s/%s", folder, k->program));
	own = installed_folder();
	if (own)
		path = find_beside(own, k->program);
	return path ? path : runnable(xasprintf(PKGLIBEXECDIR "/%s", k->program));
}
