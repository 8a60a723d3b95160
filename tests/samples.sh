# The sample documents of ../shared/samples, where that folder is there: each is read, but for
# those of the list below, which are refused for the reason given. And the verdict that is known.
. "${srcdir:-.}/tests/lib.sh"

[ -d "$samples" ] || skip_all "there is no folder ../shared/samples"
cd "$samples" || exit 99

cat >"$tmp/refused" <<'LIST'
callgrind/raw/cachegrind.sum.out: cachegrind
callgrind/raw/callgrind.sum.instr-off.out: the total is 0
callgrind/raw/callgrind.sum.toggle-none.out: the total is 0
callgrind/raw/callgrind.thr.sep.out: is empty
callgrind/raw/dhat.sum.out: DHAT
callgrind/raw/fixture__callgrind.empty.out: is empty
callgrind/raw/fixture__callgrind.invalid.version_too_high.out: version 2
callgrind/raw/fixture__callgrind.no_records.no_summary_and_totals.out: the total is 0
callgrind/raw/fixture__callgrind.no_records.with_summary_and_totals.out: the total is 0
callgrind/raw/memcheck.leak.xml: XML
clpeak/old/deb_clpeak_1.1.2_pocl.v1.xml: format 1
clpeak/old/v2_opencl_pocl.json: format 2
kpi/schema_mismatch.json: schema_version 2
kpi/suite_bigger.json: --format says which
kpi/suite_render.json: --format says which
kpi/suite_smaller.json: --format says which
trace/catapult/instant_events.json: no B, E or X event
trace/catapult/nestable_async.json: no B, E or X event
trace/instrumentor/dbl.json: truncated
trace/instrumentor/esc.json: no B, E or X event
trace/instrumentor/noend.json: truncated
LIST

for file in kpi/*.json clpeak/*.json clpeak/old/* callgrind/summaries/*json callgrind/raw/*.out* \
	callgrind/raw/*.xml trace/*/*.json; do
	reason=$(sed -n "s,^$file: ,,p" "$tmp/refused")
	if [ -z "$reason" ]; then
		ok "$file is read" "$DUMP" "$file"
	else
		is_status 1 "$DUMP" "$file"
		contains "$out" "^error: $file:.*$reason" "$file is refused: $reason"
	fi
done

if "$PERFGATE" diff -h >"$out" 2>&1; then
	is_status 1 "$PERFGATE" diff --exit-code kpi/perf-scenarios_baseline.json kpi/perf-scenarios_regressed.json
	for what in 'single_session_long.*allocs_per_op' 'team_fanout.*cache_hit_rate' \
		'background_subagents.*goroutines_end'; do
		contains "$out" "$what" "regressed: $what"
	done
	is_status 0 "$PERFGATE" diff --exit-code kpi/perf-scenarios_baseline.json kpi/perf-scenarios_baseline.json
else
	skip "the known verdict of kpi" "the program has no diff yet"
fi
done_testing
