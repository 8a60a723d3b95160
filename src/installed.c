#include "installed.h"

#include "buf.h"

#include <string.h>
#include <unistd.h>

char *installed_folder(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (n <= 0)
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return NULL;
	*slash = '\0';
	return xstrdup(path);
}

char *installed_beside(const char *folder, const char *dir)
{
	const size_t n = strlen(folder), k = strlen(BINDIR);

	if (n < k || strcmp(folder + n - k, BINDIR) != 0)
		return NULL;
	return xasprintf("%.*s%s", (int)(n - k), folder, dir);
}
