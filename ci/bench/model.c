#include "model.h"

#include "buf.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

static const struct model models[] = {
	{"GenuineIntel", 6, 85, 85, ISA_AVX512, 4, 2},   /* Skylake, Cascade Lake, Cooper Lake */
	{"GenuineIntel", 6, 106, 106, ISA_AVX512, 4, 2}, /* Ice Lake, server */
	{"GenuineIntel", 6, 126, 126, ISA_AVX512, 4, 1}, /* Ice Lake, client */
	{"GenuineIntel", 6, 140, 141, ISA_AVX512, 4, 1}, /* Tiger Lake */
	{"GenuineIntel", 6, 143, 143, ISA_AVX512, 4, 2}, /* Sapphire Rapids */
	{"GenuineIntel", 6, 173, 173, ISA_AVX512, 4, 2}, /* Granite Rapids */
	{"GenuineIntel", 6, 207, 207, ISA_AVX512, 4, 2}, /* Emerald Rapids */
	{"GenuineIntel", 6, 78, 78, ISA_AVX2, 4, 2},     /* Skylake, client */
	{"GenuineIntel", 6, 94, 94, ISA_AVX2, 4, 2},
	{"GenuineIntel", 6, 142, 142, ISA_AVX2, 4, 2}, /* Kaby Lake, Coffee Lake */
	{"GenuineIntel", 6, 158, 158, ISA_AVX2, 4, 2},
	{"AuthenticAMD", 23, 48, 175, ISA_AVX2, 5, 2}, /* Zen 2 */
	{"AuthenticAMD", 25, 0, 15, ISA_AVX2, 4, 2},   /* Zen 3 */
	{"AuthenticAMD", 25, 32, 95, ISA_AVX2, 4, 2},
	{"AuthenticAMD", 25, 16, 31, ISA_AVX512, 4, 1}, /* Zen 4 */
	{"AuthenticAMD", 25, 96, 127, ISA_AVX512, 4, 1},
	{"AuthenticAMD", 25, 160, 175, ISA_AVX512, 4, 1},
	{"AuthenticAMD", 26, 0, 31, ISA_AVX512, 4, 2}, /* Zen 5, server */
};

const struct model *model_find(enum isa isa)
{
	unsigned a, b, c, d, family, number, words[3];
	char vendor[16] = "";
	size_t i;

	if (!__get_cpuid(0, &a, &words[0], &words[2], &words[1]) || !__get_cpuid(1, &a, &b, &c, &d))
		return NULL;
	memcpy(vendor, words, sizeof(words));
	family = (a >> 8 & 15) + ((a >> 8 & 15) == 15 ? a >> 20 & 255 : 0);
	number = (a >> 4 & 15) + (a >> 12 & 0xf0);
	for (i = 0; i < ARRAY_LEN(models); i++)
		if (!strcmp(models[i].vendor, vendor) && models[i].family == family &&
			number >= models[i].first && number <= models[i].last &&
			models[i].isa == isa)
			return &models[i];
	return NULL;
}
#else
const struct model *model_find(enum isa isa)
{
	(void)isa;
	return NULL;
}
#endif
