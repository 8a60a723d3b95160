#include "intern.h"

#include "tap.h"

enum { MANY = 100000 };

static void few(struct intern *in)
{
	size_t len;

	OK(intern_count(in) == 0, "it begins empty");
	OK(intern_find(in, "a", 1) == INTERN_NONE, "nothing is found in it");
	OK(intern_add(in, "a", 1) == 0 && intern_add(in, "b", 1) == 1, "numbers are dense");
	OK(intern_add(in, "a", 1) == 0 && intern_count(in) == 2, "a known string keeps its number");
	OK(intern_add(in, "a\0b", 3) == 2 && intern_add(in, "a\0c", 3) == 3,
		"a NUL is a byte like others");
	OK(intern_add(in, "", 0) == 4 && intern_find(in, "", 0) == 4, "so is the empty string");
	OK(!memcmp(intern_get(in, 2, &len), "a\0b", 4) && len == 3,
		"the string comes back, terminated");
	IS_STR(intern_get(in, 1, NULL), "b", "with or without its length");
	OK(intern_bytes(in) < 4096, "a few strings take little");
}

static void many(struct intern *in)
{
	uint32_t first = intern_count(in), i, missed = 0;
	const char *early = intern_get(in, 0, NULL);
	char key[16];

	for (i = 0; i < MANY; i++) {
		int n = snprintf(key, sizeof(key), "key %u", i);
		missed += intern_add(in, key, (size_t)n) != first + i;
	}
	for (i = 0; i < MANY; i++) {
		int n = snprintf(key, sizeof(key), "key %u", i);
		missed += intern_find(in, key, (size_t)n) != first + i;
		missed += strcmp(intern_get(in, first + i, NULL), key) != 0;
	}
	OK(missed == 0, "a hundred thousand strings");
	OK(intern_get(in, 0, NULL) == early, "a string never moves");
	OK(intern_bytes(in) > MANY * 8, "its memory is counted");
}

static void large(struct intern *in)
{
	static char big[200000];
	uint32_t id;
	size_t len;

	memset(big, 'x', sizeof(big));
	id = intern_add(in, big, sizeof(big));
	OK(!memcmp(intern_get(in, id, &len), big, sizeof(big)) && len == sizeof(big),
		"a string larger than a chunk");
	OK(intern_add(in, big, sizeof(big) - 1) == id + 1, "and one byte less of it");
}

int main(void)
{
	struct intern *in = intern_new();

	few(in);
	many(in);
	large(in);
	intern_free(in);
	intern_free(NULL);
	return tap_done();
}
