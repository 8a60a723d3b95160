# perfgate show: a benchmark's samples.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

repository r
is_status 2 "$PERFGATE" show parse
contains "$err" 'store\.db' "no store: its path"
change one
kpi parse allocs_per_op=100 , parse allocs_per_op=103 , parse/deep allocs_per_op=9 rss_peak_bytes=0 , lex allocs_per_op=1 >a.json
ingest --runner lab a.json
ok "a name" "$PERFGATE" show parse
contains "$out" '^parse +allocs_per_op +2 +101\.5 +count +100 103$' "median and samples, in order"
lacks "$out" 'deep|lex' "a name that is one is no pattern"
ok "a pattern" "$PERFGATE" show '^(parse/|l)'
contains "$out" '^parse/deep +allocs_per_op +1 +9 +count +9$' "a pattern"
contains "$out" '^lex ' "a pattern: all that match"
contains "$out" '^parse/deep +rss_peak_bytes +0 +- +B +unsupported: 0 means no reading$' "an absence, and why"
ok "--metric" "$PERFGATE" show --metric '^rss' parse/deep
lacks "$out" 'allocs' "--metric narrows"
is_status 2 "$PERFGATE" show pars3
contains "$err" "^perfgate: no benchmark 'pars3' at this commit; did you mean 'parse'\?" "a name that is near another"
is_status 2 "$PERFGATE" show xxxxxxxxxxxxxxxxxxx
contains "$err" "^perfgate: no benchmark 'xxxxxxxxxxxxxxxxxxx' at this commit" "a name like no other"
is_status 2 "$PERFGATE" show --metric zzz parse
contains "$err" "^perfgate: no metric of 'parse' matches 'zzz'; there are: allocs_per_op\$" "no metric that matches: those that there are"
is_status 2 "$PERFGATE" show -m zzz '^parse'
contains "$err" "matches 'zzz'; there are: allocs_per_op, rss_peak_bytes\$" "... of all benchmarks that the pattern matches"
is_status 2 "$PERFGATE" show -m zzz pars3
contains "$err" "^perfgate: no benchmark 'pars3'" "no benchmark goes before no metric"
is_status 2 "$PERFGATE" show --metric '(' parse
is_status 2 "$PERFGATE" show
is_status 2 "$PERFGATE" show parse HEAD more
change two
is_status 2 "$PERFGATE" show parse
contains "$err" 'no run in the store; perfgate log' "a commit without a run"
ok "a commit" "$PERFGATE" show parse HEAD~1
contains "$out" ' 100 103$' "a commit"
is_status 2 "$PERFGATE" show parse nowhere
contains "$err" "'nowhere'" "a commit that is none"
echo more >>file
kpi parse allocs_per_op=7 >b.json && ingest --runner lab b.json
ok "the work tree" "$PERFGATE" show parse
contains "$out" ' 7$' "the work tree's present run"
contains "$err" 'note: .*work tree' "... and says so"
echo more >>file
is_status 2 "$PERFGATE" show parse
contains "$err" 'as the work tree is now' "changes that were not measured"
git checkout -q file
kpi big bytes_per_op=9223372036854775807 , big bytes_per_op=9223372036854775806 cache_hit_rate=0.1 >b.json
ingest --runner lab b.json
ok "large integers" env COLUMNS=200 "$PERFGATE" show big
contains "$out" ' 9223372036854775806\.5 +B +9223372036854775807 9223372036854775806$' "large integers and their median are exact"
ok "--json" "$PERFGATE" show --json big
contains "$out" '"median": 9223372036854775806\.5, "absence": null, "values": \[9223372036854775807, 9223372036854775806\]' "--json: exact too"
contains "$out" '"median": 0\.1, .*"values": \[0\.1\]' "--json: reals"
if command -v jq >/dev/null; then
	ok "--json is JSON" sh -c '"$0" show --json . HEAD~1 | jq -e "length == 4"' "$PERFGATE"
	ok "--json: a series" sh -c '"$0" show --json parse HEAD~1 | jq -e "length == 1 and (.[0] | .suite == \"kpi\" and .benchmark == \"parse\" and .metric == \"allocs_per_op\" and .unit == \"count\" and .direction == \"lower\" and .variant == \"\" and .runner == \"lab\" and .n == 2 and .median == 101.5 and .values == [100, 103])"' "$PERFGATE"
	ok "--json: an absence" sh -c '"$0" show --json -m rss parse/deep HEAD~1 | jq -e ".[0] | .n == 0 and .median == null and .values == [] and .absence == \"unsupported: 0 means no reading\""' "$PERFGATE"
else
	skip "--json is JSON" "jq is not installed"
fi

# the newest session decides, whatever the order of storing
change sessions
kpi parse allocs_per_op=2 at=2026-03-02T00:00:00Z >new.json
kpi parse allocs_per_op=1 at=2026-03-01T00:00:00Z >old.json
ingest --runner lab --session new new.json
ingest --runner lab --session old old.json
ok "two sessions" "$PERFGATE" show parse
contains "$out" 'allocs_per_op +1 +2 +count +2$' "the newest session's samples, alone"

# a name that is a pattern which matches nothing else
kpi 'a(b' allocs_per_op=5 >odd.json && change odd && ingest odd.json
ok "a name that is no pattern" "$PERFGATE" show 'a(b'
contains "$out" '^a\(b +allocs_per_op' "a name that is no pattern"

# widths
kpi "$(printf %0300d 1)" allocs_per_op=5 >long.json && change long && ingest long.json odd.json
ok "COLUMNS" env COLUMNS=80 "$PERFGATE" show .
is "" "$("$TEST_AWK" 'length > 80' "$out")" "COLUMNS is the width of the table"
ok "no COLUMNS" "$PERFGATE" show .
contains "$out" '^0{299}1 ' "without it nothing is cut"
is "" "$("$TEST_AWK" '/^a/ && length > 160' "$out")" "... and a long name does not widen every row"

# CI systems take lines of the log for commands
kpi '::error file=x::boo' allocs_per_op=1 , '##[error]boo' allocs_per_op=2 >forged.json && change forged && ingest forged.json
ok "a name that is a command" env GITHUB_ACTIONS=true "$PERFGATE" show .
lacks "$out" '^ *::|##\[' "... is none in a CI system's log"
ok "--json there" env GITHUB_ACTIONS=true "$PERFGATE" show --json .
contains "$out" '"##\[error\]boo"' "--json keeps it"
is_status 2 env GITHUB_ACTIONS=true "$PERFGATE" show '##[error]'
lacks "$err" '##\[' "nor in what is complained of"
done_testing
