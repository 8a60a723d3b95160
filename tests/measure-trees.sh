# The work trees of perfgate measure: made from whatever repository there is, and no trace left in it.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

TMPDIR=$tmp/tmp
LOG=$tmp/log
export TMPDIR LOG
mkdir "$TMPDIR" || exit 99

tidy()
{
	is 1 "$(git worktree list | wc -l | tr -d ' ')" "$1: the work trees are gone"
	is "" "$(ls "$TMPDIR")" "$1: the temporary folder is gone"
}

# What git keeps of a repository beside objects and perfgate's own.
state_of()
{
	(cd "$1" && cat config config.worktree info/sparse-checkout 2>/dev/null && git for-each-ref && ls modules worktrees 2>/dev/null)
}

# wait_until SECONDS CMD...
wait_until()
{
	tries=$(($1 * 10))
	shift
	while ! "$@" && [ $tries -gt 0 ]; do
		sleep 0.1
		tries=$((tries - 1))
	done
}

there_is()
{
	ls "$TMPDIR"/$1 >/dev/null 2>&1
}

repository r
echo 1 >one && git add . && commit base
change head

### in a hook

git config core.hooksPath "$work/r/.git/hooks"
mkdir -p .git/hooks
cat >.git/hooks/pre-commit <<SH
#!/bin/sh
git rev-parse --local-env-vars >'$tmp/names'
env | grep '^GIT_INDEX_FILE=' >'$tmp/outside'
exec "$PERFGATE" measure HEAD . --pairs 1 --setup 'pwd >>"\$LOG"; env | grep -E "^GIT_(DIR|INDEX_FILE|PREFIX|WORK_TREE|COMMON_DIR)=" >>"\$LOG" || :' -- sh -c 'git status --porcelain >>"\$LOG"'
SH
cat >.git/hooks/post-checkout <<SH
#!/bin/sh
echo post-checkout >>'$tmp/hooks'
SH
chmod +x .git/hooks/*
: >"$LOG"
echo 2 >one
for index in "-a -m" "-m"; do
	echo "$index" >>one
	git add one
	ok "git commit $index with a hook that measures" git commit -q $index hooked
	is "" "$(git status --porcelain)" "... leaves the index as it should be"
	is "one" "$(git show --name-only --format= HEAD)" "... and commits what there was"
done
ok "a hook has git's variables" test -s "$tmp/outside"
is "" "$(sed -n '2p' "$LOG" | grep '^GIT')" "... which another work tree is not told"
contains "$LOG" '^GIT_INDEX_FILE=' "... and the one around is"
ok "no hook of git's ran for a work tree" test ! -e "$tmp/hooks"
rm -rf .git/hooks && git config --unset core.hooksPath
tidy "a hook"

### the tree that changes meanwhile

runs_before=$("$PERFGATE" log --limit 0 --json | grep -c '"suite"')
is_status 2 "$PERFGATE" measure HEAD~1 . --pairs 2 -- sh -c "case \$(pwd) in '$work'/*) echo more >>one ;; esac"
contains "$err" '^perfgate: tracked files changed \(now unlike HEAD: one\) while the work tree was measured,' "files that change"
git checkout -q one
is_status 2 "$PERFGATE" measure . --pairs 2 -- git commit -q --allow-empty -m moved
contains "$err" '^perfgate: HEAD moved while the work tree was measured' "HEAD that moves"
is "$runs_before" "$("$PERFGATE" log --limit 0 --json | grep -c '"suite"')" "... store nothing"
ok "files that git does not know may change" "$PERFGATE" measure . --pairs 1 -- touch unknown
rm -f unknown
tidy "changes"

### how many processes

mkdir "$tmp/bin"
cat >"$tmp/bin/git" <<SH
#!/bin/sh
echo "\$*" >>'$tmp/calls'
exec '$(command -v git)' "\$@"
SH
chmod +x "$tmp/bin/git"
: >"$tmp/calls"
ok "with git counted" env PATH="$tmp/bin:$PATH" "$PERFGATE" measure HEAD~1 HEAD --pairs 8 -- true
is 6 "$(wc -l <"$tmp/calls" | tr -d ' ')" "two revisions take six processes, however many pairs"
: >"$tmp/calls"
ok "the same for the work tree" env PATH="$tmp/bin:$PATH" "$PERFGATE" measure HEAD~1 . --pairs 8 -- true
is 6 "$(wc -l <"$tmp/calls" | tr -d ' ')" "... take as many"

### stopped while git works

git config filter.slow.smudge 'echo >>"$LOG.slow"; sleep 1000'
git config filter.slow.clean cat
echo 'slow filter=slow' >.gitattributes && echo slow >slow && git add . && commit "slow to check out"
for signal in INT TERM; do
	rm -f "$LOG.slow"
	"$PERFGATE" measure --alone HEAD -- true >"$out" 2>"$err" &
	pid=$!
	wait_until 60 test -e "$LOG.slow"
	kill -$signal $pid
	wait $pid
	is 2 $? "SIG$signal while git checks out"
	contains "$err" '^perfgate: stopped by a signal' "... is told"
	tidy "SIG$signal"
done
git config --remove-section filter.slow
git rm -q .gitattributes slow && commit "fast again"

### killed

"$PERFGATE" measure HEAD HEAD --keep --pairs 1 -- true >"$out" 2>"$err"
kept=$(ls "$TMPDIR")
"$PERFGATE" measure HEAD HEAD -- sh -c 'echo $$ >"$LOG.pid"; exec sleep 1000' >"$out" 2>"$err" &
pid=$!
wait_until 60 test -s "$LOG.pid"
kill -9 $pid
wait $pid 2>/dev/null
kill -9 "$(cat "$LOG.pid")"
is 5 "$(git worktree list | wc -l | tr -d ' ')" "a process that was killed leaves its work trees"
ok "the next one" "$PERFGATE" measure --alone HEAD --pairs 1 -- true
is "3 $kept" "$(git worktree list | wc -l | tr -d ' ') $(ls "$TMPDIR")" "... takes them away, but none that was kept"
"$PERFGATE" measure HEAD HEAD -- sh -c 'echo >>"$LOG.busy"; exec sleep 1000' >"$out" 2>"$err" &
pid=$!
wait_until 60 test -s "$LOG.busy"
ok "while another one runs" "$PERFGATE" measure --alone HEAD --pairs 1 -- true
is 5 "$(git worktree list | wc -l | tr -d ' ')" "... its work trees stay"
kill -TERM $pid
wait $pid
for tree in "$TMPDIR/$kept"/tree-*; do
	git worktree remove --force "$tree"
done
rm -rf "$TMPDIR/$kept"
tidy "killed"

### branches

git branch other HEAD~1
git worktree add -q "$tmp/elsewhere" other
ok "a branch that is checked out elsewhere" "$PERFGATE" measure other HEAD --pairs 1 -- true
ok "from a linked work tree" sh -c 'cd "$1" && exec "$0" measure HEAD~1 --pairs 1 -- test -e one' "$PERFGATE" "$tmp/elsewhere"
git worktree remove "$tmp/elsewhere"
tidy "branches"

### submodules

for name in inner used unused; do
	git init -q "$work/$name" && (cd "$work/$name" && echo $name >there && git add . && git commit -q -m $name)
done
(cd "$work/used" && git submodule --quiet add "$work/inner" inner 2>/dev/null && git commit -q -m inner)
for name in used unused; do
	git submodule --quiet add "$work/$name" $name 2>/dev/null
done
git commit -q -m submodules
git submodule --quiet update --init --recursive
git submodule --quiet deinit unused
before=$(state_of .git)
ok "submodules" "$PERFGATE" measure HEAD HEAD --pairs 1 -- sh -c 'test -f used/there && test -f used/inner/there && test ! -e unused/there'
is "$before" "$(state_of .git)" "... and no trace of them in the configuration"
tidy "submodules"

### sparse checkouts, configuration of a work tree

mkdir in out && echo 1 >in/file && echo 1 >out/file && git add in out && commit folders
git sparse-checkout set in
before=$(state_of .git)
ok "a sparse checkout" "$PERFGATE" measure HEAD HEAD --pairs 1 -- sh -c 'test -f in/file && test ! -e out/file'
is "$before" "$(state_of .git)" "... and no trace of it"
git sparse-checkout disable
git config extensions.worktreeConfig true && git config --worktree core.fileMode true
before=$(state_of .git)
ok "configuration of each work tree" "$PERFGATE" measure HEAD HEAD --pairs 1 -- test -f out/file
is "$before" "$(state_of .git)" "... and no trace"
tidy "sparse"

### clones

git clone -q --depth 1 "file://$work/r" "$work/shallow" && cd "$work/shallow" || exit 99
is_status 2 "$PERFGATE" measure HEAD~1 -- true
contains "$err" "'HEAD~1' is no revision of this repository, which is shallow: git fetch --deepen" "a shallow clone"
is_status 2 "$PERFGATE" diff --store n.db HEAD~1
contains "$err" "'HEAD~1' is neither a file nor a revision of this repository, which is shallow: git fetch --deepen" "... for diff, too"
ok "... of what it has" "$PERFGATE" measure HEAD --pairs 1 -- test -f one
git clone -q --bare "$work/r" "$work/bare.git" && cd "$work/bare.git" || exit 99
ok "a bare clone" "$PERFGATE" measure HEAD~1 HEAD --pairs 1 -- test -f one
is "" "$(ls worktrees 2>/dev/null)" "... is tidy again"
is_status 2 "$PERFGATE" measure HEAD -- true
contains "$err" 'has no work tree that could be measured' "... and has no work tree"
done_testing
