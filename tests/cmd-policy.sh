# perfgate policy: how series are judged, and which rule says so.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

COLUMNS=200
export COLUMNS

repository r
is_status 2 "$PERFGATE" policy
contains "$err" 'store\.db' "no store: its path"
change one
kpi parse allocs_per_op=1 bytes_per_op=1 goroutines_end=1 tokens_input=1 tokens_output=1 tokens_cache_read=1 \
	cache_hit_rate=0.5 rss_peak_bytes=1 rss_final_bytes=1 wall_clock_ns=10 iterations=2 \
	, tui_view allocs_per_op=1 , lex allocs_per_op=1 >a.json
ingest --runner lab a.json
printf '# callgrind format\nversion: 1\ncmd: prog\nevents: Ir\nsummary: 5\ntotals: 5\n' >cg.out
ingest --runner lab cg.out
cat >trace.json <<'TRACE'
{"traceEvents":[{"ph":"X","name":"f","ts":1,"dur":2,"pid":1,"tid":1}]}
TRACE
ingest --runner lab trace.json

ok "built-in rules" "$PERFGATE" policy
is "policy: built-in rules" "$(head -n 1 "$out")" "without perfgate.conf: built-in rules"
contains "$out" '^kpi +allocs_per_op +3 +hard +exact +lower +2 ?% +1 .*built-in: kpi counts' "allocs_per_op"
contains "$out" '^kpi +bytes_per_op +1 +hard +exact +lower +2 ?% +1 .*built-in: kpi counts' "bytes_per_op"
contains "$out" '^kpi +tokens_total +1 +hard +exact +lower +2 ?% +1 .*built-in: kpi counts' "tokens_total"
contains "$out" '^kpi +goroutines_end +1 +hard +exact +lower +0 ?% +1 .*built-in: kpi goroutines' "goroutines_end"
contains "$out" '^kpi +cache_hit_rate +1 +hard +exact +higher +5 ?% +0\.001 ' "cache_hit_rate"
contains "$out" '^kpi +wall_ns_per_op +1 +advisory +noisy +lower +5 ?% ' "wall_ns_per_op"
contains "$out" '^kpi +rss_peak_bytes +1 +advisory +noisy +lower +10 ?% ' "rss_peak_bytes"
for metric in tokens_input tokens_output tokens_cache_read wall_clock_ns iterations; do
	contains "$out" "^kpi +$metric +1 +info " "$metric"
done
contains "$out" '^callgrind +Ir +1 +hard +exact +lower +1 ?% +100 ' "Ir of a program"
contains "$out" '^trace +total +1 +advisory +noisy +lower +10 ?% ' "total of a trace"
contains "$out" '^trace +count +1 +advisory +exact +[a-z]+ +0 ?% +1 ' "count of a trace"

cat >perfgate.conf <<'CONF'
# comments stand on lines of their own
[gate]
	base = main
[rule "render benches wobble"]
	benchmark = ^tui_
	metric = ^allocs_per_op$
	class = advisory
[rule "wide"]
	suite = ^kpi$
	metric = ^allocs
	tolerance = 10%
	floor = 3
[rule "of nothing"]
	benchmark = ^nothing$
	class = hard
CONF
ok "80 columns" env COLUMNS=80 "$PERFGATE" policy
is "" "$("$TEST_AWK" 'length > 80' "$out")" "... are enough"
lacks "$out" '[a-z]\.\.\.[a-z]' "... and nothing is cut"
contains "$out" '^kpi allocs_per_op \(2 series\): hard, exact, lower is better, 10 % and 3$' "... series that are judged alike"
contains "$out" '^    missing = error, across-runners = yes; ' "... and by what"
ok "perfgate.conf" "$PERFGATE" policy
is "policy: perfgate.conf" "$(head -n 1 "$out")" "perfgate.conf"
contains "$out" '^kpi +allocs_per_op +2 +hard +exact +lower +10 ?% +3 +.*perfgate\.conf:8 wide' "a rule of the file, with its line"
contains "$out" '^kpi +allocs_per_op +1 +advisory +exact +lower +10 ?% +3 +.*perfgate\.conf:4 render benches wobble.*perfgate\.conf:8 wide' "the last match wins, attribute by attribute"
contains "$err" '^perfgate: note: perfgate\.conf:13 of nothing matches no series' "a rule that matches nothing is mentioned"
ok "a pattern" "$PERFGATE" policy '^tui'
is 4 "$(wc -l <"$out" | tr -d ' ')" "a pattern narrows it to benchmarks"
contains "$out" '^kpi +allocs_per_op +1 +advisory' "a pattern"
mkdir -p below && cd below
ok "from a folder below" "$PERFGATE" policy
contains "$out" '^policy: perfgate.conf' "perfgate.conf is looked for at the top"
cd ..
is_status 2 "$PERFGATE" policy '('
is_status 2 "$PERFGATE" policy a b
ok "--json" "$PERFGATE" policy --json
if command -v jq >/dev/null; then
	cp "$out" "$tmp/policy.json"
	ok "--json is JSON" jq -e 'type == "array"' "$tmp/policy.json"
	ok "--json: a row" jq -e '.[] | select(.example == "tui_view") | .suite == "kpi" and .metric == "allocs_per_op" and .series == 1 and .class == "advisory" and .judge == "exact" and .direction == "lower" and .tolerance == 0.1 and .floor == 3 and .missing == "warn" and .across_runners == "yes"' "$tmp/policy.json"
	ok "--json: fallback" jq -e '.[] | select(.metric == "Ir") | .across_runners == "fallback" and .missing == "error"' "$tmp/policy.json"
else
	skip "--json is JSON" "jq is not installed"
fi

# groups that differ in direction alone, one row each, in the same order each time
echo '{"perfgate":"export","version":1}' >ways.json
for direction in higher lower higher; do
	printf '{"run":{"commit":"%s","session":"%s","runner":{"key":"r"},"suite":"ways","format":"perfgate"}}\n{"benchmark":"%s","metric":"m","unit":"s","quantity":"time","direction":"%s","values":[1]}\n' \
		$sha "$direction$n" "$direction$n" $direction
	n=$((n + 1))
done >>ways.json
ingest --store ways.db ways.json
"$PERFGATE" policy --store ways.db >"$out"
is "2 higher 1 lower" "$(sed -n 's/^ways *m *\([12]\) .*noisy *\([a-z]*\) .*/\1 \2/p' "$out" | tr '\n' ' ' | sed 's/ $//')" "each direction is a row"

# sections that turn verdicts, and renames: all of it by series
cat >perfgate.conf <<'CONF'
[gate]
	creep = 5%
	reference = HEAD
[gate "release/*"]
	creep = 1%
[rule "pooled"]
	metric = ^bytes_per_op$
	floor = 64 KiB
	sessions = pool
	creep = 1%
[accept "alloc pooling"]
	benchmark = ^ui/
	metric = ^allocs_per_op$
	to = 1.5k
	reason = traded for latency
[waive "parser rewrite"]
	benchmark = ^parse$
	metric = ^allocs
	until = 2027-01-31
	reason = being rewritten
[retire "lexer"]
	benchmark = ^lex$
[rename "views"]
	from = ^tui_(.*)$
	to = ui/$1
[accept "nothing"]
	benchmark = ^nothing$
	to = 1
[waive "nothing"]
	benchmark = ^nothing$
	until = 2027-01-31
	reason = none
[rename "nothing"]
	from = ^nothing$
	to = none
[retire "nothing"]
	benchmark = ^nothing$
CONF
ok "all sections" "$PERFGATE" policy
sed -n 's/^perfgate: note: \(.*\) matches no series in the store$/\1/p' "$err" >unused
is 'perfgate.conf:26 accept "nothing" perfgate.conf:29 waive "nothing" perfgate.conf:33 rename "nothing" perfgate.conf:36 retire "nothing"' \
	"$(tr '\n' ' ' <unused | sed 's/ $//')" "sections that match nothing are mentioned, and no other"
contains "$out" '^kpi +bytes_per_op +1 +hard +exact +lower +2 ?% +65536 ' "a floor in the metric's unit"
ok "--series" "$PERFGATE" policy --series
cat >expected <<'TEXT'
kpi ui/view allocs_per_op, on lab
    perfgate.conf:23 rename "views": it was tui_view
    built-in: kpi counts: class = hard, judge = exact, tolerance = 2 %, floor = 1, cross-tolerance = 2 %, missing = error, across-runners = yes
    the document: direction = lower
    default: sessions = separate
    perfgate.conf:1 [gate]: creep = 5 %
    perfgate.conf:11 accept "alloc pooling": to = 1500, reason = traded for latency
TEXT
sed -n '/^kpi ui/,/^$/p' "$out" | sed '/^$/d' >got
same expected got "a renamed series, and who decides what of it"
cat >expected <<'TEXT'
kpi parse bytes_per_op, on lab
    built-in: kpi counts: class = hard, judge = exact, tolerance = 2 %, cross-tolerance = 2 %, missing = error, across-runners = yes
    the document: direction = lower
    perfgate.conf:6 pooled: floor = 65536 B, sessions = pool, creep = 1 %
TEXT
sed -n '/^kpi parse bytes/,/^$/p' "$out" | sed '/^$/d' >got
same expected got "a rule of several attributes is one line"
contains "$out" '^    perfgate\.conf:16 waive "parser rewrite": until = 2027-01-31, reason = being rewritten$' "a waiver"
contains "$out" '^    perfgate\.conf:21 retire "lexer": it is gone on purpose$' "a retirement"
is 19 "$(grep -c '^[a-z].*, on ' "$out")" "each series once"
contains "$out" '^callgrind prog Ir, on lab, callgrind' "a variant is named"
ok "--target" "$PERFGATE" policy --series --target release/1.2 '^ui'
contains "$out" '^    perfgate\.conf:4 \[gate "release/\*"\]: creep = 1 %$' "a section for a target branch"
ok "a target branch of the CI system" env GITHUB_ACTIONS=true GITHUB_BASE_REF=release/7 "$PERFGATE" policy --series '^ui'
contains "$out" '^    perfgate\.conf:4 \[gate "release/\*"\]: creep = 1 %$' "... holds, too"
ok "--series of some" "$PERFGATE" policy --series '^ui'
is 1 "$(grep -c '^[a-z].*, on ' "$out")" "a pattern matches present names"
ok "--series --json" "$PERFGATE" policy --series --json
if command -v jq >/dev/null; then
	cp "$out" series.json
	ok "--series --json is JSON" jq -e 'length == 19' series.json
	ok "... of the same" jq -e '.[] | select(.benchmark == "ui/view") | .renamed_from == "tui_view" and .rename == "perfgate.conf:23 rename \"views\""
		and .metric == "allocs_per_op" and .unit == "count" and .runner == "lab" and .variant == "" and .attributes.class == {value: "hard", by: "built-in: kpi counts"}
		and .attributes.creep == {value: 0.05, by: "perfgate.conf:1 [gate]"} and .attributes.sessions.value == "separate" and .attributes.across_runners.value == "yes"
		and .accept == {section: "perfgate.conf:11 accept \"alloc pooling\"", reason: "traded for latency", to: 1500} and .waive == null and .retire == null' series.json
	ok "... a waiver's last day" jq -e '.[] | select(.waive) | .waive.until == "2027-01-31" and .benchmark == "parse"' series.json
else
	skip "--series --json is JSON" "jq is not installed"
fi

# --check needs neither store nor repository
ok "--check" env PERFGATE_STORE=/nonexistent "$PERFGATE" policy --check
is 'perfgate.conf: ok, 2 [gate] sections, 1 rule, 2 accepts, 2 waivers, 2 renames, 2 retirements' "$(cat "$out")" "--check counts"
mv perfgate.conf ../all.conf
ok "--check without a file" "$PERFGATE" policy --check
is 'built-in rules: ok' "$(cat "$out")" "--check: the built-in rules hold"
mkdir ../elsewhere
(cd ../elsewhere && run "$PERFGATE" policy --check ../all.conf)
is '../all.conf: ok, 2 [gate] sections, 1 rule, 2 accepts, 2 waivers, 2 renames, 2 retirements' "$(cat "$out")" "--check of a file, elsewhere"
: >../empty.conf
ok "--check of an empty file" "$PERFGATE" policy --check ../empty.conf
is '../empty.conf: ok' "$(cat "$out")" "--check of an empty file"
is_status 2 "$PERFGATE" policy --check ../nothing.conf
contains "$err" '^perfgate: \.\./nothing\.conf: there is no such file' "--check of no file"
is_status 2 "$PERFGATE" policy --check --series
is_status 2 "$PERFGATE" policy --check --store none.db
contains "$err" 'leave out --store$' "--check looks into no store"
is_status 2 "$PERFGATE" policy --check --target main
contains "$err" 'leave out --target$' "--check is for every branch"
is_status 2 "$PERFGATE" policy --check a b
printf '[rule "x"]\n\tfloor = 64KIB\n' >../bad.conf
is_status 2 "$PERFGATE" policy --check ../bad.conf
contains "$err" "^perfgate: \.\./bad\.conf:2: floor: no unit 'KIB'; did you mean 'KiB'\?" "--check says what is wrong"
is "" "$(cat "$out")" "... and nothing else"
is_status 2 "$PERFGATE" policy --check --json ../bad.conf
is '{"policy": "../bad.conf", "ok": false, "error": "../bad.conf:2: floor: no unit '"'KIB'; did you mean 'KiB'"'?"}' "$(cat "$out")" "... in JSON, too"
ok "--check --json" "$PERFGATE" policy --check --json ../all.conf
is '{"policy": "../all.conf", "ok": true, "error": null, "gate": 2, "rule": 1, "accept": 2, "waive": 2, "rename": 2, "retire": 2}' "$(cat "$out")" "--check --json"

# what a policy says of series that are there can be wrong, too
printf '[rule "all"]\n\tsuite = ^kpi$\n\tfloor = 64 KiB\n' >perfgate.conf
for command in 'policy' 'policy --series'; do
	is_status 2 "$PERFGATE" $command
	contains "$err" "^perfgate: perfgate\.conf:3: floor: kpi [a-z_]+ of [a-z_]+: KiB is a unit of bytes, and the metric is in 'count'" "$command: a unit that does not fit"
done
printf '[rename "a"]\n\tfrom = ^lex$\n\tto = parse\n[rename "b"]\n\tfrom = ^parse$\n\tto = lex\n' >perfgate.conf
is_status 2 "$PERFGATE" policy --series
contains "$err" '^perfgate: perfgate\.conf:1 rename "a", perfgate\.conf:4 rename "b": they rename .* in a circle' "renames in a circle"

# suites are separated by blanks
for value in 'kpi, callgrind' 'kpi,callgrind' 'kpi;clpeak' '"kpi"'; do
	printf '[gate]\n\texpect = %s\n' "$value" >perfgate.conf
	is_status 2 "$PERFGATE" policy
	contains "$err" '^perfgate: perfgate\.conf:2: expect: .* is no name of a suite .*separated by blanks' "expect = $value"
done
printf '[gate]\n\texpect = kpi\tcall-grind_2.x\n' >perfgate.conf
ok "other names of suites" "$PERFGATE" policy

# a link to nothing is no policy that is absent
rm perfgate.conf && ln -s nowhere.conf perfgate.conf
is_status 2 "$PERFGATE" policy
contains "$err" '^perfgate: .*perfgate\.conf: a link to a file that is not there' "a link to nothing"
printf '[gate]\n\tbase = main\n' >nowhere.conf
ok "a link to a file" "$PERFGATE" policy
is "policy: perfgate.conf" "$(head -n 1 "$out")" "a link to a file"
rm perfgate.conf nowhere.conf

# a bare repository has the policy of its HEAD
printf '[rule "of HEAD"]\n\tmetric = ^allocs\n\tclass = info\n' >perfgate.conf
git add perfgate.conf && commit policy
git clone -q --bare . ../bare.git
mkdir ../bare.git/perfgate && cp .git/perfgate/store.db ../bare.git/perfgate/
(cd ../bare.git && printf '[rule "of a folder"]\n\tclass = hard\n' >perfgate.conf && run "$PERFGATE" policy)
contains "$out" '^kpi +allocs_per_op +[0-9]+ +info .*perfgate\.conf:1 of HEAD' "a bare repository: the policy of HEAD"
lacks "$out" 'of a folder' "... and not that of the folder"

# every command that reads the policy says what is wrong with it, and where
printf '[gate]\n\tbase = main\n[rule "x"]\n\tclas = hard\n' >perfgate.conf
for command in policy gate diff 'show parse' 'ingest a.json' env; do
	is_status 2 "$PERFGATE" $command
	contains "$err" "^perfgate: perfgate\.conf:4: .*'clas'.*did you mean 'class'" "$command: a key that is not known"
done
### what is no error, and can hardly be meant

printf '[gate]\n\texpect = kpo\n\tcreep = 5%%\n' >doubtful.conf
ok "--check of what can hardly be meant" "$PERFGATE" policy --check doubtful.conf
contains "$err" 'expect = kpo: no format gives that suite; did you mean kpi' "a suite that nothing gives"
contains "$err" 'a creep is set and no reference' "a creep without a reference"
printf '[gate]\n\texpect = kpi my-suite\n\tcreep = 5%%\n\treference = v1\n' >plain.conf
ok "--check of what can" "$PERFGATE" policy --check plain.conf
is "" "$(cat "$err")" "... says nothing of it"

done_testing
