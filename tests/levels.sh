# The last good level: what regressed stays red until it is mended or accepted, whoever measures next;
# change requests inherit it; and small steps do not add up unseen.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

allocs=allocs_per_op

so_since()
{
	mentions parse $allocs "$(echo "$1" | cut -c1-7)" "$2"
}

### on the base branch

repository main
step 100 && first=$sha
step 110 && second=$sha
gate 1 "the commit that regresses" main
judged regressed "$first" parse $allocs "... against its parent"
step 110
gate 1 "the one after it" main
judged regressed "$first" parse $allocs "... against the level before"
so_since "$second" "... naming who left it"
step 105
gate 1 "half mended" main
judged regressed "$first" parse $allocs "... is 5 % worse than the level before"
so_since "$second" "... and still that commit's doing"
step 90 && third=$sha
gate 0 "more than mended" main
is improved "$(verdict parse $allocs)" "... is better than the last good level"
step 90
gate 0 "and stays so" main
judged pass "$(git rev-parse HEAD~1)" parse $allocs "... by its own parent, of that level too"
step 100 && fourth=$sha
gate 1 "the first level is no longer good" main
step 101
gate 1 "nor is it one commit on" main
judged regressed "$(git rev-parse HEAD~2)" parse $allocs "... against the newest commit of the good level"
so_since "$fourth" "... naming the commit that left that"
for at in "$second 1" "$third 0" "$fourth 1" "main~4 1"; do
	gate "${at#* }" "an old commit by its SHA, as it was judged then" main "${at% *}"
done

# a series of its own for each benchmark
repository apart
change one && one=$sha && kpi parse $allocs=100 , lex $allocs=100 >"$tmp/doc.json" && ingest "$tmp/doc.json"
change two && two=$sha && kpi parse $allocs=120 , lex $allocs=100 >"$tmp/doc.json" && ingest "$tmp/doc.json"
change three && three=$sha && kpi parse $allocs=120 , lex $allocs=120 >"$tmp/doc.json" && ingest "$tmp/doc.json"
change four && kpi parse $allocs=120 , lex $allocs=120 >"$tmp/doc.json" && ingest "$tmp/doc.json"
gate 1 "two regressions by two commits" main
judged regressed "$one" parse $allocs "parse is held to its level"
judged regressed "$two" lex $allocs "lex to its own"
so_since "$two" "parse was one commit's doing"
mentions lex $allocs "$(echo "$three" | cut -c1-7)" "lex the other's"

# what is better when it is higher
repository higher
change one && one=$sha && kpi parse cache_hit_rate=0.9 >"$tmp/doc.json" && ingest "$tmp/doc.json"
change two && kpi parse cache_hit_rate=0.8 >"$tmp/doc.json" && ingest "$tmp/doc.json"
change three && kpi parse cache_hit_rate=0.8 >"$tmp/doc.json" && ingest "$tmp/doc.json"
gate 1 "a rate that fell" main
judged regressed "$one" parse cache_hit_rate "... is held to what it was"

# at most 50 measured commits
repository far
step 100
step 110
i=0
while [ $i -lt 49 ]; do
	step 110
	i=$((i + 1))
done
gate 1 "50 commits of the line are looked at" main
step 110
gate 0 "what left the level further back is forgotten" main

# commits that change nothing, and that nobody measured
repository empty
step 100 && first=$sha
step 110 && second=$sha
i=0
while [ $i -lt 60 ]; do
	commit "empty $i"
	i=$((i + 1))
done
step 110
gate 1 "60 commits of the same tree further" main
judged regressed "$first" parse $allocs "... the level is the same"
so_since "$second" "... and so is the one who left it"
git revert --no-edit "$second" >"$tmp/log" 2>&1 || { git checkout -q "$first" -- file && commit reverted; }
git checkout -q "$first" -- file && commit reverted
change after && measure 101
gate 0 "a revert that nobody measured" main
is pass "$(verdict parse $allocs)" "... has the level of the tree that it restores"
change "after that" && measure 110
gate 1 "worse than that" main

### change requests

repository requests
step 100 && first=$sha
step 110 && second=$sha
step 111 && third=$sha
git checkout -q -b topic
step 111
gate 0 "a change request on a regressed base" main
judged inherited "$third" parse $allocs "... inherits"
so_since "$second" "... from the commit that did it"
is false "$(verdict parse $allocs gates)" "... and does not gate"
gate 0 "a change request, --strict" --strict main
step 115
gate 1 "a change request that adds to it" main
judged regressed "$third" parse $allocs "... is red against its own base"
step 102
gate 0 "a change request that mends it" main
is improved "$(verdict parse $allocs)" "... improves"
step 112
gate 0 "a change request is compared with the base, not with its own commits" main
is inherited "$(verdict parse $allocs)" "... and inherits as before"
git checkout -q main && step 100
git checkout -q topic && step 111
gate 0 "main was mended since" main
judged inherited "$third" parse $allocs "... but the change request is not based on that"
git merge -q -X ours -m 'merge main' main >"$tmp/log" 2>&1 || exit 99
sha=$(git rev-parse HEAD) && measure 111
gate 1 "it is once main was merged into it" main
judged regressed "$(git rev-parse main)" parse $allocs "... and then it is worse than its base"
git checkout -q "$first" && git checkout -q -b older && step 110
gate 1 "a change request from before the regression" main
judged regressed "$first" parse $allocs "... is to blame for what it does itself"

### accepted

# in one commit with what it accepts
repository accepted
step 100 && first=$sha
change "regresses on purpose"
conf '[accept "on purpose"]' 'benchmark = ^parse$' "metric = ^$allocs\$" 'to = 110' 'reason = trades space for time'
git add perfgate.conf && commit "accepts" && measure 110 && second=$sha
gate 0 "accepted by the commit itself" main
judged accepted "$first" parse $allocs "... against the level before"
mentions parse $allocs 'accept \"on purpose\"' "... by that section"
mentions parse $allocs 'trades space for time' "... with its reason"
step 110
gate 0 "the commit after it" main
judged pass "$second" parse $allocs "... has the new level for its base"
step 113
gate 1 "more than 2 % of what was accepted" main
step 112
gate 0 "2 % of the new level" main
step 100 && step 110
gate 0 "mended, and back to what is accepted" main
is accepted "$(verdict parse $allocs)" "... is accepted"
git rm -q perfgate.conf && commit "no longer accepted" && measure 110
gate 1 "the section is gone" main
is regressed "$(verdict parse $allocs)" "... and so is what it turned: nothing is remembered"

# afterwards
repository afterwards
step 100 && step 110 && second=$sha && step 110
gate 1 "red on main" main
conf "[accept \"so be it\"]" "metric = ^$allocs\$" 'to = 110'
git add perfgate.conf && commit accept && accepting=$sha && measure 110
gate 0 "accepting turns it green at once" main
git checkout -q -b topic && step 110
gate 0 "a change request on it" main
judged pass "$accepting" parse $allocs "... inherits nothing any more"
git checkout -q main && step 113 && third=$sha
gate 1 "the new level holds from there" main
step 113
gate 1 "... for those that follow too" main
so_since "$third" "... and the commit that left it is named"
git checkout -q "$second"
gate 1 "the commit before is judged by its own policy" main "$second"
git checkout -q main

# a change request that brings the section with it
repository brought
step 100 && first=$sha
git checkout -q -b topic
conf '[accept "brought"]' "metric = ^$allocs\$" 'to = 110'
git add perfgate.conf && commit accept && measure 110
gate 0 "a change request that accepts what it does" main
judged accepted "$first" parse $allocs "... is accepted"
measure 113 --session later
gate 1 "... but not more than that" main
git checkout -q main && git merge -q --squash topic >"$tmp/log" && commit squashed && measure 110 && squashed=$sha
gate 0 "squashed into main" main
is accepted "$(verdict parse $allocs)" "... the section came with it"
git revert --no-edit "$squashed" >"$tmp/log" 2>&1
sha=$(git rev-parse HEAD) && measure 100
gate 0 "reverted, code and section" main
step 110
gate 1 "and what was accepted is not any more" main

### creep

repository creep
conf '[gate]' 'reference = v1.0' 'creep = 5%'
git add perfgate.conf
step 100000 && git tag v1.0 && pinned=$sha
n=100000 i=1
while [ $i -le 20 ]; do
	n=$((n * 101 / 100)) # 1 % a step
	step "$n"
	case $i in
	4)
		gate 0 "four steps of 1 %" main
		judged pass "$(git rev-parse HEAD~1)" parse $allocs "... pass, each against its parent"
		git branch early
		;;
	5)
		gate 1 "the fifth step of 1 %" main
		is regressed "$(verdict parse $allocs)" "... is more than 5 % since v1.0"
		mentions parse $allocs "$(echo "$pinned" | cut -c1-12)" "... which is named"
		is true "$(verdict parse $allocs gates)" "... and it gates"
		;;
	esac
	i=$((i + 1))
done
gate 1 "twenty steps of 1 % do not pass" main
is regressed "$(verdict parse $allocs)" "... though each was within 2 %"
git checkout -q -b topic && step "$n"
gate 0 "a change request on what crept away" main
is inherited "$(verdict parse $allocs)" "... inherits it"
git checkout -q early && git checkout -q -b another && step 105100
gate 1 "a change request that takes the last step" main
is regressed "$(verdict parse $allocs)" "... is the one that goes too far"
conf '[gate]' 'reference = v1.0' 'creep = 5%' '[rule "free"]' 'benchmark = ^parse$' 'creep = 50%'
gate 0 "creep = 50 % for one benchmark" main
conf '[gate]' 'reference = v1.0' 'creep = 5%' '[accept "crept"]' 'benchmark = ^parse$' 'to = 105100'
gate 0 "what crept is accepted" main
is accepted "$(verdict parse $allocs)" "... by a section like any other"
conf '[gate]' 'reference = v9.9' 'creep = 5%'
gate 2 "a reference that is not there" main
contains "$err" 'v9\.9' "... is named"

### waived

repository waived
step 100
clock=1769903939 # so that the next commit is of 2026-01-31T23:59:59Z
step 110
conf '[waive "rewrite"]' 'benchmark = ^parse$' 'until = 2026-01-31' 'reason = being rewritten'
gate 0 "waived until the day of the commit" main
is waived "$(verdict parse $allocs)" "... holds, to its last second"
mentions parse $allocs 'waive \"rewrite\"' "... by that section"
mentions parse $allocs 'being rewritten' "... with its reason"
clock=1769903940
step 110
gate 1 "the day after" main
is regressed "$(verdict parse $allocs)" "... the waiver is over"
mentions parse $allocs 'waive \"rewrite\"' "... and is reported as expired"
clock=1769990000
GIT_AUTHOR_DATE="1767225600 +0000" GIT_COMMITTER_DATE="$clock +0000" git commit -q --allow-empty -m late && sha=$(git rev-parse HEAD) && measure 110
gate 1 "an author's date in time does not help" main
conf '[waive "rewrite"]' 'benchmark = ^parse$' 'until = 2026-01-30' 'reason = being rewritten'
gate 1 "expired for longer" main
is regressed "$(verdict parse $allocs)" "... is regressed"
kpi lex $allocs=1 >"$tmp/doc.json"
change "measures something else" && ingest "$tmp/doc.json"
conf '[waive "gone for now"]' 'benchmark = ^parse$' 'until = 2026-12-31' 'reason = no time'
gate 0 "what is missing can be waived too" main
is waived "$(verdict parse $allocs)" "... and says so"

### retired

conf '[retire "no more"]' 'benchmark = ^parse$'
gate 0 "retired" main
is info "$(verdict parse $allocs)" "what was retired is not missing"
mentions parse $allocs 'retire \"no more\"' "... and says by which section"
conf '[retire "another"]' 'benchmark = ^lex$'
gate 3 "another benchmark was retired" main
is missing "$(verdict parse $allocs)" "... this one is missing"

### what has nothing to do

repository idle
step 100 && step 100
conf '[waive "flaky"]' 'benchmark = ^parse$' 'until = 2026-12-31' 'reason = flaky' '[retire "soon"]' 'benchmark = ^parse$' \
	'[accept "once"]' 'benchmark = ^parse$' "metric = ^$allocs\$" 'to = 200'
gate 0 "sections whose series is as it was" main
not_noted 'matches no series' "... are not said to match none"
noted 'retire .{1,2}soon.* and 1 more change no verdict here' "... but to change no verdict"
run "$PERFGATE" gate --suite kpi main
lacks "$out" 'change no verdict' "... which a part of the series cannot tell"
ok "diff of them" "$PERFGATE" diff --exit-code HEAD~1 HEAD
lacks "$out" 'matches no series' "... says so neither"
conf '[waive "flaky"]' 'benchmark = ^prase$' 'until = 2026-12-31' 'reason = flaky' '[retire "soon"]' 'benchmark = ^prase$' \
	'[accept "once"]' 'benchmark = ^prase$' "metric = ^$allocs\$" 'to = 200'
gate 0 "sections with a misspelt pattern" main
noted 'waive .{1,2}flaky.*retire .{1,2}soon|retire .{1,2}soon.*waive .{1,2}flaky' "... are reported"
noted 'accept .{1,2}once' "... the accept too"
not_noted 'no verdict here' "... and not as idle"
conf '[accept "once"]' 'benchmark = ^parse$' "metric = ^$allocs\$" 'to = 200'
gate 0 "one section whose series is as it was" main
noted 'accept .{1,2}once.{1,2} changes no verdict here; .perfgate accept --tidy' "... is told how it goes"
step 150
gate 0 "a step that the section accepts" main
not_noted 'no verdict here' "... which then changes one"

done_testing
