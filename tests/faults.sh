# Killed, out of space, not allowed to write, several at once: what was acknowledged is there, and
# nothing is there by half. FAULTS_ROUNDS (default 50) says how often four ingests are
# killed; FAULTS_LONG=yes adds what takes a minute.
. "${srcdir:-.}/tests/lib.sh"
need sqlite3
need timeout
rounds=${FAULTS_ROUNDS:-50}
values=3000

# document NUMBER [VALUES]: a run of a commit of its own, with all values in one series.
document()
{
	awk -v n="$1" -v values="${2:-$values}" 'BEGIN {
		sha = sprintf("%040x", n + 1)
		print "{\"perfgate\":\"export\",\"version\":1}"
		printf "{\"commit\":\"%s\",\"tree\":null,\"committed_at\":\"2026-05-12T09:14:00Z\",\"parents\":[]}\n", sha
		printf "{\"run\":{\"commit\":\"%s\",\"branch\":\"main\",\"session\":\"s\",\"runner\":{\"key\":\"r\"},", sha
		print "\"suite\":\"kpi\",\"format\":\"kpi\",\"ingested_at\":\"2026-05-12T09:20:00Z\"}}"
		for (b = 0; b < 10; b++) {
			printf "{\"benchmark\":\"b%d\",\"metric\":\"m\",\"unit\":\"count\",\"direction\":\"lower\",\"values\":[", b
			for (i = 0; i < values / 10; i++)
				printf "%s%d", i ? "," : "", n * 1000 + i
			print "]}"
		}
	}'
}

# whole STORE: the store is in order, and each run has all its samples.
whole()
{
	run "$PERFGATE" store check --store "$1" || return 1
	odd=$(sqlite3 "$1" "SELECT count(*) FROM run WHERE (SELECT count(*) FROM sample WHERE run_id = run.id) <> $values")
	[ "$odd" = 0 ] || { echo "# $odd runs of another size"; return 1; }
}

# holds STORE NUMBER
holds()
{
	[ "$(sqlite3 "$1" "SELECT count(*) FROM run AS r JOIN commit_ AS c ON c.id = r.commit_id WHERE c.sha = '$(printf '%040x' $(($2 + 1)))'")" = 1 ]
}

# ---- killed ----

mkdir documents
i=0
while [ $i -lt $((rounds * 4)) ] || [ $i -lt 160 ]; do
	document $i >documents/$i
	i=$((i + 1))
done

# Random moments, the same ones each time, from the start of an ingest to beyond its usual end when
# four are at it.
begun=$(date +%s.%N)
for k in 1 2 3 4; do
	"$PERFGATE" ingest --store timed.db documents/$k >"$out" 2>&1 &
done
wait
ended=$(date +%s.%N)
awk -v n=$((rounds * 4)) -v begun="$begun" -v ended="$ended" 'BEGIN {
	srand(17)
	for (i = 0; i < n; i++)
		printf "%.4f\n", 0.001 + 1.5 * (ended - begun) * rand()
}' >moments

: >acknowledged
round=0 i=0 broken=0
while [ $round -lt "$rounds" ]; do
	for k in 1 2 3 4; do
		read -r moment
		{
			if timeout -s KILL "$moment" "$PERFGATE" ingest --store killed.db documents/$i >>said 2>&1; then
				echo $i >>acknowledged
			fi
		} &
		i=$((i + 1))
	done
	wait
	if [ $((round % 10)) -eq 9 ] && ! whole killed.db; then
		broken=$((broken + 1))
	fi
	round=$((round + 1))
done <moments 2>/dev/null
is 0 $broken "no half document after $rounds rounds of four killed ingests"
ok "some documents were acknowledged" test -s acknowledged
lost=0
while read -r n; do
	holds killed.db "$n" || { lost=$((lost + 1)); echo "# document $n was acknowledged and is not there"; }
done <acknowledged
is 0 $lost "no acknowledged document is lost"
echo "# $(wc -l <acknowledged) of $((rounds * 4)) were acknowledged"
fails "and none failed in another way" grep -E '^perfgate:' said

# The first ingest, which creates the store, is killed too.
round=0 broken=0
while [ $round -lt 20 ]; do
	read -r moment
	rm -f first.db*
	timeout -s KILL "0.00$((round % 8))" "$PERFGATE" ingest --store first.db documents/0 >/dev/null 2>&1
	"$PERFGATE" ingest --store first.db documents/0 >"$out" 2>"$err" || { broken=$((broken + 1)); show_output; }
	whole first.db || broken=$((broken + 1))
	round=$((round + 1))
done <moments 2>/dev/null
is 0 $broken "a store whose creation was killed is created by the next"

# ---- several at once ----

round=0 broken=0
while [ $round -lt 20 ]; do
	rm -f new.db*
	for k in 0 1; do
		"$PERFGATE" ingest --store new.db documents/$k >said.$k 2>&1 && : >done.$k &
	done
	wait
	for k in 0 1; do
		[ -e done.$k ] && holds new.db $k || { broken=$((broken + 1)); comment <said.$k; }
		rm -f done.$k
	done
	whole new.db || broken=$((broken + 1))
	round=$((round + 1))
done
is 0 $broken "twenty times two ingests create the same store at once"

mkdir repository && cd repository || exit 99
git init -q .
commit base
base=$sha
commit head
cd ..
for which in $base $sha; do
	document 7 100 | sed "s/$(printf '%040x' 8)/$which/"
done | awk 'NR == 1 || !/"perfgate"/' >gated.json
ok "a store to gate on" "$PERFGATE" ingest --store busy.db gated.json
# ingest, merge, snapshot, drop and gate, all at once
"$PERFGATE" ingest --store other.db documents/90 documents/91 >"$out" 2>&1
together()
{
	name=$1
	shift
	{ "$@" >"said.$name" 2>&1; echo $? >"status.$name"; } &
}
round=0 broken=0
while [ $round -lt 5 ]; do
	n=$((100 + round * 10))
	for k in 0 1 2 3; do
		together ingest$k "$PERFGATE" ingest --store busy.db documents/$((n + k)) documents/$((n + k + 4))
	done
	for k in 0 1; do
		together gate$k sh -c 'cd repository && exec "$0" gate --store ../busy.db "$1"' "$PERFGATE" $base
	done
	together merge "$PERFGATE" store merge --store busy.db other.db
	together snapshot "$PERFGATE" store snapshot --store busy.db snapshot$round.db
	together drop "$PERFGATE" store drop --store busy.db --commit $(printf '%040x' $((n - 9 + 0)))
	together log "$PERFGATE" log --store busy.db
	wait
	for name in ingest0 ingest1 ingest2 ingest3 gate0 gate1 merge snapshot log; do
		[ "$(cat status.$name)" = 0 ] || { broken=$((broken + 1)); echo "# $name: $(cat status.$name)"; comment <said.$name; }
	done
	# what is to be dropped is there from the second round on
	[ $round = 0 ] || [ "$(cat status.drop)" = 0 ] || { broken=$((broken + 1)); comment <said.drop; }
	for k in 0 1 2 3 4 5 6 7; do
		holds busy.db $((n + k)) || { broken=$((broken + 1)); echo "# $((n + k)) is not there"; }
	done
	"$PERFGATE" store check --store snapshot$round.db >"$out" 2>&1 || { broken=$((broken + 1)); show_output; }
	round=$((round + 1))
done
is 0 $broken "four ingests, two gates, merge, snapshot, drop and log at once all succeed"
ok "and leave a store in order" "$PERFGATE" store check --store busy.db

# A writer does not keep a reader waiting: the log holds what the reader needs.
sqlite3 busy.db "BEGIN IMMEDIATE" ".shell timeout 20 '$PERFGATE' log --store busy.db --limit 1 >seen 2>&1; echo \$? >seen.status" ROLLBACK
is 0 "$(cat seen.status)" "log answers while somebody writes"
# A store in a state that SIGKILL left is read, too.
cp killed.db hot.db
sqlite3 hot.db ".dbconfig no_ckpt_on_close on" "PRAGMA journal_mode = WAL" "UPDATE run SET session = 't'" >"$out"
ok "a store with a log beside it is read" "$PERFGATE" store check --store hot.db

# ---- read-only ----

"$PERFGATE" ingest --store whole.db documents/0 >"$out" 2>&1
mkdir -p locked && cp gated.json documents/0 locked/
"$PERFGATE" ingest --store locked/store.db locked/gated.json >"$out" 2>&1
"$PERFGATE" store snapshot --store locked/store.db locked/snapshot.db >"$out" 2>&1
sqlite3 locked/store.db "PRAGMA wal_checkpoint(TRUNCATE)" >"$out" 2>&1
rm -f locked/store.db-*
cp locked/store.db locked/logged.db
sqlite3 locked/logged.db ".dbconfig no_ckpt_on_close on" "UPDATE run SET session = 't'" >"$out"
rm -f locked/logged.db-shm

if [ "$(id -u)" != 0 ]; then
	as_nobody()
	{
		"$@"
	}
	able=yes
elif setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	as_nobody()
	{
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	}
	able=yes
else
	able=no
fi
chmod 755 "$tmp" "$work"
cp "$PERFGATE" perfgate-copy 2>/dev/null && chmod 755 perfgate-copy
[ $able = no ] || as_nobody ./perfgate-copy --version >"$out" 2>&1 || able=no
mkdir open && chmod 777 open
chmod 444 locked/* && chmod 555 locked
if [ $able = yes ] && as_nobody sh -c ': >locked/x' 2>/dev/null; then
	able=no
fi
if [ $able = yes ]; then
	for store in store snapshot; do
		for arguments in "log" "show b1 $base" "store check" "store info" "store export" "gate $base $sha" \
			"store drop --dry-run --commit $base"; do
			is_status 0 as_nobody ./perfgate-copy $arguments --store locked/$store.db
		done
		ok "a read-only store is merged from" as_nobody ./perfgate-copy store merge --store open/$store.db locked/$store.db
		for arguments in "ingest documents/0" "store merge whole.db" "store drop --commit $base" "store drop --undo 123456"; do
			is_status 2 as_nobody ./perfgate-copy $arguments --store locked/$store.db
			contains "$err" "read-only; make the file and its folder writable|Permission denied" "it says why"
		done
	done
	is "0 gated.json logged.db logged.db-wal snapshot.db store.db" "$(cd locked && echo *)" "nothing was left there"
	# A log that a killed writer left may not be skipped: its content is part of the store.
	run as_nobody ./perfgate-copy log --json --store locked/logged.db
	if [ $? = 0 ]; then
		contains "$out" '"session": "t"' "a log beside a read-only store is read"
	else
		contains "$err" "left a log beside it.*make the file and its folder writable" "a log that cannot be read is no store without it"
	fi
	is_status 2 as_nobody ./perfgate-copy ingest --store locked/new.db documents/0
	contains "$err" "Permission denied" "a store that cannot be created"
	is_status 2 as_nobody ./perfgate-copy ingest --store locked/new/new.db documents/0
	contains "$err" "locked/new.*Permission denied" "in a folder that cannot be"
	chmod 755 locked && chmod 000 locked/store.db
	is_status 2 as_nobody ./perfgate-copy log --store locked/store.db
	contains "$err" "^perfgate: locked/store.db: .*Permission denied" "a store that may not be read"
	is_status 2 as_nobody ./perfgate-copy ingest --store locked/store.db documents/0
	chmod 644 locked/store.db
	is_status 2 as_nobody ./perfgate-copy store snapshot --store locked/snapshot.db nowhere/x.db
else
	skip "a read-only store" "no unprivileged user to try it as"
fi
chmod -R u+w locked

# ---- a full disk ----

document 500 60000 >large.json
large=$(sqlite3 whole.db "SELECT count(*) FROM run")
full()
{
	if [ $status -ne 2 ]; then
		fail "$1: exit status $status"
		show_output
		return
	fi
	contains "$err" "disk is full|No space left|File too large|disk I/O" "$1: says so"
}
# The limit on a file's size is a full disk that needs no privilege; SIGXFSZ must not end perfgate.
cp whole.db limited.db
for blocks in 500 700 1000; do
	run sh -c 'trap "" XFSZ; ulimit -f "$1"; exec "$0" ingest --store limited.db large.json' "$PERFGATE" $blocks
	status=$?
	[ $status = 0 ] && { fail "$blocks blocks hold it all"; continue; }
	full "a file limit of $blocks blocks"
	ok "nothing of it is there" test "$(sqlite3 limited.db 'SELECT count(*) FROM run')" = "$large"
	ok "the store is in order" "$PERFGATE" store check --store limited.db
done
run sh -c 'ulimit -f 500; exec "$0" ingest --store limited.db large.json' "$PERFGATE"
status=$?
full "the same with the signal as it comes"
ok "and once there is room" "$PERFGATE" ingest --store limited.db large.json
ok "all of it is there" "$PERFGATE" store check --store limited.db

mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=1200k tmpfs disk 2>/dev/null; then
	trap 'umount "$work/disk"; cd / && chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT
	ok "a small disk" "$PERFGATE" ingest --store disk/store.db documents/0
	"$PERFGATE" store export --store disk/store.db >before
	run "$PERFGATE" ingest --store disk/store.db large.json
	status=$?
	full "a full disk"
	ok "the store is in order" "$PERFGATE" store check --store disk/store.db
	"$PERFGATE" store export --store disk/store.db >after
	same before after "and holds what it held"
	run "$PERFGATE" store snapshot --store limited.db disk/snapshot.db
	status=$?
	full "a snapshot that does not fit"
	ls disk >"$out"
	lacks "$out" snapshot "leaves no file"
	run "$PERFGATE" ingest --store disk/store.db large.json documents/1
	ok "a small document after a large one still fits" holds disk/store.db 1
	dd if=/dev/zero of=disk/rest bs=1k 2>/dev/null
	for arguments in "log" "gate $base $base" "store check"; do
		run "$PERFGATE" $arguments --store disk/store.db
		status=$?
		[ $status -ne 1 ] && pass "$arguments on a full disk: $status" || fail "$arguments on a full disk: $status"
	done
	run "$PERFGATE" ingest --store disk/new.db documents/0
	status=$?
	full "a new store on a full disk"
	mount -o remount,size=8m disk
	ok "and once there is room" "$PERFGATE" ingest --store disk/new.db documents/0
	umount disk
	trap 'cd / && chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT
else
	skip "a full disk" "no small disk may be mounted here"
fi

# What cannot be printed is no success.
if [ -c /dev/full ]; then
	for arguments in "log" "store export" "store check" "store info" "show b1 $base" "gate $base $sha" "env" "policy" "help" "formats"; do
		run sh -c 'exec "$@" >/dev/full' sh "$PERFGATE" $arguments
		status=$?
		case $arguments in
		env | policy | help | formats) ;;
		*)
			run sh -c 'exec "$@" >/dev/full' sh "$PERFGATE" $arguments --store busy.db
			status=$?
			;;
		esac
		is 2 $status "$arguments to a full disk: exit status 2"
	done
	is_status 2 "$PERFGATE" gate $base $sha --store busy.db --report json:/dev/full
	contains "$err" "/dev/full" "a report that cannot be written is named"
fi
# Temporary files have to go somewhere: more samples than are kept in memory.
if [ -n "${FAULTS_LONG-}" ]; then
	document 900 3000000 >huge.json
	is_status 2 env TMPDIR="$work/nowhere" "$PERFGATE" ingest --store spill.db huge.json
	contains "$err" "nowhere.*TMPDIR" "it names TMPDIR"
	ok "a large document" "$PERFGATE" ingest --store spill.db huge.json
fi
ok "no TMPDIR and no need of one" env TMPDIR="$work/nowhere" "$PERFGATE" ingest --store tmpdir.db documents/0
done_testing
