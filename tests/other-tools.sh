# Documents of Google Benchmark, hyperfine, pytest-benchmark, JMH and Bencher through ingest, diff and
# gate; and that no document of one format is taken for one of another.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

### what hyperfine itself writes, also from within measure

if command -v hyperfine >/dev/null; then
	repository real
	change one
	hyperfine -N --runs 3 -P n 1 2 'test {n}' --export-json "$tmp/real.json" >"$tmp/hyperfine.log" 2>&1
	ok "hyperfine: a document of its own" "$PERFGATE" ingest "$tmp/real.json"
	contains "$out" ': hyperfine, 8 series, 12 samples' "hyperfine: is found out"
	"$PERFGATE" store export >"$tmp/export"
	contains "$tmp/export" '"benchmark":"test 2 \(n=2\)","metric":"time","unit":"s",.*"values":\[[^],]+,[^],]+,[^],]+\]' \
		"hyperfine: each run is a sample"
	contains "$tmp/export" '"benchmark":"test 2 \(n=2\)","metric":"failures",.*"values":\[0\]' "hyperfine: none failed"
	ok "hyperfine: in measure" "$PERFGATE" measure --pairs 2 . HEAD -- \
		sh -c 'hyperfine -N --runs 3 --export-json "$PERFGATE_OUT/test.json" "test 1" >/dev/null 2>&1'
	"$PERFGATE" store export >"$tmp/export"
	contains "$tmp/export" '"benchmark":"test 1","metric":"time"' "hyperfine: its document is taken from PERFGATE_OUT"
	cd "$work" || exit 99
else
	skip "hyperfine's own documents" "hyperfine is not installed"
fi

# ten_times FACTOR: ten numbers about 100 times FACTOR, with commas
ten_times()
{
	"$TEST_AWK" -v factor="$1" 'BEGIN {
		for (i = 0; i < 10; i++)
			printf "%s%.6g", i ? "," : "", (100 + (7 * i) % 10 / 10) * factor
	}' </dev/null
}

# NAME FACTOR COUNT: what the tool writes of a benchmark that takes FACTOR times as long, and makes
# COUNT of what is counted
google_benchmark()
{
	echo '{"context":{"date":"2026-05-12T09:20:00+00:00","host_name":"build-7","num_cpus":4},"benchmarks":['
	comma=
	for t in $(ten_times "$1" | tr , ' '); do
		printf '%s{"name":"BM_parse","run_name":"BM_parse","run_type":"iteration","repetitions":10,"threads":1,"iterations":9,' "$comma"
		printf '"real_time":%s,"cpu_time":%s,"time_unit":"ns","allocs_per_iter":%s}\n' "$t" "$t" "$2"
		comma=,
	done
	echo ']}'
}

hyperfine()
{
	printf '{"results":[{"command":"parse big.txt","mean":%s,"times":[%s],"exit_codes":[%s,0,0,0,0,0,0,0,0,0]}]}\n' "$1" "$(ten_times "$1")" "$2"
}

pytest()
{
	printf '{"machine_info":{"node":"build-7"},"commit_info":{"id":"%s","dirty":%s},"benchmarks":[' "${sha:-unversioned}" "${dirty:-false}"
	printf '{"name":"test_parse","fullname":"tests/a.py::test_parse","stats":{"data":[%s],"ops":%s}}],' "$(ten_times "$1")" "$2"
	echo '"datetime":"2026-05-12T09:20:00+00:00","version":"5.2.3"}'
}

jmh()
{
	printf '[{"jmhVersion":"1.37","benchmark":"org.example.Bench.parse","mode":"avgt","threads":1,"params":{"size":"64"},'
	printf '"primaryMetric":{"score":%s,"scoreUnit":"us/op","rawData":[[%s]]},' "$1" "$(ten_times "$1")"
	printf '"secondaryMetrics":{"gc.count":{"score":%s,"scoreUnit":"counts","rawData":[[%s]]}}}]\n' "$2" "$2"
}

bmf()
{
	printf '{"parse":{"file-size":{"value":%s},"latency":{"value":%s}}}\n' "$2" "$1"
}

# diff_ NAME: old.json with new.json
diff_()
{
	rm -f "$report"
	ok "$1" "$PERFGATE" diff --report "json:$report" old.json new.json
	[ -f "$report" ] || : >"$report"
}

# tool FORMAT WRITER BENCHMARK TIME COUNT WORSE: TIME and COUNT are metrics; WORSE is the verdict of
# a COUNT that went from 100 to 200
tool()
{
	unset sha
	$2 1 100 >old.json
	$2 1.001 100 >new.json
	diff_ "$1: two documents alike"
	[ "$4" = - ] || is pass "$(verdict "$3" "$4")" "$1: $4 as before"
	$2 1.3 200 >new.json
	diff_ "$1: two documents, the second slower"
	[ "$4" = - ] || is regressed "$(verdict "$3" "$4")" "$1: $4 is worse"
	is "$6" "$(verdict "$3" "$5")" "$1: $5 is told"
	$2 0.7 50 >new.json
	diff_ "$1: two documents, the second faster"
	[ "$4" = - ] || is improved "$(verdict "$3" "$4")" "$1: $4 is better"
}

tool google-benchmark google_benchmark BM_parse real_time allocs_per_iter regressed
tool hyperfine hyperfine "parse big.txt" time failures pass
tool pytest pytest "tests/a.py::test_parse" time ops inconclusive
tool jmh jmh "org.example.Bench.parse.size=64." time gc.count info
tool bmf bmf parse - file-size regressed
hyperfine 1 0 >old.json
hyperfine 1 3 >new.json
diff_ "hyperfine: a run that failed"
is regressed "$(verdict "parse big.txt" failures)" "hyperfine: failures"

### the gate, in one session and in two

for name in google_benchmark hyperfine pytest jmh bmf; do
	repository $name
	change one
	$name 1 0 >"$tmp/document.json"
	ingest --session s "$tmp/document.json"
	ingest --session s "$tmp/document.json"
	contains "$tmp/ingest.log" 'already stored' "$name: the same document again"
	change two
	$name 1.3 4 >"$tmp/document.json"
	ingest --session s "$tmp/document.json"
	case $name in
	google_benchmark)
		gate 1 "$name: the gate" HEAD~1
		is regressed "$(verdict BM_parse allocs_per_iter)" "$name: more allocations fail it"
		is regressed "$(verdict BM_parse cpu_time)" "$name: the time of one session is judged"
		;;
	hyperfine) gate 1 "$name: a run that failed fails it" HEAD~1 ;;
	bmf) gate 0 "$name: the gate" HEAD~1 ;;
	*)
		gate 0 "$name: the gate reports a time" HEAD~1
		contains "$report" '"metric": "time".*"verdict": "regressed"' "$name: the time of one session is judged"
		gate 1 "$name: and fails when strict" --strict HEAD~1
		;;
	esac
	change three
	$name 1.9 4 >"$tmp/document.json"
	ingest --session another "$tmp/document.json"
	gate 0 "$name: in another session it does not know" HEAD~1
done

### a document of a changed tree

repository changed
change one
pytest 1 5 >"$tmp/document.json"
ingest --session s "$tmp/document.json"
change two
dirty=true
pytest 2 5 >"$tmp/document.json"
dirty=false
ok "a document of a changed tree" "$PERFGATE" ingest "$tmp/document.json"
contains "$out" 'changed' "it is no run of the commit"
contains "$err" 'commit_info.dirty' "which a note tells"
gate 3 "the gate has no run of the commit" HEAD~1
contains "$out" "^NOT JUDGED" "and says so"
ok "--clean takes it all the same" "$PERFGATE" ingest --clean "$tmp/document.json"
lacks "$out" 'changed' "as a run of the commit"

### which format a document is in

cd "$srcdir/tests/cases" || exit 99
for directory in */; do
	name=${directory%/}
	: >"$tmp/taken"
	for case in "$name"/*/; do
		[ -f "$case/input" ] && [ ! -f "$case/args" ] || continue
		echo "$case/input"
	done >"$tmp/inputs"
	[ -s "$tmp/inputs" ] || continue
	xargs "$DUMP" --detect <"$tmp/inputs" >"$tmp/detected"
	grep -v -e "^$name " -e '^- ' "$tmp/detected" >"$tmp/taken"
	if [ -s "$tmp/taken" ]; then
		fail "$name: no document is taken for another's"
		comment <"$tmp/taken"
	else
		pass "$name: no document is taken for another's"
	fi
done
done_testing
