# The points of a series over time, and what was another of the machine at each.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# peak DAY FLOPS DRIVER [OS-VERSION]: what clpeak wrote on a day
peak()
{
	printf '{"schema":"clpeak/run","format_version":3,"clpeak_version":"%s","generated_at":"2026-03-%sT10:00:00Z",' "${tool:-3.0.0}" "$1"
	printf '"host":{"os":"Linux x64","os_version":"%s"},"devices":[{"backend":"CUDA","platform":"CUDA","name":"Example GPU","device_index":0,"driver":"%s","tests":[' "${4:-6.1.0}" "$3"
	printf '{"id":"single_precision_compute","unit":"FLOPS","quantity":"flops","metrics":[{"id":"float","value":%s}]},' "$2"
	printf '{"id":"memory_latency","unit":"s","quantity":"seconds","metrics":[{"id":"L2","value":2e-7}]}]}]}\n'
}

# peaked SESSION DAY FLOPS DRIVER [OS-VERSION]
peaked()
{
	session=$1
	shift
	peak "$@" >"$tmp/peak.json"
	ingest --runner gpu --session "$session" "$tmp/peak.json"
}

# What $out has of a day, after the commit, / and what changed.
point()
{
	"$TEST_AWK" -v day="$1" '
		/^[^ ]/ && on { exit }
		$1 == day { on = 1; $1 = $2 = $3 = ""; row = $0; next }
		on { more = more " " $0 }
		END { $0 = row " /" more; $1 = $1; print }' "$out"
}

repository r
change one
first=$sha
peaked s1 01 2.00e13 550.54
change two
peaked s3 03 2.02e13 560.28
# what was measured later may be stored earlier, and at any commit
git checkout -q "$first"
peaked s2 02 2.01e13 550.54
git checkout -q main
peaked s3 03 2.04e13 560.28
tool=3.0.1
peaked s4 04 1.90e13 560.28 6.8.0

float='clpeak:CUDA/CUDA/Example GPU#0/single_precision_compute:float'
ok "a series by its name" "$PERFGATE" log "$float"
contains "$out" "^clpeak:CUDA/CUDA/Example GPU#0/single_precision_compute:float, on gpu\$" "its name and runner"
is 4 "$(grep -c '^2026' "$out")" "of clpeak one point a session"
is "2026-03-04 2026-03-03 2026-03-02 2026-03-01" \
	"$(sed -n 's/^\(2026-03-..\) .*/\1/p' "$out" | tr '\n' ' ' | sed 's/ $//')" "by time, newest first, whatever was checked out"
is "2 20.3 TFLOPS +1.0 % / driver 550.54 -> 560.28" "$(point 2026-03-03)" "a driver that changed, the median of a session"
is "1 19.0 TFLOPS -6.4 % / os version 6.1.0 -> 6.8.0, tool 3.0.0 -> 3.0.1" "$(point 2026-03-04)" "a kernel and a tool that changed"
is "1 20.1 TFLOPS +0.5 % /" "$(point 2026-03-02)" "nothing else, where nothing changed"
is "1 20.0 TFLOPS /" "$(point 2026-03-01)" "nothing at all before the first"
ok "60 columns" env COLUMNS=60 "$PERFGATE" log "$float"
is "1 19.0 TFLOPS -6.4 % / os version 6.1.0 -> 6.8.0, tool 3.0.0 -> 3.0.1" "$(point 2026-03-04)" "... cut nothing"
is "" "$("$TEST_AWK" 'NR > 1 && length > 60' "$out")" "... and are enough"

ok "--limit" "$PERFGATE" log --limit 1 "$float"
is 1 "$(grep -c '^2026' "$out")" "... counts points"
contains "$out" 'os version 6.1.0 -> 6.8.0' "... whose change is told all the same"
ok "a pattern" "$PERFGATE" log 'clpeak:.*Example'
is 2 "$(grep -c '^clpeak:' "$out")" "... is every series that matches"
ok "--commit" "$PERFGATE" log --commit "$first" "$float"
is 2 "$(grep -c '^2026' "$out")" "... only its points"
is_status 2 "$PERFGATE" log clpeak:nothing:of
contains "$err" "no series is called, or matches, 'clpeak:nothing:of'" "a series that is not there"
is_status 2 "$PERFGATE" log '('
contains "$err" 'missing' "what is no pattern"
is_status 2 "$PERFGATE" log --suite kpi "$float"

ok "--json" "$PERFGATE" log --json "$float"
if command -v jq >/dev/null; then
	cp "$out" "$tmp/log.json"
	ok "... is JSON" jq -e 'length == 1 and (.[0].points | length) == 4' "$tmp/log.json"
	ok "... with what changed" jq -e '.[0].points[1] | .n == 2 and .median == 20300000000000 and .session == "s3" and .time == "2026-03-03T10:00:00Z" and .changed == [{"fact": "driver", "from": "550.54", "to": "560.28"}]' "$tmp/log.json"
	ok "... and nothing where nothing did" jq -e '.[0].points[3] | .change == null and .changed == []' "$tmp/log.json"
else
	skip "... is JSON" "jq is not installed"
fi

### facts of the machine, and other suites

# env SESSION KERNEL MICROCODE BIOS
env_of()
{
	"$PERFGATE" env --runner box --session "$1" |
		sed 's/"facts": {.*/"facts": {"kernel":"'"$2"'","microcode":"'"$3"'","bios":"'"$4"'"}/' >"$tmp/env.json"
}

repository k
change one
for session in a b; do
	kpi parse allocs_per_op=100 at=2026-03-01T10:00:00Z >one.json
	env_of $session 6.1.0 0x1 F1
	ingest --env "$tmp/env.json" one.json
	change "two $session"
done
env_of c 6.1.0 0x2 F2
kpi parse allocs_per_op=110 at=2026-03-02T10:00:00Z >one.json
ingest --env "$tmp/env.json" one.json
ok "microcode and firmware" "$PERFGATE" log kpi:parse:allocs_per_op
is "1 110 +10.0 % / microcode 0x1 -> 0x2, firmware F1 -> F2" "$(point 2026-03-02)" "... are told of"
is 3 "$(grep -c '^2026' "$out")" "of other suites a point is a session of a commit"
change three
env_of d "" "" ""
kpi parse allocs_per_op=111 at=2026-03-03T10:00:00Z >one.json
ingest --env "$tmp/env.json" one.json
ok "where nothing is known" "$PERFGATE" log kpi:parse:allocs_per_op
is "1 111 +0.9 % /" "$(point 2026-03-03)" "... nothing is said to have changed"

### texts of a driver

repository hostile
change one
peaked s1 01 2.00e13 '\u001b[2J\u202e<script>|`x`$(x)\"; DROP TABLE run;--'
peaked s2 02 2.00e13 "$(printf '%0500d' 1)"
peaked s3 03 2.00e13 "$(printf 'é%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33)"
ok "texts of a driver" "$PERFGATE" log float
is "" "$(steering "$out")" "... steer no terminal"
contains "$out" 'driver 0{60}\.\. -> (é){30}\.\.$' "... and are cut, not within a character"
ok "... in JSON" "$PERFGATE" log --json float
is "" "$(steering "$out")" "... neither"
contains "$out" '0{499}1' "... whole"
done_testing
