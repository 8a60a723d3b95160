# perfgate store: info, check, snapshot, merge, export, drop (push and fetch: cmd-store-push.sh).
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

store()
{
	"$PERFGATE" store "$@"
}

repository r
is_status 2 "$PERFGATE" store
contains "$err" "store -h" "store alone: where its commands are"
ok "store -h" "$PERFGATE" store -h
for command in info check snapshot merge export drop push fetch; do
	contains "$out" "^  $command +[a-z]" "store -h lists $command"
	ok "store $command -h" "$PERFGATE" store $command -h
	contains "$out" "^usage: perfgate store $command" "store $command -h"
	ok "store -h" "$PERFGATE" store -h
done
is_status 2 "$PERFGATE" store chek
contains "$err" "no command 'store chek'; did you mean 'store check'\?" "an unknown command: the nearest"
for command in info check export; do
	is_status 2 "$PERFGATE" store $command
	contains "$err" "^perfgate: .*/\.git/perfgate/store\.db" "no store: $command names the path"
done
ok "no store: none was made" test ! -e .git/perfgate

change one && one=$sha
kpi parse allocs_per_op=100 wall_clock_ns=10 iterations=3 at=2026-03-01T00:00:00Z , lex allocs_per_op=7 rss_peak_bytes=0 >a.json
ingest --runner lab --session s1 a.json
change two && two=$sha
kpi parse allocs_per_op=9223372036854775807 cache_hit_rate=0.1 >b.json
ingest --runner lab --session s2 b.json
ingest --runner 'other "lab"' --session s3 --branch topic b.json
db=$work/r/.git/perfgate/store.db

### info

ok "info" "$PERFGATE" store info
contains "$out" "$db" "info: the path"
contains "$out" "3 runs of 2 commits, [0-9]+ samples of [0-9]+ series, 2 benchmarks" "info: what it holds"
contains "$out" "$one" "info: the repository's first commit"
contains "$out" '^kpi +3 +[0-9]+ +2$' "info: suites, runs, runners"
if command -v jq >/dev/null; then
	ok "info --json" sh -c '"$0" store info --json | jq -e ".runs == 3 and .commits == 2 and .benchmarks == 2 and .dropped == 0 and .version == 2 and .root == \"'"$one"'\" and .suites[0].suite == \"kpi\" and .suites[0].runs == 3"' "$PERFGATE"
else
	skip "info --json" "jq is not installed"
fi

### check

ok "check" "$PERFGATE" store check
is ok "$(cat "$out")" "check: ok"
if command -v sqlite3 >/dev/null; then
	cp "$db" "$tmp/bad.db"
	sqlite3 "$tmp/bad.db" "update sample set value = 101 where value = 100"
	cp "$tmp/bad.db" "$tmp/bad-before.db"
	is_status 2 "$PERFGATE" store check --store "$tmp/bad.db"
	contains "$out" 'digest' "check finds a changed sample"
	same "$tmp/bad-before.db" "$tmp/bad.db" "check changes nothing"
else
	skip "check finds a changed sample" "sqlite3 is not installed"
fi
head -c 20000 "$db" >"$tmp/cut.db"
is_status 2 "$PERFGATE" store check --store "$tmp/cut.db"
is 20000 "$(wc -c <"$tmp/cut.db" | tr -d ' ')" "a damaged store is left as it is"

### export

ok "export" "$PERFGATE" store export
cp "$out" "$tmp/export"
is '{"perfgate":"export","version":1}' "$(head -n 1 "$tmp/export")" "export: its first line"
is 3 "$(grep -c '^{"run":' "$tmp/export")" "export: every run"
contains "$tmp/export" '"values":\[9223372036854775807\]' "export: integers are exact"
contains "$tmp/export" '"status":"unsupported","reason":"0 means no reading"' "export: absences"
ok "export again" "$PERFGATE" store export
same "$tmp/export" "$out" "equal stores give equal bytes"
ok "ingesting the export" "$PERFGATE" ingest "$tmp/export"
is 3 "$(grep -c 'already stored' "$out")" "ingesting the export adds nothing"
ok "into an empty store" "$PERFGATE" ingest --store "$tmp/new.db" "$tmp/export"
lacks "$out" 'already' "into an empty store: all is new"
run "$PERFGATE" store export --store "$tmp/new.db"
same "$tmp/export" "$out" "export and ingest are loss-free"
ok "export as samples" "$PERFGATE" store export --format samples
cp "$out" "$tmp/samples"
is "$(jq -s 'map(.values // []) | add | length' "$tmp/export" 2>/dev/null)" "$(jq -s 'map(select(.value != null)) | length' "$tmp/samples" 2>/dev/null)" "export as samples: a line each"
ok "ingesting samples" "$PERFGATE" ingest --store "$tmp/export.db" "$tmp/export"
ok "ingesting samples" "$PERFGATE" ingest --store "$tmp/export.db" "$tmp/samples"
is 3 "$(grep -c 'already stored' "$out")" "ingesting samples adds nothing to what they come from"
ok "samples into an empty store" "$PERFGATE" ingest --store "$tmp/samples.db" "$tmp/samples"
run "$PERFGATE" store export --store "$tmp/samples.db" --format samples
same "$tmp/samples" "$out" "samples are loss-free in what they hold"
is_status 2 "$PERFGATE" store export --format csv
(cd "$work" && mkdir none && cd none && "$PERFGATE" ingest --store "$tmp/far.db" "$tmp/export" >/dev/null 2>&1)
run "$PERFGATE" store export --store "$tmp/far.db"
same "$tmp/export" "$out" "... also where there is no repository"
if command -v jq >/dev/null; then
	ok "every line of the export is JSON" jq -e . "$tmp/export"
else
	skip "every line of the export is JSON" "jq is not installed"
fi
sed 's/\[100\]/[101]/' "$tmp/export" >"$tmp/tampered"
is_status 2 "$PERFGATE" ingest --store "$tmp/tampered.db" "$tmp/tampered"
contains "$err" 'digest' "an export that was changed is refused"

### snapshot

ok "snapshot" "$PERFGATE" store snapshot "$tmp/snapshot.db"
run "$PERFGATE" store export --store "$tmp/snapshot.db"
same "$tmp/export" "$out" "a snapshot holds the same"
ok "a snapshot needs nothing beside it" test ! -e "$tmp/snapshot.db-wal"
cp "$tmp/snapshot.db" "$tmp/kept.db"
is_status 2 "$PERFGATE" store snapshot "$tmp/snapshot.db"
contains "$err" "$tmp/snapshot\.db" "snapshot overwrites nothing: the path"
same "$tmp/kept.db" "$tmp/snapshot.db" "snapshot overwrites nothing"
is_status 2 "$PERFGATE" store snapshot /nonexistent/x.db
contains "$err" '^perfgate: /nonexistent/x\.db: No such file' "a folder that is not there: the path as it was given"
lacks "$err" 'file://|mode=' "... and no URI"
mkdir "$tmp/narrow" "$tmp/ended"
for signal in HUP INT TERM TERM TERM; do
	"$PERFGATE" store snapshot "$tmp/ended/s.db" &
	tries=2000
	while [ $tries -gt 0 ] && ! ls "$tmp/ended" | grep -q .; do tries=$((tries - 1)); done
	kill -$signal $! 2>/dev/null
	wait $! 2>/dev/null
	rm -f "$tmp/ended/s.db"
done
is "" "$(ls "$tmp/ended")" "a snapshot that is interrupted is whole or gone"
fails "no room for a snapshot" sh -c 'ulimit -f 8; exec "$0" store snapshot "$1"' "$PERFGATE" "$tmp/narrow/s.db"
is "" "$(ls "$tmp/narrow")" "... leaves nothing behind"
is_status 2 "$PERFGATE" store snapshot

### merge

kpi only-x allocs_per_op=1 >x.json && kpi only-y allocs_per_op=2 >y.json
for s in x y; do
	ingest --store "$tmp/$s.db" --runner "$s" "$s.json"
	ingest --store "$tmp/$s.db" --commit "$two" --runner shared a.json
done
export_of()
{
	"$PERFGATE" store export --store "$1" | sed 's/"ingested_at":"[^"]*"/"ingested_at":""/' >"$2"
}
ok "merge" "$PERFGATE" store merge --store "$tmp/xy.db" "$tmp/x.db" "$tmp/y.db"
contains "$out" "^$tmp/x\.db: 2 new runs, 0 already here\$" "merge: what was new"
contains "$out" "^$tmp/y\.db: 1 new run, 1 already here\$" "merge: what was not"
ok "the other way" "$PERFGATE" store merge --store "$tmp/yx.db" "$tmp/y.db" "$tmp/x.db"
export_of "$tmp/xy.db" "$tmp/xy" && export_of "$tmp/yx.db" "$tmp/yx"
same "$tmp/xy" "$tmp/yx" "merge is commutative"
ok "merge again" "$PERFGATE" store merge --store "$tmp/xy.db" "$tmp/y.db" "$tmp/x.db" "$tmp/yx.db"
lacks "$out" '[1-9] new' "merge is idempotent"
export_of "$tmp/xy.db" "$tmp/again"
same "$tmp/xy" "$tmp/again" "... byte by byte"
is_status 2 "$PERFGATE" store merge "$tmp/none.db"
contains "$err" "$tmp/none\.db" "merge of no file"
is_status 2 "$PERFGATE" store merge
is_status 2 "$PERFGATE" store merge a.json
repository other && change other
kpi z allocs_per_op=1 >z.json && ingest --store "$tmp/z.db" z.json
cd "$work/r"
is_status 2 "$PERFGATE" store merge "$tmp/z.db"
contains "$err" 'another repository' "merge of another repository"
run "$PERFGATE" store export
same "$tmp/export" "$out" "... changes nothing"
ok "merge --force" "$PERFGATE" store merge --store "$tmp/xy.db" --force "$tmp/z.db"

### drop

digest=$("$PERFGATE" log --json --commit "$one" | sed -n 's/.*"digest": "\([0-9a-f]*\)".*/\1/p')
is_status 2 "$PERFGATE" store drop
contains "$err" '--run, --commit' "drop of nothing: how to name runs"
is_status 2 "$PERFGATE" store drop --run 12
is_status 2 "$PERFGATE" store drop --run zzzzzzzz
is_status 2 "$PERFGATE" store drop --suite none
contains "$err" 'perfgate log' "drop of no run"
is_status 2 "$PERFGATE" store drop --commit nowhere
ok "drop --dry-run" "$PERFGATE" store drop --dry-run --commit "$two"
is 2 "$(grep -c '^would drop' "$out")" "drop --dry-run says what"
ok "drop" "$PERFGATE" store drop --run "$(echo "$digest" | cut -c1-8)"
contains "$out" "^dropped $(echo "$digest" | cut -c1-12) of $(echo "$one" | cut -c1-12) \\(kpi, " "drop says what"
is 2 "$("$PERFGATE" log --json | grep -c '"digest"')" "the run is gone, and no other"
ok "ingesting it again" "$PERFGATE" ingest --commit "$one" --runner lab --session s1 a.json
contains "$out" 'dropped earlier, not stored again' "a dropped run does not come back by ingest"
ok "merging it again" "$PERFGATE" store merge "$tmp/snapshot.db"
contains "$out" '0 new runs, 2 already here, 1 dropped earlier' "... nor by merge"
ok "ingesting an export of it" "$PERFGATE" ingest "$tmp/export"
is 2 "$("$PERFGATE" log --json | grep -c '"digest"')" "... nor by an export"
ok "its mark is honoured elsewhere" "$PERFGATE" store merge --store "$tmp/snapshot.db" "$db"
is 2 "$("$PERFGATE" log --store "$tmp/snapshot.db" --json | grep -c '"digest"')" "merging the mark drops the run"
"$PERFGATE" store export >"$tmp/marked"
contains "$tmp/marked" '^\{"tombstone":' "the export has the mark"
ok "info" "$PERFGATE" store info
contains "$out" '^dropped +1 ' "info counts it"
ok "check" "$PERFGATE" store check
is_status 2 "$PERFGATE" store drop --undo ffffffffff
ok "drop --undo" "$PERFGATE" store drop --undo "$digest"
ok "ingest after --undo" "$PERFGATE" ingest --commit "$one" --runner lab --session s1 a.json
lacks "$out" 'dropped' "after --undo it may come back"
ok "narrowed by several" "$PERFGATE" store drop --commit "$two" --runner lab --session s2 --suite kpi
is 1 "$(grep -c '^dropped' "$out")" "options narrow each other"
ok "--session" "$PERFGATE" store drop --session s3
is 1 "$("$PERFGATE" log --json | grep -c '"digest"')" "--session"
done_testing
