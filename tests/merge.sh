# Stores are united in any order and as often as one likes; export and ingest lose nothing.
. "${srcdir:-.}/tests/lib.sh"
need sqlite3

# A hexadecimal string of $1 digits from the word $2.
hex()
{
	printf '%s' "$2" | cksum | awk -v n="$1" '{ s = sprintf("%08x", $1 % 4294967296); while (length(s) < n) s = s s; print substr(s, 1, n) }'
}

header='{"perfgate":"export","version":1}'

# commit_line NAME [PARENT...]: a commit whose facts are known.
commit_line()
{
	known=$1 parents=
	shift
	for parent in "$@"; do
		parents="$parents${parents:+,}\"$(hex 40 "$parent")\""
	done
	echo "{\"commit\":\"$(hex 40 "$known")\",\"tree\":\"$(hex 40 "tree $known")\",\"committed_at\":\"2026-01-0${#known}T00:00:00Z\",\"parents\":[$parents]}"
}

# run_line COMMIT BRANCH SESSION RUNNER LABEL INGESTED [STATE]
run_line()
{
	echo "{\"run\":{\"commit\":\"$(hex 40 "$1")\",\"tree_state\":\"${7-clean}\",\"branch\":\"$2\",\"session\":\"$3\",\"runner\":{\"key\":\"$4\",\"label\":\"$5\"},\"suite\":\"kpi\",\"component\":\"\",\"format\":\"kpi\",\"format_version\":\"1\",\"ingested_at\":\"$6\",\"facts\":{\"from\":\"$3\"}}}"
}

# series_line BENCHMARK METRIC VALUES
series_line()
{
	echo "{\"benchmark\":\"$1\",\"metric\":\"$2\",\"unit\":\"count\",\"quantity\":\"count\",\"direction\":\"lower\",\"values\":[$3]}"
}

absence_line()
{
	echo "{\"benchmark\":\"$1\",\"metric\":\"$2\",\"unit\":\"count\",\"quantity\":\"count\",\"direction\":\"lower\",\"status\":\"$3\",\"reason\":\"$4\"}"
}

put()
{
	"$PERFGATE" ingest --store "$1" - >"$out" 2>"$err" || { fail "a document for $1"; show_output; }
}

early=2026-02-01T00:00:00Z late=2026-02-01T00:00:00.000000001Z

# a: one and two with their ancestry; one run that b and c know too, told differently.
{
	echo "$header"
	commit_line one
	commit_line two one
	run_line one main ci/1 r1 "" $late
	series_line parse allocs 1,2,3
	series_line render allocs 9223372036854775807,-9223372036854775808,0.1,1e-300
	run_line two main ci/2 r1 "" $early
	series_line parse allocs 4
	absence_line gone allocs skipped "no device"
	run_line two main ci/2 r1 "" $early dirty:1234
	series_line parse allocs 5
} | put a.db

# b: the same run of one in another session and branch, earlier; two without ancestry; other series first.
{
	echo "$header"
	run_line two topic ci/9 r1 "" $early
	series_line parse allocs 4
	absence_line gone allocs skipped "no device"
	run_line one topic ci/9 r1 label $early
	series_line parse allocs 1,2,3
	series_line render allocs 9223372036854775807,-9223372036854775808,0.1,1e-300
	run_line two topic ci/9 r2 zeta $early
	series_line zoom bytes 7
	series_line parse allocs 4
} | put b.db

# c: the same run at the same moment as b says, with other facts; and a merge commit.
{
	echo "$header"
	commit_line four two three
	commit_line three one
	run_line one main ci/3 r1 alpha $early
	series_line parse allocs 1,2,3
	series_line render allocs 9223372036854775807,-9223372036854775808,0.1,1e-300
	run_line four "" "" r2 alpha $early
	series_line parse allocs 10
	run_line four "" "" r3 "" $early
	series_line "été \\u001b[31m" allocs 11
} | put c.db

# d: had the run of two on r2 and dropped it, and another one that nobody has.
"$PERFGATE" store merge --store d.db b.db >"$out"
ok "a run is dropped" "$PERFGATE" store drop --store d.db --runner r2
contains "$out" "^dropped .*kpi, 2 samples" "and named"
is "0 1" "$(query d.db "SELECT (SELECT count(*) FROM run AS r JOIN runner AS n ON n.id = r.runner_id WHERE n.key = 'r2'), (SELECT count(*) FROM tombstone)" | tr '|' ' ')" "a tombstone is left"
# e: empty. f: says other things of commit two than a does, which no honest store can.
echo "$header" | put e.db
{
	echo "$header"
	echo "{\"commit\":\"$(hex 40 two)\",\"tree\":\"$(hex 40 other)\",\"committed_at\":\"2025-01-01T00:00:00Z\",\"parents\":[\"$(hex 40 x)\",\"$(hex 40 y)\"]}"
	run_line two main ci/5 r1 "" $late
	series_line parse allocs 4
	absence_line gone allocs skipped "no device"
	run_line two main ci/5 r1 "" $late
	series_line parse allocs 12
} | put f.db

export_of()
{
	"$PERFGATE" store export --store "$1" || echo "export of $1 failed"
}

# united NAME STORE...: merges them in that order into a new store, exports it to NAME.
united()
{
	into=$1
	shift
	forget united.db
	for store in "$@"; do
		"$PERFGATE" store merge --store united.db "$store" >"$out" 2>"$err" || { fail "merging $store"; show_output; }
	done
	export_of united.db >"$into"
	"$PERFGATE" store check --store united.db >"$out" 2>&1 || { fail "the check of $*"; show_output; }
}

united expected a.db b.db c.db d.db e.db f.db
lacks expected 'export of' "all of them are united"
n=0
for order in "f e d c b a" "d c b a f e" "b d a c e f" "c a f d b e" "d b c f a e" "e f c a d b" "a c d b f e" \
	"b a b a c d e f" "d d c c b b a a f f e e" "a b c d e f a b c d e f"; do
	n=$((n + 1))
	set --
	for store in $order; do
		set -- "$@" "$store.db"
	done
	united got "$@"
	same expected got "the same in the order $order"
done

# (a + b) + (c + (d + (e + f)))
for pair in "ef e f" "def d ef" "cdef c def" "ab a b" "all cdef ab" "all2 ab cdef"; do
	set -- $pair
	forget "$1.db"
	ok "$1 of $2 and $3" "$PERFGATE" store merge --store "$1.db" "$2.db" "$3.db"
done
export_of all.db >got
same expected got "the same in brackets"
export_of all2.db >got
same expected got "and with the brackets swapped"
ok "all of them in one command" "$PERFGATE" store merge --store once.db f.db a.db b.db c.db d.db e.db
export_of once.db >got
same expected got "are the same too"

# What the union says.
is 0 "$(query united.db "SELECT count(*) FROM run AS r JOIN runner AS n ON n.id = r.runner_id WHERE n.key = 'r2' AND r.sample_count = 2")" "what one dropped is gone"
is "main ci/1" "$(query united.db "SELECT r.branch, r.session FROM run AS r JOIN commit_ AS c ON c.id = r.commit_id WHERE c.sha = '$(hex 40 one)'" | tr '|' ' ')" "of several tellings the newest holds"
is "2" "$(query united.db "SELECT parent_count FROM commit_ WHERE sha = '$(hex 40 four)'")" "ancestry comes along"
is "1" "$(query united.db "SELECT count(*) FROM commit_parent WHERE commit_id = (SELECT id FROM commit_ WHERE sha = '$(hex 40 three)')")" "from wherever it is known"
is "9223372036854775807 -9223372036854775808 0.1 1.0e-300" "$(query united.db "SELECT s.value FROM sample AS s JOIN run AS r ON r.id = s.run_id WHERE r.sample_count = 7 AND s.series_id = (SELECT series_id FROM sample AS x WHERE x.value = 0.1) ORDER BY ordinal" | tr '\n' ' ' | sed 's/ $//')" "numbers stay exact and in order"

# ---- export and ingest ----

ok "an export is read" "$PERFGATE" ingest --store again.db expected
export_of again.db >got
same expected got "and exported again it has the same bytes"
cp expected twice.json
ok "reading it into its own store" "$PERFGATE" ingest --store united.db twice.json
lacks "$out" "runner [^:]*$" "adds nothing"
export_of united.db >got
same expected got "and changes nothing"
ok "an export by way of a pipe" sh -c '"$0" store export --store united.db | "$0" ingest --store piped.db -' "$PERFGATE"
export_of piped.db >got
same expected got "is the same"
for store in a b c d e f; do
	export_of $store.db >$store.json
	export_of $store.db >one
	forget fresh.db
	"$PERFGATE" ingest --store fresh.db one >"$out" 2>"$err"
	export_of fresh.db >two
	same one two "$store through an export is the same"
	forget fresh.db
	"$PERFGATE" store merge --store fresh.db $store.db >"$out" 2>"$err"
	export_of fresh.db >two
	same one two "$store merged into an empty store is the same"
	"$PERFGATE" store snapshot --store $store.db $store.snapshot >"$out" 2>"$err"
	export_of $store.snapshot >two
	same one two "its snapshot is the same"
done
# All exports one after the other, in two orders, are the merge.
for order in "a b c d e f" "f d b e c a"; do
	forget fresh.db
	for store in $order; do
		export_of $store.db >one
		"$PERFGATE" ingest --store fresh.db one >"$out" 2>"$err" || { fail "the export of $store"; show_output; }
	done
	export_of fresh.db >got
	same expected got "exports read in the order $order are the merge"
done

# ---- tombstones ----

sed -n '/"tombstone"/p' expected >tombstone
is 1 "$(wc -l <tombstone | tr -d ' ')" "one tombstone is exported"
{ echo "$header"; cat tombstone; } >tombstone.json
"$PERFGATE" store merge --store buried.db b.db >"$out"
"$PERFGATE" ingest --store only.db tombstone.json >"$out" 2>"$err"
ok "runs only" "$PERFGATE" store merge --runs-only --store buried.db only.db
export_of buried.db >got
same b.json got "drop nothing"
ok "a tombstone is read" "$PERFGATE" ingest --store buried.db tombstone.json
is 0 "$(query buried.db "SELECT count(*) FROM sample AS x WHERE x.value = 7")" "and buries the run"
ok "the run comes again" "$PERFGATE" ingest --store buried.db b.json
contains "$out" "dropped earlier, not stored again" "and is not stored"
ok "nor does a merge bring it back" "$PERFGATE" store merge --store buried.db b.db
contains "$out" "0 new runs, 2 already here, 1 dropped earlier" "and says so"
digest=$(sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p' tombstone)
ok "a drop is undone" "$PERFGATE" store drop --store buried.db --undo "$digest"
"$PERFGATE" ingest --store dropped.db tombstone.json >"$out" 2>"$err"
ok "for stores that know of the drop, too" "$PERFGATE" store merge --store buried.db dropped.db
ok "and merged back" "$PERFGATE" store merge --store buried.db b.db
contains "$out" "1 new run, 2 already here" "from the store that has it"
export_of buried.db | grep -v '"undone:clean"' >got
same b.json got "as it was"
is_status 2 "$PERFGATE" store drop --store buried.db --undo "$digest"
is_status 2 "$PERFGATE" store drop --store buried.db --run 123456
is_status 2 "$PERFGATE" store drop --store buried.db --run "%"
is_status 2 "$PERFGATE" store drop --store buried.db
export_of buried.db | grep -v '"undone:clean"' >got
same b.json got "what means nothing drops nothing"
ok "a dry run" "$PERFGATE" store drop --store buried.db --suite kpi --dry-run
contains "$out" "^would drop" "says what it would drop"
export_of buried.db | grep -v '"undone:clean"' >got
same b.json got "and drops nothing"
ok "all of it" "$PERFGATE" store drop --store buried.db --suite kpi
ok "leaves a store in order" "$PERFGATE" store check --store buried.db
is 0 "$(query buried.db 'SELECT (SELECT count(*) FROM sample) + (SELECT count(*) FROM absence) + (SELECT count(*) FROM run)')" "and empty"
export_of buried.db >got
"$PERFGATE" ingest --store fresh2.db got >"$out" 2>&1
export_of fresh2.db >again
same got again "tombstones survive an export"

# ---- the other repository ----

query a.db "INSERT INTO property VALUES ('root', '$(hex 40 root1)') ON CONFLICT (name) DO UPDATE SET value = excluded.value"
query c.db "INSERT INTO property VALUES ('root', '$(hex 40 root2)') ON CONFLICT (name) DO UPDATE SET value = excluded.value"
forget united.db
ok "a store of one repository" "$PERFGATE" store merge --store united.db a.db
export_of united.db >before
is_status 2 "$PERFGATE" store merge --store united.db c.db
contains "$err" "holds another repository.*--store, or --force" "another's is refused"
export_of united.db >got
same before got "and nothing of it is there"
ok "but for --force" "$PERFGATE" store merge --store united.db --force c.db

# A failure in the middle of several: those before it are there, whole.
forget united.db
is_status 2 "$PERFGATE" store merge --store united.db b.db no.db d.db
export_of united.db >got
same b.json got "what was merged before the failure is there, whole"
done_testing
