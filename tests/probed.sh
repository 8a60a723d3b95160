# Whether it was the machine: what the gate makes of probes in the sessions of head and base.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

wall=wall_ns_per_op

# A document as `perfgate probe --quick` writes it: FLOPS, bytes a second and seconds, each read
# five times and no more than 1 % apart. - leaves a test out.
probe()
{
	"$TEST_AWK" -v compute="$1" -v bandwidth="$2" -v latency="$3" -v extra="${4-}" '
	function test(id, variant, category, direction, quantity, unit, metric, value, i) {
		if (value == "-")
			return
		printf "%s\n    {\"id\": \"%s\", \"title\": \"%s\", \"variant\": \"%s\", \"category\": \"%s\", \"shape\": \"heterogeneous\", ", \
			n++ ? "," : "", id, id, variant, category
		printf "\"direction\": \"%s\", \"quantity\": \"%s\", \"unit\": \"%s\", \"metrics\": [\n", direction, quantity, unit
		printf "      {\"id\": \"%s\", \"value\": %.7g, \"repeats\": [", metric, value
		for (i = 0; i < 5; i++)
			printf "%s%.7g", i ? ", " : "", value * (0.995 + i / 400)
		printf "], \"spread\": 0.01}]}"
	}
	BEGIN {
		printf "{\"schema\": \"clpeak/run\", \"format_version\": 3, \"clpeak_version\": \"3.0.0\",\n"
		printf " \"host\": {\"arch\": \"x86_64\", \"cpu\": \"Example 9000\", \"logical_cores\": 8, \"memory_bytes\": 16000000000},\n"
		printf " \"devices\": [{\"backend\": \"CPU\", \"platform\": \"native\", \"name\": \"Example 9000\", \"type\": \"cpu\", \"device_index\": 0%s, \"tests\": [", extra
		test("single_precision_compute", "AVX-512", "compute", "higher_is_better", "flops", "FLOPS", "float ST", compute)
		test("global_memory_bandwidth", "64 MiB", "bandwidth", "higher_is_better", "bytes_per_second", "B/s", "read", bandwidth)
		test("memory_latency", "64 MiB", "latency", "lower_is_better", "seconds", "s", "DRAM", latency)
		printf "]}]}\n"
	}' </dev/null
}

# probed SESSION COMPUTE BANDWIDTH LATENCY
probed()
{
	session=$1
	shift
	probe "$@" >"$tmp/probe.json"
	ingest --runner box --session "$session" "$tmp/probe.json"
}

# ran SESSION NS: ten runs of "parse" that took about as long
ran()
{
	walls parse $("$TEST_AWK" -v ns="$2" 'BEGIN { for (i = 0; i < 10; i++) printf "%d ", ns * (0.999 + i / 5000) }') >"$tmp/runs.json"
	ingest --runner box --session "$1" "$tmp/runs.json"
}

# compared NAME BASE-PROBE HEAD-PROBE HEAD-NS: a repository with a base that takes 1,000,000 ns
compared()
{
	repository "$1"
	hard 'tolerance = 5%' 'sessions = pool' ${5+"$5"}
	git add perfgate.conf && commit base
	probed before $2
	ran before 1000000
	change head
	probed after $3
	ran after "$4"
}

same="1.4e11 1.5e10 1e-07"

### the machine was as fast

compared steady "$same" "1.401e11 1.502e10 1.001e-07" 1120000
gate 1 "a regression on a machine that is as fast"
is regressed "$(verdict parse $wall)" "... is one"
lacks "$report" '"environment": {' "... and no flag beside it"
contains "$out" '^machine: compute 140.* GFLOPS -> .* GFLOPS, no more apart than its readings; bandwidth 15.* GB/s; .*|^machine: compute' "the probes of both sides are shown"
contains "$report" '"bound": "latency".*"drift": "none".*"base": {"n": 5, "low": 9.95e-08, "median": 1e-07, "high": 1.005e-07}' "... and in JSON with their ranges"

### the machine was slower, and the series no more than that

compared slower "$same" "1.2e11 1.5e10 1e-07" 1120000
gate 1 "a regression while the machine was slower fails all the same"
is regressed "$(verdict parse $wall)" "... and is called one"
mentions parse $wall '"environment": {"bound": "compute", "change": -0.142857' "... with the flag beside it"
contains "$out" 'the machine was slower too, its compute probe fell by' "... which says what the probe read"
contains "$out" 'next: the machine was slower too; to be sure, measure both sides in turns: perfgate measure' "... and what to do"
contains "$out" '^machine: compute 140 GFLOPS -> 120 GFLOPS, 14 % slower' "... beside what it read"
for format in markdown junit github csv openmetrics; do
	is_status 1 "$PERFGATE" gate --report $format
	contains "$out" 'the machine was slower too|perfgate_probe\{side="head",bound="compute".* 120000000000.0$' "$format says so, too"
done
is_status 1 "$PERFGATE" gate --report csv
contains "$out" ',compute.?$' "a column of CSV names the bound"

compared less "$same" "1.35e11 1.5e10 1e-07" 1120000
gate 1 "a machine that was slower by less than the series"
is null "$(verdict parse $wall environment)" "... does not explain it"
contains "$out" '^machine: compute 140 GFLOPS -> 135 GFLOPS, 3.6 % slower' "... and is told of"

compared faster "$same" "1.7e11 1.5e10 1e-07" 1120000
gate 1 "a machine that was faster"
is null "$(verdict parse $wall environment)" "... explains nothing"
contains "$out" '^machine: compute 140 GFLOPS -> 170 GFLOPS, 21 % faster' "... and is told of"

### which probe

compared otherwise "$same" "1.4e11 1.2e10 1.3e-07" 1120000
gate 1 "a probe of another bound"
is null "$(verdict parse $wall environment)" "... explains nothing"

compared latency "$same" "1.4e11 1.5e10 1.3e-07" 1120000 'bound = latency'
gate 1 "a rule that says what the series hangs on"
mentions parse $wall '"environment": {"bound": "latency", "change": 0.3' "... and its probe"
mentions parse $wall 'its latency probe rose by 30 %' "... of which more is slower"

compared none "$same" "1.2e11 1.2e10 1.3e-07" 1120000 'bound = none'
gate 1 "a series that hangs on nothing"
is null "$(verdict parse $wall environment)" "... is never flagged"

### before and after

compared drifting "$same" "1.4e11 1.5e10 1e-07" 1120000
probed after 1.2e11 1.5e10 1e-07
gate 1 "a machine that was as fast before, and slower behind"
is null "$(verdict parse $wall environment)" "... has a wide spread"
contains "$report" '"bound": "compute".*"drift": "none".*"head": {"n": 10' "... of all readings together"
probed before $same
gate 1 "a probe that is stored for another commit, too"
contains "$report" '"bound": "compute".*"base": {"n": 5' "... counts once"

### too little to go by

compared single "$same" "- - -" 1120000
gate 1 "a head without a probe"
contains "$out" '^machine: compute 140 GFLOPS \(head has no probe\)' "... is told of"
is null "$(verdict parse $wall environment)" "... and is not flagged"
sed 's/, "repeats": \[[^]]*\]//' "$tmp/probe.json" >"$tmp/few.json"
probe 1.2e11 1.2e10 1.3e-07 | sed 's/, "repeats": \[[^]]*\]//' >"$tmp/few.json"
ingest --runner box --session after "$tmp/few.json"
gate 1 "one reading without repeats"
contains "$out" 'of fewer than 3 readings a side' "... has no spread to be beyond"
is null "$(verdict parse $wall environment)" "... and explains nothing"

repository unprobed
hard 'sessions = pool'
git add perfgate.conf && commit base
ran before 1000000
change head
ran after 1120000
gate 1 "without probes"
lacks "$out" '^machine' "nothing is said of the machine"

### never

compared exact "$same" "1.2e11 1.5e10 1e-07" 1000000
kpi count allocs_per_op=1000 >"$tmp/count.json"
ingest --runner box --session before --commit HEAD~1 "$tmp/count.json"
kpi count allocs_per_op=1100 >"$tmp/count.json"
ingest --runner box --session after "$tmp/count.json"
gate 1 "an exact series that is regressed"
is null "$(verdict count allocs_per_op environment)" "... is so on any machine"

compared advisory "$same" "1.2e11 1.5e10 1e-07" 1120000
hard 'tolerance = 5%' 'sessions = pool' '[rule "advice"]' 'suite = kpi' 'class = advisory'
gate 0 "advice that is regressed"
mentions parse $wall '"environment": {"bound": "compute"' "... is flagged, too"
ok "diff tells of it" "$PERFGATE" diff HEAD~1 HEAD
contains "$out" 'the machine was slower too' "... as the gate does"

### other machines, other sessions

compared others "$same" "1.4e11 1.5e10 1e-07" 1120000
probe 1.0e11 1.5e10 1e-07 >"$tmp/probe.json"
ingest --runner another --session after "$tmp/probe.json"
probed elsewhere 1.0e11 1.5e10 1e-07
gate 1 "probes of another runner, and of another session"
contains "$report" '"bound": "compute".*"drift": "none".*"head": {"n": 5' "... are not looked at"
ok "with --suite kpi" "$PERFGATE" diff --suite kpi HEAD~1
contains "$out" '^machine: compute' "... the probes are not hidden"

### a history of sessions

repository history
hard 'tolerance = 5%' 'bound = bandwidth'
git add perfgate.conf
night=0
while [ $night -lt 21 ]; do
	commit "night $night"
	probed "night/$night" 1.4e11 "1.50$((night % 10))e10" 1e-07
	ran "night/$night" "100$((night % 7))000"
	night=$((night + 1))
done
commit "a slow night"
probed night/slow 1.4e11 1.2e10 1e-07
ran night/slow 1120000
gate 0 "worse than all of the sessions"
is suspect "$(verdict parse $wall)" "... is suspect"
mentions parse $wall '"environment": {"bound": "bandwidth"' "... and flagged, where the probe is beyond those of all of them"
contains "$report" '"base_sessions": 21.*"base": {"n": 105,' "... put together"

### readings are ordered by time, not by commit

repository timed
conf '[rule "readings"]' 'suite = clpeak' 'class = hard'
git add perfgate.conf
# peaked SESSION MONTH DAY COMPUTE: what was read on a day
peaked()
{
	probe "$4" - - | sed 's/"clpeak_version"/"generated_at": "2026-0'"$2-$3"'T10:00:00Z", &/' >"$tmp/probe.json"
	ingest --runner box --session "$1" "$tmp/probe.json"
}
# every other commit was measured a month later, when the machine had become faster
day=1
while [ $day -le 22 ]; do
	two=$(printf '%02d' $day)
	commit "early $day"
	peaked "early/$day" 2 "$two" "1.20$((day % 10))e11"
	commit "late $day"
	peaked "late/$day" 3 "$two" "1.40$((day % 10))e11"
	day=$((day + 1))
done
# one session of two commits is one point
commit again
peaked "late/22" 3 22 1.402e11
commit head
peaked head 4 01 1.30e11
gate 0 "slower than the machine has been since it became faster"
is suspect "$(verdict 'CPU/native/Example 9000#0/single_precision_compute' 'float ST')" "... is suspect, whatever the order of the commits"
contains "$report" '"method": "sessions".*"n_base": 22,' "... against one point for each session since"

### a gate of a team that also probes

# counted SESSION N
counted()
{
	kpi parse allocs_per_op="$2" >"$tmp/count.json"
	ingest --runner box --session "$1" "$tmp/count.json"
}

repository beside
conf '[gate]' 'base = main'
git add perfgate.conf && commit base
probed before $same
counted before 1000
change slower
probed slower 1.0e11 1.0e10 2e-07
counted slower 1000
gate 0 "a slower machine is no reason to fail"
contains "$out" '^PASS  1 judged' "... nor to judge less"
lacks "$out" '^next' "... and nothing that measure could tell"
change unprobed
counted unprobed 1000
gate 0 "nor is a commit without a probe"
conf '[gate]' 'base = main' 'expect = kpi'
change crashed
probed crashed $same
sed 's/"value": [^,]*, "repeats": [^]]*\], "spread": [0-9.]*}/"status": "error", "reason": "ended by SIGILL"}/' "$tmp/probe.json" >"$tmp/crashed.json"
ingest --runner box --session again "$tmp/crashed.json"
counted again 1000
gate 0 "nor a probe that crashed"

# narrowed: the document on standard input, as --quick or --tests write it
narrowed()
{
	sed 's/"clpeak_version"/"invocation": {"argv": [], "categories": [], "tests": ["single_precision_compute"]}, &/'
}

counted again 1000
probed night $same
change quick
counted quick 1000
probe 1.4e11 - - | narrowed >"$tmp/probe.json"
ingest --runner box --session quick "$tmp/probe.json"
gate 0 "a quick probe after the full one of a night"
lacks "$out" '^missing' "... lacks nothing"
noted '2 that the base has are not missing' "... as a note says"
probe 1.4e11 - - >"$tmp/probe.json"
ingest --runner box --session full "$tmp/probe.json"
gate 0 "a full one that lacks readings"
contains "$out" '^missing  *CPU/.*latency' "... does"
change "quick, too"
counted "quick, too" 1000
probe - 1.5e10 - | narrowed >"$tmp/probe.json"
ingest --runner box --session "quick, too" "$tmp/probe.json"
gate 0 "a quick probe after one that was not only quick"
lacks "$out" '^missing' "... lacks nothing"
change "the same question"
counted "the same question" 1000
probe 1.4e11 - - | narrowed >"$tmp/probe.json"
ingest --runner box --session "the same question" "$tmp/probe.json"
gate 0 "what was asked for both times"
contains "$out" '^missing  *CPU/.*bandwidth' "... is missing where only the base has it"

for line in 'expect = kpi' 'require = yes' 'require = no'; do
	conf '[gate]' 'base = main' "$line"
	git add perfgate.conf && change "only probed, $line"
	probed "only probed, $line" $same
	gate 3 "$line: a commit of which the machine alone was probed"
	contains "$out" '^NOT JUDGED' "... is not judged"
	contains "$out" '^next: run the benchmarks' "... and says what is lacking"
done
gate 0 "clpeak alone was asked for" --suite clpeak
conf '[gate]' 'base = main' 'expect = clpeak'
git add perfgate.conf && change "clpeak expected"
probed "clpeak expected" $same
gate 0 "nor is it where clpeak is what is expected"

### what a document can say

compared hostile "$same" "1.2e11 1.5e10 1e-07" 1120000
probe 1.0e11 1.5e10 1e-07 | sed 's/float ST/\\u001b[2J\\u202e<script>alert(1)<\/script>|`x`$(x)\\"; DROP TABLE run;--ST/; s/AVX-512/\\u009b31m/' >"$tmp/probe.json"
ok "names that are no names" "$PERFGATE" ingest --runner box --session after "$tmp/probe.json"
for format in text json markdown junit github csv openmetrics; do
	is_status 1 "$PERFGATE" gate --report $format
	tr -d '\r' <"$out" >"$tmp/shown"
	is "" "$(steering "$tmp/shown")" "$format: no byte that steers a terminal"
	case $format in
	markdown) lacks "$out" '<script' "$format: no tag" ;;
	esac
done
probe 0 0 0 >"$tmp/probe.json"
ok "a probe that read nothing" "$PERFGATE" ingest --runner box --session after "$tmp/probe.json"
gate 1 "... does no harm"
probe -1e300 1e308 1e-320 >"$tmp/probe.json"
ok "a probe that read nonsense" "$PERFGATE" ingest --runner box --session after "$tmp/probe.json"
gate 1 "... does neither"

### repeats come out of an export as they went in

compared exported "$same" "$same" 1120000
"$PERFGATE" store export >"$tmp/export" || exit 99
"$PERFGATE" ingest --store "$tmp/again.db" "$tmp/export" >"$out" 2>"$err" || fail "ingest of an export"
"$PERFGATE" store export --store "$tmp/again.db" >"$tmp/export.again"
same "$tmp/export" "$tmp/export.again" "export, ingest, export: the same bytes"
contains "$tmp/export" '139300000000' "... repeats and all"

### a probe that was asked for less

repository smaller
change base
probe 1e11 1e10 1e-7 >"$tmp/probe.json"
"$TEST_AWK" '/"id": "read"/ { for (i = 1; i <= 15; i++) printf "      {\"id\": \"more %d\", \"value\": 1e10},\n", i } 1' "$tmp/probe.json" >"$tmp/more.json"
ingest --runner box --session more "$tmp/more.json"
change head
probed fewer 1e11 1e10 1e-7
ok "readings that a smaller probe lacks" "$PERFGATE" gate HEAD~1
is 10 "$(grep -c '^missing ' "$out")" "... are not all listed"
contains "$out" '^5 missing.*: --all lists them' "... but counted"
ok "... unless all are wanted" "$PERFGATE" gate --all HEAD~1
is 15 "$(grep -c '^missing ' "$out")" "... and then are there"
done_testing
