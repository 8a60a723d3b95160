# perfgate bisect: the commit that made a series worse, and a repository that is as it was.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

TMPDIR=$tmp/tmp
export TMPDIR
mkdir "$TMPDIR" || exit 99

# The benchmark that all commits have: it writes a kpi document with the number of the tree.
benchmark()
{
	cat >bench <<'SH'
#!/bin/sh
[ -z "$LOG" ] || git rev-parse HEAD >>"$LOG"
[ ! -e broken ] || { [ -z "$HANGS" ] || sleep 1000; echo "no compiler"; exit 4; }
[ -z "$WAIT" ] || [ "$(cat allocs)" = 100 ] || { trap '' TERM; echo $PPID >>"$WAIT"; sleep 1000; }
printf '[{"schema_version":1,"name":"%s","wall_clock_ns":1000,"iterations":1,"allocs_per_op":%s}]' \
	"${NAME:-parse}" "$(cat allocs)" >"$PERFGATE_OUT/kpi.json"
SH
	chmod +x bench
	echo 100 >allocs
	git add .
}

# history N CULPRIT [BROKEN...]: a first commit, and N behind it, of which CULPRIT makes 120
# allocations where there were 100 and the BROKEN ones fail
history()
{
	n=$1 culprit=$2
	shift 2
	benchmark
	commit "the beginning"
	i=0
	while [ $i -lt "$n" ]; do
		i=$((i + 1))
		[ $i -ne "$culprit" ] || echo 120 >allocs
		case " $* " in
		*" $i "*) : >broken && git add broken ;;
		*) git rm -q -f --ignore-unmatch broken ;;
		esac
		change "change $i"
		[ $i -ne "$culprit" ] || culprit_sha=$sha
	done
}

# All of the repository but for the store: refs, files of git, work tree.
state()
{
	git for-each-ref
	git status --porcelain --ignored
	git worktree list
	find "$(git rev-parse --git-common-dir)" -type f ! -path '*/perfgate/store.db*' -exec cksum {} + | sort
	find . -path ./.git -prune -o -type f -exec cksum {} + | sort
	ls "$(git rev-parse --git-common-dir)/perfgate" 2>/dev/null | grep -v '^store.db'
	ls "$TMPDIR"
}

before()
{
	state >"$tmp/before"
}

as_before()
{
	state >"$tmp/after"
	same "$tmp/before" "$tmp/after" "$1: the repository is as it was"
}

field()
{
	sed -n "s/^.*\"$1\": \"\([^\"]*\)\".*/\1/p" "$out" | head -n 1
}

left()
{
	sed -n '/^ "left"/,/^ "measured"/s/.*"sha": "\([^"]*\)".*/\1/p' "$out" | sort | tr '\n' ' '
}

measure_at()
{
	"$PERFGATE" measure --alone --pairs 1 "$1" -- ./bench >/dev/null 2>&1 || fail "set-up: measure $1"
}

### a step in the store

repository r
history 16 9
before
is_status 2 "$PERFGATE" bisect parse:allocs --list
contains "$err" 'no store|store.db' "without a store"
as_before "without a store"
measure_at HEAD~16
measure_at HEAD~12
measure_at HEAD
before
ok "--list names the range" "$PERFGATE" bisect parse:allocs --list
contains "$out" '^kpi:parse:allocs_per_op: one of 12 commits made it worse' "... how many there are"
contains "$out" "^$(git rev-parse --short=12 HEAD) +bad +120  change 16" "... the first bad one, and its value"
contains "$out" "^$(git rev-parse --short=12 HEAD~12) +good +100  change 4" "... the last good one"
contains "$out" "^$(git rev-parse --short=12 "$culprit_sha") +-  change 9" "... those between"
as_before "--list"
is_status 3 "$PERFGATE" bisect parse:allocs
contains "$err" 'bisect \.\.\. -- COMMAND' "without a command it says what is lacking"
LOG=$tmp/log
export LOG
: >"$LOG"
ok "the culprit is found" "$PERFGATE" bisect parse:allocs -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... and named"
contains "$out" '^2026-01-01  change 9' "... with its date and subject"
contains "$out" 'kpi:parse:allocs_per_op: 100 -> 120 \(\+20.0 %\), measured' "... and what it did"
contains "$out" 'commits measured$' "... how many were measured"
contains "$out" "^next: git show $(git rev-parse --short=12 "$culprit_sha").*perfgate accept" "... what to type next"
is 0 "$(($(wc -l <"$LOG") % 2))" "each is measured beside the good side"
is "$(($(wc -l <"$LOG") / 2))" "$(grep -c "$(git rev-parse HEAD~12)" "$LOG")" "... in one pair, since it is exact"
if [ "$(wc -l <"$LOG")" -le 12 ]; then pass "no more of them than it takes"; else fail "no more of them than it takes"; fi
as_before "found"
unset LOG
ok "what was measured is stored: it is found again" "$PERFGATE" bisect parse:allocs -- ./no-such-program
contains "$out" "^first bad commit: $culprit_sha" "... without measuring"
contains "$out" 'as stored$' "... and says so"
ok "... in JSON" "$PERFGATE" bisect kpi:parse:allocs_per_op --json
is "found kpi:parse:allocs_per_op" "$(field result) $(field series)" "... what was found"
is "$culprit_sha " "$(left)" "... and where"
is_status 3 "$PERFGATE" bisect parse:allocs --to HEAD~8
contains "$out" 'no step for the worse among the .* measured commits' "no step in the store"
is_status 3 "$PERFGATE" bisect parse:allocs --to HEAD~8 --json
is "none" "$(field result)" "... in JSON"

### which series

is_status 2 "$PERFGATE" bisect parse --list
contains "$err" "'parse' stands for 4 series.*'kpi:parse:allocs_per_op', 'kpi:parse:iterations'" "several series are named"
is_status 2 "$PERFGATE" bisect nothing --list
contains "$err" "no series 'nothing'" "a series that is not there"
is_status 2 "$PERFGATE" bisect 'a(' --list
contains "$err" 'a\(' "a pattern that is none"
is_status 2 "$PERFGATE" bisect
is_status 2 "$PERFGATE" bisect allocs --pairs 33 --list
is_status 3 "$PERFGATE" bisect iterations --from HEAD~16 -- ./bench
contains "$out" 'cannot tell .*for information' "a series that is never judged"

### a range that is given

ok "--from and --to" "$PERFGATE" bisect allocs --from HEAD~16 --to HEAD~2 --json -- ./bench
is "found $culprit_sha " "$(field result) $(left)" "... find it too"
rm -f .git/perfgate/store.db*
ok "without a store" "$PERFGATE" bisect parse:allocs --from HEAD~16 --verbose -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... the first measurement says which series is meant"
contains "$err" '\| git bisect (good|bad) ' "--verbose shows git's log"
as_before "without a store"
ok "a range of one commit" "$PERFGATE" bisect allocs --from "$culprit_sha~1" --to "$culprit_sha" -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... is measured once"
contains "$out" '^1 commit measured' "... and no more"
is_status 3 "$PERFGATE" bisect allocs --from HEAD~16 --to HEAD~9 -- ./bench
contains "$out" '^cannot reproduce: .* is not worse than .*: 100 -> 100' "what is not worse"
is_status 3 "$PERFGATE" bisect allocs --from HEAD~16 --to HEAD~9 --json -- ./bench
is not-reproduced "$(field result)" "... in JSON"
is_status 2 "$PERFGATE" bisect allocs --from HEAD~1 --to HEAD~2 -- ./bench
contains "$err" 'no ancestor' "sides the wrong way round"
is_status 2 "$PERFGATE" bisect allocs --from HEAD -- ./bench
contains "$err" 'both sides are' "one commit on both sides"
is_status 2 "$PERFGATE" bisect allocs --from nowhere -- ./bench
is_status 2 "$PERFGATE" bisect allocs --from HEAD~16 -- ./no-such-program
contains "$err" "cannot run './no-such-program'" "a command that is not there"
is_status 2 "$PERFGATE" bisect misspelt --from HEAD~16 -- ./bench
contains "$err" 'no such series' "a series that nothing measures"
is_status 2 "$PERFGATE" bisect never-stored --from HEAD~16 --store "$tmp/other.db" -- ./bench
as_before "errors"

### where one stands

mkdir -p deep
ok "a folder below" sh -c 'cd deep && "$0" bisect allocs --from HEAD~10 --store ../relative.db -- ./bench' "$PERFGATE"
ok "... and a store relative to it" test -f relative.db
rm -rf relative.db* deep
git worktree add -q --detach "$work/linked" HEAD~1
ok "a linked work tree" sh -c 'cd "$1" && "$0" bisect allocs --from HEAD~9 -- ./bench' "$PERFGATE" "$work/linked"
contains "$out" "^first bad commit: $culprit_sha" "... is as good"
git worktree remove --force "$work/linked"
git bisect start -q HEAD HEAD~4 >/dev/null 2>&1
echo dirty >>file && echo staged >staged && git add staged && echo new >untracked
before
ok "a bisect of one's own, and changes" "$PERFGATE" bisect allocs --from "$culprit_sha~3" --to main -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... are not looked at"
as_before "changes"
ok "... and go on" git bisect log
git reset -q --hard && rm -f untracked && git bisect reset -q 2>/dev/null
ok "variables of git" env GIT_DIR="$work/r/.git" GIT_WORK_TREE="$work/r" "$PERFGATE" bisect allocs --from HEAD~9 -- ./bench
printf '[measure]\ncommand = ./bench\n' >perfgate.conf
ok "the command of perfgate.conf" "$PERFGATE" bisect allocs --from HEAD~9
printf '[measure "other"]\ncommand = false\n[measure "this"]\ncommand = ./bench\n' >perfgate.conf
ok "--jobs chooses one of several" "$PERFGATE" bisect allocs --from HEAD~9 --jobs this --cpus none
rm -f perfgate.conf

### what is accepted is worse all the same

printf '[accept "meant"]\nbenchmark = ^parse$\nmetric = ^allocs_per_op$\nto = 120\nreason = meant\n' >perfgate.conf
ok "an accepted step" "$PERFGATE" bisect allocs --from HEAD~9 -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... is found"
rm -f perfgate.conf

### commits that fail

repository broken
history 12 7 4 10
before
ok "commits that do not build" "$PERFGATE" bisect allocs --from HEAD~12 -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... are skipped"
as_before "skipped"
repository beside
history 12 7 6 5
before
is_status 3 "$PERFGATE" bisect allocs --from HEAD~12 -- ./bench
contains "$out" '^one of these 3 commits made it worse' "a culprit behind commits that fail"
contains "$out" "^$(git rev-parse --short=12 "$culprit_sha") +bad " "... is one of several"
contains "$out" "^$(git rev-parse --short=12 HEAD~6) +skipped " "... and so are those"
contains "$err" 'skipped: the command of .* failed with status 4' "... which failed"
is_status 3 "$PERFGATE" bisect allocs --from HEAD~12 --json -- ./bench
is "several $(git rev-parse HEAD~5 HEAD~6 HEAD~7 | sort | tr '\n' ' ')" "$(field result) $(left)" "... in JSON"
is_status 2 "$PERFGATE" bisect allocs --from HEAD~12 --to HEAD~6 -- ./bench
contains "$err" 'failed with status 4' "a bad side that fails is an error"
as_before "several"
repository hangs
history 6 4 3
before
HANGS=yes
export HANGS
is_status 3 "$PERFGATE" bisect allocs --from HEAD~6 --timeout 3s -- ./bench
unset HANGS
contains "$err" 'skipped: the command of .* did not end within 3 s' "a commit that hangs is skipped"
as_before "hangs"

### merges

repository merges
history 3 0
git checkout -q -b side
change "on the side"
echo 130 >allocs
change "the culprit on the side"
culprit_sha=$sha
change "behind it"
git checkout -q main
echo other >other && git add other && commit "on main"
git merge -q --no-ff -m "merge of side" side
merge=$(git rev-parse HEAD)
change "after the merge"
ok "a culprit on a merged branch" "$PERFGATE" bisect allocs --from HEAD~4 -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... is found there"
ok "--first-parent" "$PERFGATE" bisect allocs --from HEAD~4 --first-parent -- ./bench
contains "$out" "^first bad commit: $merge" "... finds the merge"

### the gate names the command

repository pointed
history 5 3
for rev in HEAD~5 HEAD; do measure_at $rev; done
is_status 1 "$PERFGATE" gate
contains "$out" '^(next:|     ) find the commit: perfgate bisect kpi:parse:allocs_per_op -- COMMAND$' "the gate says how to find it"
change "unmeasured"
is_status 1 "$PERFGATE" gate HEAD~6 HEAD~1
contains "$out" "perfgate bisect kpi:parse:allocs_per_op --to $(git rev-parse --short=12 HEAD~1) --" "... and of another commit"
printf '[measure]\ncommand = ./bench\n' >perfgate.conf
is_status 1 "$PERFGATE" gate HEAD~6 HEAD~1
git checkout -q HEAD~1 && printf '[measure]\ncommand = ./bench\n' >perfgate.conf
is_status 1 "$PERFGATE" gate HEAD~5
line=$(sed -n 's/.* find the commit: //p' "$out")
is "perfgate bisect kpi:parse:allocs_per_op" "$line" "... with the command that perfgate.conf has"
ok "... which works" sh -c "'$PERFGATE' ${line#perfgate}"
contains "$out" "^first bad commit: $culprit_sha" "... and finds it"
is_status 1 "$PERFGATE" gate HEAD~1 "$culprit_sha"
lacks "$out" 'perfgate bisect' "... and not where there is one commit only"

### names

NAME="it's \$(touch $tmp/owned); \`touch $tmp/owned\` ^.*\$ [ab]{2} %s"
export NAME
mkdir "$work/it's \"a: \$(touch owned) x" && cd "$work/it's \"a: \$(touch owned) x" && git init -q . || exit 99
history 6 3
escape=$(printf 'a subject\033[31m')
git commit -q --amend -m "$escape"
for rev in HEAD~6 HEAD; do
	"$PERFGATE" measure --alone --pairs 1 $rev -- ./bench >/dev/null 2>&1
done
before
ok "a hostile name" "$PERFGATE" bisect "kpi:$NAME:allocs_per_op" --list
ok "... is known to the gate" sh -c '"$0" gate HEAD~6 >"$1"; test $? = 1' "$PERFGATE" "$tmp/gate"
sed -n 's/.* find the commit: perfgate//p' "$tmp/gate" >"$tmp/line"
ok "... whose line can be pasted" sh -c "'$PERFGATE' $(sed 's/COMMAND$/.\/bench/' "$tmp/line")"
contains "$out" "^first bad commit: $culprit_sha" "... and finds the commit"
ok "a hostile name, picked by a pattern" "$PERFGATE" bisect allocs --from HEAD~6 -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... is looked at"
is "" "$(steering "$out"; steering "$err")" "... and nothing steers the terminal"
ok "... nothing ran" test ! -e "$tmp/owned" -a ! -e owned
as_before "hostile names"
unset NAME

### other repositories

git clone -q --depth 8 "file://$work/r" "$work/shallow" 2>/dev/null && cd "$work/shallow" || exit 99
ok "a shallow clone" "$PERFGATE" bisect allocs --from HEAD~7 --to HEAD~1 --list
is_status 3 "$PERFGATE" bisect allocs --from HEAD~7 --to HEAD~1 -- ./bench
contains "$out" 'cannot reproduce' "... is measured as far as it goes"
"$PERFGATE" store merge "$work/r/.git/perfgate/store.db" >/dev/null 2>&1
is_status 2 "$PERFGATE" bisect parse:allocs --from "$(git -C "$work/r" rev-parse HEAD~16)" --list
contains "$err" 'this clone lacks the good side' "... and no further"
ok "a store elsewhere" "$PERFGATE" bisect allocs --store "$tmp/elsewhere.db" --from HEAD~7 --list
rm -rf .git/perfgate
is_status 3 "$PERFGATE" bisect allocs --store "$tmp/elsewhere.db" --from HEAD~7 -- ./bench
ok "... leaves no folder" test ! -e .git/perfgate
if git init -q --object-format=sha256 "$work/sha256" 2>/dev/null; then
	cd "$work/sha256" || exit 99
	history 5 2
	ok "SHA-256" "$PERFGATE" bisect allocs --from HEAD~5 -- ./bench
	contains "$out" "^first bad commit: $culprit_sha" "... names"
else
	skip "SHA-256" "this git knows SHA-1 only"
fi
cd "$tmp" || exit 99
is_status 2 "$PERFGATE" bisect allocs --store "$tmp/elsewhere.db"
contains "$err" 'needs the work tree of a git repository' "no repository"

### what other documents stored

repository stored
for n in 100 100 120 120; do
	change "makes $n"
	measure $n --runner "machine-$sha"
done
ok "runners that are compared" "$PERFGATE" bisect parse:allocs
contains "$out" "^first bad commit: $(git rev-parse HEAD~1)" "... are one series"
repository noisy
i=0
while [ $i -lt 26 ]; do
	i=$((i + 1))
	change "night $i"
	[ $i -ne 23 ] || culprit_sha=$sha
	walls parse $(((i >= 23 ? 1300000 : 1000000) + i * 7919 % 13 * 1000)) >"$tmp/wall.json"
	ingest --session "night $i" "$tmp/wall.json"
done
ok "sessions of a noisy series" "$PERFGATE" bisect wall_ns_per_op
contains "$out" "^first bad commit: $culprit_sha" "... as the gate tells them apart"
is_status 3 "$PERFGATE" bisect wall_ns_per_op --to HEAD~4
conf '[rename "names"]' 'from = ^parse$' 'to = parser'
ok "a series by its present name" "$PERFGATE" bisect parser:wall_ns_per_op
is_status 2 "$PERFGATE" bisect parse:wall_ns_per_op

### a snapshot as the store

repository snapshot
history 3 2
measure_at HEAD~3
ok "a snapshot" "$PERFGATE" store snapshot "$tmp/snapshot.db"
ok "a store that has no log yet is measured into" timeout 300 \
	"$PERFGATE" bisect --store "$tmp/snapshot.db" parse:allocs --from HEAD~3 -- ./bench
contains "$out" "^first bad commit: $culprit_sha" "... and the commit is found"

### signals

repository signals
history 12 7
git bisect start -q HEAD HEAD~4 >/dev/null 2>&1
before
for signal in INT TERM KILL; do
	WAIT=$tmp/wait-$signal
	export WAIT
	"$PERFGATE" bisect allocs --from main~12 --to main -- ./bench >"$out" 2>"$err" &
	pid=$!
	tries=0
	while [ ! -s "$WAIT" ] && [ $tries -lt 600 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	"$PERFGATE" bisect allocs --from main~12 --to main --list >/dev/null 2>&1
	is 1 "$(ls .git/perfgate | grep -c '^bisect-.*\.lock$')" "SIG$signal: another call leaves alone what is in use"
	kill -$signal $pid
	wait $pid 2>/dev/null
	status=$?
	if [ $signal != KILL ]; then
		is 2 $status "SIG$signal: the exit status"
		contains "$err" 'stopped by a signal' "SIG$signal: what is said"
		as_before "SIG$signal"
		continue
	fi
	# What it measures with is another process, which tidies up by itself.
	kill -TERM "$(head -n 1 "$WAIT")"
	while kill -0 "$(head -n 1 "$WAIT")" 2>/dev/null && [ $tries -lt 1200 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	is 1 "$(ls .git/perfgate | grep -c '^bisect-.*\.lock$')" "SIGKILL leaves a folder"
	"$PERFGATE" bisect allocs --from main~12 --to main --list >"$out" 2>"$err"
	as_before "SIGKILL, and the next call"
done
done_testing
