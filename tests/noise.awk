# Writes an export in which nothing changes but by noise: one metric, its samples spread by `within`,
# its sessions by `between`. Variables: seed commits sessions series samples within between, and suite,
# runner, metric, first (the number of the first commit).
function uniform() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function normal(i, x) { x = -6; for (i = 0; i < 12; i++) x += uniform(); return x }
BEGIN {
	state = seed; if (metric == "") metric = "time"; if (suite == "") suite = "bench"; if (runner == "") runner = "lab"
	print "{\"perfgate\":\"export\",\"version\":1}"
	for (c = 0; c < commits; c++) for (s = 0; s < sessions; s++) {
		t++
		printf "{\"run\":{\"commit\":\"%040x\",\"session\":\"s%d\",\"branch\":\"main\",\"tree_state\":\"clean\",\"started_at\":\"2026-01-%02dT%02d:00:00Z\",\"runner\":{\"key\":\"%s\"},\"suite\":\"%s\",\"format\":\"perfgate\"}}\n", c + 1 + first, t + first, 1 + int(t / 24), t % 24, runner, suite
		for (k = 0; k < series; k++) {
			shift = exp(between * normal())
			printf "{\"benchmark\":\"b%d\",\"metric\":\"%s\",\"unit\":\"s\",\"quantity\":\"time\",\"direction\":\"lower\",\"values\":[", k, metric
			for (i = 0; i < samples; i++) printf "%s%.9f", i ? "," : "", (k + 1) * shift * exp(within * normal())
			print "]}"
		}
	}
}
