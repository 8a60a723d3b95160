#include "crypto.h"
#include "unroll.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

/* ---- AES: 8 vectors at a time, each of 1, 2 or 4 blocks ---- */

#define AES(FUNCTION, TARGET, VEC, LOAD, STORE, XOR, KEY, ROUND, LAST)                             \
	__attribute__((target(TARGET))) static void FUNCTION(                                      \
		uint8_t *data, size_t bytes, const uint8_t keys[AES_KEYS][16])                     \
	{                                                                                          \
		for (uint8_t *end = data + bytes; data < end; data += 8 * sizeof(VEC)) {           \
			VEC *p = (VEC *)(void *)data, key = KEY(keys[0]);                          \
			VEC b0 = XOR(LOAD(p), key), b1 = XOR(LOAD(p + 1), key),                    \
			    b2 = XOR(LOAD(p + 2), key), b3 = XOR(LOAD(p + 3), key),                \
			    b4 = XOR(LOAD(p + 4), key), b5 = XOR(LOAD(p + 5), key),                \
			    b6 = XOR(LOAD(p + 6), key), b7 = XOR(LOAD(p + 7), key);                \
			for (int i = 1; i < AES_KEYS - 1; i++) {                                   \
				key = KEY(keys[i]);                                                \
				b0 = ROUND(b0, key), b1 = ROUND(b1, key);                          \
				b2 = ROUND(b2, key), b3 = ROUND(b3, key);                          \
				b4 = ROUND(b4, key), b5 = ROUND(b5, key);                          \
				b6 = ROUND(b6, key), b7 = ROUND(b7, key);                          \
			}                                                                          \
			key = KEY(keys[AES_KEYS - 1]);                                             \
			STORE(p, LAST(b0, key)), STORE(p + 1, LAST(b1, key));                      \
			STORE(p + 2, LAST(b2, key)), STORE(p + 3, LAST(b3, key));                  \
			STORE(p + 4, LAST(b4, key)), STORE(p + 5, LAST(b5, key));                  \
			STORE(p + 6, LAST(b6, key)), STORE(p + 7, LAST(b7, key));                  \
		}                                                                                  \
	}

#define KEY_1(key) _mm_loadu_si128((const __m128i *)(const void *)(key))
#define KEY_2(key) _mm256_broadcastsi128_si256(KEY_1(key))
#define KEY_4(key) _mm512_broadcast_i32x4(KEY_1(key))

AES(aes_1, "sse4.1,aes", __m128i, _mm_load_si128, _mm_store_si128, _mm_xor_si128, KEY_1,
	_mm_aesenc_si128, _mm_aesenclast_si128)
AES(aes_2, "avx2,aes,vaes", __m256i, _mm256_load_si256, _mm256_store_si256, _mm256_xor_si256, KEY_2,
	_mm256_aesenc_epi128, _mm256_aesenclast_epi128)
AES(aes_4, "avx512f,aes,vaes", __m512i, _mm512_load_si512, _mm512_store_si512, _mm512_xor_si512,
	KEY_4, _mm512_aesenc_epi128, _mm512_aesenclast_epi128)

/* ---- SHA-256: two messages in turn ---- */

#define SHA_TARGET __attribute__((target("sse4.1,ssse3,sha")))

struct sha {
	__m128i abef, cdgh, w[4]; /* the last 16 words of the schedule */
};

SHA_TARGET static inline __attribute__((always_inline)) void sha_load(
	struct sha *s, const uint8_t *block)
{
	const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);

	UNROLL
	for (int i = 0; i < 4; i++)
		s->w[i] = _mm_shuffle_epi8(
			_mm_loadu_si128((const __m128i *)(const void *)(block + 16 * i)),
			big_endian);
}

/* Rounds 4 i to 4 i + 3, and their words of the schedule. */
SHA_TARGET static inline __attribute__((always_inline)) void sha_rounds(struct sha *s, int i)
{
	__m128i w = s->w[i & 3], k;

	if (i >= 4) {
		__m128i last = s->w[(i + 3) & 3];
		w = _mm_sha256msg1_epu32(w, s->w[(i + 1) & 3]);
		w = _mm_add_epi32(w, _mm_alignr_epi8(last, s->w[(i + 2) & 3], 4));
		w = s->w[i & 3] = _mm_sha256msg2_epu32(w, last);
	}
	k = _mm_add_epi32(
		w, _mm_loadu_si128((const __m128i *)(const void *)(sha256_constants + 4 * i)));
	s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, k);
	s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(k, 0x0e));
}

SHA_TARGET static inline __attribute__((always_inline)) void sha_begin(
	struct sha *s, const uint32_t state[8])
{
	s->abef = _mm_set_epi32((int)state[0], (int)state[1], (int)state[4], (int)state[5]);
	s->cdgh = _mm_set_epi32((int)state[2], (int)state[3], (int)state[6], (int)state[7]);
}

SHA_TARGET static void sha_end(const struct sha *s, uint32_t state[8])
{
	uint32_t abef[4], cdgh[4];

	_mm_storeu_si128((__m128i *)(void *)abef, s->abef);
	_mm_storeu_si128((__m128i *)(void *)cdgh, s->cdgh);
	memcpy(state,
		(uint32_t[8]){
			abef[3], abef[2], cdgh[3], cdgh[2], abef[1], abef[0], cdgh[1], cdgh[0]},
		8 * sizeof(*state));
}

#define BOTH_ROUNDS(i) (sha_rounds(&a, i), sha_rounds(&b, i))

SHA_TARGET static void sha(
	uint32_t state[SHA_MESSAGES][8], const uint8_t *const data[SHA_MESSAGES], size_t blocks)
{
	struct sha a, b;

	sha_begin(&a, state[0]);
	sha_begin(&b, state[1]);
	for (size_t n = 0; n < blocks; n++) {
		__m128i a0 = a.abef, a1 = a.cdgh, b0 = b.abef, b1 = b.cdgh;
		sha_load(&a, data[0] + n * SHA_BLOCK);
		sha_load(&b, data[1] + n * SHA_BLOCK);
		BOTH_ROUNDS(0), BOTH_ROUNDS(1), BOTH_ROUNDS(2), BOTH_ROUNDS(3);
		BOTH_ROUNDS(4), BOTH_ROUNDS(5), BOTH_ROUNDS(6), BOTH_ROUNDS(7);
		BOTH_ROUNDS(8), BOTH_ROUNDS(9), BOTH_ROUNDS(10), BOTH_ROUNDS(11);
		BOTH_ROUNDS(12), BOTH_ROUNDS(13), BOTH_ROUNDS(14), BOTH_ROUNDS(15);
		a.abef = _mm_add_epi32(a.abef, a0);
		a.cdgh = _mm_add_epi32(a.cdgh, a1);
		b.abef = _mm_add_epi32(b.abef, b0);
		b.cdgh = _mm_add_epi32(b.cdgh, b1);
	}
	sha_end(&a, state[0]);
	sha_end(&b, state[1]);
}

/* ---- CRC32C: three messages in turn ---- */

__attribute__((target("sse4.2"))) static void crc(
	uint32_t state[CRC_MESSAGES], const uint8_t *const data[CRC_MESSAGES], size_t bytes)
{
	uint64_t c[CRC_MESSAGES] = {state[0], state[1], state[2]}, word;
	size_t i;

	for (i = 0; i + 8 <= bytes; i += 8)
		UNROLL
	for (int m = 0; m < CRC_MESSAGES; m++) {
		memcpy(&word, data[m] + i, sizeof(word));
		c[m] = _mm_crc32_u64(c[m], word);
	}
	for (; i < bytes; i++)
		UNROLL
	for (int m = 0; m < CRC_MESSAGES; m++)
		c[m] = _mm_crc32_u8((uint32_t)c[m], data[m][i]);
	UNROLL
	for (int m = 0; m < CRC_MESSAGES; m++)
		state[m] = (uint32_t)c[m];
}

static const struct crypto_kernel vaes_512 = {
	.name = "VAES-512", .needs = ISA_AVX512_VAES, .aes = aes_4};
static const struct crypto_kernel vaes_256 = {.name = "VAES-256", .needs = ISA_VAES, .aes = aes_2};
static const struct crypto_kernel aes_ni = {.name = "AES-NI", .needs = ISA_AES, .aes = aes_1};
static const struct crypto_kernel sha_ni = {.name = "SHA-NI", .needs = ISA_SHA, .sha256 = sha};
static const struct crypto_kernel sse42 = {.name = "SSE4.2", .needs = ISA_SSE42, .crc32c = crc};

const struct crypto_kernel *const crypto_all[] = {
	&vaes_512, &vaes_256, &aes_ni, &sha_ni, &sse42, NULL};

#endif
