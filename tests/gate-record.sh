# Gates that are recorded: what is kept and listed, that it goes where runs go, that no gate reads it; and
# stores of the schema before it.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"
need sqlite3
need jq

store=.git/perfgate/store.db
# listed FILTER TEST: of what log --gates --json prints.
listed()
{
	run "$PERFGATE" log --gates --json
	is true "$(jq -c "$1" "$out")" "$2"
}

repository main
step 100 && first=$sha
step 120 && second=$sha
gate 1 "a gate that is not recorded" main
cp "$report" before.json
is 0 "$(query $store "SELECT count(*) FROM judgement")" "... leaves nothing"
gate 1 "one that is" --record main
same before.json "$report" "... says the same"
gate 1 "another time" --record main
same before.json "$report" "... too: no gate reads what was recorded"
listed 'length == 2 and .[0].digest != .[1].digest and .[0].made_at > .[1].made_at' "both are listed, newest first"
listed ".[0] | .head == \"$second\" and .base == \"$first\" and .exit == 1 and .tree_state == \"clean\"" "head, base and exit status"
listed '.[0].counts == {"regressed": 1}' "how many series got which verdict"
listed ".[0].verdicts | length == 1 and (.[0] | .suite == \"kpi\" and .benchmark == \"parse\" and .metric == \"allocs_per_op\"
	and .class == \"hard\" and .verdict == \"regressed\" and .gates and .base == \"$first\" and .base_median == 100
	and .head_median == 120 and (.change * 100 | round) == 20 and (.reason | test(\"20 more than 100\")))" "what gated, and why"
run "$PERFGATE" log --gates --limit 1
contains "$out" "^[-0-9]+ [0-9:]+ +$(echo "$second" | cut -c1-10) +$(echo "$first" | cut -c1-10) +1 +1 +regressed: kpi parse allocs_per_op$" "a line a gate"
is 2 "$(wc -l <"$out" | tr -d ' ')" "... and no more than are wanted"
is_status 2 "$PERFGATE" log --gates parse
is_status 2 "$PERFGATE" log --gates --suite kpi
printf '[gate]\n\texpect = kpi callgrind\n' >perfgate.conf
step 100 && third=$sha
gate 3 "what was not measured" --record main
listed '.[0] | .exit == 3 and .counts == {"not-measured": 1, "pass": 1} and (.verdicts | length == 1)
	and (.verdicts[0] | .suite == "callgrind" and .benchmark == "" and .gates and .base_median == null and .change == null)' \
	"a suite that was not measured is kept without a benchmark"
listed '.[0].policy != .[1].policy' "another policy is seen"
rm perfgate.conf
gate 0 "what passes" --record main "$third"
listed '.[0] | .exit == 0 and .counts == {"pass": 1} and .verdicts == []' "what only passes is in the counts alone"
run "$PERFGATE" log --gates --commit "$third"
is 3 "$(wc -l <"$out" | tr -d ' ')" "those of a commit"
run "$PERFGATE" log --gates --limit 0
contains "$out" " 1 pass$" "without anything that gates the counts are told"
run "$PERFGATE" store info
contains "$out" "^recorded +4 gates$" "info counts them"
run "$PERFGATE" store drop --suite kpi
listed 'length == 4' "they stay when their runs are dropped"

# ---- elsewhere ----

repository away
step 100 && step 120
run "$PERFGATE" gate --record main
run "$PERFGATE" store export
cp "$out" export.ndjson
is '{"perfgate":"export","version":2}' "$(head -n 1 export.ndjson)" "an export with recorded gates is of version 2"
ok "it is read back" "$PERFGATE" ingest --store ../back.db export.ndjson
run "$PERFGATE" store export --store ../back.db
same export.ndjson "$out" "... without loss"
ok "again" "$PERFGATE" ingest --store ../back.db export.ndjson
run "$PERFGATE" store export --store ../back.db
same export.ndjson "$out" "... changes nothing"
for change in 's/"verdict":"regressed"/"verdict":"improved"/' 's/"exit":1/"exit":0/' '/"verdict":{/d' 's/"pass":/"info":/; s/"regressed":1/"regressed":2/'; do
	sed "$change" export.ndjson >changed.ndjson
	is_status 2 "$PERFGATE" ingest --store ../changed.db changed.ndjson
	contains "$err" "judgement 1 says its digest is .* changed or cut" "refused where it was changed: $change"
done
# made up by others, who only have to know how digests are made
sed -n '1p; /"judgement"/ { s/"counts":{[^}]*}/"counts":{"pass":9223372036854775807,"regressed":9}/p; q; }' export.ndjson >made-up.ndjson
run "$PERFGATE" ingest --store ../made-up.db made-up.ndjson
digest=$(sed -n 's/.* its content has \([0-9a-f]*\):.*/\1/p' "$err")
sed -i "s/\"digest\":\"[0-9a-f]*\"/\"digest\":\"$digest\"/" made-up.ndjson
ok "counts that nothing has" "$PERFGATE" ingest --store ../made-up.db made-up.ndjson
ok "... are listed" "$PERFGATE" log --gates --store ../made-up.db
contains "$out" " 9223372036854775807  9223372036854775807 pass, 9 regressed" "... as the most that there can be"
ok "merged" "$PERFGATE" store merge --store ../one.db $store
ok "... twice" "$PERFGATE" store merge --store ../one.db $store
run "$PERFGATE" gate --record main
ok "merged with more" "$PERFGATE" store merge --store ../one.db $store
ok "the other way round" "$PERFGATE" store merge --store ../two.db $store ../back.db
run "$PERFGATE" store export --store ../one.db
cp "$out" one.ndjson
run "$PERFGATE" store export --store ../two.db
same one.ndjson "$out" "the order of merging does not matter"
is 2 "$(grep -c '^{"judgement":' one.ndjson)" "each gate is there once"
ok "only runs" "$PERFGATE" store merge --runs-only --store ../runs.db $store
is 0 "$(query ../runs.db "SELECT count(*) FROM judgement")" "... are merged without gates"

remote=$work/remote.git
git init -q --bare "$remote"
git remote add origin "file://$remote"
git push -q origin HEAD
ok "pushed" "$PERFGATE" store push
contains "$out" "^pushed [0-9]+ sessions? \(2 runs\), 2 recorded gates to" "... and told"
ok "pushed again" "$PERFGATE" store push
contains "$out" "^nothing new for" "... there is nothing new"
git clone -q "file://$remote" ../clone
cd ../clone || exit 99
ok "fetched" "$PERFGATE" store fetch
contains "$out" "\(2 runs\) from .*, 2 recorded gates" "... and told"
run "$PERFGATE" store export
same ../away/one.ndjson "$out" "... all of it"
ok "put together" "$PERFGATE" store push --compact
ok "fetched from that" "$PERFGATE" store fetch --store ../whole.db
run "$PERFGATE" store export --store ../whole.db
same ../away/one.ndjson "$out" "... all of it"
ok "in order" "$PERFGATE" store check --store ../whole.db
if [ -f ../whole.db ]; then
	sqlite3 ../whole.db "UPDATE verdict SET reason = 'x'"
	is_status 2 "$PERFGATE" store check --store ../whole.db
	contains "$out" "^recorded gate [0-9a-f]{12} of commit [0-9a-f]{12}: its content has changed" "a changed verdict is found"
else
	skip "a changed verdict is found" "it is about the SQLite file"
fi

# ---- what cannot be kept ----

cd "$work/away" || exit 99
run env PERFGATE_STORE=$work/none.db "$PERFGATE" gate --record main
is "2 no" "$? $([ -e "$work/none.db" ] && echo yes || echo no)" "no store is made for it"
[ -f $store ] || { skip "the rest" "it is about the SQLite file"; done_testing; exit; }
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w $store .git/perfgate
	run "$PERFGATE" gate --record main
	is 2 $? "a store that cannot be written: exit status 2"
	contains "$out" "regressed +kpi" "... behind the verdict"
	contains "$err" "^perfgate: the verdict is not recorded: .*(read-only|cannot)" "... and why"
	chmod u+w $store .git/perfgate
fi
sqlite3 $store "CREATE TRIGGER no BEFORE INSERT ON judgement BEGIN SELECT raise(ABORT, 'not now'); END"
run "$PERFGATE" gate --record main
is 2 $? "what cannot be stored: exit status 2"
contains "$out" "regressed" "... behind the verdict"
contains "$err" "^perfgate: the verdict is not recorded: .*not now" "... and why"
sqlite3 $store "DROP TRIGGER no"

# ---- schema 1 ----

# old FILE: the runs of this store as the version before this one kept them.
old()
{
	rm -f "$1"*
	{
		echo "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"
		cat "$srcdir/sql/schema-1.sql"
		echo "ATTACH '$store' AS new;"
		for table in property commit_ commit_parent runner benchmark metric series run sample absence tombstone; do
			echo "INSERT INTO main.$table SELECT * FROM new.$table;"
		done
	} | sqlite3 -bail "$1" >"$tmp/log" 2>&1 || fail "set-up: a store of schema 1"
}
run "$PERFGATE" store merge --runs-only --store "$tmp/plain.db" $store
run "$PERFGATE" store export --store "$tmp/plain.db"
cp "$out" plain.ndjson
old "$tmp/old.db"
cp "$tmp/old.db" "$tmp/read.db"
for command in "store info" "store check" "log" "log --gates" "store export" "gate main" "show parse"; do
	run "$PERFGATE" $command --store "$tmp/read.db"
	status=$?
	[ "$command" = "gate main" ] && is 1 $status "schema 1: $command" || is 0 $status "schema 1: $command"
done
run "$PERFGATE" store export --store "$tmp/read.db"
same plain.ndjson "$out" "... has all runs"
is "1 no" "$(query "$tmp/read.db" "PRAGMA user_version") $(ls "$tmp"/read.db.* 2>/dev/null || echo no)" "reading leaves it as it is"
cp "$tmp/old.db" "$tmp/copied.db"
run "$PERFGATE" gate --record --store "$tmp/old.db" main
is 1 $? "schema 1: a gate is recorded"
is "2 1" "$(query "$tmp/old.db" "PRAGMA user_version; SELECT count(*) FROM judgement" | tr '\n' ' ' | sed 's/ $//')" "... in the schema of today"
ok "... in order" "$PERFGATE" store check --store "$tmp/old.db"
ok "the copy is there, as it was" test -f "$tmp/old.db.schema-1"
is 1 "$(query "$tmp/old.db.schema-1" "PRAGMA user_version")" "... of schema 1"
run "$PERFGATE" store export --store "$tmp/old.db.schema-1"
same plain.ndjson "$out" "... with all runs"
is "" "$(ls "$tmp"/old.db.part* 2>/dev/null)" "nothing else is left"
is "$(query $store "SELECT sql FROM sqlite_schema ORDER BY name")" "$(query "$tmp/old.db" "SELECT sql FROM sqlite_schema ORDER BY name")" \
	"a store brought up to date is as a new one"

# killed at any moment
round=0 broken=0
while [ $round -lt 25 ]; do
	cp "$tmp/copied.db" "$tmp/killed.db"
	timeout -s KILL "0.0$(printf '%02d' $((round % 20 + 1)))" "$PERFGATE" gate --record --store "$tmp/killed.db" main >/dev/null 2>&1
	"$PERFGATE" store export --store "$tmp/killed.db" 2>"$err" | grep -v '"judgement"\|"verdict"\|"perfgate":"export"' >killed.ndjson
	grep -v '"perfgate":"export"' plain.ndjson | cmp -s - killed.ndjson || { broken=$((broken + 1)); show_output; }
	"$PERFGATE" gate --record --store "$tmp/killed.db" main >/dev/null 2>"$err" || [ $? -eq 1 ] || { broken=$((broken + 1)); show_output; }
	"$PERFGATE" store check --store "$tmp/killed.db" >/dev/null 2>"$err" || { broken=$((broken + 1)); show_output; }
	rm -f "$tmp"/killed.db*
	round=$((round + 1))
done 2>/dev/null
is 0 $broken "killed on the way it is of the one schema or of the other, and whole"

# several at once
cp "$tmp/copied.db" "$tmp/many.db"
for k in 1 2 3 4 5 6; do
	"$PERFGATE" gate --record --store "$tmp/many.db" main >said.$k 2>&1 &
done
wait
is 6 "$(query "$tmp/many.db" "SELECT count(*) FROM judgement")" "six at once, and each is kept"
fails "none of them failed" grep -h '^perfgate:' said.*
ok "... in order" "$PERFGATE" store check --store "$tmp/many.db"

# no room for the copy
if [ "$(id -u)" -eq 0 ] && mkdir "$tmp/small" && mount -t tmpfs -o size=400k none "$tmp/small" 2>/dev/null; then
	cp "$tmp/copied.db" "$tmp/small/store.db"
	dd if=/dev/zero of="$tmp/small/rest" bs=1k 2>/dev/null
	truncate -s -48k "$tmp/small/rest" # which reading takes
	run "$PERFGATE" gate --record --store "$tmp/small/store.db" main
	is 2 $? "a full disk: exit status 2"
	contains "$err" "not recorded: .*(full|No space)" "... and why"
	rm "$tmp/small/rest"
	is 1 "$(query "$tmp/small/store.db" "PRAGMA user_version")" "... and nothing was changed"
	rm "$tmp"/small/store.db* && cp "$tmp/copied.db" "$tmp/small/store.db"
	mount -o remount,ro "$tmp/small"
	for command in trend "log --gates" "publish $tmp/site"; do
		ok "schema 1 where nothing can be written: $command" "$PERFGATE" $command --store "$tmp/small/store.db"
	done
	run "$PERFGATE" gate --record --store "$tmp/small/store.db" main
	contains "$err" "not recorded: .*make the file and its folder writable" "... and what to do to record there"
	umount "$tmp/small"
else
	skip "a full disk, and one that is read-only" "it takes a small file system"
fi
done_testing
