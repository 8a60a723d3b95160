# perfgate selftest: false alarms on what the store holds.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# noise NAME=VALUE...: a document of what is the same all the time
selftest()
{
	test_name=$1
	shift
	ok "$test_name" "$PERFGATE" selftest --store s.db "$@"
}

# A rate of the JSON: rate SUITE RUNNER splits|in_order|pool alarms|beyond_tolerance
rate()
{
	tr -d '\n' <"$out" | sed 's/{"suite"/\
&/g' | grep "\"suite\": \"$1\", \"runner\": \"$2\"" | "$TEST_AWK" -v part="\"$3\": {" -v key="\"$4\": {\"rate\": " '{
		s = substr($0, index($0, part)); i = index(s, key)
		s = substr(s, i + length(key)); sub(/[,}].*/, "", s); print i ? s : "none" }'
}

# between LOW VALUE HIGH NAME
between()
{
	"$TEST_AWK" -v l="$1" -v v="$2" -v h="$3" 'BEGIN { exit !(v != "" && v + 0 >= l && v + 0 <= h) }' &&
		pass "$4" || { fail "$4" && echo "# $2 is not from $1 to $3"; }
}

### nothing to test

is_status 2 "$PERFGATE" selftest --store s.db
noise seed=1 commits=2 sessions=1 series=3 samples=3 within=.02 between=0 >few.json
ingest --store s.db few.json
selftest "too few samples"
contains "$out" '^nothing to test: .*noisy' "... it says what it takes"
rm s.db
for options in '--alpha 0' '--alpha 0.6' '--alpha x' '--alpha nan' '--splits 0' '--splits 100001' '--seed -1'; do
	is_status 2 "$PERFGATE" selftest --store s.db $options
done
is_status 2 "$PERFGATE" selftest --store s.db '('

### sessions that are alike, and such that are not

noise seed=1 commits=25 sessions=2 series=30 samples=10 within=.02 between=0 >quiet.json
noise seed=2 commits=25 sessions=2 series=30 samples=10 within=.02 between=.03 runner=cloud >cloud.json
noise seed=3 commits=50 sessions=1 series=30 samples=10 within=.02 between=.03 runner=cloud suite=nightly >nightly.json
noise seed=4 commits=3 sessions=2 series=4 samples=8 within=.02 between=0 runner=new >new.json
ingest --store s.db quiet.json cloud.json nightly.json new.json
selftest "selftest"
cp "$out" text
contains "$out" '^bench +lab +30 +30000 +4\.[0-9]+ % +4\.[0-9]-5\.[0-9] +0\.00 %$' "splits: the rate, its interval, and beyond the tolerance"
contains "$out" '^bench +lab +30 +3000 +[345]\.[0-9]+ %' "the halves as they came: of independent samples the same"
contains "$out" '^bench +lab +25 .* yes$' "sessions that are alike can be pooled"
contains "$out" '^bench +cloud +25 .* no$' "others cannot"
contains "$out" '^    no: [23][0-9] % at a nominal 5 % \(sessions of one commit\)$' "... and why"
contains "$out" '^    no: .* \(neighbouring commits\)$' "one session a commit: neighbouring commits"
contains "$out" '^    not known: 3 pairs, 20 are needed' "too few pairs"
contains "$out" '^Where it is not known: measure one commit' "... and what to do"
is "" "$("$TEST_AWK" 'length($0) > 80' "$out")" "it fits into 80 columns"
sed -n '/^\[rule/,$p' "$out" >perfgate.conf
cat >expected <<'EXPECTED'
[rule "bench sessions pool on lab"]
	suite = ^bench$
	runner = ^lab$
	sessions = pool
EXPECTED
same expected perfgate.conf "the rule to paste"
ok "... is one" "$PERFGATE" policy --store s.db

drift()
{
	"$TEST_AWK" 'BEGIN {
		printf "["
		for (b = 0; b < 20; b++)
			for (i = 0; i < 10; i++)
				printf "%s{\"schema_version\":1,\"name\":\"d%d\",\"wall_clock_ns\":%d,\"iterations\":1}", (b + i ? ",\n" : ""), b, 1e6 * (1 + i / 100) + (b * 31 + i * 17) % 1000
		print "]"
	}'
}
drift >drift.json
ingest --store drift.db --commit 1111111111111111111111111111111111111111 --runner lab drift.json
selftest "samples that drift" --store drift.db --json
between .45 "$(rate kpi lab in_order alarms)" .5 "drift within a session shows in their order"
between 0 "$(rate kpi lab splits alarms)" .08 "... and not in random splits"

selftest "--json" --json
between .04 "$(rate bench lab splits alarms)" .051 "splits keep their level"
between 0 "$(rate bench lab splits beyond_tolerance)" .001 "... and none is beyond the tolerance"
between 0 "$(rate bench lab pool alarms)" .06 "so do sessions that are alike"
between .25 "$(rate bench cloud pool alarms)" .45 "sessions 3 % apart do not"
between .03 "$(rate bench lab in_order alarms)" .07 "the halves as they came"
contains "$out" '"of": "commit", "holds": false, "answer": "no: ' "... which is an answer"
contains "$out" '"of": "neighbours"' "... and what was compared"
cp "$out" json

### which pairs

noise seed=3 commits=2 sessions=1 series=30 samples=10 within=.02 between=.03 runner=cloud suite=nightly first=0 | sed 's/"session":"s/"session":"again/' >again.json
cp s.db other.db
ingest --store other.db again.json
ok "two pairs of one commit, and many of neighbours" "$PERFGATE" selftest --store other.db --suite nightly
contains "$out" '\(neighbouring commits\)$' "... the latter are used"
noise seed=9 commits=2 sessions=2 series=20 samples=10 within=.02 between=.2 >apart.json
ingest --store apart.db apart.json
ok "two pairs alone, far apart" "$PERFGATE" selftest --store apart.db
contains "$out" '^    not known: 2 pairs, 20 are needed \(sessions of one commit\)$' "... are too few even for a no"
noise seed=9 commits=6 sessions=1 series=20 samples=10 within=.02 between=.2 | sed 's/"session":"[^"]*"/"session":"one"/' >one.json
ingest --store one.db one.json
ok "one session for all commits" "$PERFGATE" selftest --store one.db
contains "$out" '^    not known: 0 pairs' "... is no pair"

### the same, whatever else is there

selftest "again" --json
same json "$out" "the same figures again"
selftest "another seed" --seed 2 --json
fails "gives others" cmp -s json "$out"
"$PERFGATE" store export --store s.db >all.json
rm s.db
ingest --store s.db all.json
selftest "another store with the same" --json
same json "$out" "... gives the same figures"
selftest "one suite" --suite nightly --json
is 1 "$(grep -c '"suite"' "$out")" "... is tested alone"
selftest "a pattern" --suite nightly --json '^b2$'
contains "$out" '"splits": \{"series": 1, "sessions": 50, "splits": 1000,' "... narrows it"
selftest "--splits, --alpha" --splits 7 --alpha 0.01 --suite nightly
contains "$out" '^nightly +cloud +30 +10500 +0\.[0-9]+ %' "... are heard"

### what is judged exactly, and what is not judged, is not tested

printf '[rule "exact"]\n\tsuite = ^nightly$\n\tjudge = exact\n[rule "info"]\n\tsuite = ^bench$\n\tclass = info\n' >perfgate.conf
selftest "nothing is noisy"
contains "$out" '^nothing to test' "... by policy"
rm perfgate.conf

### names and numbers that mean harm

rm -f s.db
e=$(printf '\033')
noise seed=5 commits=2 sessions=2 series=2 samples=9 within=.02 between=0 'suite=\\u001b[31m' 'runner=x\\u0007\\ny' 'metric=\\u009bt' >evil.json
printf '%s\n' '{"benchmark":"z","metric":"zero","unit":"s","quantity":"time","direction":"lower","values":[0,0,0,0,0,0,0,0,0]}' \
	'{"benchmark":"z","metric":"far","unit":"s","quantity":"time","direction":"higher","values":[-1e308,1e308,1e-308,5,5,0,-5,1,2]}' \
	'{"benchmark":"z","metric":"minus","unit":"s","quantity":"time","direction":"lower","values":[-1,-2,-3,-4,-5,-6,-7,-8,-9]}' >>evil.json
ingest --store s.db evil.json
selftest "names that mean harm"
fails "... no control character is printed" sh -c "LC_ALL=C tr -d '\\n\\t\\040-\\176\\200-\\377' <'$out' | grep -q ."
selftest "... in JSON" --json
fails "... neither" sh -c "LC_ALL=C tr -d '\\n\\040-\\176\\200-\\377' <'$out' | grep -q ."
done_testing
