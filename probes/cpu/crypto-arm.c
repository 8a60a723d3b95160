#include "crypto.h"
#include "unroll.h"

#if defined(__aarch64__)
#include <arm_acle.h>
#include <arm_neon.h>
#include <string.h>

#define EXTENSIONS __attribute__((target("arch=armv8-a+crypto+crc")))

/* ---- AES: 8 blocks at a time. An instruction adds the key before the step, not behind it. ---- */

EXTENSIONS static void aes(uint8_t *data, size_t bytes, const uint8_t keys[AES_KEYS][16])
{
	for (uint8_t *end = data + bytes; data < end; data += 8 * 16) {
		uint8x16_t b[8], key;

		UNROLL
		for (int n = 0; n < 8; n++)
			b[n] = vld1q_u8(data + 16 * n);
		UNROLL
		for (int i = 0; i < AES_KEYS - 2; i++) {
			key = vld1q_u8(keys[i]);
			UNROLL
			for (int n = 0; n < 8; n++)
				b[n] = vaesmcq_u8(vaeseq_u8(b[n], key));
		}
		key = vld1q_u8(keys[AES_KEYS - 2]);
		UNROLL
		for (int n = 0; n < 8; n++)
			vst1q_u8(data + 16 * n,
				veorq_u8(vaeseq_u8(b[n], key), vld1q_u8(keys[AES_KEYS - 1])));
	}
}

/* ---- SHA-256: two messages in turn ---- */

struct sha {
	uint32x4_t abcd, efgh, w[4]; /* the last 16 words of the schedule */
};

EXTENSIONS static inline void sha_load(struct sha *s, const uint8_t *block)
{
	UNROLL
	for (int i = 0; i < 4; i++)
		s->w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(block + 16 * i)));
}

/* Rounds 4 i to 4 i + 3, and their words of the schedule. */
EXTENSIONS static inline void sha_rounds(struct sha *s, int i)
{
	uint32x4_t w = s->w[i & 3], k, abcd = s->abcd;

	if (i >= 4)
		w = s->w[i & 3] = vsha256su1q_u32(vsha256su0q_u32(w, s->w[(i + 1) & 3]),
			s->w[(i + 2) & 3], s->w[(i + 3) & 3]);
	k = vaddq_u32(w, vld1q_u32(sha256_constants + 4 * i));
	s->abcd = vsha256hq_u32(abcd, s->efgh, k);
	s->efgh = vsha256h2q_u32(s->efgh, abcd, k);
}

EXTENSIONS static inline void sha_add(struct sha *s, const struct sha *before)
{
	s->abcd = vaddq_u32(s->abcd, before->abcd);
	s->efgh = vaddq_u32(s->efgh, before->efgh);
}

EXTENSIONS static void sha(
	uint32_t state[SHA_MESSAGES][8], const uint8_t *const data[SHA_MESSAGES], size_t blocks)
{
	struct sha s[SHA_MESSAGES];

	UNROLL
	for (int m = 0; m < SHA_MESSAGES; m++)
		s[m] = (struct sha){vld1q_u32(state[m]), vld1q_u32(state[m] + 4), {{0}}};
	for (size_t n = 0; n < blocks; n++) {
		const struct sha before[SHA_MESSAGES] = {s[0], s[1]};

		UNROLL
		for (int m = 0; m < SHA_MESSAGES; m++)
			sha_load(&s[m], data[m] + n * SHA_BLOCK);
		UNROLL
		for (int i = 0; i < 16; i++)
			UNROLL
		for (int m = 0; m < SHA_MESSAGES; m++)
			sha_rounds(&s[m], i);
		UNROLL
		for (int m = 0; m < SHA_MESSAGES; m++)
			sha_add(&s[m], &before[m]);
	}
	UNROLL
	for (int m = 0; m < SHA_MESSAGES; m++) {
		vst1q_u32(state[m], s[m].abcd);
		vst1q_u32(state[m] + 4, s[m].efgh);
	}
}

/* ---- CRC32C: three messages in turn ---- */

EXTENSIONS static void crc(
	uint32_t state[CRC_MESSAGES], const uint8_t *const data[CRC_MESSAGES], size_t bytes)
{
	uint32_t c[CRC_MESSAGES] = {state[0], state[1], state[2]};
	uint64_t word;
	size_t i;

	for (i = 0; i + 8 <= bytes; i += 8)
		UNROLL
	for (int m = 0; m < CRC_MESSAGES; m++) {
		memcpy(&word, data[m] + i, sizeof(word));
		c[m] = __crc32cd(c[m], word);
	}
	for (; i < bytes; i++)
		UNROLL
	for (int m = 0; m < CRC_MESSAGES; m++)
		c[m] = __crc32cb(c[m], data[m][i]);
	memcpy(state, c, sizeof(c));
}

static const struct crypto_kernel arm_aes = {.name = "ARMv8 AES", .needs = ISA_ARM_AES, .aes = aes};
static const struct crypto_kernel arm_sha = {
	.name = "ARMv8 SHA2", .needs = ISA_ARM_SHA256, .sha256 = sha};
static const struct crypto_kernel arm_crc = {
	.name = "ARMv8 CRC32", .needs = ISA_ARM_CRC32, .crc32c = crc};

const struct crypto_kernel *const crypto_all[] = {&arm_aes, &arm_sha, &arm_crc, NULL};

#endif
