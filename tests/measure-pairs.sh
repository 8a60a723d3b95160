# What perfgate measure says at once, and what gate and diff say later of the same session.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

TMPDIR=$tmp/tmp
COUNT=$tmp/count
export TMPDIR COUNT
mkdir "$TMPDIR" || exit 99

# Each run writes what one of the lines of plan says, the first run of all the first.
repository r
cat >bench <<'SH'
#!/bin/sh
n=$(($(wc -l <"$COUNT") + 1))
echo >>"$COUNT"
sed -n "${n}p" "$PLAN" | awk '{
	printf "["
	for (i = 1; i <= NF; i++)
		printf "%s{\"schema_version\":1,\"name\":\"%s\",\"wall_clock_ns\":%s,\"iterations\":1,\"allocs_per_op\":7}",
			(i > 1 ? "," : ""), substr($i, 1, 1), substr($i, 2)
	print "]"
}' >"$PERFGATE_OUT/kpi.json"
SH
chmod +x bench
git add . && commit base
base_sha=$sha
change head
head_sha=$sha

# The verdicts of a report, but for how far the base lies back, which only who looked for it says.
verdicts_of()
{
	sed -n '/"verdicts"/,/^ \]/p' "$1" | sed 's/"distance": [0-9a-z]*//'
}

# planned NAME LINES: measures both, in base head head base order, and compares with the store.
planned()
{
	rm -f .git/perfgate/store.db*
	: >"$COUNT"
	PLAN=$tmp/plan
	export PLAN
	cat >"$PLAN"
	lines=$(wc -l <"$PLAN")
	ok "$1" "$PERFGATE" measure HEAD~1 HEAD --pairs $((lines / 2)) --report "json:$tmp/said" -- ./bench
	is "$lines" "$("$PERFGATE" log --json | grep -c '"suite"')" "$1: all runs are stored, alike or not"
	ok "$1: diff" "$PERFGATE" diff --report "json:$report" "$base_sha" "$head_sha"
	verdicts_of "$tmp/said" >"$tmp/said.verdicts"
	verdicts_of "$report" >"$tmp/diff.verdicts"
	same "$tmp/said.verdicts" "$tmp/diff.verdicts" "$1: ... says the same"
	"$PERFGATE" gate --report "json:$tmp/gate" "$base_sha" "$head_sha" >/dev/null 2>&1
	verdicts_of "$tmp/gate" >"$tmp/gate.verdicts"
	same "$tmp/said.verdicts" "$tmp/gate.verdicts" "$1: ... and so does gate"
	"$PERFGATE" store export >"$tmp/export" 2>/dev/null
	rm -f "$tmp/other.db"
	ok "$1: an export" "$PERFGATE" ingest --store "$tmp/other.db" "$tmp/export"
	ok "$1: ... is judged" "$PERFGATE" diff --store "$tmp/other.db" --report "json:$tmp/other" "$base_sha" "$head_sha"
	verdicts_of "$tmp/other" >"$tmp/other.verdicts"
	same "$tmp/said.verdicts" "$tmp/other.verdicts" "$1: ... by the same pairs"
}

# b h h b, h b b h: base 1000 1000 1000 2000 2000 1000, head the same but for 1100 once
planned "runs that measured the same" <<'P'
a1000
a1100
a1100
a1000
a1100
a2000
a2000
a1100
a1000
a1100
P
is "5 pairs" "$(verdict a wall_ns_per_op n_head) $(verdict a wall_ns_per_op method)" "... are not dropped"
planned "several samples a run" <<'P'
a1000 a1001 a1005
a1200 a1202 a1203
a1200 a1202 a1203
a1000 a1001 a1005
a2400 a2402 a2403
a2000 a2001 a2005
a1000 a1001 a1005
a1200 a1202 a1203
a1000 a1001 a1005
a1200 a1202 a1203
P
is "regressed 5" "$(verdict a wall_ns_per_op) $(verdict a wall_ns_per_op n_head)" "... are one number a run"
planned "a run that lacks a series" <<'P'
a1000 b1000
a1200 b1100
b3300
a3000 b3000
a6000 b6000
a5000 b5000
a1000 b1000
a1200 b1100
a1000 b1000
a1200 b1100
a2000 b2000
a2400 b2200
P
is "5 6" "$(verdict a wall_ns_per_op n_head) $(verdict b wall_ns_per_op n_head)" "... is left out of its pair alone"
"$PERFGATE" diff --all "$base_sha" "$head_sha" >"$out" 2>"$err"
contains "$out" 'not 1 with unlike numbers of' "... and the report says so"
planned "unlike numbers of samples in every pair" <<'P'
a1000
a1200 a1200
a1200 a1200
a1000
P
is inconclusive "$(verdict a wall_ns_per_op)" "... tell nothing"
mentions a wall_ns_per_op "in no pair of runs" "... and the report says why"
planned "fewer pairs than can tell" <<'P'
a1000 b1000
a1200 b1200
a1200 b1200
a1000 b1000
P
is "inconclusive 6" "$(verdict a wall_ns_per_op) $(verdict a wall_ns_per_op needed)" "... say how many can"
noted 'alone among 2 that are tested together: 2 series, .*--pairs 6' "... where the series are not listed, too"
planned "a session that says regressed" <<'P'
a1000
a1200
a1200
a1000
a1200
a1000
a1000
a1200
a1000
a1200
a1200
a1000
P
for i in 1 2 3 4; do printf 'a1000\na1001\na1000\na1001\n'; done >"$PLAN"
: >"$COUNT"
ok "... and another that does not" "$PERFGATE" measure HEAD~1 HEAD --pairs 8 -- ./bench
ok "... which is the newest" "$PERFGATE" diff --report "json:$report" HEAD~1 HEAD
is pass "$(verdict a wall_ns_per_op)" "... decides"
mentions a wall_ns_per_op 'would have been regressed' "... and the report says what the older one said"
ok "... unasked" "$PERFGATE" diff HEAD~1 HEAD
contains "$out" '^pass .* a ' "... the series is listed though it passes"
planned "an exact metric and one pair" <<'P'
a1000
a1200
P
is "pass 1" "$(verdict a allocs_per_op) $(verdict a allocs_per_op n)" "... are enough"

### renamed on the way

PLAN=$tmp/plan
printf 'a1000\nc1000\n' >"$PLAN"
: >"$COUNT"
printf '[rename "short names"]\n\tsuite = ^kpi$\n\tfrom = ^a$\n\tto = c\n' >perfgate.conf
ok "a benchmark that is renamed" "$PERFGATE" measure HEAD~1 HEAD --pairs 1 --report "json:$report" -- ./bench
is pass "$(verdict c allocs_per_op)" "... is compared under its new name"
rm -f perfgate.conf

### what is missing

PLAN=$tmp/plan
printf 'a1000\na1000\n' >"$PLAN"
whole()
{
	kpi a wall_clock_ns=1000 iterations=1 allocs_per_op=7 "$@" >"$tmp/whole.json"
}
rm -f .git/perfgate/store.db*
change later
: >"$COUNT"
whole , b wall_clock_ns=1000 iterations=1 allocs_per_op=7
ingest --commit "$base_sha" --session one "$tmp/whole.json"
whole
ingest --commit "$sha" --session two "$tmp/whole.json"
gate 3 "a series that is missing" "$base_sha" "$sha"
ok "... where a part was measured in between" "$PERFGATE" measure "$head_sha" "$sha" --pairs 1 -- ./bench
gate 3 "... is missing still" "$head_sha" "$sha"
judged missing "$base_sha" b allocs_per_op "... against the commit that had it"
judged pass "$head_sha" a allocs_per_op "... and the part has its nearest base"
ok "another suite" "$PERFGATE" measure "$base_sha" --alone --pairs 1 -- true
gate 3 "... that somebody measured" "$base_sha" "$sha"
lacks "$report" '"suite": "command"' "... is not expected of all"

cat >halves <<'SH'
#!/bin/sh
echo '[{"schema_version":1,"name":"a","wall_clock_ns":5,"iterations":1}]' >"$PERFGATE_OUT/kpi.json"
[ "$(git rev-parse HEAD)" = "$GONE" ] && exit 0
echo '{"traceEvents":[{"name":"x","ph":"X","ts":1,"dur":5,"pid":1,"tid":1}]}' >"$PERFGATE_OUT/trace.json"
SH
GONE=$sha
export GONE
ok "a suite that only the base wrote" "$PERFGATE" measure HEAD~1 HEAD --pairs 1 -- sh "$PWD/halves"
contains "$out" '^not measured: trace' "... is told of"
ok "nothing but the base's" "$PERFGATE" measure HEAD HEAD~1 --pairs 1 -- sh -c "[ \"\$(git rev-parse HEAD)\" != $GONE ] || sh '$PWD/halves'"
contains "$out" '^not measured: kpi' "... is told of as well"

### what the sessions before say

cp bench "$tmp/bench"
repository s
cp "$tmp/bench" .
git checkout -q -b trunk
conf '[gate]' 'base = trunk' '[rule "times gate"]' 'suite = ^kpi$' 'metric = ^wall_ns_per_op$' 'class = hard'
git add . && commit "what is measured"
night()
{
	change "$1"
	kpi a "wall_clock_ns=$2" iterations=1 allocs_per_op=7 >"$tmp/night.json"
	ingest --session "$1" "$tmp/night.json"
}
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
	night "night $i" "100$((i % 7))"
done
good=$sha
night "slow" 1500
slow=$sha
night "slow still" 1501
night "slow as ever" 1502
night "slow again" 1503
gate 1 "a base that is regressed" trunk trunk
printf 'a1000\na1500\na1500\na1000\n' >"$PLAN"
: >"$COUNT"
ok "... and too few pairs" "$PERFGATE" measure "$good" HEAD --pairs 2 -- ./bench
gate 1 "... take nothing back" "$good" HEAD
judged regressed "$good" a wall_ns_per_op "... of what the sessions say"
for i in 1 2 3 4; do printf 'a1500\na1500\na1500\na1500\n'; done >"$PLAN"
: >"$COUNT"
ok "... with which head is compared in pairs" "$PERFGATE" measure HEAD~1 HEAD --pairs 8 -- ./bench
gate 1 "... is not made good by that" trunk trunk
is "pairs $slow" "$(verdict a wall_ns_per_op method) $(verdict a wall_ns_per_op culprit)" "... and the commit is named"
git checkout -q -b topic
change "a topic"
: >"$COUNT"
ok "... as a change request is" "$PERFGATE" measure HEAD~1 HEAD --pairs 8 -- ./bench
gate 0 "... which did not do it" trunk
is "inherited $slow" "$(verdict a wall_ns_per_op) $(verdict a wall_ns_per_op culprit)" "... inherits"
git checkout -q trunk
change "mended"
for i in 1 2; do
	printf 'a1500\na1000\na1000\na1500\na1000\na1500\na1500\na1000\n'
done >"$PLAN"
: >"$COUNT"
ok "... and one that mends it" "$PERFGATE" measure HEAD~1 HEAD --pairs 8 -- ./bench
gate 0 "... is free of it" trunk trunk
is improved "$(verdict a wall_ns_per_op)" "... and improved"

repository drift
cp "$tmp/bench" .
git checkout -q -b trunk
conf '[gate]' 'base = trunk' '[rule "times gate"]' 'suite = ^kpi$' 'metric = ^wall_ns_per_op$' 'class = hard'
git add . && commit "good"
change "slow"
slow=$sha
change "next"
printf 'a%s\n' 1000 1100 2200 2000 3300 3000 4000 4400 5000 5500 6600 6000 >"$PLAN"
: >"$COUNT"
ok "a regression under drift" "$PERFGATE" measure HEAD~2 HEAD~1 --pairs 6 --report "json:$report" -- ./bench
is regressed "$(verdict a wall_ns_per_op)" "... that the pairs show"
printf 'a%s\n' 1100 1100 2200 2200 3300 3300 4400 4400 5500 5500 6600 6600 >"$PLAN"
: >"$COUNT"
ok "... and the next commit" "$PERFGATE" measure HEAD~1 HEAD --pairs 6 -- ./bench
gate 1 "... is held to what was before" trunk trunk
is "regressed $slow" "$(verdict a wall_ns_per_op) $(verdict a wall_ns_per_op culprit)" "... by the same pairs"

### what is no measurement

is_status 2 "$PERFGATE" measure HEAD --alone --pairs 1 -- sh -c "cp '$tmp/export' \"\$PERFGATE_OUT\""
contains "$err" 'HEAD, run 1: export is an export of a store' "an export"
: >"$COUNT"
ok "a run without documents" "$PERFGATE" measure HEAD --alone --pairs 2 -- sh -c "[ -e '$tmp/once' ] || ./bench; >'$tmp/once'"
contains "$err" 'note: HEAD: 1 of 2 runs wrote no document' "... is told of"
done_testing
