# Noisy series: samples of one session against each other, sessions against those of the past.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

wall=wall_ns_per_op

# group BENCHMARKS SAMPLES CHANGED PERCENT SEED: a kpi document in which each benchmark takes 1 ms,
# give or take 1 %, and the first CHANGED of them PERCENT more
group()
{
	"$TEST_AWK" -v n="$1" -v samples="$2" -v changed="$3" -v percent="$4" -v seed="$5" '
		function noise() {
			seed = (seed * 69069 + 12345) % 16777216
			return int(seed / 256) % 20001 - 10000
		}
		BEGIN {
			printf "["
			for (i = 1; i <= n; i++)
				for (k = 0; k < samples; k++)
					printf "%s{\"schema_version\":1,\"name\":\"b%d\",\"wall_clock_ns\":%d,\"iterations\":1}",
						(i + k > 1 ? ",\n" : ""), i, (1000000 + noise()) * (i <= changed ? 1 + percent / 100 : 1)
			print "]"
		}'
}

# both NAME BASE-DOCUMENT HEAD-DOCUMENT: measured in one session
both()
{
	repository "$1"
	change base && base=$sha
	change head && head=$sha
	ingest --session one --commit "$base" "$2"
	ingest --session one --commit "$head" "$3"
}

### both sides in one session

walls parse 1000 1010 990 1005 995 1002 998 1003 1001 999 >"$tmp/fast.json"
walls parse 1100 1111 1089 1105 1095 1102 1098 1103 1101 1099 >"$tmp/slow.json"
both worse "$tmp/fast.json" "$tmp/slow.json"
gate 0 "10 % slower, 10 samples a side" main
judged regressed "$base" parse $wall "... is regressed"
is advisory "$(verdict parse $wall class)" "... which times are only told, not failed for"
gate 1 "... unless they are asked to" --strict main
hard
gate 1 "... or the policy says so" main
hard 'tolerance = 12%'
gate 0 "12 % allowed" main
is pass "$(verdict parse $wall)" "... passes"
hard 'tolerance = 10%'
gate 3 "an allowance that is met to the point" main
is inconclusive "$(verdict parse $wall)" "... cannot be told"
both better "$tmp/slow.json" "$tmp/fast.json"
gate 0 "10 % faster" main
is improved "$(verdict parse $wall)" "... is improved"
walls parse 1001 1009 991 1006 994 1003 997 1002 1004 998 >"$tmp/fast-too.json"
both alike "$tmp/fast.json" "$tmp/fast-too.json"
hard
gate 0 "the same, 10 samples a side" main
is pass "$(verdict parse $wall)" "... passes: it cannot be 5 % slower"
walls parse 1000 1010 >"$tmp/two.json"
walls parse 1200 1211 >"$tmp/slow-two.json"
both few "$tmp/two.json" "$tmp/slow-two.json"
gate 0 "20 % slower, 2 samples a side" main
is inconclusive "$(verdict parse $wall)" "... cannot be told apart: p is 1/6 at best"
hard
gate 3 "hard, it could not be judged" main
conf '[gate]' 'base = main' 'require = no' '[rule "hard"]' "metric = ^$wall\$" 'class = hard'
gate 0 "require = no" main
hard '[waive "few"]' 'benchmark = ^parse$' 'until = 2026-12-31' 'reason = the machine is busy'
gate 0 "waived" main
is waived "$(verdict parse $wall)" "... what cannot be judged"

# one session alone is used, whatever else there is
both apart "$tmp/fast.json" "$tmp/slow.json"
ingest --session later --commit "$head" "$tmp/fast.json"
gate 0 "a later session of head alone" main
is regressed "$(verdict parse $wall)" "... has not the weather of the base: the shared one decides"
ingest --session both --commit "$base" "$tmp/fast-too.json"
ingest --session both --commit "$head" "$tmp/fast.json"
gate 0 "a later session of both" main
is pass "$(verdict parse $wall)" "... decides"

# accepted
both accepted "$tmp/fast.json" "$tmp/slow.json"
hard '[accept "slower"]' 'benchmark = ^parse$' "metric = ^$wall\$" 'to = 1.1us'
gate 0 "10 % slower, accepted" main
is accepted "$(verdict parse $wall)" "... says so"
hard '[accept "slower"]' 'benchmark = ^parse$' "metric = ^$wall\$" 'to = 1040'
gate 1 "10 % slower, 4 % and the tolerance accepted" main
is regressed "$(verdict parse $wall)" "... is not enough"

### sessions = pool

repository pool
change base && base=$sha && ingest --session first "$tmp/fast.json"
change head && ingest --session second "$tmp/slow.json"
hard
gate 3 "another session" main
is inconclusive "$(verdict parse $wall)" "... tells nothing by itself"
hard 'sessions = pool'
gate 1 "sessions = pool" main
judged regressed "$base" parse $wall "... compares samples all the same"
change mended && ingest --session third "$tmp/fast-too.json"
gate 0 "sessions = pool, mended" main

### families

group 40 5 0 0 1 >"$tmp/base.json"
group 40 5 1 20 2 >"$tmp/head.json"
both family "$tmp/base.json" "$tmp/head.json"
gate 0 "one of 40, 5 samples a side" main
is inconclusive "$(verdict b1 $wall)" "... would have to be 1 of 800, and 1 of 252 is the least there can be"
mentions b1 $wall 40 "... which the size of the family tells"
gate 0 "the one alone" --only '^b1$' main
is regressed "$(verdict b1 $wall)" "... is 20 % slower"
group 40 8 0 0 1 >"$tmp/base.json"
group 40 8 1 20 2 >"$tmp/head.json"
both larger "$tmp/base.json" "$tmp/head.json"
gate 0 "one of 40, 8 samples a side" main
is regressed "$(verdict b1 $wall)" "... is found"
is 39 "$(grep -c '"verdict": "pass"' "$report")" "... and no other"
not_noted 'moved together' "... nothing moved together"
not_noted 'alike' "... nor more to one side"

### what they say together

group 20 8 20 3 3 >"$tmp/shifted.json"
group 20 8 0 0 1 >"$tmp/base.json"
both shift "$tmp/base.json" "$tmp/shifted.json"
gate 0 "20 series, each 3 % slower" main
is 0 "$(grep -c '"verdict": "regressed"' "$report")" "... are no regressions"
noted '20 of 20 .*together' "... but that they moved together is told"
group 20 8 10 20 3 >"$tmp/half.json"
both lopsided "$tmp/base.json" "$tmp/half.json"
gate 0 "10 of 20 series 20 % slower" main
is 10 "$(grep -c '"verdict": "regressed"' "$report")" "... are regressions"
noted '10 got worse and 0 better' "... and lopsided"
group 20 8 5 20 3 >"$tmp/five.json"
both five "$tmp/base.json" "$tmp/five.json"
gate 0 "5 of 20 series 20 % slower" main
not_noted 'got worse' "... are too few to say that"

### night after night

n=0
# night NS...: a commit and its session
night()
{
	n=$((n + 1))
	change "night $n"
	walls parse "$@" >"$tmp/night.json" && ingest --session "night $n" "$tmp/night.json"
}

# another NAME NS...: one more session of the same commit
another()
{
	another_name=$1
	shift
	walls parse "$@" >"$tmp/night.json" && ingest --session "$another_name" "$tmp/night.json"
}

# within 2 %, in no order
quiet()
{
	set -- 1000 1007 993 1012 988 1003 997 1015 985 1001 999 1010 990 1005 995 1018 982 1008 992 1002
	shift $((n % 20))
	night "$1"
}

repository nights
hard
while [ $n -lt 20 ]; do
	quiet
done
gate 3 "the 20th session" main
is inconclusive "$(verdict parse $wall)" "... has 19 to be compared with: too few"
mentions parse $wall 19 "... which is told"
quiet && good=$sha
gate 0 "the 21st session" main
is pass "$(verdict parse $wall)" "... is as all before it"
git branch quiet
another measure/aside 1900
night 1200 && first=$sha
gate 0 "a session worse than all" main
is suspect "$(verdict parse $wall)" "... is suspect"
another "again 1" 1201
another "again 2" 1202
gate 0 "three sessions of one commit" main
is suspect "$(verdict parse $wall)" "... are no more than one"
night 1190
gate 0 "the second commit in a row" main
is suspect "$(verdict parse $wall)" "... is suspect"
night 1210 && third=$sha
gate 1 "the third commit in a row" main
is regressed "$(verdict parse $wall)" "... is a regression"
mentions parse $wall "$(echo "$first" | cut -c1-7)" "... since the first of them"
night 1195 && fourth=$sha
gate 1 "the fourth" main
is regressed "$(verdict parse $wall)" "... is one still"
mentions parse $wall "$(echo "$first" | cut -c1-7)" "... since the same commit"
hard '[accept "slower nights"]' 'benchmark = ^parse$' "metric = ^$wall\$" 'to = 1200'
gate 0 "accepted" main
is accepted "$(verdict parse $wall)" "... turns it green at once, with few sessions of that level"
another "accepted again" 1196
gate 0 "accepted, another session" main
mentions parse $wall '"earlier": null' "... the one before it would have been accepted too"
another "too slow" 1300
gate 1 "accepted, but worse than that" main
is regressed "$(verdict parse $wall)" "... the new level holds from there"
another "as before" 1195
hard '[accept "slower nights"]' 'benchmark = ^parse$' "metric = ^$wall\$" 'to = 1100'
gate 1 "accepted, but less" main
hard

# commits of the same tree that nobody measured bring no sessions
git checkout -q "$first" && git checkout -q -b empty
commit "empty 1"
commit "empty 2"
night 1200
gate 0 "the second commit in a row, after two empty ones" empty
is suspect "$(verdict parse $wall)" "... is suspect, though those lend themselves sessions"
git checkout -q main

# change requests
git checkout -q -b request
night 1198
gate 0 "a change request on a regressed main" main
is inherited "$(verdict parse $wall)" "... inherits"
mentions parse $wall "$(echo "$first" | cut -c1-7)" "... from the first of the commits that did it"
night 1001
gate 0 "a change request that mends it" main
is pass "$(verdict parse $wall)" "... passes"
git checkout -q quiet && git checkout -q -b own
night 1200 && own=$sha
gate 0 "a change request from before it" main
is suspect "$(verdict parse $wall)" "... is suspect of its own"
night 1205
night 1202
gate 1 "its third commit in a row" main
is regressed "$(verdict parse $wall)" "... regressed"
mentions parse $wall "$(echo "$own" | cut -c1-7)" "... since its own first"

# mended
git checkout -q main
night 1002
gate 0 "a good night" main
is pass "$(verdict parse $wall)" "... passes"
another "bad again" 1200
gate 1 "the newest session of a commit decides" main
is regressed "$(verdict parse $wall)" "... it is as bad as before"
mentions parse $wall "night" "... the one before is mentioned"
mentions parse $wall "pass" "... with its verdict"
another "good again" 1003
gate 0 "measured again" main
is pass "$(verdict parse $wall)" "... it was that other session"
night 999 && night 1004
night 1200
gate 0 "worse again once it was mended" main
is suspect "$(verdict parse $wall)" "... begins anew"
gate 0 "an old commit, whose policy is that times are advisory" main "$third"
is regressed "$(verdict parse $wall)" "... is judged as it was then"

### neither order nor repetition changes a verdict

# Documents with the moment of their measurement, one a commit, and two of some.
repository order
hard
i=0
: >"$tmp/list"
stamp()
{
	printf '2026-01-%02dT%02d:00:00Z' $((i / 20 + 1)) $((i % 20))
}
put()
{
	i=$((i + 1))
	kpi parse allocs_per_op=$((100 + i % 2)) wall_clock_ns="$1" iterations=1 at="$(stamp)" >"$tmp/order-$i.json"
	echo "$sha $2 $i" >>"$tmp/list"
}
set -- 1000 1007 993 1012 988 1003 997 1015 985 1001 999 1010 990 1005 995 1018 982 1008 992 1002 1000 1200 1210 1190 1205
for ns in "$@"; do
	change "at $i"
	put "$ns" "job/$i"
	case $i in
	5 | 22 | 25) put 1020 "rerun/$i" && put "$ns" "once-more/$i" ;;
	esac
done
# stored FILE: ingests what the lines of FILE name
stored()
{
	while read -r at session number; do
		ingest --store "$tmp/order.db" --runner r --commit "$at" --session "$session" "$tmp/order-$number.json"
	done <"$1"
}
same_report()
{
	gate 1 "$1" --store "$tmp/order.db" main
	[ -f "$tmp/order.json" ] || cp "$report" "$tmp/order.json"
	same "$tmp/order.json" "$report" "$1: the same report"
}
stored "$tmp/list"
same_report "in the order of the commits"
is "regressed" "$(verdict parse $wall)" "the last of them is regressed"
"$PERFGATE" store export --store "$tmp/order.db" >"$tmp/order.ndjson"
stored "$tmp/list"
same_report "all of it twice"
rm -f "$tmp"/order.db*
sort -k3,3nr "$tmp/list" >"$tmp/backwards" && stored "$tmp/backwards"
same_report "backwards"
rm -f "$tmp"/order.db*
sort "$tmp/list" >"$tmp/shuffled" && stored "$tmp/shuffled"
same_report "in no order"
rm -f "$tmp"/order.db*
ingest --store "$tmp/order.db" "$tmp/order.ndjson"
same_report "from an export"
rm -f "$tmp"/order.db*
# two halves, each with a part of the other
"$TEST_AWK" 'NR % 2 || NR % 3 == 0' "$tmp/list" >"$tmp/odd" && "$TEST_AWK" '!(NR % 2) || NR % 5 == 0' "$tmp/list" >"$tmp/even"
stored "$tmp/odd" && mv "$tmp/order.db" "$tmp/odd.db" && rm -f "$tmp"/order.db*
stored "$tmp/even" && mv "$tmp/order.db" "$tmp/even.db" && rm -f "$tmp"/order.db*
for halves in "odd even" "even odd" "even odd even"; do
	for half in $halves; do
		"$PERFGATE" store merge --store "$tmp/order.db" "$tmp/$half.db" >"$tmp/log" 2>&1 || fail "set-up: merge $half"
	done
	same_report "merged: $halves"
	rm -f "$tmp"/order.db*
done

# documents that do not say when: what was stored last is the newest, wherever it goes from there
repository unstamped
change one && measure 100 --session one
change two && measure 110 --session two && measure 100 --session again
gate 0 "the newest session" main
cp "$report" "$tmp/unstamped.json"
store=$(pwd)/.git/perfgate/store.db
"$PERFGATE" store export --store "$store" >"$tmp/unstamped.ndjson"
ingest --store "$tmp/unstamped.db" "$tmp/unstamped.ndjson"
gate 0 "the newest session, from an export" --store "$tmp/unstamped.db" main
same "$tmp/unstamped.json" "$report" "... the same report"
ok "into a new store" "$PERFGATE" store merge --store "$tmp/into.db" "$store"
measure 110 --session two --store "$tmp/into.db"
gate 0 "the newest session, merged and ingested again" --store "$tmp/into.db" main
same "$tmp/unstamped.json" "$report" "... the same report"

done_testing
