# What happens to a change on its way: pull requests from shallow clones, a merge queue, squash merges,
# jobs that are run again, reverts, release branches, machines that change, jobs that share the work.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# The forge is a bare repository, the developer's clone has all of it, and each job starts with an
# empty folder, a clone of $depth commits and the store that the jobs before it left.
#
#     forge NAME          a forge, its developer's clone (the script goes there) and an empty $store
#     push REF            what is checked out, as REF of the forge
#     merged TOPIC        $merge: the merge of TOPIC into main, as the forge makes it; nothing moves
#     push_job RUN N      the job of a push to main: measures N
#     pull_job NUMBER RUN N
#                         the job of a pull request, on $merge
#     judge STATUS NAME   the job's gate
#     home                back to the developer's clone, without the job's variables
depth=1

forge()
{
	origin=$work/$1.git
	dev=$work/$1
	store=$tmp/$1.db
	git init -q --bare "$origin" && git clone -q "$origin" "$dev" 2>"$tmp/log" && cd "$dev" || exit 99
}

home()
{
	no_github
	cd "$dev" || exit 99
}

push()
{
	git push -q -f origin "HEAD:$1" 2>"$tmp/log" || exit 99
}

merged()
{
	git checkout -q --detach main
	clock=$((clock + 60))
	GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" \
		git merge -q --no-ff -X theirs -m "Merge $1 into main" "$1" >"$tmp/log" || exit 99
	merge=$(git rev-parse HEAD)
}

# job REF: the clone, detached
job()
{
	rm -rf "$work/job"
	git init -q "$work/job" && cd "$work/job" || exit 99
	git remote add origin "file://$origin"
	git fetch -q --depth $depth origin "+$1:refs/remotes/ci/head" || exit 99
	git checkout -q --detach refs/remotes/ci/head
}

push_job()
{
	push refs/heads/main
	rm -rf "$work/job"
	git clone -q --depth $depth "file://$origin" "$work/job" && cd "$work/job" || exit 99
	github "$(git rev-parse HEAD)" refs/heads/main "" "$1"
	measure "$2" --store "$store" --runner hosted
}

pull_job()
{
	push "refs/pull/$1/merge"
	job "refs/pull/$1/merge"
	github "$merge" "refs/pull/$1/merge" main "$2" "${4:-1}"
	measure "$3" --store "$store" --runner hosted
}

judge()
{
	judge_status=$1 judge_name=$2
	shift 2
	gate "$judge_status" "$judge_name" --store "$store" "$@"
}

allocs=allocs_per_op

### pull requests

forge pull
change one && git branch -q -M main && one=$sha
push_job 1 100
home
git checkout -q -b topic && change topic-1
git checkout -q main && change two && two=$sha
push_job 2 100
judge 0 "a push to main, depth 1" main
judged pass "$one" parse $allocs "... is compared with its first parent, which only the store knows"
home
merged topic && first_merge=$merge
pull_job 7 3 110
is 1 "$(git rev-list --count HEAD)" "the clone has one commit"
judge 1 "a pull request that regresses, depth 1"
judged regressed "$two" parse $allocs "... against the tip of main that it was merged with"
is false "$(base guess)" "... which is no guess: the commit itself names its parents"
is 1 "$(base distance)" "... one step back"
is main "$(base asked)" "... as the variables asked"
home
git checkout -q topic && change topic-2
merged topic
pull_job 7 4 101
judge 0 "the pull request, mended"
judged pass "$two" parse $allocs "... against the same base, not the merge before"

# somebody else's change makes main worse
home
git checkout -q main && change "not mine" && theirs=$sha
push_job 5 120
judge 1 "the other change on main" main
home
git checkout -q topic
merged topic
pull_job 7 6 120
judge 0 "the pull request, after somebody else's regression was merged"
judged inherited "$theirs" parse $allocs "... inherits it"
mentions parse $allocs "$(echo "$theirs" | cut -c1-7)" "... and the commit that did it is named"
is false "$(verdict parse $allocs gates)" "... and it does not gate"
home
git checkout -q topic && change topic-3
merged topic
pull_job 7 7 126
judge 1 "the pull request, adding to it"
judged regressed "$theirs" parse $allocs "... is red for its own part"
silent parse $allocs "worse since $(echo "$theirs" | cut -c1-7)" "... which is not laid at another's door"

# main is red until somebody mends it
home
git checkout -q main && change "nothing to do with it"
push_job 8 120
judge 1 "main is still worse" main
judged regressed "$two" parse $allocs "... than its last good level"
mentions parse $allocs "$(echo "$theirs" | cut -c1-7)" "... and names who did it"
home
clock=$((clock + 60))
GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" git revert --no-edit "$theirs" >"$tmp/log" 2>&1 ||
	{ git checkout -q HEAD~2 -- file && commit "Revert"; }
reverted=$(git rev-parse HEAD)
push_job 9 100
judge 0 "the revert" main
is '' "$(series_line parse $allocs | grep -E '"(regressed|inherited)"')" "... mends it"
home
change next
push_job 10 101
judge 0 "the commit after the revert" main
judged pass "$reverted" parse $allocs "... is as good as its parent"
home
change "after that"
push_job 11 103
judge 0 "2 % of the level at hand" main
home
change "too much"
push_job 12 110
judge 1 "the old level holds again" main

### merge requests of GitLab

# gitlab SHA TYPE JOB
gitlab()
{
	export GITLAB_CI=true CI_COMMIT_SHA="$1" CI_MERGE_REQUEST_EVENT_TYPE="$2" CI_JOB_ID="$3" CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
}
forge gitlab
change one && git branch -q -M main && one=$sha
push_job 1 100
home
git checkout -q -b topic
i=0
while [ $i -lt 25 ]; do
	change "topic $i"
	i=$((i + 1))
done
topic=$sha
git checkout -q main && change two && two=$sha
push_job 2 90
home
git push -q origin topic:refs/merge-requests/5/head
merged topic
push refs/merge-requests/5/merge
depth=20
job refs/merge-requests/5/merge
gitlab "$merge" merged_result 3
measure 100 --store "$store" --runner hosted
judge 1 "a merged result"
judged regressed "$two" parse $allocs "... against the tip of main"
is false "$(base guess)" "... no guess"
job refs/merge-requests/5/head
gitlab "$topic" detached 4
measure 100 --store "$store" --runner hosted
judge 0 "a detached pipeline, 20 of 25 commits deep, without main"
judged pass "$one" parse $allocs "... where the branches parted is not known: the newest run of main that is no younger"
is true "$(base guess)" "... which is a guess"
contains "$report" 'git fetch --unshallow' "... with what to type"
git fetch -q --unshallow origin +refs/heads/main:refs/remotes/origin/main
judge 0 "the same, and what was missing fetched"
judged pass "$one" parse $allocs "... against where the branches parted"
unset GITLAB_CI CI_COMMIT_SHA CI_MERGE_REQUEST_EVENT_TYPE CI_JOB_ID CI_MERGE_REQUEST_TARGET_BRANCH_NAME
depth=1

### a merge queue

forge queue
change one && git branch -q -M main && one=$sha
push_job 1 100
home
# the queue's branches: each entry on top of the one before
git checkout -q -b six && change six && six=$sha
push refs/heads/gh-readonly-queue/main/pr-6-0123
git checkout -q -b seven && change seven && seven=$sha
push refs/heads/gh-readonly-queue/main/pr-7-4567
job refs/heads/gh-readonly-queue/main/pr-6-0123
github "$six" refs/heads/gh-readonly-queue/main/pr-6-0123 "" 2
measure 110 --store "$store" --runner hosted
judge 1 "a merge queue: the entry that regresses"
judged regressed "$one" parse $allocs "... against main"
no_github
job refs/heads/gh-readonly-queue/main/pr-7-4567
github "$seven" refs/heads/gh-readonly-queue/main/pr-7-4567 "" 3
measure 111 --store "$store" --runner hosted
judge 0 "a merge queue: the entry behind it"
judged inherited "$six" parse $allocs "... is compared with the entry before, and excused"
mentions parse $allocs "$(echo "$six" | cut -c1-7)" "... naming it"

### a squash merge

forge squash
change one && git branch -q -M main && one=$sha
push_job 1 100
home
git checkout -q -b topic && change topic-1 && change topic-2 && topic=$sha
merged topic
pull_job 3 2 110
measured=$merge
judge 1 "a regression, merged all the same"
home
git checkout -q main && git merge -q --squash topic >"$tmp/log" && commit "Squashed (#3)" && squashed=$sha
is "$(git rev-parse "$measured^{tree}")" "$(git rev-parse "$squashed^{tree}")" "the squashed commit has the tree of the merge that was measured"
push refs/heads/main
git checkout -q -b other && change other
merged other
pull_job 4 3 110
judge 1 "a pull request on a commit that neither the clone nor the store knows"
judged regressed "$one" parse $allocs "... is compared with what main had last"
is true "$(base guess)" "... which is a guess"
contains "$report" 'git fetch --unshallow' "... and the report says how to do better"
home
git checkout -q --detach "$merge"
depth=2
pull_job 4 3 110
judge 0 "a pull request on a squashed commit that nobody measured"
judged inherited "$squashed" parse $allocs "... whose runs are those of the same tree"
noted "$(echo "$measured" | cut -c1-12).*same tree" "... as a note says"
mentions parse $allocs "worse since $(echo "$squashed" | cut -c1-7)" "... and the commit of main is named, not the forge's merge"
home
git checkout -q main && change after
push_job 5 110
judge 1 "main, after the squashed regression" main
judged regressed "$one" parse $allocs "... is held to the level before it"
mentions parse $allocs "worse since $(echo "$squashed" | cut -c1-7)" "... which the squashed commit left"

depth=1

### a job that is run again

forge again
change one && git branch -q -M main && one=$sha
push_job 1 100
home
git checkout -q -b topic && change topic-1
merged topic
pull_job 5 2 110
judge 1 "the first attempt"
silent parse $allocs "older session" "... has no other session to speak of"
home && git checkout -q "$merge"
pull_job 5 2 100 2
judge 0 "the second attempt decides"
judged pass "$one" parse $allocs "... by its own numbers"
mentions parse $allocs "github/2/1/bench" "... and the first is mentioned"
mentions parse $allocs "regressed" "... with what it would have said"
home && git checkout -q "$merge"
pull_job 5 2 100 3
judge 0 "a third attempt"
mentions parse $allocs "github/2/1/bench" "... mentions the one that differed"
home && git checkout -q "$merge"
pull_job 5 2 110 4
judge 1 "the fourth attempt decides"
mentions parse $allocs "github/2/3/bench" "... and mentions the newest that differed"

### jobs that share the work

forge split
change one && git branch -q -M main && one=$sha
change two && two=$sha
conf '[gate]' 'base = main' 'expect = kpi callgrind'
git add perfgate.conf && commit conf
program()
{
	printf 'version: 1\ncmd: prog\nevents: Ir\nsummary: %s\ntotals: %s\n' "$1" "$1" >"$tmp/cg.out"
}
# one store a job, as each leaves it
part()
{
	"$PERFGATE" ingest --store "$tmp/part-$1.db" --runner hosted --session "ci/$2" --commit "$3" "$4" >"$tmp/ingest.log" 2>&1 ||
		fail "set-up: part $1"
}
for at in "main~1 base" "main head"; do
	rev=${at% *}
	kpi parse $allocs=100 , lex $allocs=5 >"$tmp/kpi.json" && part kpi "${at#* }-1" "$rev" "$tmp/kpi.json"
	kpi draw $allocs=7 >"$tmp/kpi.json" && part draw "${at#* }-2" "$rev" "$tmp/kpi.json"
	[ "$rev" = main ] && ir=103000 || ir=100000
	program $ir && part callgrind "${at#* }-3" "$rev" "$tmp/cg.out"
done
gate 3 "one part alone" --store "$tmp/part-kpi.db" main
is not-measured "$(verdict '' '')" "... lacks an expected suite"
unite()
{
	rm -f "$store"*
	for name in "$@"; do
		"$PERFGATE" store merge --store "$store" "$tmp/part-$name.db" >"$tmp/log" 2>&1 || fail "set-up: merge $name"
	done
}
unite kpi draw callgrind
judge 1 "the parts united" main
is "regressed pass pass pass" "$(verdict prog Ir) $(verdict parse $allocs) $(verdict lex $allocs) $(verdict draw $allocs)" "each series is judged once"
cp "$report" "$tmp/split.json"
unite callgrind draw kpi callgrind
judge 1 "the parts united in another order" main
same "$tmp/split.json" "$report" "... and the report is the same"
rm -f "$store"*
for name in draw callgrind kpi; do
	"$PERFGATE" store export --store "$tmp/part-$name.db" >"$tmp/$name.ndjson"
	ingest --store "$store" "$tmp/$name.ndjson"
done
judge 1 "the parts as text" main
same "$tmp/split.json" "$report" "... and the report is the same"

### a new model of processor

repository processor
at()
{
	runner=$1 count=$2 ir=$3 ns=$4
	shift 4
	kpi parse $allocs="$count" wall_clock_ns="$ns" iterations=1 >"$tmp/kpi.json" && ingest --runner "$runner" --session "$runner-$sha" "$tmp/kpi.json"
	program "$ir" && ingest --runner "$runner" --session "$runner-$sha" "$tmp/cg.out"
}
change one && one=$sha && at x86_64/7763 100 100000 1000
change two && two=$sha && at x86_64/7763 110 100000 1000
change three && at x86_64/9v74 110 102000 1500
gate 1 "another model" main
judged regressed "$one" parse $allocs "counts are judged across models, and held to the last good level"
mentions parse $allocs "worse since $(echo "$two" | cut -c1-7)" "... left by the commit on the older model"
judged pass "$two" prog Ir "instructions are compared with the older model's"
is 0.03 "$(verdict prog Ir tolerance)" "... with the cross-tolerance"
mentions prog Ir x86_64/7763 "... and the model is named"
is incomparable "$(verdict parse wall_ns_per_op)" "times are not compared"
change four && four=$sha && at x86_64/9v74 100 102000 1500
gate 0 "the new model again, mended" main
judged pass "$(git rev-parse HEAD~1)" prog Ir "instructions have a base of their own model now"
is 0.01 "$(verdict prog Ir tolerance)" "... and its tolerance"
is inconclusive "$(verdict parse wall_ns_per_op)" "times have begun anew"
conf '[rule "strict"]' 'metric = ^wall_ns' 'class = hard' '[rule "other"]' 'metric = ^allocs' 'class = info'
git checkout -q HEAD~1
gate 3 "hard times on a new model" --suite kpi main
is incomparable "$(verdict parse wall_ns_per_op)" "... cannot be judged, and that is said"
conf '[rule "apart"]' 'metric = ^allocs' 'across-runners = no'
gate 3 "counts by model" --suite kpi main
is incomparable "$(verdict parse $allocs)" "across-runners = no: counts are not compared either"
change five && at aarch64/n1 100 90000 1500
rm perfgate.conf
gate 0 "another architecture" main
is incomparable "$(verdict prog Ir)" "another architecture runs other instructions"
judged improved "$(git rev-parse HEAD~1)" parse $allocs "... but allocations can be counted"

### what was deleted long ago

repository deleted
change one && kpi kept $allocs=100 , dropped $allocs=50 >"$tmp/kpi.json" && ingest "$tmp/kpi.json"
change two && kpi kept $allocs=100 >"$tmp/kpi.json" && ingest "$tmp/kpi.json"
gate 3 "the commit that deletes a benchmark" main
is missing "$(verdict dropped $allocs)" "... says so once"
i=0
while [ $i -lt 199 ]; do
	change "step $i"
	i=$((i + 1))
done
change last && kpi kept $allocs=101 >"$tmp/kpi.json" && ingest "$tmp/kpi.json"
gate 0 "200 commits later" main
is '' "$(verdict dropped $allocs)" "what was deleted 200 commits ago is not missing"
is 200 "$(base distance)" "the base is the commit that deleted it"
kpi kept $allocs=101 , dropped $allocs=80 >"$tmp/kpi.json" && ingest --session back "$tmp/kpi.json"
gate 1 "it is back, 60 % worse" main
is regressed "$(verdict dropped $allocs)" "what comes back is compared with what it was"

done_testing
