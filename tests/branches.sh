# Release branches, and whose policy holds: that of the commit that is judged, of its base, of the
# target branch.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

allocs=allocs_per_op

# kept LINE...: perfgate.conf of the next commit
kept()
{
	conf "$@"
	git add perfgate.conf
}

### release branches

repository release
kept '[gate]' 'base = main' 'require = no' '[gate "release/*"]' 'expect = kpi callgrind' 'require = yes' 'max-distance = 3'
step 100 && fork=$sha
git checkout -q -b release/1.0
step 105 && released=$sha # which was known and shipped
git checkout -q main
step 90
step 80 && newest=$sha
git checkout -q -b fix
change fix && fix=$sha && measure 80
gate 0 "a fix for main" main
judged pass "$newest" parse $allocs "... is compared with main"
is '' "$(verdict '' '')" "... which expects nothing"
git checkout -q release/1.0 && git checkout -q -b backport
clock=$((clock + 60))
GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" git cherry-pick -X theirs "$fix" >"$tmp/log" 2>&1 || exit 99
sha=$(git rev-parse HEAD)
measure 105
gate 3 "the fix, picked for the release" release/1.0
judged inherited "$released" parse $allocs "... is compared with the release, not with main"
is not-measured "$(verdict '' '')" "... which expects a suite that was not run"
printf 'version: 1\ncmd: prog\nevents: Ir\nsummary: 5000\ntotals: 5000\n' >"$tmp/cg.out" && ingest "$tmp/cg.out"
gate 3 "no base of the suite" release/1.0
is no-base "$(verdict prog Ir)" "... which require = yes of the release branch demands"
gate 1 "the same commit for main" main
judged regressed "$fork" parse $allocs "... is compared with where the branches parted"
github "$sha" refs/pull/8/head release/1.0 1
gate 3 "the target that the job names"
is release/1.0 "$(base asked)" "... is the release branch"
is no-base "$(verdict prog Ir)" "... whose settings hold"
no_github
git checkout -q release/1.0
i=0
while [ $i -lt 3 ]; do
	change "unmeasured $i"
	i=$((i + 1))
done
step 105
gate 3 "on the release branch itself" release/1.0
is no-base "$(verdict parse $allocs)" "... max-distance = 3 ends the walk"
conf '[gate]' 'base = main' '[gate "release/*"]' 'max-distance = 9'
gate 1 "max-distance = 9" release/1.0
judged regressed "$fork" parse $allocs "... the release is held to its own last good level"
mentions parse $allocs "$(echo "$released" | cut -c1-7)" "... which its own commit left"
conf '[gate]' 'base = main' '[accept "shipped"]' 'benchmark = ^parse$' "metric = ^$allocs\$" 'to = 105'
gate 0 "accepted on the release branch" release/1.0
judged pass "$released" parse $allocs "... the base is found on its line"
git checkout -q perfgate.conf
git clone -q . ../release-clone && cd ../release-clone || exit 99
store=$work/release/.git/perfgate/store.db
git checkout -q -b later origin/release/1.0 && git branch -q -D release/1.0 2>"$tmp/log"
measure 105 --store "$store"
gate 3 "origin/release/1.0" --store "$store" origin/release/1.0
is no-base "$(verdict parse $allocs)" "... is the same branch to a section"
gate 3 "release/1.0, which is only at the remote" --store "$store" release/1.0
is no-base "$(verdict parse $allocs)" "... too"

### what differs from the policy of the base

repository differs
kept '[gate]' 'base = main' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 2%'
step 100
git checkout -q -b topic
kept '[gate]' 'base = main' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 50%'
step 110
gate 0 "a change request with a looser rule" main
is 0.5 "$(verdict parse $allocs tolerance)" "... is judged by it"
contains "$report" 'policy_changes.*counts.*tolerance was 2%, is 50%' "... and the report opens with what it loosens"
contains "$out" 'tolerance was 2%, is 50%' "... the text as well"

### policy-from = base

repository from-base
kept '[gate]' 'base = main' 'policy-from = base' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 3%'
step 100 && first=$sha
git checkout -q -b looser
kept '[gate]' 'base = main' 'policy-from = base' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 50%'
step 110
gate 1 "policy-from = base, a looser rule" main
is 0.03 "$(verdict parse $allocs tolerance)" "... does not count"
git checkout -q -b head main
kept '[gate]' 'base = main' 'policy-from = head' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 50%'
step 110
gate 1 "policy-from = head in the change request" main
is 0.03 "$(verdict parse $allocs tolerance)" "... does not free it from the base's policy"
git checkout -q -b without main
git rm -q perfgate.conf && step 110
gate 1 "a change request without a policy" main
is 0.03 "$(verdict parse $allocs tolerance)" "... is judged by the base's"
git checkout -q -b waives main
kept '[gate]' 'base = main' 'policy-from = base' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 3%' 	'[waive "me"]' 'benchmark = ^parse$' 'until = 2026-12-31' 'reason = in a hurry'
step 110
gate 1 "a waiver of its own" main
is regressed "$(verdict parse $allocs)" "... does not count"
git checkout -q -b accepts main
kept '[gate]' 'base = main' 'policy-from = base' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 3%' 	'' '' '[accept "traded"]' 'benchmark = ^parse$' "metric = ^$allocs\$" 'to = 110'
step 110
gate 0 "an accept of its own" main
judged accepted "$first" parse $allocs "... counts"
mentions parse $allocs 'perfgate.conf:9 accept \"traded\"' "... with the line that it has in the file"
step 114
gate 1 "more than 3 % of what it accepts" main
git checkout -q -b renames main
kept '[gate]' 'base = main' 'policy-from = base' '[rename "shorter"]' 'from = ^parse$' 'to = p' '[retire "old"]' 'benchmark = ^lex$'
change renamed && kpi p $allocs=110 >"$tmp/doc.json" && ingest "$tmp/doc.json"
gate 1 "a rename of its own" main
judged regressed "$first" p $allocs "... counts"
is 0.03 "$(verdict p $allocs tolerance)" "... beside the base's rules"
git checkout -q main
git merge -q --squash looser >"$tmp/log" && commit looser && measure 110
gate 1 "merged" main
is 0.03 "$(verdict parse $allocs tolerance)" "... is judged by its parent's policy"
git revert --no-edit HEAD >"$tmp/log" 2>&1

# in a shallow clone
git checkout -q looser
git clone -q --depth 1 -b looser "file://$work/from-base" ../from-base-shallow && cd ../from-base-shallow || exit 99
store=$work/from-base/.git/perfgate/store.db
gate 2 "policy-from = base, and the clone lacks the base" --store "$store" main
contains "$err" "policy-from = base.*git fetch --depth 1 origin $first" "... the message says what to fetch"
git fetch -q --depth 1 origin "$first"
gate 1 "... and once it is there" --store "$store" main
is 0.03 "$(verdict parse $allocs tolerance)" "... it holds"

git clone -q --depth 1 -b topic "file://$work/differs" ../differs-shallow && cd ../differs-shallow || exit 99
gate 0 "a policy that the clone lacks" --store "$work/differs/.git/perfgate/store.db" main
noted 'whether perfgate.conf differs' "... cannot be compared, and that is told"

# a setting of the target branch
repository from-target
kept '[gate]' 'base = main' '[gate "release/*"]' 'policy-from = base' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 3%'
step 100
git branch release/2.0
git checkout -q -b topic
kept '[gate]' 'base = main' '[gate "release/*"]' 'policy-from = head' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 50%'
step 110
gate 0 "for main, head's policy holds" main
gate 1 "for the release, the base's" release/2.0
is 0.03 "$(verdict parse $allocs tolerance)" "... as the section of that branch says"
kept '[gate]' 'base = main' '[gate "release/*"]' 'max-distance = 1' 'policy-from = base' '[rule "counts"]' 'metric = ^allocs' 'tolerance = 50%'
step 110
gate 1 "... and so do its other settings" release/2.0
is "$(git rev-parse main)" "$(base sha)" "... those of the base, which have no max-distance"

done_testing
