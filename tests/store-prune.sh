# Runs that go by their age: what no gate needs goes, everything else is judged as before, byte by byte;
# what went does not come back, and nothing is lost to a kill, a full disk or another writer.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"
need jq

day=86400
now=$(date +%s)

# history NAME N: a repository with a commit a day, the last of them yesterday, each with a tree of its own.
history()
{
	repository "$1"
	history_n=$2
	"$TEST_AWK" -v n="$2" -v now="$now" -v day=$day 'BEGIN {
		for (i = 1; i <= n; i++) {
			text = "commit " i "\n"
			printf "commit refs/heads/main\nmark :%d\ncommitter A <a@b> %d +0000\ndata %d\n%s", i, now - (n - i + 1) * day, length(text), text
			if (i > 1)
				printf "from :%d\n", i - 1
			printf "M 100644 inline file\ndata %d\n%s\n", length(text), text
		}
		print "done"
	}' | git fast-import --quiet --done && git checkout -q main || exit 99
}

# measured BRANCH PROGRAM: ingests what an awk program says of each commit of a branch: i is its number
# from 1, n the number of the last; run(SUITE, RUNNER, SESSION), value(BENCHMARK, METRIC, NUMBER) and
# wall(BENCHMARK, NUMBER) write.
measured()
{
	git log --first-parent --reverse --format='%H %ct' "$1" | "$TEST_AWK" -v branch="$1" -v n="$(git rev-list --first-parent --count "$1")" '
		function iso(t,   d, y, m, days) {
			d = int(t / 86400)
			for (y = 1970; d >= (days = (y % 4 ? 365 : 366)); y++)
				d -= days
			for (m = 1; d >= (days = m == 2 ? (y % 4 ? 28 : 29) : m == 4 || m == 6 || m == 9 || m == 11 ? 30 : 31); m++)
				d -= days
			return sprintf("%d-%02d-%02dT%02d:%02d:%02dZ", y, m, d + 1, t % 86400 / 3600, t % 3600 / 60, t % 60)
		}
		function run(suite, runner, session) {
			printf "{\"run\":{\"commit\":\"%s\",\"branch\":\"%s\",\"session\":\"%s\",\"runner\":{\"key\":\"%s\"},\"suite\":\"%s\",\"format\":\"%s\",\"started_at\":\"%s\",\"ingested_at\":\"%s\"}}\n", sha, branch, session, runner, suite, suite, iso(t), iso(t)
		}
		function value(benchmark, metric, v) {
			printf "{\"benchmark\":\"%s\",\"metric\":\"%s\",\"unit\":\"count\",\"quantity\":\"count\",\"direction\":\"lower\",\"values\":[%s]}\n", benchmark, metric, v
		}
		function wall(benchmark, v) {
			printf "{\"benchmark\":\"%s\",\"metric\":\"wall_ns_per_op\",\"unit\":\"ns\",\"quantity\":\"time\",\"direction\":\"lower\",\"values\":[%s]}\n", benchmark, v
		}
		BEGIN { print "{\"perfgate\":\"export\",\"version\":1}" }
		{ sha = $1; t = $2; i = NR }
		'"$2" >"$tmp/measured.ndjson"
	ingest "$tmp/measured.ndjson"
}

# judged_now FOLDER REV...: the reports of HEAD and of revisions.
judged_now()
{
	rm -rf "${tmp:?}/$1" && mkdir "$tmp/$1"
	"$PERFGATE" gate --report json:"$tmp/$1/HEAD" >/dev/null 2>"$tmp/$1/HEAD.err"
	echo $? >"$tmp/$1/HEAD.status"
	folder=$1
	shift
	for rev in "$@"; do
		"$PERFGATE" gate --report json:"$tmp/$folder/$rev" main "$rev" >/dev/null 2>"$tmp/$folder/$rev.err"
		echo $? >"$tmp/$folder/$rev.status"
	done
}

count_runs()
{
	"$PERFGATE" store info --json | jq .runs
}

# prunes NAME WENT ARGS REV...: `store prune ARGS --apply` removes WENT runs (more: at least one), and HEAD
# and the revisions are judged as before.
prunes()
{
	test_name=$1 went=$2 args=$3
	shift 3
	before=$(count_runs)
	judged_now before "$@"
	run "$PERFGATE" store prune $args --json
	would=$(jq .runs "$out")
	is "$before" "$(count_runs)" "$test_name: without --apply nothing happens"
	ok "$test_name" "$PERFGATE" store prune $args --json --apply
	is "$would" "$(jq .runs "$out")" "$test_name: as many go as was said"
	after=$(count_runs)
	if [ "$went" = more ]; then
		ok "$test_name: runs went" test "$after" -lt "$before"
	else
		is "$went" "$((before - after))" "$test_name: so many runs went"
	fi
	judged_now after "$@"
	ok "$test_name: HEAD and branches are judged as before" diff -r "$tmp/before" "$tmp/after"
	ok "$test_name: the store is in order" "$PERFGATE" store check
	run "$PERFGATE" store prune $args --json --apply
	is 0 "$(jq .runs "$out")" "$test_name: the second time nothing is left to do"
}

has_run()
{
	"$PERFGATE" log --commit "$1" --json 2>/dev/null | jq -e "length > 0" >/dev/null
}

### a regression that nobody mended

history regressed 220
git tag v1 main~210
measured main '{ run("kpi", "lab", "s" i); value("parse", "allocs_per_op", i > n - 130 ? 120 : 100) }'
is_status 2 "$PERFGATE" store prune
is_status 2 "$PERFGATE" store prune --keep 0
is_status 2 "$PERFGATE" store prune --keep 10x
is_status 2 "$PERFGATE" store prune --keep 99999999y
is_status 2 "$PERFGATE" store prune --undo all --apply
run "$PERFGATE" store prune --keep 30d
contains "$out" "^kpi +main +[0-9]+ +[0-9]+ +[0-9.]+ MiB +[-0-9]{10}$" "what would go, a line a suite and branch"
contains "$out" "^kept though old: [0-9]+ runs, gates of HEAD" "... what stays, and why"
contains "$out" "^kept though old: 1 run, the last good level of a series$" "... the last good level, which gates have forgotten"
contains "$out" "^kept though old: 1 run, of tagged commits$" "... a tagged commit"
contains "$out" "^would prune [0-9]+ of 220 runs, .*--apply does it$" "... and how to do it"
prunes "--keep 30d" 118 "--keep 30d" main~1 main~20
ok "the last good level is there" has_run main~130
ok "... and the tagged commit" has_run main~210
fails "... the commit before that level is not" has_run main~131
run "$PERFGATE" store info
contains "$out" "^pruned +118 runs$" "info counts what was pruned"

### how many commits, and thinned

history many 200
measured main '{ run("kpi", "lab", "s" i); value("parse", "allocs_per_op", 100) }'
git checkout -q -b topic main~150 && echo topic >>file && git commit -qam topic && git checkout -q main
measured topic 'i == n { run("kpi", "lab", "topic"); value("parse", "allocs_per_op", 103) }'
cp -r .git/perfgate "$tmp/many"
prunes "--keep 60" more "--keep 60" topic
ok "what the branch is compared with is there" has_run topic~1
fails "what nobody is compared with is not" has_run main~120
is "60" "$("$PERFGATE" log --limit 0 --json | jq "[.[] | select(.branch == \"main\")] | .[:60] | length")" "the newest are there"
rm -rf .git/perfgate && cp -r "$tmp/many" .git/perfgate
prunes "--keep 20d --thin" more "--keep 20d --thin" topic
is "[7]" "$("$PERFGATE" log --limit 0 --json | jq -c '[.[] | select(.branch == "main") | .started_at | fromdate / 86400 | floor] | sort
	| [.[range(1; length)] as $b | .[index($b) - 1] as $a | $b - $a] | .[1:] | map(select(. > 1)) | unique - [range(2; 7)]')" \
	"thinned, there is a commit each seven days"

history years 40
git log --first-parent --format=%H main >"$tmp/shas"
"$TEST_AWK" -v now="$now" 'BEGIN { print "{\"perfgate\":\"export\",\"version\":1}" } {
	printf "{\"run\":{\"commit\":\"%s\",\"branch\":\"main\",\"session\":\"s%d\",\"runner\":{\"key\":\"lab\"},\"suite\":\"kpi\",\"format\":\"kpi\",\"started_at\":\"%d-%02d-%02dT00:00:00Z\",\"ingested_at\":\"2020-01-01T00:00:00Z\"}}\n", $1, NR, 2020, 12 - int((NR - 1) / 4), 28 - NR % 4 * 7
	print "{\"benchmark\":\"parse\",\"metric\":\"allocs_per_op\",\"unit\":\"count\",\"direction\":\"lower\",\"values\":[100]}" }' "$tmp/shas" >"$tmp/years.ndjson"
ingest "$tmp/years.ndjson"
printf '[gate]\n\tmax-distance = 2\n' >perfgate.conf
run "$PERFGATE" store prune --keep 1y --thin --json
is true "$(jq '.kept.thinned >= 0 and .runs + ([.kept[]] | add) == 40' "$out")" "of what is older than a year each run goes or stays for a reason"
rm perfgate.conf

### rarely measured, and by others

history rare 160
measured main '{ run("kpi", "lab", "s" i); value("parse", "allocs_per_op", 100)
	if (i % 30 == 10) value("rare", "allocs_per_op", 100 + i / 30)
	if (i == n) value("rare", "allocs_per_op", 120) }'
prunes "a series of every 30th commit" more "--keep 10d" main~1 main~3

history weekly 160
measured main '{ run("kpi", "lab", "s" i); value("parse", "allocs_per_op", 100)
	if (i % 7 == 3) { run("callgrind", "lab", "s" i); value("main", "Ir", i > 130 ? 1200000 : 1000000) } }'
printf '[gate]\n\texpect = kpi callgrind\n' >perfgate.conf
prunes "a suite that is measured weekly" more "--keep 10d" main~1 main~3
change tomorrow
measured main 'i == n { run("kpi", "lab", "t"); value("parse", "allocs_per_op", 100); run("callgrind", "lab", "t"); value("main", "Ir", 1200000) }'
gate 1 "when it is measured again, the last good level is held against it" --suite callgrind HEAD

history runners 160
measured main '{ run("callgrind", i % 2 ? "x86_64/a" : "x86_64/b", "s" i); value("main", "Ir", 1000000 + (i % 2) * 1000)
	if (i % 40 == 0) { run("callgrind", "x86_64/c", "c" i); value("main", "Ir", 1001000) } }'
prunes "three runners" more "--keep 10d" main~1 main~2
ok "the newest of a runner that measures no more is there" test "$("$PERFGATE" log --limit 0 --json | jq '[.[] | select(.runner == "x86_64/c")] | length')" -ge 1

### renamed, pinned

history renamed 120
measured main '{ run("kpi", "lab", "s" i); value(i > n - 5 ? "parser/a" : "parse_a", "allocs_per_op", 100 + (i > n - 70)) }'
cat >perfgate.conf <<'CONF'
[gate]
	reference = v0
[rule "creep"]
	metric = ^allocs_per_op$
	creep = 0.5%
[rename "scenario names"]
	from = ^parse_(.*)$
	to = parser/$1
CONF
git tag v0 main~110
git add perfgate.conf && git commit -qm conf
measured main 'i == n { run("kpi", "lab", "last"); value("parser/a", "allocs_per_op", 101) }'
prunes "renamed, and a reference that is older than all" more "--keep 3" main~1
is regressed "$(gate 1 "the reference still counts" >/dev/null; verdict parser/a allocs_per_op)" "... and what crept is seen"
git tag -d v0 >"$tmp/log"
sed -i "s/v0/$(git rev-parse main~111)/" perfgate.conf
run "$PERFGATE" store prune --keep 3 --json
is true "$(jq '.runs == 0 and .kept.reference == 1' "$out")" "a reference needs no tag"

### noisy, by sessions, with probes

history noisy 220
measured main '{ run("kpi", "lab", "s" i); wall("parse", 1000 + (i * 7919) % 31); value("parse", "allocs_per_op", 5)
	run("clpeak", "lab", "s" i)
	printf "{\"benchmark\":\"cpu/x#0/dp\",\"metric\":\"double\",\"unit\":\"FLOPS\",\"quantity\":\"flops\",\"direction\":\"higher\",\"values\":[%d]}\n", 1e9 + i % 3 }'
prunes "noisy series keep their 150 sessions" more "--keep 10d" main~1
ok "150 sessions, and their probes" test "$(count_runs)" -ge 300

### the work tree

history dirty 70
measured main '{ run("kpi", "lab", "s" i); value("parse", "allocs_per_op", 100) }'
echo old >>file
kpi parse allocs_per_op=100 at="2020-01-01T00:00:00Z" >"$tmp/doc.json" && ingest --runner lab --session old "$tmp/doc.json"
git checkout -q main~60 -- file && git commit -qm "next" && echo now >>file
kpi parse allocs_per_op=104 at="2020-01-01T00:00:00Z" >"$tmp/doc.json" && ingest --runner lab --session now "$tmp/doc.json"
run "$PERFGATE" store prune --keep 30d --json --apply
is '["now"]' "$("$PERFGATE" log --limit 0 --json | jq -c '[.[] | select(.tree_state != "clean") | .session]')" \
	"of runs of changed work trees that of the present one stays"

### what went does not come back

remote=$work/remote.git
git init -q --bare "$remote"
history shared 150
git remote add origin "file://$remote"
measured main '{ run("kpi", "lab", "boot"); value("parse", "allocs_per_op", 100) }'
git push -q origin main && git branch -q --set-upstream-to=origin/main
ok "pushed" "$PERFGATE" store push
ok "kept elsewhere" "$PERFGATE" store merge --store ../elsewhere.db .git/perfgate/store.db
"$PERFGATE" store export >"$tmp/whole.ndjson"
ok "pruned here" "$PERFGATE" store prune --keep 20 --apply
left=$(count_runs)
ok "some went" test "$left" -lt 150
ok "a fetch" "$PERFGATE" store fetch
ok "one that reads all again" "$PERFGATE" store fetch --all
contains "$out" ", $((150 - left)) pruned earlier" "... says what it left out"
ok "a merge" "$PERFGATE" store merge ../elsewhere.db
contains "$out" "0 new runs, $left already here, $((150 - left)) pruned earlier" "... says so, too"
ok "an ingest" "$PERFGATE" ingest "$tmp/whole.ndjson"
contains "$out" "pruned earlier, not stored again \(perfgate store prune --undo\)" "... and that"
is "$left" "$(count_runs)" "none of them brings anything back"
ok "a push" "$PERFGATE" store push
contains "$out" "^nothing new for" "what is left of a session is no news"
run "$PERFGATE" store export
lacks "$out" tombstone "others are told nothing"
ok "the store of others merges it" "$PERFGATE" store merge --store ../elsewhere.db .git/perfgate/store.db
is 150 "$(PERFGATE_STORE=../elsewhere.db count_runs)" "... and keeps all"
one=$(jq -r 'select(.run) | .run.digest' "$tmp/whole.ndjson" | head -n 1)
run "$PERFGATE" store prune --undo 000000
is 2 $? "undoing what was not done"
ok "undone" "$PERFGATE" store prune --undo all
contains "$out" "^$((150 - left)) pruned runs may be ingested, merged or fetched again$" "... for all of them"
is_status 2 "$PERFGATE" store prune --undo all
contains "$err" "nothing was pruned here" "it can be undone once"
ok "fetched again" "$PERFGATE" store fetch
is 150 "$(count_runs)" "... they are back"
run "$PERFGATE" store export
same "$tmp/whole.ndjson" "$out" "... as they were"
ok "pruned everywhere" "$PERFGATE" store prune --keep 20 --apply --everywhere
ok "... pushed" "$PERFGATE" store push
contains "$out" "1 drop" "... as a drop"
git clone -q "file://$remote" ../other && cd ../other || exit 99
ok "... fetched by others" "$PERFGATE" store fetch
is "$left" "$(count_runs)" "... who lose the same runs"

### what cannot be told

git clone -q --depth 1 "file://$remote" ../shallow && cd ../shallow || exit 99
is_status 2 "$PERFGATE" store prune --keep 1 --store ../elsewhere.db
contains "$err" "shallow.*git fetch --unshallow" "a shallow clone does not know what its branches need"
mkdir ../none && cd ../none || exit 99
is_status 2 "$PERFGATE" store prune --keep 1 --store ../elsewhere.db
contains "$err" "no git repository here" "nor does a place without a repository"
cd ../regressed || exit 99
echo nonsense >perfgate.conf
is_status 2 "$PERFGATE" store prune --keep 1 --apply
git checkout -q -b broken && git add perfgate.conf && git commit -qm broken && git checkout -q main
ok "a branch that cannot be judged" "$PERFGATE" store prune --keep 30d
contains "$err" "note: [0-9a-f]{12} cannot be judged" "... is told"
git branch -q -D broken

### in one piece

[ -f .git/perfgate/store.db ] || { skip "the rest" "it is about the SQLite file"; done_testing; exit; }
need sqlite3
need timeout
cd ../many || exit 99
rm -rf .git/perfgate && cp -r "$tmp/many" .git/perfgate
store=.git/perfgate/store.db
sqlite3 $store "CREATE TRIGGER meddle AFTER DELETE ON run WHEN old.session = 's60' BEGIN
	UPDATE sample SET value = 99 WHERE run_id = (SELECT id FROM run WHERE session = 's199'); END"
"$PERFGATE" store export >"$tmp/all.ndjson"
is_status 2 "$PERFGATE" store prune --keep 20 --apply
contains "$err" "HEAD would be judged otherwise than before: nothing was pruned" "a verdict that would change: refused"
run "$PERFGATE" store export
same "$tmp/all.ndjson" "$out" "... and everything is there"
sqlite3 $store "DROP TRIGGER meddle"
chmod a-w $store
ok "without --apply a store to read will do" "$PERFGATE" store prune --keep 20
chmod u+w $store

bytes=$(wc -c <$store)
measured main '{ run("kpi", "lab", "x" i); for (k = 0; k < 40; k++) value("b" k, "allocs_per_op", "100,100,100,100,100,100,100") }'
full=$(wc -c <$store)
ok "many samples go" "$PERFGATE" store prune --keep 60 --apply
contains "$out" "^pruned [0-9]+ of [0-9]+ runs, .*; the file went from [0-9.]+ MiB to [0-9.]+ MiB$" "... the file's size is told"
sqlite3 $store "PRAGMA wal_checkpoint(TRUNCATE)" >"$tmp/log"
ok "... and it is smaller" test "$(wc -c <$store)" -lt "$full"
is "ok" "$(sqlite3 $store "PRAGMA integrity_check")" "... and in order"

# killed at any moment: all of it, or nothing
rm -rf .git/perfgate && cp -r "$tmp/many" .git/perfgate
"$PERFGATE" store prune --keep 60 --apply >"$out"
"$PERFGATE" store export >"$tmp/less.ndjson"
round=0 broken=0 killed=0
while [ $round -lt 16 ]; do
	rm -rf .git/perfgate && cp -r "$tmp/many" .git/perfgate
	timeout -s KILL "0.$(printf '%03d' $((round * 21 % 330 + 5)))" "$PERFGATE" store prune --keep 60 --apply >/dev/null 2>&1 || killed=$((killed + 1))
	"$PERFGATE" store export >"$out" 2>"$err"
	cmp -s "$out" "$tmp/less.ndjson" || cmp -s "$out" "$tmp/all.ndjson" || { broken=$((broken + 1)); show_output; }
	round=$((round + 1))
done 2>/dev/null
is 0 $broken "killed on the way, all went or nothing"
echo "# $killed of 16 were killed"

# others at the same time
rm -rf .git/perfgate && cp -r "$tmp/many" .git/perfgate
for k in 1 2 3 4 5 6 7 8; do
	kpi parse allocs_per_op=10$k sha="$(git rev-parse HEAD)" >w$k.json
	(for d in 1 2 3; do "$PERFGATE" ingest --runner w$k.$d --session "w$k.$d" w$k.json >>w$k.out 2>&1 || exit 1; done; echo done >w$k.done) &
done
"$PERFGATE" store prune --keep 60 --apply >"$out" 2>"$err"
status=$?
wait
[ $status -eq 0 ] || grep -q "others wrote to the store each time; nothing was pruned" "$err" && pass "with eight writers it prunes, or says that it cannot" || { fail "with eight writers"; show_output; }
is 8 "$(ls w?.done | wc -l | tr -d ' ')" "the writers write"
is 24 "$("$PERFGATE" log --limit 0 --json | jq '[.[] | select(.session | startswith("w"))] | length')" "... and nothing of theirs is lost"
ok "... the store is in order" "$PERFGATE" store check

# no room
if [ "$(id -u)" -eq 0 ] && mkdir "$tmp/small" && mount -t tmpfs -o size=1m none "$tmp/small" 2>/dev/null; then
	cp "$tmp/many/store.db" "$tmp/small/store.db"
	dd if=/dev/zero of="$tmp/small/rest" bs=1k 2>/dev/null
	truncate -s -64k "$tmp/small/rest"
	run "$PERFGATE" store prune --keep 60 --apply --store "$tmp/small/store.db"
	is 2 $? "a full disk: exit status 2"
	contains "$err" "full|No space" "... and why"
	rm "$tmp/small/rest"
	run "$PERFGATE" store export --store "$tmp/small/store.db"
	same "$tmp/all.ndjson" "$out" "... and everything is there"
	umount "$tmp/small"
else
	skip "a full disk" "it takes a small file system"
fi
done_testing
