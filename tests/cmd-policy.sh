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
done_testing
