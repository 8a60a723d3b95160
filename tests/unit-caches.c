/* Cache sizes out of a folder that looks like sysfs, and instruction sets that come with others. */
#include "caches.h"
#include "isa.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/perfgate-caches.XXXXXX";

static void put(int index, const char *name, const char *text)
{
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/index%d", folder, index);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/index%d/%s", folder, index, name);
	if (!(f = fopen(path, "w")))
		return;
	fputs(text, f);
	fclose(f);
}

static void put_cache(int index, const char *level, const char *type, const char *size)
{
	put(index, "level", level);
	put(index, "type", type);
	put(index, "size", size);
	put(index, "coherency_line_size", "128\n");
}

static void clean(void)
{
	static const char *const names[] = {"level", "type", "size", "coherency_line_size"};
	char path[200];
	size_t n;
	int i;

	for (i = 0; i < 8; i++) {
		for (n = 0; n < 4; n++) {
			snprintf(path, sizeof(path), "%s/index%d/%s", folder, i, names[n]);
			unlink(path);
		}
		snprintf(path, sizeof(path), "%s/index%d", folder, i);
		rmdir(path);
	}
	rmdir(folder);
}

static void test_read(void)
{
	struct caches c = {.l3 = 7, .line = 64};

	put_cache(0, "1\n", "Data\n", "48K\n");
	put_cache(1, "1\n", "Instruction\n", "32K\n");
	put_cache(2, "2\n", "Unified\n", "2M\n");
	caches_read(&c, folder);
	OK(c.l1d == 48 << 10 && c.l2 == 2 << 20, "L1d, not L1i, and L2");
	OK(c.l3 == 7, "what the folder does not say stays");
	OK(c.line == 128, "the line");
	put_cache(3, "3\n", "Unified\n", "307200K\n");
	put_cache(4, "4\n", "Unified\n", "1G\n");
	caches_read(&c, folder);
	OK(c.l3 == INT64_C(300) << 20, "L3, and no level beyond");
	put_cache(0, "1\n", "Data\n", "-3K\n");
	put_cache(2, "2\n", "Unified\n", "99999999999999999999999\n");
	put_cache(3, "", "", "");
	caches_read(&c, folder);
	OK(c.l1d == 48 << 10 && c.l2 == 2 << 20 && c.l3 == INT64_C(300) << 20,
		"what makes no sense is not taken");
	caches_read(&c, "/nonexistent");
	OK(c.l1d == 48 << 10, "no folder, no change");
}

static void test_here(void)
{
	struct caches c;

	caches_find(&c);
	OK(c.line >= 16 && c.line <= 4096 && c.l1d >= 0 && c.l2 >= 0 && c.l3 >= 0,
		"this machine's make sense");
}

static void test_isa(void)
{
	enum isa i;

	OK(!isa_has(ISA_AVX512_FP16) || isa_has(ISA_AVX512), "AVX-512 FP16 comes with AVX-512");
	OK(!isa_has(ISA_AVX512) || isa_has(ISA_AVX2), "AVX-512 comes with AVX2");
	OK(!(isa_has(ISA_SSE2) && isa_has(ISA_NEON)), "one architecture");
	for (i = 0; i < ISA_COUNT && isa_name(i); i++)
		;
	OK(i == ISA_COUNT, "each has a name");
}

int main(void)
{
	if (!mkdtemp(folder))
		return 99;
	test_read();
	clean();
	test_here();
	test_isa();
	return tap_done();
}
