# What noisy series are held to where samples are compared with samples: the last good level goes along
# from commit to commit. And what cannot be seen is said.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

wall=wall_ns_per_op

# samples LEVEL: eight of them, spread by 0.8 %, other ones each time
drawn=0
samples()
{
	for i in 0 1 2 3 4 5 6 7; do
		echo $(($1 * 1000 + $1 * i + drawn))
	done
}

# job LEVEL-OF-BASE LEVEL [BASE]: a commit, measured with its parent (or BASE) in one session
n=0
job()
{
	n=$((n + 1))
	change "job $n"
	# shellcheck disable=SC2046
	drawn=$((drawn + 7))
	walls parse $(samples "$1") >"$tmp/parent.json" && ingest --session "job $n" --commit "${3:-HEAD~1}" "$tmp/parent.json"
	drawn=$((drawn + 7))
	walls parse $(samples "$2") >"$tmp/head.json" && ingest --session "job $n" "$tmp/head.json"
}

### each commit with its parent, whatever the weather

repository line
change one
hard
job 1000 1001
job 1300 1302 # another day: the machine is slower, the program is not
gate 0 "a slower machine" main
is pass "$(verdict parse $wall)" "... is no regression"
job 1000 1100 && culprit=$sha
gate 1 "10 % slower than its parent" main
is regressed "$(verdict parse $wall)" "... is regressed"
job 1102 1100
gate 1 "the next commit on main" main
is regressed "$(verdict parse $wall)" "... is held to the last good level"
is "$culprit" "$(verdict parse $wall culprit)" "... naming the commit that left it"
job 1600 1604
gate 1 "and the one after it, on a slower machine" main
is "$culprit" "$(verdict parse $wall culprit)" "... the same"
git checkout -q -b request
job 1200 1201
gate 0 "a change request on top" main
is inherited "$(verdict parse $wall)" "... inherits it"
job 1200 1320 main
gate 1 "which adds to it" main
is regressed "$(verdict parse $wall)" "... and is red for its own part"
git checkout -q -b mends main
job 1200 1090
gate 0 "one that mends it" main
is improved "$(verdict parse $wall)" "... is improved"
git checkout -q main
hard '[accept "slower"]' 'benchmark = ^parse$' "metric = ^$wall\$" 'to = 1700000'
gate 0 "accepted" main
is '' "$(grep -o 'changes no verdict' "$report")" "... by a section that is needed"
hard
job 1100 1000
gate 0 "mended on main" main
job 1000 1002
gate 0 "and the commit after that" main
is pass "$(verdict parse $wall)" "... is as good as its parent"

### sessions = pool

repository pooled
change one
hard 'sessions = pool'
# pooled SESSION LEVEL
pooled()
{
	# shellcheck disable=SC2046
	drawn=$((drawn + 7))
	walls parse $(samples "$2") >"$tmp/pooled.json" && ingest --session "$1" "$tmp/pooled.json"
}
pooled a 1000
change two && pooled b 1100 && culprit=$sha
gate 1 "10 % slower in another session" main
is regressed "$(verdict parse $wall)" "... is regressed where sessions are alike"
change three && pooled c 1101
gate 1 "the next commit" main
is "$culprit" "$(verdict parse $wall culprit)" "... is held to the level before it"
change four && pooled d 1001
gate 0 "mended" main
walls parse 1000000 1002000 1004000 >"$tmp/few.json" && change five && ingest --session e "$tmp/few.json"
walls parse 1001000 1003000 1005000 >"$tmp/few.json" && ingest --session f "$tmp/few.json"
gate 0 "two sessions of three samples" main
contains "$report" '"n_head": 6' "... are six samples"

### runners

repository runners
change one
kpi parse allocs_per_op=100 >"$tmp/x.json" && ingest --runner x86_64/b "$tmp/x.json"
kpi parse allocs_per_op=90 >"$tmp/y.json" && ingest --runner x86_64/a "$tmp/y.json"
first=$sha
change two && kpi parse allocs_per_op=100 >"$tmp/z.json" && ingest --runner x86_64/c "$tmp/z.json"
gate 1 "of two other runners" main
is 90 "$(report_field '"benchmark": "parse"' median)" "... the first by name is the base"
"$PERFGATE" store export >"$tmp/all.ndjson"
"$PERFGATE" store merge --store "$tmp/turned.db" "$(git rev-parse --git-common-dir)/perfgate/store.db" >"$out" 2>&1
rm -f "$tmp/turned.db"
ingest --store "$tmp/turned.db" --runner x86_64/a --commit "$first" "$tmp/y.json"
ingest --store "$tmp/turned.db" --runner x86_64/b --commit "$first" "$tmp/x.json"
ingest --store "$tmp/turned.db" --runner x86_64/c "$tmp/z.json"
gate 1 "whatever came first" --store "$tmp/turned.db" main
is 90 "$(report_field '"benchmark": "parse"' median)" "... it is"

repository absent
change one
walls parse 1000 1001 >"$tmp/w.json" && ingest --runner x86_64/a "$tmp/w.json" && ingest --runner x86_64/b "$tmp/w.json"
change two
walls parse 1000 1002 >"$tmp/w.json" && ingest --runner x86_64/a "$tmp/w.json"
gate 0 "one of two runners" main
noted 'not measured at head on x86_64/b: [0-9]* series' "... the other is named"

### a clone that is too shallow to look back

git init -q --bare "$work/forge.git"
repository deep
git remote add origin "file://$work/forge.git"
store=$work/deep.db
i=0
for level in 100 100 110 110 110; do
	i=$((i + 1))
	change "commit $i"
	[ $i -eq 4 ] || measure $level --store "$store" # one that nobody measured
done
git push -q origin HEAD:refs/heads/main
gate 1 "with all of the history" --store "$store" main
git clone -q --depth 1 "file://$work/forge.git" "$work/shallow" && cd "$work/shallow" || exit 99
rm -f "$work/jobs.db"
gate 1 "a clone of depth 1 goes along the parents that the store knows" --store "$store" main
rm -f "$store"
cd "$work/deep" || exit 99
for back in 4 3 2; do
	kpi parse allocs_per_op=$((back > 2 ? 100 : 110)) >"$tmp/alone.json"
	commit=$(git -C "$work/deep" rev-parse HEAD~$back)
	(cd "$tmp" && ingest --store "$store" --commit "$commit" --branch main --runner r alone.json)
done
cd "$work/shallow" && measure 110 --store "$store" --runner r
gate 0 "where the store knows no parents" --store "$store" main
noted 'cannot be seen|is a guess' "... it says what it cannot see"
contains "$report" 'git fetch --unshallow' "... and what helps"

done_testing
