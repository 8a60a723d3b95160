# perfgate measure: two revisions in turns, in work trees that are gone afterwards.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

TMPDIR=$tmp/tmp
export TMPDIR
mkdir "$TMPDIR" || exit 99

# Of work trees and folders nothing is left.
tidy()
{
	is 1 "$(git worktree list | wc -l | tr -d ' ')" "$1: the work trees are gone"
	is "" "$(ls "$TMPDIR")" "$1: the temporary folder is gone"
}

runs()
{
	"$PERFGATE" log --limit 0 --json 2>/dev/null | grep -c '"suite"'
}

# A benchmark that writes kpi documents: NS lies in the tree, and grows a little with each run, which
# the two sides share.
repository r
cat >bench <<'SH'
#!/bin/sh
[ -z "$LOG" ] || echo "$(cat name) $(pwd)" >>"$LOG"
n=$(wc -l <"$COUNT")
echo >>"$COUNT"
ns=$(($(cat ns) + n * 1000))
printf '[{"schema_version":1,"name":"parse","wall_clock_ns":%s,"iterations":1,"allocs_per_op":%s}]' \
	"$ns" "$(cat allocs)" >"$PERFGATE_OUT/kpi.json"
SH
chmod +x bench
echo 1000000 >ns && echo 100 >allocs && echo base >name
git add . && commit base
base_sha=$sha
echo 1200000 >ns && echo 120 >allocs && echo head >name
commit head
head_sha=$sha
COUNT=$tmp/count LOG=$tmp/log
export COUNT LOG
: >"$COUNT" && : >"$LOG"

### two revisions, with documents

ok "two revisions" "$PERFGATE" measure HEAD~1 HEAD --report "json:$report" --pairs 8 -- ./bench
tidy "two revisions"
is "base head head base head base base head base head head base head base base head" \
	"$(cut -d ' ' -f 1 "$LOG" | tr '\n' ' ' | sed 's/ $//')" "the order of the runs"
is 2 "$(cut -d ' ' -f 2 "$LOG" | sort -u | wc -l | tr -d ' ')" "each side has its work tree"
is 16 "$(runs)" "each document is stored"
is regressed "$(verdict parse allocs_per_op)" "an exact metric"
is regressed "$(verdict parse wall_ns_per_op)" "a noisy metric"
is pairs "$(verdict parse wall_ns_per_op method)" "... by its pairs"
is 8 "$(verdict parse wall_ns_per_op n_head)" "... of which there are so many"
is 0.00390625 "$(verdict parse wall_ns_per_op p)" "... and p is 1 in 2^8"
is measure "$(report_field '"command"' command)" "the report names the command"
"$PERFGATE" log --json >"$tmp/log.json"
is 1 "$(sed -n 's/.*"session": "\([^"]*\)".*/\1/p' "$tmp/log.json" | sort -u | wc -l | tr -d ' ')" "both sides have one session"
contains "$tmp/log.json" '"session": "measure/2.*"pair":8}' "... whose runs know their pairs"
ok "diff judges what is stored" "$PERFGATE" diff --report "json:$report" "$base_sha" "$head_sha"
is "regressed pairs" "$(verdict parse wall_ns_per_op) $(verdict parse wall_ns_per_op method)" "... by the same pairs"
interval=$(verdict parse wall_ns_per_op low)..$(verdict parse wall_ns_per_op high)
"$PERFGATE" store export >"$tmp/export" 2>/dev/null
ok "an export" "$PERFGATE" ingest --store "$tmp/other.db" "$tmp/export"
ok "... is judged" "$PERFGATE" diff --store "$tmp/other.db" --report "json:$report" "$base_sha" "$head_sha"
is "pairs $interval" "$(verdict parse wall_ns_per_op method) $(verdict parse wall_ns_per_op low)..$(verdict parse wall_ns_per_op high)" \
	"... by the same pairs in the same order"
is_status 1 "$PERFGATE" measure HEAD~1 HEAD --exit-code --pairs 2 --suite kpi -- ./bench
contains "$err" 'HEAD~1: commit .* measured 2 times, 2 of 2 runs new' "what became of each side"

### the work tree, and no documents

rm -f .git/perfgate/store.db*
echo 1000000 >ns
ok "a revision is compared with the work tree" "$PERFGATE" measure HEAD --pairs 3 --report "json:$report" -- sh -c 'exit 0'
tidy "the work tree"
is "pairs" "$(verdict sh wall_ns method)" "without documents the command is measured"
for metric in wall_ns user_ns system_ns peak_memory_bytes minor_faults major_faults voluntary_switches involuntary_switches; do
	is 3 "$(verdict sh $metric n)" "$metric: a sample a pair"
done
contains "$report" '"tree_state": "dirty"' "the work tree is known as changed"
is 6 "$(runs)" "a run each"
git checkout -q ns
ok "--name" "$PERFGATE" measure . --pairs 1 --name start -- true
is "" "$(cat "$out")" "the work tree alone is not judged"
is 7 "$(runs)" "... but stored"
ok "a revision alone" "$PERFGATE" measure --alone --pairs 2 HEAD~1 -- true
is 9 "$(runs)" "... is stored"
ok "show finds both" "$PERFGATE" show start
tidy "alone"
ok "the same twice" "$PERFGATE" measure HEAD HEAD --pairs 2 --report "json:$report" -- sh -c 'exit 0'
is 2 "$(verdict sh wall_ns n_base)" "... has two sides"
ok "the work tree twice" "$PERFGATE" measure . . --pairs 2 --report "json:$report" -- sh -c 'exit 0'
is 2 "$(verdict sh wall_ns n_base)" "... has two sides as well"
: >"$LOG"
echo 1000000 >ns
ok "three revisions" "$PERFGATE" measure HEAD~1 HEAD . --pairs 2 -- sh -c 'basename "$(pwd)" >>"$LOG"'
is "tree-1 tree-2 r r tree-2 tree-1 " "$(cut -d - -f 1,2 "$LOG" | tr '\n' ' ')" "... run to and fro"
is 2 "$(grep -c 'measured in turns with it' "$out")" "... and are judged against the first, each by itself"
tidy "three revisions"
is_status 2 "$PERFGATE" measure HEAD~1 HEAD . --report json -- true
git checkout -q ns
is_status 2 "$PERFGATE" measure HEAD~1 HEAD . --pairs 1 -- true
contains "$err" "'HEAD' and '.' are the same commit" "one of three twice is refused"

### set-up, and what the command sees

ok "--setup runs in each tree" "$PERFGATE" measure HEAD~1 HEAD --pairs 1 --setup 'cp name built' -- \
	sh -c 'test "$(cat built)" = "$(cat name)" && test -d "$PERFGATE_OUT" && test -z "$(ls "$PERFGATE_OUT")"'
ok "... and not in the one around" test ! -e built
is_status 2 "$PERFGATE" measure HEAD~1 --setup 'echo no compiler; exit 4' -- true
contains "$err" 'the set-up of HEAD~1 failed with status 4' "a set-up that fails"
contains "$err" '\| no compiler' "... with what it said"
tidy "a set-up that fails"
printf '[measure]\n\tsetup = cp name built\n\tcommand = test -f built\n\tpairs = 2\n' >perfgate.conf
ok "all from perfgate.conf" "$PERFGATE" measure HEAD~1 HEAD
contains "$err" 'HEAD~1: commit .* measured 2 times' "... with its pairs"
ok "diff --measure" "$PERFGATE" diff --measure HEAD~1 --report "json:$report"
is "2 pairs" "$(verdict test wall_ns n_base) $(verdict test wall_ns method)" "... does the same"
is_status 2 "$PERFGATE" diff --measure nothing-here
contains "$err" "'nothing-here' is no revision" "... of revisions only"
change "nothing measured"
ok "diff with nothing to compare" "$PERFGATE" diff HEAD~1
contains "$out" 'perfgate measure HEAD~1$' "... names the command that measures both"
rm -f perfgate.conf
ok "the same without [measure]" "$PERFGATE" diff HEAD~1
contains "$out" 'perfgate measure HEAD~1 -- COMMAND$' "... says what is lacking"
printf '[measure]\n\tpairs = 33\n' >perfgate.conf
is_status 2 "$PERFGATE" measure HEAD~1
contains "$err" 'perfgate.conf:2: pairs' "too many pairs"
rm -f perfgate.conf
ok "--keep" "$PERFGATE" measure HEAD --alone --pairs 1 --keep -- true
ok "... keeps the work tree" test -f "$(ls -d "$TMPDIR"/*/tree-1-*)/bench"
git worktree remove --force "$(ls -d "$TMPDIR"/*/tree-1-*)" && rm -rf "$TMPDIR"/*

### what goes wrong

before=$(runs)
is_status 2 "$PERFGATE" measure HEAD~1 HEAD -- sh -c 'echo out of luck; exit 3'
contains "$err" 'the command of HEAD~1 failed with status 3' "a command that fails"
contains "$err" '\| out of luck' "... with what it said"
tidy "a command that fails"
is_status 2 "$PERFGATE" measure HEAD -- sh -c 'kill -SEGV $$'
contains "$err" 'was ended by a signal: Segmentation' "a command that a signal ends"
is_status 2 "$PERFGATE" measure HEAD --timeout 1s -- sh -c 'echo waiting; sleep 1000 & wait'
contains "$err" 'did not end within 1 s \(--timeout\)' "a command that hangs"
contains "$err" '\| waiting' "... with what it said"
tidy "a command that hangs"
is_status 2 "$PERFGATE" measure HEAD -- ./no-such-program
contains "$err" "cannot run './no-such-program'" "a program that is not there"
is_status 2 "$PERFGATE" measure HEAD -- sh -c 'echo "[{]" >"$PERFGATE_OUT/kpi.json"'
is_status 2 "$PERFGATE" measure HEAD -- sh -c 'echo hello >"$PERFGATE_OUT/readme"'
contains "$err" 'HEAD, run 1' "a folder without documents names the run"
is_status 2 "$PERFGATE" measure HEAD -- sh -c 'printf "%b" "\\033[31mred\\n"; exit 1'
is "" "$(steering "$err")" "output steers no terminal"
tidy "what goes wrong"
is "$before" "$(runs)" "nothing of it was stored"
rm -f "$tmp/third"
is_status 2 "$PERFGATE" measure HEAD~1 HEAD -- sh -c "echo >>'$tmp/third'; test \$(wc -l <'$tmp/third') -lt 4"
is $((before + 2)) "$(runs)" "the pairs before the one that failed are stored"
for wrong in '--pairs 33' '--timeout 5x' '--timeout 0' 'nothing-here' '--alone HEAD HEAD~1' '--jobs x'; do
	is_status 2 "$PERFGATE" measure $wrong -- true
done
is_status 2 "$PERFGATE" measure HEAD
contains "$err" 'measure what\?' "without a command"

### signals

for signal in INT TERM; do
	before=$(runs)
	rm -f "$tmp/third"
	"$PERFGATE" measure HEAD~1 HEAD -- sh -c "echo >>'$tmp/third'; test \$(wc -l <'$tmp/third') -lt 4 || sleep 1000" >"$out" 2>"$err" &
	pid=$!
	tries=0
	while [ "$(wc -l <"$tmp/third" 2>/dev/null || echo 0)" -lt 4 ] && [ $tries -lt 600 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	kill -$signal $pid
	wait $pid
	is 2 $? "SIG$signal: the exit status"
	contains "$err" 'after 1 of 10 pairs' "SIG$signal: how far it came"
	is $((before + 2)) "$(runs)" "SIG$signal: the complete pair is stored"
	contains "$out" ' -> ' "SIG$signal: ... and judged"
	tidy "SIG$signal"
done

### sessions apart

rm -f .git/perfgate/store.db*
for rev in HEAD~1 HEAD; do
	walls parse 1000 1010 1020 >"$tmp/walls.json"
	ingest --commit $rev --session "of $rev" "$tmp/walls.json"
done
base=$(git rev-parse --short=12 HEAD~1)
ok "diff of two sessions" "$PERFGATE" diff HEAD~1 HEAD
contains "$out" "in turns: perfgate measure $base HEAD -- COMMAND$" "... names the command that tells"
ok "gate" "$PERFGATE" gate HEAD~1
contains "$out" "in turns: perfgate measure $base -- COMMAND$" "so does gate"

### jobs

cat >perfgate.conf <<'CONF'
[measure]
	setup = cp name built
	pairs = 2
[measure "quick"]
	command = sh -c true
[measure "slow one"]
	command = ./bench
	pairs = 3
CONF
: >"$LOG"
before=$(runs)
ok "all jobs" "$PERFGATE" measure HEAD~1 --report "json:$report"
contains "$err" '^perfgate: HEAD~1, quick: commit .* measured 2 times, 2 of 2 runs' "... with the pairs of [measure]"
contains "$err" '^perfgate: HEAD~1, slow one: commit .* measured 3 times, 3 of 3 runs' "... or their own"
is "2 3" "$(verdict quick wall_ns n_base) $(verdict parse wall_ns_per_op n_base)" "... are in one report, under their names"
is $((before + 10)) "$(runs)" "... and stored"
ok "--jobs" "$PERFGATE" measure HEAD~1 --jobs '^q' --report "json:$report"
is "2 " "$(verdict quick wall_ns n_base) $(verdict parse wall_ns_per_op n_base)" "... chooses"
is_status 2 "$PERFGATE" measure HEAD~1 --jobs fast
contains "$err" '^perfgate: --jobs fast matches none of quick, slow one$' "... from names"
is_status 2 "$PERFGATE" measure HEAD~1 --jobs '('
is_status 2 "$PERFGATE" measure HEAD~1 --jobs q -- true
rm -f perfgate.conf
tidy "jobs"

### no repository

mkdir deep
ok "from a folder below" sh -c 'cd deep && "$0" measure --pairs 1 -- test -f bench' "$PERFGATE"
cd "$tmp" || exit 99
is_status 2 "$PERFGATE" measure -- true
contains "$err" 'needs a git repository' "without a repository"
done_testing
