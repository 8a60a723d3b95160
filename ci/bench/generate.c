/*
 * generate: documents of any size for the benchmarks, the same bytes for the same arguments.
 *
 *     generate kpi MEGABYTES [BENCHMARKS [SEED]]   a ScenarioResult array
 *     generate export COMMITS BENCHMARKS SAMPLES  a perfgate export: 16 metrics, one run a commit
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled").
 */
static uint64_t state = UINT64_C(0x9E3779B97F4A7C15);

static uint64_t next(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * UINT64_C(2685821657736338717);
}

static uint64_t around(uint64_t center)
{
	return center - center / 100 + next() % (center / 50 + 1);
}

static void kpi(uint64_t megabytes, uint64_t benchmarks)
{
	uint64_t bytes = 0, i = 0;
	int n;

	bytes += (uint64_t)printf("[");
	while (bytes < megabytes * 1000000) {
		uint64_t b = i % benchmarks, sample = i / benchmarks;
		n = printf(
			"%s\n  {\n    \"schema_version\": 1,\n    \"name\": \"scenario_%05" PRIu64
			"\",\n    \"sample\": %" PRIu64
			",\n    \"git_sha\": \"\",\n    \"timestamp\": \"2026-09-23T%02d:%02d:%02dZ\",\n    \"iterations\": %" PRIu64
			",\n    \"allocs_per_op\": %" PRIu64 ",\n    \"bytes_per_op\": %" PRIu64
			",\n    \"goroutines_end\": 0,\n    \"tokens_input\": %" PRIu64
			",\n    \"tokens_output\": %" PRIu64
			",\n    \"tokens_cache_read\": %" PRIu64
			",\n    \"cache_hit_rate\": 0.%" PRIu64
			",\n    \"rss_peak_bytes\": %" PRIu64 ",\n    \"rss_final_bytes\": %" PRIu64
			",\n    \"wall_clock_ns\": %" PRIu64 "\n  }",
			i ? "," : "", b, sample, (int)(i / 3600 % 24), (int)(i / 60 % 60),
			(int)(i % 60), around(500 + b), around(1000 + b * 7),
			around(100000 + b * 991), 1000 * b, 40 * b, 900 * b, 1 + next() % 9,
			around(50000000), around(49000000), around(1000000000));
		bytes += (uint64_t)n;
		i++;
	}
	puts("\n]");
}

/* The names that kpi documents bring, and one more. */
static const char *const metrics[16] = {"allocs_per_op", "bytes_per_op", "goroutines_end",
	"tokens_input", "tokens_output", "tokens_cache_read", "tokens_total", "cache_hit_rate",
	"rss_peak_bytes", "rss_final_bytes", "wall_clock_ns", "wall_ns_per_op", "iterations",
	"sample", "timestamp", "syscalls"};

static void export(uint64_t commits, uint64_t benchmarks, uint64_t samples)
{
	uint64_t c, b, m, s;

	puts("{\"perfgate\":\"export\",\"version\":1}");
	for (c = 0; c < commits; c++) {
		printf("{\"commit\":\"%040" PRIx64 "\",\"tree\":\"%040" PRIx64
		       "\",\"committed_at\":\"2026-01-01T%02d:%02d:%02dZ\",\"parents\":[",
			c + 1, c + 1000001, (int)(c / 3600), (int)(c / 60 % 60), (int)(c % 60));
		printf(c ? "\"%040" PRIx64 "\"]}\n" : "]}\n", c);
	}
	for (c = 0; c < commits; c++) {
		printf("{\"run\":{\"commit\":\"%040" PRIx64
		       "\",\"tree_state\":\"clean\",\"branch\":\"main\",\"session\":\"s%" PRIu64
		       "\",\"runner\":{\"key\":\"bench\"},\"suite\":\"kpi\",\"format\":\"kpi\",\"format_version\":\"1\","
		       "\"ingested_at\":\"2026-01-02T%02d:%02d:%02dZ\",\"facts\":{}}}\n",
			c + 1, c, (int)(c / 3600), (int)(c / 60 % 60), (int)(c % 60));
		for (b = 0; b < benchmarks; b++) {
			for (m = 0; m < 16; m++) {
				uint64_t level = 1000 + b * 17 + m * 100003;
				printf("{\"benchmark\":\"scenario_%05" PRIu64
				       "\",\"metric\":\"%s\",\"unit\":\"count\",\"quantity\":\"count\",\"direction\":\"lower\",\"values\":[",
					b, metrics[m]);
				for (s = 0; s < samples; s++)
					printf("%s%" PRIu64, s ? "," : "",
						level + (m == 2 ? 0 : next() % 3));
				puts("]}");
			}
		}
	}
}

int main(int argc, char **argv)
{
	uint64_t n[3] = {0, 2000, 2};
	int i;

	for (i = 2; i < argc && i < 5; i++)
		n[i - 2] = strtoull(argv[i], NULL, 10);
	if (argc >= 3 && !strcmp(argv[1], "kpi")) {
		state += argc > 4 ? n[2] : 0;
		kpi(n[0], n[1]);
	} else if (argc >= 3 && !strcmp(argv[1], "export"))
		export(n[0], n[1], n[2]);
	else
		return fputs("usage: generate kpi MEGABYTES [BENCHMARKS [SEED]] | generate export COMMITS [BENCHMARKS [SAMPLES]]\n",
			       stderr),
		       2;
	return fflush(stdout) == 0 ? 0 : 1;
}
