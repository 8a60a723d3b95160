# perfgate gate: the exit table, what narrows it, and its reports.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# base_and_head BASE-ARGS -- HEAD-ARGS: a repository with one run on each of two commits; ARGS
# as for kpi.
n=0
base_and_head()
{
	n=$((n + 1))
	repository "r$n"
	change base
	before=
	while [ "$1" != -- ]; do
		before="$before $1"
		shift
	done
	shift
	kpi $before >"$tmp/base.json" && ingest "$tmp/base.json"
	change head
	kpi "$@" >"$tmp/head.json" && ingest "$tmp/head.json"
}

### exact metrics, on their limits

# limit VERDICT STATUS METRIC BASE HEAD
limit()
{
	base_and_head parse "$3=$4" -- parse "$3=$5"
	gate "$2" "$3 from $4 to $5" main
	is "$1" "$(verdict parse "$3")" "$3 from $4 to $5 is $1"
}
limit pass 0 allocs_per_op 100 102
limit regressed 1 allocs_per_op 100 103
limit improved 0 allocs_per_op 100 97
limit pass 0 allocs_per_op 100 98
limit pass 0 allocs_per_op 5000000000000000000 5100000000000000000
limit regressed 1 allocs_per_op 5000000000000000000 5100000000000000001
limit regressed 1 allocs_per_op 0 1
limit pass 0 allocs_per_op 0 0
limit regressed 1 bytes_per_op 50 52
limit pass 0 bytes_per_op 50 51
limit regressed 1 goroutines_end 0 1
limit improved 0 goroutines_end 1 0
limit pass 0 cache_hit_rate 0.9 0.855
limit regressed 1 cache_hit_rate 0.9 0.8549
limit improved 0 cache_hit_rate 0.7 0.9
limit regressed 1 cache_hit_rate 0.75 0
limit pass 0 cache_hit_rate 0.01 0.0091
limit info 0 iterations 100 500
limit info 0 wall_clock_ns 100 500
limit info 0 tokens_input 100 500
base_and_head parse tokens_input=90 tokens_output=10 -- parse tokens_input=93 tokens_output=10
gate 1 "tokens_total" main
is regressed "$(verdict parse tokens_total)" "tokens_total is input + output"

base_and_head parse allocs_per_op=100 , parse allocs_per_op=101 -- parse allocs_per_op=101 , parse allocs_per_op=104
gate 0 "medians that lie between two samples" main
is pass "$(verdict parse allocs_per_op)" "100.5 to 102.5 is within 2 %"
contains "$report" '"median": 100\.5\}.*"median": 102\.5\}' "medians of two samples are exact"
is true "$(verdict parse allocs_per_op unstable)" "samples that spread by more than the tolerance are unstable"
contains "$report" 'judge = noisy' "... and the rule that allows for it is named"

### the table, hard

base_and_head parse allocs_per_op=1 , lex allocs_per_op=1 -- lex allocs_per_op=1
gate 3 "missing" main
is missing "$(verdict parse allocs_per_op)" "a series that HEAD lacks is missing"
conf '[rule "warn"]' 'benchmark = ^parse$' 'missing = warn'
gate 0 "missing = warn" main
is missing "$(verdict parse allocs_per_op)" "missing = warn is still reported"
contains "$out" '^missing +parse' "... in the text"
conf '[rule "ignore"]' 'benchmark = ^parse$' 'missing = ignore'
gate 0 "missing = ignore" main
is info "$(verdict parse allocs_per_op)" "missing = ignore says nothing"
conf '[rule "error"]' 'benchmark = ^parse$' 'missing = error'
gate 3 "missing = error" main
conf '[rule "advisory"]' 'benchmark = ^parse$' 'class = advisory'
gate 0 "missing, advisory" main
is missing "$(verdict parse allocs_per_op)" "missing, advisory: reported"
gate 0 "missing, advisory, --strict" --strict main
rm perfgate.conf
gate 0 "missing, but not asked about" --only '^lex$' main
gate 2 "--only that matches nothing" --only 'nothing like that' main
contains "$err" 'nothing like that.*matches no benchmark' "... is a mistake to be told"

base_and_head parse rss_peak_bytes=4096 allocs_per_op=1 -- parse rss_peak_bytes=0 allocs_per_op=1
gate 0 "lost, advisory" main
is lost "$(verdict parse rss_peak_bytes)" "an absence in place of a number is lost"
contains "$report" '"rss_peak_bytes".*"absence": "unsupported: 0 means no reading"' "... with its reason"
conf '[rule "memory"]' 'metric = ^rss_' 'class = hard'
gate 3 "lost, hard" main
is lost "$(verdict parse rss_peak_bytes)" "lost, hard"
conf '[rule "memory"]' 'metric = ^rss_' 'class = hard' 'missing = warn'
gate 0 "lost, hard, missing = warn" main

base_and_head parse allocs_per_op=1 -- parse allocs_per_op=1 , lex allocs_per_op=1
gate 0 "new" main
is new "$(verdict lex allocs_per_op)" "a series that the base lacks is new"
conf '[gate]' 'base = main'
gate 0 "new, with require"

repository nobase
change base
change head && measure 100
gate 0 "no base, no perfgate.conf" main
is no-base "$(verdict parse allocs_per_op)" "no commit has a run: no base"
contains "$out" '^NOT JUDGED' "... and the first line does not say pass"
conf '[gate]' 'base = main'
gate 3 "no base, perfgate.conf"
contains "$out" '--first-run' "... and what to do"
gate 0 "no base, --first-run" --first-run
is no-base "$(verdict parse allocs_per_op)" "--first-run changes no verdict"
conf '[gate]' 'base = main' 'require = no'
gate 0 "no base, require = no"
conf '[gate]' 'base = main' '[rule "all"]' 'class = advisory'
gate 0 "no base, advisory"

printf 'version: 1\ncmd: prog\nevents: Ir\nsummary: 5000\ntotals: 5000\n' >cg.out
base_and_head parse allocs_per_op=1 -- parse allocs_per_op=1
ingest --commit HEAD~1 ../nobase/cg.out
gate 0 "a suite that was not measured" main
is not-measured "$(verdict '' '')" "a suite that was not measured"
contains "$out" '^not measured: callgrind$' "... is named"
conf '[gate]' 'expect = kpi callgrind'
gate 3 "an expected suite that was not measured" main
contains "$out" '^not measured: callgrind \(expected\)' "... is named as expected"
gate 0 "an expected suite, not asked about" --suite kpi main
conf '[gate]' 'expect = kpi trace' 'require = no'
gate 0 "an expected suite, require = no" main
conf '[gate]' 'expect = kpi trace'
gate 3 "an expected suite that no base knows either" main
contains "$out" '^not measured: .*trace \(expected\)' "... is named"
conf '[gate]' 'expect = kpi'
gate 0 "the expected suite alone" main

# a component is missing only from its own component, and the suite was measured
repository components
change base
kpi a allocs_per_op=1 >a.json && kpi b allocs_per_op=1 >b.json
ingest --component services/a a.json
ingest --component services/b b.json
change head
ingest --component services/a a.json
conf '[gate]' 'expect = kpi'
gate 0 "a component that was not measured" main
is "" "$(verdict services/b/b allocs_per_op)" "nothing of it is missing"
lacks "$out" '^not measured: kpi' "its suite was measured"
contains "$report" 'kpi of services/b was measured at' "... and a note names the component"

base_and_head parse wall_clock_ns=1000 iterations=10 -- parse wall_clock_ns=5000 iterations=10
gate 0 "a noisy metric" main
is inconclusive "$(verdict parse wall_ns_per_op)" "one sample a side of a noisy metric tells nothing"

### advisory

base_and_head parse allocs_per_op=100 -- parse allocs_per_op=200
conf '[rule "advisory"]' 'benchmark = ^parse$' 'class = advisory'
gate 0 "regressed, advisory" main
is regressed "$(verdict parse allocs_per_op)" "regressed, advisory"
is false "$(verdict parse allocs_per_op gates)" "... does not gate"
contains "$out" '^PASS .*not gating: 1 regressed' "... and the first line mentions it"
gate 1 "regressed, advisory, --strict" --strict main
is true "$(verdict parse allocs_per_op gates)" "... gates"
conf '[rule "info"]' 'class = info'
gate 0 "regressed, info, --strict" --strict main
is info "$(verdict parse allocs_per_op)" "class = info is never judged"

### precedence

base_and_head parse allocs_per_op=100 , lex allocs_per_op=1 -- parse allocs_per_op=200
gate 1 "a regression goes before something missing" main
is missing "$(verdict lex allocs_per_op)" "... which is reported"
conf '[gate' 'base = main'
gate 2 "a bad policy goes before a regression" main
contains "$err" '^perfgate: perfgate\.conf:1: ' "... and says where"
rm perfgate.conf
gate 2 "a report that cannot be written goes before a regression" --report json:/nonexistent/x main
contains "$err" '/nonexistent/x' "... and says which"

### HEAD without a run

repository unmeasured
change base && measure 100
change head
gate 3 "HEAD without a run" main
contains "$out" '^NOT JUDGED' "HEAD without a run is not called a pass"
contains "$out" 'perfgate ingest' "... and what to type"
gate 3 "HEAD without a run, --first-run" --first-run main
echo '[]' >empty.json && ingest empty.json
gate 3 "HEAD with an empty document" main

### the store

repository nostore
change base
gate 2 "no store" main
contains "$err" "$work/nostore/.git/perfgate/store.db" "the message names the path"
ok "and none was made" test ! -e .git/perfgate
gate 2 "--store of no file" --store "$tmp/no.db" main
contains "$err" "$tmp/no\.db" "--store of no file: named"
echo 'not a database, but long enough to be taken for one or not' >"$tmp/bad.db"
gate 2 "a store that is none" --store "$tmp/bad.db" main
cd "$work/r1"
PERFGATE_STORE=$tmp/no.db gate 2 "PERFGATE_STORE" main
PERFGATE_STORE=$tmp/no.db gate 0 "--store goes before PERFGATE_STORE" --store .git/perfgate/store.db main
mkdir "$tmp/ro" && cp .git/perfgate/store.db "$tmp/ro" && chmod a-w "$tmp/ro/store.db" "$tmp/ro"
gate 0 "a read-only store" --store "$tmp/ro/store.db" main
if [ -w "$tmp/ro" ]; then
	skip "nothing was made beside it" "the superuser may write anywhere"
else
	is "store.db" "$(ls "$tmp/ro")" "nothing was made beside it"
fi
chmod u+w "$tmp/ro"
cp .git/perfgate/store.db "$tmp/before.db"
gate 0 "the gate again" main
same "$tmp/before.db" .git/perfgate/store.db "the gate changes nothing in the store"

### the policy of HEAD

base_and_head parse allocs_per_op=100 -- parse allocs_per_op=150
conf '[rule "lenient"]' 'tolerance = 80%' && git add perfgate.conf && commit conf
measure 150
git checkout -q HEAD~1
gate 1 "the commit before the policy" HEAD~1
gate 0 "the policy of the commit that is judged holds" HEAD~1 main
contains "$report" '"policy": "perfgate.conf"' "... and is named"
gate 1 "... and not that of the work tree" HEAD~1 HEAD
git checkout -q main
conf '[rule "strict"]' 'tolerance = 0.1%'
gate 0 "the work tree's policy" main~1

### reports

base_and_head parse allocs_per_op=100 wall_clock_ns=10 iterations=5 , lex allocs_per_op=1 -- \
	parse allocs_per_op=103 wall_clock_ns=10 iterations=5 , lex allocs_per_op=1
gate 1 "text" main
is FAIL "$(head -n 1 "$out" | cut -d' ' -f1)" "the first line opens with the verdict"
contains "$out" '^regressed +parse +allocs_per_op +100 +103 +\+3\.0 % +2 %, 1' "a regression with both medians, change and what is allowed"
lacks "$out" '^pass' "what passed is only counted"
contains "$out" '--all' "... and --all is mentioned"
gate 1 "--all" --all main
contains "$out" '^pass +lex +allocs_per_op' "--all lists what passed"
lacks "$out" "$(printf '\033')" "no colour where there is no terminal"
gate 1 "two files of one format" --report "json:$tmp/again.json" main
same "$report" "$tmp/again.json" "a report is the same whenever it is written"
ok "JSON on standard output" sh -c '"$0" gate --report json main >"$1"; test $? -eq 1' "$PERFGATE" "$tmp/stdout.json"
same "$report" "$tmp/stdout.json" "JSON on standard output is the same"
gate 2 "no such format" --report xml main
contains "$err" 'xml.*text, json' "no such format: those that there are"
gate 2 "a pattern that is none" --only '(' main
contains "$err" '--only' "a pattern that is none: which option"
gate 2 "too many operands" main HEAD HEAD
gate 2 "an option that is not there" --stric main
contains "$err" 'did you mean --strict' "an option that is not there: the nearest"
gate 3 "--suite of a suite that HEAD did not measure" --suite trace main
contains "$out" '^NOT JUDGED' "--suite of a suite that HEAD did not measure: nothing is judged"
gate 1 "--suite, twice" --suite trace --suite kpi main

if command -v jq >/dev/null; then
	run "$PERFGATE" gate --report json main
	ok "the JSON report parses" jq -e . "$tmp/stdout.json"
	check()
	{
		ok "JSON: $1" jq -e "$1" "$tmp/stdout.json"
	}
	check '.schema == "perfgate/report" and .version == 1 and .command == "gate" and .exit == 1'
	check '.policy == "built-in rules" and .judged == 2'
	check '.head.sha == "'"$sha"'" and .head.subject == "head" and .head.tree_state == "clean"'
	check '.base.asked == "main" and .base.sha == "'"$(git rev-parse HEAD~1)"'" and .base.subject == "base"'
	check '.base.guess == false and (.base.why | type) == "string" and .base.distance == 1'
	check '.summary.regressed == 1 and .summary.pass == 1 and ([.summary[]] | add) == (.verdicts | length)'
	check '(.notes | type) == "array" and (.next | type) == "array"'
	check '.verdicts[0] | .suite == "kpi" and .benchmark == "parse" and .metric == "allocs_per_op" and .verdict == "regressed"'
	check '.verdicts[0] | .class == "hard" and .judge == "exact" and .direction == "lower" and .unit == "count" and .gates'
	check '.verdicts[0] | .base.median == 100 and .base.n == 1 and .head.median == 103 and .head.n == 1 and .change == 0.03'
	check '.verdicts[0] | .tolerance == 0.02 and .floor == 1 and .unstable == false and .absence == null'
	check '[.verdicts[] | select(.gates)] | length == 1'
else
	skip "the JSON report parses" "jq is not installed"
fi

# names that hold what could steer a terminal
repository names
change base
printf '[{"schema_version":1,"name":"a\\u001b[31m\\"x\\u202e","allocs_per_op":100}]' >doc.json && ingest doc.json
change head
sed -i 's/:100/:200/' doc.json && ingest doc.json
gate 1 "a name with an escape sequence" main
lacks "$out" "$(printf '\033')" "a name cannot steer the terminal"
contains "$out" 'a\\x1b\[31m"x' "... it is shown escaped"
command -v jq >/dev/null && ok "... and is JSON" jq -e '.verdicts[0].benchmark == "a\u001b[31m\"x\u202e"' "$report"

# head was not measured: nothing is "expected" that no policy lists, and the base is named
repository unmeasured
change one && one=$sha && measure 100
change two && two=$sha
gate 3 "a commit without a run"
contains "$out" "^NOT JUDGED +1 not measured: $(echo "$two" | cut -c1-7) against $(echo "$one" | cut -c1-7) \\(1 commit back\\)" "... is told, and against what"
contains "$out" '^not measured: kpi$' "... and the suite is not called expected"
lacks "$report" 'gate\.expect' "... nor in the JSON"
contains "$report" '"verdict": "not-measured".*"gates": true' "... where it gates"
contains "$out" '^next: run the benchmarks, then: perfgate ingest results/$' "... and what to do"
conf '[gate]' 'expect = kpi'
gate 3 "an expected suite without a run"
contains "$out" '^not measured: kpi \(expected\)$' "... is called so"
rm -f perfgate.conf
git checkout -q "$one"
gate 3 "a commit that is not checked out" "$one" "$two"
contains "$out" "then: perfgate ingest --commit $(echo "$two" | cut -c1-12) results/" "... is named to ingest"
git checkout -q main
cp .git/perfgate/store.db "$tmp/it's one.db"
gate 3 "a store that was named" --store "$tmp/it's one.db"
contains "$out" "perfgate ingest --store '.*/it'\\\\''s one.db' results/" "... is named to ingest, quoted"
repository elsewhere
change other
gate 3 "the store of another repository" --store "$tmp/it's one.db"
noted 'is the store of another repository: its first commit, [0-9a-f]{12}, is not in this one' "... is told"

# nothing to compare with: what to do
repository first
change one && measure 100 --runner a
gate 0 "the first commit of all"
contains "$out" '^next: measure the next commit too' "... is told what comes next"
change two && measure 100 --runner b
conf '[rule "never"]' 'across-runners = no'
gate 3 "another runner's numbers"
contains "$out" '^next: .*perfgate ingest --runner NAME.*across-runners = yes' "... and what helps"

# the level that holds is another commit's than the base
repository held
change good && good=$sha && measure 100
change worse && measure 110
change same && measure 110
gate 1 "a level that is held"
contains "$out" "10 more than 100 \\(\\+10\\.00 %\\), the last good level \\($(echo "$good" | cut -c1-7)\\);" "... is told, and of which commit"

# from 0: how much stands in the unit
repository zero
conf '[rule "noisy"]' 'metric = allocs' 'judge = noisy' 'sessions = pool'
change base
kpi parse allocs_per_op=0 , parse allocs_per_op=0 , parse allocs_per_op=0 , parse allocs_per_op=0 , parse allocs_per_op=0 , parse allocs_per_op=0 >zeros && ingest --session s zeros
change head
kpi parse allocs_per_op=12 , parse allocs_per_op=13 , parse allocs_per_op=12 , parse allocs_per_op=11 , parse allocs_per_op=12 , parse allocs_per_op=12 >twelve && ingest --session s twelve
gate 1 "noisy, from 0"
contains "$out" 'from 0' "... there is no share"
contains "$out" '\+12, \+11 \.\. \+13 \(95 %\)' "... but sizes in the unit"
contains "$report" '"detectable": null' "... and no share that could be seen"

# the policy's branch was renamed
conf '[gate]' 'base = master'
is_status 2 "$PERFGATE" gate
contains "$err" "base in \\[gate\\] of perfgate.conf: no revision 'master'.*there is a branch 'main': base = main" "a base that is gone: who named it, and what there is"
is_status 2 "$PERFGATE" gate master
lacks "$err" 'perfgate\.conf' "an operand is nobody else's"

# the change of a noisy series is the shift over all pairs
repository shift
conf '[rule "noisy"]' 'metric = allocs' 'judge = noisy' 'sessions = pool'
change base
kpi parse allocs_per_op=100 , parse allocs_per_op=100 , parse allocs_per_op=200 , parse allocs_per_op=200 , parse allocs_per_op=200 >base.json && ingest --session s base.json
change head
kpi parse allocs_per_op=101 , parse allocs_per_op=101 , parse allocs_per_op=101 , parse allocs_per_op=210 , parse allocs_per_op=210 >head.json && ingest --session s head.json
gate 3 "medians and shift that contradict each other" --all
contains "$report" 'the change is the shift over all pairs of samples, the medians differ by -49\.5 %' "... and a word about it"
done_testing
