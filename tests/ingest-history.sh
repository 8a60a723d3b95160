# perfgate ingest of histories and custom arrays of github-action-benchmark: where their runs go,
# which series they join, --map, --suite and --dry-run.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

say()
{
	test_name=$1
	shift
	ok "$test_name" "$PERFGATE" ingest "$@"
}

refuse()
{
	test_name=$1
	shift
	is_status 2 "$PERFGATE" ingest "$@"
}

# point NAME VALUE UNIT [EXTRA]
point()
{
	printf '{"name":"%s","value":%s,"unit":"%s","extra":"%s"}' "$1" "$2" "$3" "${4:-}"
}

# history SUITE TOOL SHA,DATE,POINT...: a history of one suite; rows are words of one argument each
row()
{
	printf '{"commit":{"id":"%s","timestamp":"2024-01-0%sT00:00:00Z","message":"m"},"date":170400000000%s,"tool":"%s","benches":[%s]}' \
		"$1" "$2" "$2" "$tool" "$3"
}

# how many runs of a suite the store has
runs()
{
	"$PERFGATE" log --limit 0 --json | grep -c "\"suite\": \"${1:-}"
}

repository r
change one && one=$sha
change two && two=$sha
change three && three=$sha

tool=cargo
cat >data.js <<JS
window.BENCHMARK_DATA = {"entries":{"Rust":[
$(row "$one" 1 "$(point fib 100 ns/iter)"),
$(row "$two" 2 "$(point fib 110 ns/iter),$(point new 5 us)"),
$(row "$two" 2 "$(point fib 110 ns/iter),$(point new 5 us)"),
$(row short 3 "$(point fib 110 ns/iter)"),
$(row "$three" 3 "$(point fib '"NaN"' ns),$(point fib '"120"' ns)")
]},"repoUrl":"x","lastUpdate":1}
JS

### where the runs go

say "a dry run" --runner box -n data.js
contains "$out" '^data\.js: github-action-benchmark, 4 runs of 3 commits, 2 series, 6 samples, runner box: checked, not stored$' "a dry run: one line for all rows"
contains "$out" "^  new    criterion:fib:time: 4 points, commits $(echo "$one" | cut -c1-12) to $(echo "$three" | cut -c1-12)\$" "a dry run: points, first and last commit"
contains "$out" '^  new    criterion:new:time: 2 points, commit ' "a dry run: each series"
contains "$err" 'data\.js: 8 points: 6 kept, 2 refused$' "every point is accounted for"
contains "$err" '1 point refused: .*no full SHA .*row 4' "... those of a row without a SHA"
contains "$err" "1 point refused: .*no number.*row 5, 'fib', value 'NaN'" "... those without a number"
fails "a dry run stores nothing" test -e "$(git rev-parse --git-dir)/perfgate/store.db"
refuse "without --runner" data.js
contains "$err" 'data\.js: a history does not say which machine .*--runner NAME' "without --runner: what to do"
is 0 "$(runs)" "... and nothing is stored"

change head
say "the history" --runner box data.js
contains "$out" ': 3 stored, 1 already stored$' "rows that are the same are stored once"
is 3 "$(runs criterion)" "a run a row"
"$PERFGATE" log --limit 0 --json >"$tmp/log"
contains "$tmp/log" "\"commit\": \"$one\".*\"runner\": \"box\"" "a row has its own commit, and the runner that was named"
contains "$tmp/log" '"session": "Rust/2023-12-31T' "... and a session of its own"
lacks "$tmp/log" "$sha" "nothing goes to the commit that is checked out"
say "the history again" --runner box data.js
contains "$out" ': 0 stored, 4 already stored$' "again: nothing new"
say "a dry run afterwards" --runner box -n data.js
contains "$out" '^  joins  criterion:fib:time: ' "a dry run afterwards: joins"
say "a dry run for another machine" --runner other -n data.js
contains "$out" '^  new    criterion:fib:time: ' "a dry run for another machine: new"
ok "it can be exported" "$PERFGATE" store export
cp "$out" "$tmp/export"
contains "$tmp/export" "\"commit\":\"$one\".*\"committed_at\":\"2024-01-01T00:00:00Z\"" "the commit has the time that the history says"
contains "$tmp/export" '"branch":"(main|master)"' "the branch is the one checked out, for want of a better"
say "--branch" --store "$tmp/b.db" --runner box --branch trunk data.js
"$PERFGATE" store export --store "$tmp/b.db" >"$tmp/export"
contains "$tmp/export" '"branch":"trunk"' "--branch"
conf '[gate]' 'base = origin/release'
say "base of perfgate.conf" --store "$tmp/c.db" --runner box data.js
"$PERFGATE" store export --store "$tmp/c.db" >"$tmp/export"
contains "$tmp/export" '"branch":"release"' "base of perfgate.conf is the branch"
rm perfgate.conf
say "--component" --store "$tmp/d.db" --runner box --component part -n data.js
contains "$out" 'criterion:part/fib:time' "--component"
say "--json" --runner box -n --json data.js
contains "$out" '"suite": "criterion", "benchmark": "fib", "metric": "time", "variant": "", "runner": "box", "origin": null, "first": "'"$one"'", "last": "'"$three"'", "points": 4, "absences": 0, "result": "joins"' "--json: an object a series"
git checkout -q HEAD~1
ok "the gate takes the history as its past" "$PERFGATE" gate --first-run HEAD~1
contains "$out" '^ *missing  new  *time' "the gate has its series"
git checkout -q -

### several suites

tool=customSmallerIsBetter
printf '{"entries":{"a":[%s],"b":[%s]},"lastUpdate":1}' \
	"$(row "$one" 1 "$(point start 3 ms)")" "$(row "$one" 1 "$(point stop 3 ms),$(point start 4 ms)")" >suites.json
refuse "suites that share a name" --runner box suites.json
contains "$err" "suites 'a' and 'b' both have custom 'start' time; .*--suite 'b' --runner NAME" "suites that share a name: what to do"
is 0 "$(runs custom)" "... and nothing is stored"
say "--suite" --runner first --suite a suites.json
say "--suite, the other" --runner second --suite b suites.json
is 2 "$(runs custom)" "each suite under its runner"
refuse "--suite that is not there" --runner box --suite c suites.json
contains "$err" "no suite 'c' in it; it has 'a', 'b'" "--suite that is not there"

### names of Go

printf 'pkg: example.com/m/p\nBenchmarkX-4 \t 100\t 12 ns/op\t 3 hits/op\nUnit hits/op better=higher\n' >go.txt
printf 'pkg: example.com/m/q\nUnit hits/op better=higher\nBenchmarkY-4 \t 100\t 12 ns/op\t 3 hits/op\n' >goq.txt
tool=go
printf '{"entries":{"Go":[%s]},"lastUpdate":1}' "$(row "$one" 1 \
	"$(point 'BenchmarkX - ns/op' 13 ns/op '100 times\n4 procs'),$(point BenchmarkZ 14 ns/op '1 times'),$(point 'BenchmarkX - hits/op' 4 hits/op '100 times\n4 procs')")" >gohist.json
say "Go text" --runner box go.txt
say "a history of Go" --runner box -n gohist.json
contains "$out" "^  joins  go:example\.com/m/p\.BenchmarkX:sec/op \[procs=4\]: .*, from 'BenchmarkX - ns/op'" "a name without its package joins the only one"
contains "$out" '^  new    go:BenchmarkZ:sec/op: ' "... a name that the store does not have stays"
contains "$err" '1 series of Go without a package.*--map, or \[rename\]' "... and a note says what lets it join"
sed 's/m\/p/m\/r/' go.txt >gor.txt
say "Go text of another package" --runner box gor.txt
say "a history of Go, when two packages have the name" --runner box -n gohist.json
contains "$out" '^  new    go:BenchmarkX:sec/op \[procs=4\]' "two packages have the name: it stays bare"

### every tool whose own reader there is

# joins TOOL DOCUMENT HISTORY: the series of a document are those of a history
joins()
{
	tool=$1
	say "a document of $tool" --store "$tmp/joins.db" --runner box --commit "$one" "$2"
	printf '{"entries":{"S":[%s]},"lastUpdate":1}' "$(row "$two" 1 "$3")" >joins.json
	say "a history of $tool" --store "$tmp/joins.db" --runner box -n joins.json
	contains "$out" '^  joins  ' "a history of $tool joins"
	lacks "$out" '^  new ' "... with all series"
}
cases=$srcdir/tests/cases
joins googlecpp "$cases/google-benchmark/one/input" "$(point BM_parse/64 5 ns/iter 'iterations: 3\ncpu: 4 ns\nthreads: 1')"
joins pytest "$cases/pytest/benchmarks-alone/input" "$(point tests/test_parse.py::test_parse 900 iter/sec)"
joins jmh "$cases/jmh/parameters/input" "$(point 'org.example.Bench.parse ( {\"size\":\"64\",\"deep\":\"true\"} )' 5 us/op)"
joins cargo "$cases/criterion/tree/input" "$(point fib/20 5 ns/iter)"

### --map

tool=customSmallerIsBetter
kpi agent allocs_per_op=100 >kpi.json
say "kpi" --runner box --commit "$two" kpi.json
printf '{"entries":{"perf":[%s]},"lastUpdate":1}' "$(row "$one" 1 \
	"$(point agent/allocs_per_op 90 allocs/op),$(point agent/rss 5 MB),$(point 'agent/slow=1' 7 ms)")" >perf.json
say "--map" --runner box -n --map '(.*)/(allocs_per_op)=kpi:$1:$2' --map '(\w+)/rss=kpi:$1:rss_peak_bytes' \
	--map '(.*)/slow\x3d(.)=mine:$1::$2:latency' perf.json
contains "$out" "^  joins  kpi:agent:allocs_per_op: 1 point, .*from 'agent/allocs_per_op'" "--map: it joins, with the unit of the store"
contains "$out" '^  new    kpi:agent:rss_peak_bytes: ' "--map: several"
contains "$out" '^  new    mine:agent::1:latency: ' "--map: colons in a benchmark, = in a pattern"
say "--map that does not match all of a name" --runner box -n --map 'agent=kpi:x:y' perf.json
lacks "$out" 'kpi:x:y' "--map has to match all of a name"
say "stored by --map" --runner box --map '(.*)/(allocs_per_op)=kpi:$1:$2' perf.json
ok "both are one series" "$PERFGATE" log --json kpi:agent:allocs_per_op
is 2 "$(grep -c '"median"' "$out")" "both are one series: two points"
say "a unit that does not fit" --runner box -n --map 'agent/rss=kpi:agent:allocs_per_op' perf.json
contains "$err" "1 point refused: the unit is not that of the metric in the store which --map names .*agent/rss" "a unit that does not fit"
for map in 'x' '=a:b:c' 'x=a:b' 'x=:b:c' 'x=a::c' 'x=a:b:' '(=a:b:c' 'x=a:$1:c' 'x=a:b:$x'; do
	is_status 2 "$PERFGATE" ingest --runner box -n --map "$map" perf.json
	contains "$err" "^perfgate: --map '" "--map $map is refused"
done
printf '[%s]' "$(point "$(printf 'a%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40)" 1 ms)" >long.json
refuse "catastrophic backtracking" -n --format custom-smaller --map '(a|aa)+[^a]=a:b:c' long.json
contains "$err" "long\.json:1: point 1 .*--map: .*too many steps" "catastrophic backtracking ends"

### custom arrays

printf '[%s,\n%s]' "$(point 'start up' 12.5 ms)" "$(point size 7 Megabytes)" >custom.json
refuse "a custom array" custom.json
contains "$err" 'custom\.json: can be custom-smaller or custom-bigger; --format says which' "a custom array needs a format"
mkdir folder && cp custom.json kpi.json folder
say "... and is passed over in a folder" folder
contains "$err" '1 file of no format that perfgate reads' "... with a note"
say "--format" --format custom-smaller --map 'start (.*)=app:$1:start' custom.json
contains "$out" '^custom\.json: custom-smaller, .*commit '"$(git rev-parse --short=12 HEAD)" "it is of the commit checked out"
is 2 "$(wc -l <"$out" | tr -d ' ')" "a run for each suite"
is 1 "$(runs app)" "--map of a custom array"

### what was pruned

repository pruned
change one
tool=cargo
{
	printf '{"entries":{"Rust":['
	for i in 1 2 3 4 5; do
		row "000000000000000000000000000000000000000$i" $i "$(point fib 100 ns/iter)"
		[ $i = 5 ] || printf ,
	done
	printf ']}}'
} >old.json
say "a history of commits that are gone" --runner box old.json
ok "pruned" "$PERFGATE" store prune --keep 2 --apply
is 2 "$(runs criterion)" "the newest stay"
say "again" --runner box old.json
contains "$out" ': 0 stored, 2 already stored, 3 pruned earlier, not stored again' "what was pruned is told, and stays away"
cd ../r || exit 99

### a dry run of whatever else

say "a dry run of kpi" --runner box --commit "$two" -n kpi.json
contains "$out" '^  joins  kpi:agent:allocs_per_op: 1 point, commit ' "a dry run of kpi"
say "a dry run where there is no store" --store "$tmp/none.db" -n kpi.json
contains "$out" '^  new    kpi:agent:allocs_per_op: 1 point, commit ' "a dry run where there is no store"
fails "... which it does not make" test -e "$tmp/none.db"
done_testing
