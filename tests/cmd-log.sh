# perfgate log: the runs in the store, newest first.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

repository r
is_status 2 "$PERFGATE" log
contains "$err" 'store\.db' "no store: its path"
change one && one=$sha
kpi parse allocs_per_op=1 at=2026-03-01T10:00:00Z , lex allocs_per_op=2 at=2026-03-01T10:00:05Z >a.json
ingest --runner lab --session s1 a.json
change two && two=$sha
kpi parse allocs_per_op=1 at=2026-03-03T10:00:00Z >b.json
ingest --runner lab --session s2 --branch topic b.json
echo more >>file
kpi parse allocs_per_op=1 at=2026-03-02T10:00:00Z >c.json
ingest --runner lab --session s3 c.json
printf 'version: 1\ncmd: prog\nevents: Ir\nsummary: 5\ntotals: 5\n' >cg.out
git checkout -q file

ok "log" "$PERFGATE" log
contains "$out" '^WHEN \(UTC\) +COMMIT +BRANCH +SUITE +SERIES +SAMPLES +RUN +RUNNER$' "log: its headings"
is 4 "$(wc -l <"$out" | tr -d ' ')" "log: a line a run"
is "2026-03-03 2026-03-02 2026-03-01" "$(sed 1d "$out" | cut -c1-10 | tr '\n' ' ' | sed 's/ $//')" "newest first, by when they were measured"
contains "$out" "^2026-03-03 10:00 +$(echo "$two" | cut -c1-10) +topic +kpi +[0-9]+ +[0-9]+ +[0-9a-f]{8} +lab\$" "a clean run"
contains "$out" "^2026-03-02 10:00 +$(echo "$two" | cut -c1-10)\\+ +main" "a run with changes has a +"
contains "$out" "^2026-03-01 10:00 +$(echo "$one" | cut -c1-10) +main +kpi +4 +4 " "series and samples"
ok "--limit" "$PERFGATE" log --limit 1
is 2 "$(wc -l <"$out" | tr -d ' ')" "--limit"
ok "-l" "$PERFGATE" log -l2
is 3 "$(wc -l <"$out" | tr -d ' ')" "-l2"
ok "--limit 0" "$PERFGATE" log --limit 0
is 4 "$(wc -l <"$out" | tr -d ' ')" "--limit 0 lists all"
is_status 2 "$PERFGATE" log --limit x
contains "$err" '^perfgate: --limit: ' "--limit of no number"
is_status 2 "$PERFGATE" log --limit -1
ok "--commit" "$PERFGATE" log --commit HEAD~1
is 2 "$(wc -l <"$out" | tr -d ' ')" "--commit"
contains "$out" '^2026-03-01' "--commit: its run"
ok "--commit by its beginning" "$PERFGATE" log --commit "$(echo "$one" | cut -c1-9)"
contains "$out" '^2026-03-01' "--commit by its beginning"
is_status 2 "$PERFGATE" log --commit nowhere
contains "$err" "'nowhere'" "--commit of nothing"
ok "--suite" "$PERFGATE" log --suite trace
is 1 "$(wc -l <"$out" | tr -d ' ')" "--suite without runs"
ingest --commit "$one" --runner lab cg.out
ok "--suite --limit" "$PERFGATE" log --suite kpi --limit 2
is 3 "$(wc -l <"$out" | tr -d ' ')" "--limit counts runs of the suite"
is_status 2 "$PERFGATE" log operand
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	kpi "n$i" allocs_per_op=1 , "n$i" allocs_per_op="$i" >n.json
	ingest n.json
done
ok "without --limit" "$PERFGATE" log
is 21 "$(wc -l <"$out" | tr -d ' ')" "without --limit: 20"

cd "$work" && mkdir none && cd none
ok "no repository" "$PERFGATE" log --store ../r/.git/perfgate/store.db --commit "$one" --suite kpi
contains "$out" '^2026-03-01' "no repository: --commit by its SHA"
ok "--json" "$PERFGATE" log --store ../r/.git/perfgate/store.db --json --suite kpi --limit 0
if command -v jq >/dev/null; then
	cp "$out" "$tmp/log.json"
	ok "--json is JSON" jq -e 'length == 23' "$tmp/log.json"
	ok "--json: a run" jq -e '.[] | select(.session == "s1") | .commit == "'"$one"'" and .tree_state == "clean" and .branch == "main" and .runner == "lab" and .suite == "kpi" and .component == "" and .format == "kpi" and .format_version == "1" and .started_at == "2026-03-01T10:00:00Z" and .series == 4 and .samples == 4 and .absences == 0 and (.facts | type) == "object" and (.digest | length) == 64' "$tmp/log.json"
	ok "--json: a time that is not known" jq -e '[.[] | select(.started_at == null)] | length == 20' "$tmp/log.json"
	run "$PERFGATE" log --store ../r/.git/perfgate/store.db --json --suite none
	cp "$out" "$tmp/log.json"
	ok "--json of nothing is JSON" jq -e 'length == 0' "$tmp/log.json"
else
	skip "--json is JSON" "jq is not installed"
fi
cd "$work/r"
ok "COLUMNS" env COLUMNS=80 "$PERFGATE" log
is "" "$("$TEST_AWK" 'length > 80' "$out")" "COLUMNS is the width of the table"
done_testing
