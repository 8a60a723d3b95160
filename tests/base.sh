# Which commit a commit is compared with: real repositories, one of each shape.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# Where the walk starts counts as the first step.
steps_are()
{
	is "$1" "$(base distance)" "$2: $1 steps"
}

# base_is SHA NAME: the report names SHA as the base, and so does the text.
base_is()
{
	is "$1" "$(base sha)" "$2"
	contains "$out" "$(echo "$1" | cut -c1-7)" "$2: the text names it"
}

### HEAD on the base branch

repository line
change one && first=$sha && measure 100
change two && measure 103
gate 1 "on the base branch" main
base_is "$first" "on the base branch the base is the first parent"
contains "$out" 'first parent' "... and the report says why"
is regressed "$(verdict parse allocs_per_op)" "on the base branch: 3 % is more than 2 %"
gate 1 "the branch by its full name" refs/heads/main
base_is "$first" "the branch by its full name"
gate 1 "the base named as HEAD" HEAD
base_is "$first" "HEAD is never its own base"
gate 1 "the base named by HEAD's SHA" "$sha"
base_is "$first" "a SHA of HEAD is not its own base either"
gate 1 "a parent by its SHA" "$first"
base_is "$first" "a parent by its SHA"
gate 1 "an abbreviated SHA" "$(echo "$first" | cut -c1-8)"
base_is "$first" "an abbreviated SHA"
gate 1 "no base named, no upstream branch"
base_is "$first" "without any base: the first parent"
change three && third=$sha && measure 103
second=$(git rev-parse "$third~1")
gate 1 "one commit on" main
base_is "$second" "the next commit's base is its own parent"
judged regressed "$first" parse allocs_per_op "... but what that regressed has not become the level"
mentions parse allocs_per_op "$(echo "$second" | cut -c1-7)" "... and who did it is named"
gate 1 "both sides named" main "$third~1"
base_is "$first" "BASE and HEAD named: main holds HEAD, so HEAD's first parent"
git checkout -q --detach
gate 1 "a detached HEAD" main
is "$(git rev-parse HEAD~1)" "$(base sha)" "a detached HEAD has the same base"
mkdir -p below/deep && cd below/deep
gate 1 "from a folder below the top" main
is "$(git rev-parse HEAD~1)" "$(base sha)" "from a folder below the top"

### SHA-256

cd "$work"
if git init -q --object-format=sha256 sha256 2>"$tmp/init"; then
	cd sha256
	change one && first=$sha && measure 100
	git tag -a -m tag v1
	change two && measure 103
	gate 1 "a repository with SHA-256 names" main
	base_is "$first" "a repository with SHA-256 names"
	gate 1 "an annotated tag" v1
	base_is "$first" "an annotated tag"
else
	skip "a repository with SHA-256 names" "this git has none"
fi

### the first commit

repository root
change one && measure 100
gate 0 "the first commit of all" main
is no-base "$(verdict parse allocs_per_op)" "the first commit has no base"
contains "$out" '^NOT JUDGED' "... and the first line does not say pass"
contains "$out" 'first commit' "... and the report says why"

### a feature branch

repository feature
change one && measure 100
change two && fork=$sha && measure 110
git checkout -q -b topic
change topic-1
change topic-2 && measure 110
gate 0 "a feature branch" main
base_is "$fork" "a feature branch: the merge base"
contains "$out" 'merge base' "... and the report says so"
git checkout -q main
change three && moved=$sha && measure 50
git checkout -q topic
gate 0 "a feature branch, main moved on" main
base_is "$fork" "main moved on: still the merge base"
gate 0 "the other branch as HEAD" main topic
base_is "$fork" "HEAD named"
git checkout -q main
gate 0 "HEAD named, not checked out" main topic
base_is "$fork" "HEAD named, not checked out"
git checkout -q topic
GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" git merge -q -s ours -m 'merge main' main
measure 51
gate 0 "main merged into the feature" main
base_is "$moved" "main merged into the feature: the commit of main that was merged"
change topic-3 && measure 52
gate 1 "a commit after that merge" main
base_is "$moved" "a commit after that merge"

### merges made by a CI system

# pull HEAD-REF: what GitHub does with a pull request.
repository pull
change one && measure 100
git checkout -q -b topic
change topic-1 && measure 90
git checkout -q main
change two && target=$sha && measure 110
git checkout -q --detach
GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" git merge -q -s ours -m 'Merge topic into main' topic
merge=$(git rev-parse HEAD)
measure 113
git checkout -q main
change three && measure 200
git checkout -q "$merge"
export GITHUB_ACTIONS=true GITHUB_SHA="$merge" GITHUB_REF=refs/pull/7/merge GITHUB_REF_NAME=7/merge GITHUB_BASE_REF=main
gate 1 "a pull request's merge commit"
base_is "$target" "a pull request's merge commit: its first parent"
contains "$out" 'merge that github made' "... and the report says why"
git branch -q -D main
gate 1 "a pull request whose target branch was not fetched"
base_is "$target" "a pull request whose target branch was not fetched"
unset GITHUB_ACTIONS GITHUB_SHA GITHUB_REF GITHUB_REF_NAME GITHUB_BASE_REF

repository queue
change one && measure 100
git checkout -q -b gh-readonly-queue/main/pr-6-0123
change queued-6 && measure 110 && before=$sha
git checkout -q -b gh-readonly-queue/main/pr-7-0123
change queued-7 && measure 111
export GITHUB_ACTIONS=true GITHUB_SHA="$sha" GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-7-0123
gate 0 "a merge queue"
base_is "$before" "a merge queue: the entry before, not main"
# the variables say nothing about a commit that is not the one built
GITHUB_SHA=$before
gate 1 "the variables of another commit" main
is "$(git rev-parse main)" "$(base sha)" "the variables of another commit do not count"
unset GITHUB_ACTIONS GITHUB_SHA GITHUB_REF

### commits without runs

repository gaps
change one && first=$sha && measure 100
change two
change three
git checkout -q -b side && change side && measure 10
git checkout -q main && change four
GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" git merge -q -s ours -m merge side
change five && measure 100
gate 0 "the base has no run" main
base_is "$first" "the nearest first parent with a run, not a merged branch's commit"
steps_are 5 "the nearest first parent with a run"
printf '[gate]\n\tbase = main\n\tmax-distance = 4\n' >perfgate.conf
gate 3 "max-distance" main
is no-base "$(verdict parse allocs_per_op)" "max-distance ends the walk"
gate 3 "--first-run is for an empty history, not for one out of reach" --first-run main
sed -i 's/= 4/= 5/' perfgate.conf
gate 0 "max-distance of just enough" main
base_is "$first" "max-distance of just enough"
rm perfgate.conf

### series with different bases

repository series
change one && first=$sha
kpi parse allocs_per_op=200 , lex allocs_per_op=100 , gone allocs_per_op=5 >doc.json && ingest doc.json
change two && second=$sha
kpi parse allocs_per_op=200 >doc.json && ingest doc.json
change three
kpi parse allocs_per_op=200 , lex allocs_per_op=104 , brand-new allocs_per_op=1 >doc.json && ingest doc.json
gate 1 "series with different bases" main
is pass "$(verdict parse allocs_per_op)" "a series of the nearest commit"
is "$second" "$(verdict parse allocs_per_op sha)" "... and its base"
is regressed "$(verdict lex allocs_per_op)" "a series that only a commit further back has"
is "$first" "$(verdict lex allocs_per_op sha)" "... and its base"
is 2 "$(verdict lex allocs_per_op distance)" "... and its distance"
is new "$(verdict brand-new allocs_per_op)" "a series that no commit has is new"
is "" "$(verdict gone allocs_per_op)" "a series that the nearest commit lacked is not missing"
base_is "$second" "the report's base is the nearest"
# a suite that the nearest commit did not measure
repository suites
change one && first=$sha && measure 100
change two && second=$sha
printf 'version: 1\ncmd: prog\nevents: Ir\nsummary: 5000\ntotals: 5000\n' >cg.out && ingest cg.out
change three && measure 103
gate 1 "a suite that the nearest commit did not measure" main
is "$first" "$(verdict parse allocs_per_op sha)" "its base is further back"
is not-measured "$(verdict '' '')" "the suite of the nearest commit was not measured at HEAD"
contains "$out" '^not measured: callgrind' "... and that is named"

### the same tree

repository squash
change one && measure 100
git checkout -q -b topic
change topic-1
change topic-2 && measured=$sha && measure 110
git checkout -q main
git merge -q --squash topic >/dev/null && commit squashed && squashed=$sha
gate 1 "a squash merge without a run as HEAD" main
contains "$report" "those of $(echo "$measured" | cut -c1-12) are judged, which has the same tree" "HEAD's runs are borrowed from the same tree, and the report says so"
is "$(git rev-parse HEAD~1)" "$(base sha)" "... the base is HEAD's first parent"
change after && measure 113
gate 1 "a squash merge without a run as base" main
base_is "$squashed" "the squashed commit serves as base"
contains "$report" "those of $(echo "$measured" | cut -c1-12) serve, which has the same tree" "... with the runs of the branch's commit, and the report says so"

repository own
change one && first=$sha && measure 100
change two
git commit -q --allow-empty -m empty
measure 200
gate 1 "HEAD with the tree of its parent" main
base_is "$first" "a base does not borrow HEAD's own runs"
git revert --no-edit HEAD~1 >/dev/null 2>&1
gate 0 "a revert without a run" main
contains "$report" 'the same tree' "a revert is judged by the runs of the tree it restores"

### revisions and branches by name

repository names
change one && measure 100
git checkout -q -b topic && change topic-1 && measure 100
gate 2 "an unknown base" nowhere
contains "$err" "^perfgate: .*'nowhere'.*'origin/nowhere'.*git fetch origin .refs/heads/nowhere" "an unknown base: what was tried, what to type"
gate 2 "an unknown HEAD" main nowhere
contains "$err" "^perfgate: .*'nowhere'" "an unknown HEAD is named"
gate 2 "an option as a revision" -- --all
gate 2 "a revision with a line feed" 'main
HEAD'
printf '[gate]\n\tbase = nowhere\n' >perfgate.conf
gate 2 "an unknown base in perfgate.conf"
contains "$err" "'nowhere'" "an unknown base in perfgate.conf is named"
printf '[gate]\n\tbase = main\n' >perfgate.conf
gate 0 "the base of perfgate.conf"
is "$(git rev-parse main)" "$(base sha)" "the base of perfgate.conf"
contains "$report" '"asked": "main"' "... is what was asked for"

git clone -q . ../clone && cd ../clone && git checkout -q topic && git branch -q -D main 2>/dev/null
cp ../names/perfgate.conf .
store=$(cd ../names && git rev-parse --absolute-git-dir)/perfgate/store.db
gate 0 "NAME is only a remote branch" --store "$store" main
is "$(git rev-parse origin/main)" "$(base sha)" "NAME is tried as origin/NAME"
rm perfgate.conf
git branch -q --set-upstream-to=origin/main
change topic-2 && measure 100 --store "$store"
gate 0 "the upstream branch" --store "$store"
is "$(git rev-parse origin/main)" "$(base sha)" "without any base: the upstream branch"
cp ../names/perfgate.conf . && git branch -q --set-upstream-to=origin/topic
gate 0 "perfgate.conf before the upstream branch" --store "$store"
is "$(git rev-parse origin/main)" "$(base sha)" "perfgate.conf goes before the upstream branch"
export GITHUB_ACTIONS=true GITHUB_SHA="$(git rev-parse HEAD)" GITHUB_REF=refs/pull/7/head GITHUB_BASE_REF=topic
gate 0 "the CI system's target" --store "$store"
contains "$report" '"asked": "topic"' "the CI system's target goes before perfgate.conf"
gate 0 "BASE before the CI system's target" --store "$store" main
contains "$report" '"asked": "main"' "BASE goes before the CI system's target"
unset GITHUB_ACTIONS GITHUB_SHA GITHUB_REF GITHUB_BASE_REF

# a branch that only the store knows
git init -q ../bystore && cd ../bystore
git fetch -q ../clone topic && git checkout -q FETCH_HEAD
gate 0 "a branch that only the store knows" --store "$store" main
is "$(cd ../names && git rev-parse main)" "$(base sha)" "a branch that only the store knows"

# histories that have nothing in common
repository unrelated
change one && measure 100
git checkout -q --orphan other && change other && measure 100 --force
gate 0 "no common ancestor" main
is no-base "$(verdict parse allocs_per_op)" "no common ancestor: no base"
contains "$out" 'no common ancestor' "... and the report says why"

### shallow clones

# origin: main A(run) B C, topic on C
repository origin
change one && first=$sha && measure 100
change two
change three && third=$sha
git checkout -q -b topic && change topic-1 && change topic-2
git checkout -q main
full=$work/origin/.git/perfgate/store.db

git clone -q --depth 1 "file://$work/origin" "$work/shallow" && cd "$work/shallow"
measure 103 --store "$full"
gate 1 "a shallow clone, ancestry unknown" --store "$full" main
is "$first" "$(base sha)" "ancestry unknown: the newest run recorded on the base branch"
is true "$(base guess)" "... is called a guess"
contains "$out" 'guess' "... in the text too"
contains "$out" 'git fetch --unshallow' "... with the command that fetches enough"

# once the store knows the parents, no guess is needed
(cd "$work/origin" && measure 104 --runner elsewhere)
gate 1 "a shallow clone, the store knows the parents" --store "$full" main
is "$first" "$(base sha)" "a shallow clone, the store knows the parents"
is false "$(base guess)" "... and nothing is guessed"
steps_are 2 "a shallow clone"

git clone -q --depth 1 -b topic "file://$work/origin" "$work/shallow-topic" && cd "$work/shallow-topic"
measure 103 --store "$full"
gate 0 "a shallow clone of a branch, ancestry unknown" --store "$full" main
is "$third" "$(base sha)" "a shallow clone of a branch: the newest run on main"
is true "$(base guess)" "... is called a guess"
contains "$out" 'git fetch --unshallow' "... with the command that fetches enough"
(cd "$work/origin" && git checkout -q topic && measure 100 --runner elsewhere --branch topic)
gate 0 "a shallow clone of a branch, the store knows the parents" --store "$full" main
is "$third" "$(base sha)" "a shallow clone of a branch, the store knows the parents"
is false "$(base guess)" "... and nothing is guessed"
rm -f "$tmp/empty.db"
measure 103 --store "$tmp/empty.db"
gate 2 "a shallow clone, the store does not know the branch" --store "$tmp/empty.db" main
contains "$err" 'git fetch' "... the message says what to fetch"

git clone -q --depth 1 --no-single-branch -b topic "file://$work/origin" "$work/shallow-both" && cd "$work/shallow-both"
gate 0 "a shallow clone with both branches" --store "$full" main
is "$third" "$(base sha)" "a shallow clone with both branches, the store knows the parents"

### no repository

mkdir "$work/nowhere" && cd "$work/nowhere"
gate 1 "no repository, SHAs named" --store "$full" "$first" "$third"
is "$first" "$(base sha)" "no repository: the base by its SHA"
gate 1 "no repository, a branch named" --store "$full" main "$third"
is "$first" "$(base sha)" "no repository: the base by a branch of the store"
is false "$(base guess)" "... found by the parents in the store"
gate 2 "no repository, no HEAD" --store "$full" main
contains "$err" 'no git repository' "no repository, no HEAD: why"
gate 2 "no repository, no store" "$first" "$third"
contains "$err" '^perfgate: .*--store' "no repository, no store: what to do"
export GITHUB_ACTIONS=true GITHUB_SHA="$third"
gate 1 "no repository, the CI system's commit" --store "$full" main
is "$first" "$(base sha)" "no repository, the CI system's commit"
unset GITHUB_ACTIONS GITHUB_SHA

### other repositories

git clone -q --bare "$work/line" "$work/bare.git" && cd "$work/bare.git"
kpi parse allocs_per_op=100 sha="$(git rev-parse main~1)" , parse allocs_per_op=103 sha="$(git rev-parse main)" >"$tmp/doc.json"
ingest "$tmp/doc.json"
gate 1 "a bare repository" main
is "$(git rev-parse main~1)" "$(base sha)" "a bare repository"

repository unborn
gate 2 "an unborn HEAD" main
contains "$err" '^perfgate: .' "an unborn HEAD: a message"
kpi parse allocs_per_op=1 >"$tmp/doc.json"
is_status 2 "$PERFGATE" ingest "$tmp/doc.json"
contains "$err" 'which commit' "an unborn HEAD: ingest asks for the commit"

repository worktrees
change one && first=$sha && measure 100
git worktree add -q -b topic ../worktree && cd ../worktree
change topic-1 && measure 103
gate 1 "a work tree of its own" main
is "$first" "$(base sha)" "work trees share the store"
ok "the store is in the main repository" test -f ../worktrees/.git/perfgate/store.db

### the work tree's changes

repository dirty
change one && first=$sha && measure 100
change two && second=$sha
echo more >>file && measure 110
gate 1 "changes, measured" main
is "$first" "$(base sha)" "changes on HEAD are compared with its first parent"
contains "$report" '"tree_state": "dirty"' "the work tree is judged"
contains "$out" 'work tree as it is now' "... and the report says so"
touch untracked
gate 1 "an untracked file changes nothing" main
echo more >>file
gate 3 "changed again since" main
contains "$out" '^NOT JUDGED' "changed again since: nothing is judged"
contains "$out" 'perfgate ingest' "... and what to type"
measure 104
gate 1 "measured again" main
is 104 "$(sed -n 's/.*"head": {[^}]*"median": \([0-9]*\).*/\1/p' "$report")" "the run of the changes as they are now"
git checkout -q file
gate 3 "the changes are gone" main
measure 100
gate 0 "a clean run" main
echo more >>file
gate 0 "a clean run goes before one with changes" main
commit three && measure 111
gate 1 "a commit after changes were measured" main
is "$second" "$(base sha)" "a run with changes is never a base"
contains "$report" '"metric": "allocs_per_op".*"base": \{[^}]*"median": 100\}' "... the clean one is"
echo more >>file && measure 120
ok "diff HEAD" "$PERFGATE" diff --report "json:$report" HEAD
is "$(git rev-parse HEAD)" "$(base sha)" "diff HEAD with changes: HEAD itself is the base"
is regressed "$(verdict parse allocs_per_op)" "... compared with the work tree"

### runners

cg()
{
	printf 'version: 1\ncmd: prog\nevents: Ir\nsummary: %s\ntotals: %s\n' "$1" "$1" >"$tmp/cg.out"
	shift
	ingest "$@" "$tmp/cg.out"
}

repository runners
change one && first=$sha
kpi parse allocs_per_op=100 wall_clock_ns=1000 iterations=10 >"$tmp/doc.json" && ingest --runner x86_64/old "$tmp/doc.json"
cg 100000 --runner x86_64/old
change two
kpi parse allocs_per_op=103 wall_clock_ns=1000 iterations=10 >"$tmp/doc.json" && ingest --runner x86_64/new "$tmp/doc.json"
cg 102000 --runner x86_64/new
gate 1 "another runner" main
is regressed "$(verdict parse allocs_per_op)" "kpi counts are compared across runners"
is x86_64/old "$(grep '"allocs_per_op"' "$report" | sed 's/.*"base": {[^}]*"runner": "\([^"]*\)".*/\1/')" "... and the base's runner is named"
is incomparable "$(verdict parse wall_ns_per_op)" "times are not"
contains "$report" '"wall_ns_per_op".*measured on x86_64/old, HEAD on x86_64/new' "... and the reason is given"
is pass "$(verdict prog Ir)" "Ir falls back to another runner with a wider tolerance"
contains "$report" '"metric": "Ir".*base measured on x86_64/old' "... labelled"
is 0.03 "$(verdict prog Ir tolerance)" "... the cross-tolerance of a whole program"
change three && cg 106000 --runner x86_64/new
change four && cg 106000 --runner x86_64/old
gate 1 "the same runner, further back" --suite callgrind main
is "$first" "$(verdict prog Ir sha)" "the same runner within max-distance goes before a nearer other one"
is regressed "$(verdict prog Ir)" "... with the tolerance of one runner"
is 0.01 "$(verdict prog Ir tolerance)" "... which is 1 %"
change five && cg 106000 --runner aarch64/other
gate 0 "another architecture" --suite callgrind main
is incomparable "$(verdict prog Ir)" "no fallback to another architecture"
printf '[rule "one machine"]\nmetric = ^allocs_per_op$\nacross-runners = no\n' >perfgate.conf
git checkout -q HEAD~3
gate 3 "across-runners = no" --suite kpi main
is incomparable "$(verdict parse allocs_per_op)" "across-runners = no makes them incomparable"

### neither order nor repetition changes a verdict

repository order
change one && first=$sha
change two && second=$sha
kpi parse allocs_per_op=100 at=2026-01-01T00:00:01Z , parse allocs_per_op=101 at=2026-01-01T00:00:02Z >"$tmp/1a.json"
kpi parse allocs_per_op=104 at=2026-01-01T00:00:03Z , lex allocs_per_op=7 at=2026-01-01T00:00:04Z >"$tmp/1b.json"
kpi parse allocs_per_op=107 at=2026-01-02T00:00:01Z , lex allocs_per_op=9 at=2026-01-02T00:00:02Z >"$tmp/2a.json"
kpi parse allocs_per_op=99 at=2026-01-02T00:00:03Z >"$tmp/2b.json"
for order in '1a 1b 2a 2b' '2b 2a 1b 1a' '2a 1a 2b 1b' '1a 1a 2a 2b 1b 2a 1a'; do
	for doc in $order; do
		case $doc in
		1*) ingest --store "$tmp/order.db" --commit "$first" "$tmp/$doc.json" ;;
		2*) ingest --store "$tmp/order.db" --commit "$second" "$tmp/$doc.json" ;;
		esac
	done
	gate 1 "stored in the order $order" --store "$tmp/order.db" main
	[ -f "$tmp/expected.json" ] || cp "$report" "$tmp/expected.json"
	same "$tmp/expected.json" "$report" "the same report, stored in the order $order"
	rm -f "$tmp"/order.db*
done
contains "$report" '"parse", "metric": "allocs_per_op".*"median": 101\}.*"median": 103\}' "samples of one session and commit are pooled over documents"

### git

# wrapped PROGRAM...: runs it with a git that counts its calls
mkdir "$tmp/bin"
real=$(command -v git)
cat >"$tmp/bin/git" <<WRAPPER
#!/bin/sh
echo "\$*" >>"$tmp/calls"
exec "$real" "\$@"
WRAPPER
chmod +x "$tmp/bin/git"
at_most_four()
{
	: >"$tmp/calls"
	PATH=$tmp/bin:$PATH run "$@"
	test_name="at most four git processes: ${1##*/}"
	shift
	n=$(wc -l <"$tmp/calls")
	if [ "$n" -ge 1 ] && [ "$n" -le 4 ]; then
		pass "$test_name $*"
	else
		fail "$test_name $*"
		comment <"$tmp/calls"
	fi
}
cd "$work/feature"
kpi parse allocs_per_op=1 , lex allocs_per_op=2 sha="$(git rev-parse main)" >"$tmp/doc.json"
mkdir "$tmp/folder" && cp "$tmp/1a.json" "$tmp/2a.json" "$tmp/2b.json" "$tmp/folder"
at_most_four "$PERFGATE" ingest --store "$tmp/count.db" "$tmp/doc.json" "$tmp/folder"
at_most_four "$PERFGATE" ingest --commit main "$tmp/folder"
at_most_four "$PERFGATE" gate main
at_most_four "$PERFGATE" gate main topic~1
at_most_four "$PERFGATE" gate
at_most_four "$PERFGATE" diff
at_most_four "$PERFGATE" diff HEAD~1
at_most_four "$PERFGATE" diff main topic
at_most_four "$PERFGATE" show parse
at_most_four "$PERFGATE" show parse main
at_most_four "$PERFGATE" log
at_most_four "$PERFGATE" env
at_most_four "$PERFGATE" policy
echo more >>file && ingest "$tmp/doc.json"
at_most_four "$PERFGATE" gate main
at_most_four "$PERFGATE" diff HEAD
cd "$work/shallow-both"
at_most_four "$PERFGATE" gate --store "$full" main

cd "$work/line"
export GIT_TEST_ASSUME_DIFFERENT_OWNER=1
if git rev-parse --git-dir >"$out" 2>"$err"; then
	skip "dubious ownership" "this git does not check owners"
else
	gate 2 "dubious ownership" main
	contains "$err" "git config --global --add safe.directory .*line" "dubious ownership is explained with the line to type"
	is_status 2 "$PERFGATE" ingest "$tmp/doc.json"
	contains "$err" "safe.directory" "... by ingest too"
fi
unset GIT_TEST_ASSUME_DIFFERENT_OWNER

# without git itself
cd "$work/line"
mkdir "$tmp/none"
kpi parse allocs_per_op=100 >"$tmp/a.json" && kpi parse allocs_per_op=103 >"$tmp/b.json"
PATH=$tmp/none is_status 2 "$PERFGATE" gate main
PATH=$tmp/none is_status 0 "$PERFGATE" diff "$tmp/a.json" "$tmp/b.json"
done_testing
