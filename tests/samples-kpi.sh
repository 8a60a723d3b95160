# The kpi documents of ../shared/samples through store and gate, where that folder is there. The
# verdicts were worked out from the documents and the built-in rules, apart from perfgate.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

[ -d "$samples/kpi" ] || skip_all "there is no folder ../shared/samples"
samples=$(cd "$samples" && pwd)
baseline=$samples/kpi/perf-scenarios_baseline.json
regressed=$samples/kpi/perf-scenarios_regressed.json

# listed VERDICT: the series of $report with that verdict
listed()
{
	sed -n 's/.*"benchmark": "\([^"]*\)", "metric": "\([^"]*\)".*"verdict": "'"$1"'".*/\1 \2/p' "$report" | sort
}
cat >"$tmp/expected" <<'LIST'
background_subagents goroutines_end
single_session_long allocs_per_op
team_fanout cache_hit_rate
tui_scrollback_view_steady allocs_per_op
LIST

repository r
change parent
ok "the baseline" "$PERFGATE" ingest --commit HEAD "$baseline"
contains "$out" ': kpi, [0-9]+ series, [0-9]+ samples, ' "the baseline: one line"
contains "$err" 'names commit 6c4ff4761e36; stored under' "... and that its commit is another"
change child
ok "the regressed one, at a child commit" "$PERFGATE" ingest --commit HEAD "$regressed"
gate 1 "the known verdict" main
listed regressed >"$tmp/got"
same "$tmp/expected" "$tmp/got" "what regressed, and nothing else"
is "" "$(listed improved; listed missing; listed lost; listed new; listed no-base; listed incomparable)" "nothing is of another kind"
is 45 "$(listed pass | wc -l | tr -d ' ')" "every other hard series passes, and memory in use, which is noisy"
is 49 "$(sed -n 's/.*"judged": \([0-9]*\).*/\1/p' "$report")" "seven scenarios, five hard metrics and two of memory"
# value NAME METRIC BASE HEAD
value()
{
	contains "$report" "\"$1\", \"metric\": \"$2\".*\"base\": \\{[^}]*\"n\": 6, \"median\": $3\\}, \"head\": \\{\"n\": 6, \"median\": $4\\}" "$1 $2: medians of six"
}
value background_subagents goroutines_end 0 3
value single_session_long allocs_per_op '32178\.5' '32854\.5'
value team_fanout cache_hit_rate '0\.75' 0
value tui_scrollback_view_steady allocs_per_op 86 120
value single_session_long tokens_total 521040 521040
value team_fanout tokens_total 12880 12880
is "true" "$(verdict tui_scrollback_view_steady allocs_per_op unstable)" "the series that wobbles is flagged"
is 1 "$(grep -c '"unstable": true' "$report")" "... and it alone"
ok "diff" "$PERFGATE" diff --report "json:$report" HEAD~1
listed regressed >"$tmp/got"
same "$tmp/expected" "$tmp/got" "diff says the same"
ok "diff of the documents" "$PERFGATE" diff --report "json:$report" "$baseline" "$regressed"
listed regressed >"$tmp/got"
same "$tmp/expected" "$tmp/got" "diff of the documents says the same"

# the other way round, what was worse is better
ok "the other way round" "$PERFGATE" diff --exit-code --report "json:$report" "$regressed" "$baseline"
listed improved >"$tmp/got"
same "$tmp/expected" "$tmp/got" "the other way round"

# the documents by the commits that they name
ingest --store "$tmp/own.db" "$baseline" "$regressed"
gate 1 "the commits that the documents name" --store "$tmp/own.db" 6c4ff4761e36b9dcea74c9234788287ad1caff6e \
	aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
listed regressed >"$tmp/got"
same "$tmp/expected" "$tmp/got" "the commits that the documents name: the same"

# whatever the order of a document's elements
if command -v jq >/dev/null; then
	jq reverse "$baseline" >reversed-a.json
	jq 'sort_by(.wall_clock_ns)' "$regressed" >sorted-b.json
	ok "elements in another order" "$PERFGATE" diff --report "json:$report" reversed-a.json sorted-b.json
	listed regressed >"$tmp/got"
	same "$tmp/expected" "$tmp/got" "elements in another order: the same"
	jq '[.[] | select(.sample < 3)]' "$regressed" >first.json
	jq '[.[] | select(.sample >= 3)]' "$regressed" >second.json
	ingest --store "$tmp/halves.db" --commit HEAD~1 "$baseline"
	ingest --store "$tmp/halves.db" --commit HEAD second.json first.json
	gate 1 "samples over two documents" --store "$tmp/halves.db" main
	listed regressed >"$tmp/got"
	same "$tmp/expected" "$tmp/got" "samples over two documents: the same"
	value single_session_long allocs_per_op '32178\.5' '32854\.5'
else
	skip "elements in another order" "jq is not installed"
fi

# documents of zero runs and of another version
ok "an empty document" "$PERFGATE" ingest "$samples/kpi/empty.json"
contains "$out" 'no runs' "an empty document: no runs"
is_status 2 "$PERFGATE" ingest "$samples/kpi/schema_mismatch.json"
contains "$err" 'schema_version 2' "another schema_version is refused by number"
done_testing
