# perfgate init: a perfgate.conf to start with, from what the store holds.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# What was written is a policy, and only comments hold what is not meant to act.
is_policy()
{
	ok "$1: perfgate policy takes it" "$PERFGATE" policy
}

### nothing there yet

repository r
change one
ok "without a store" "$PERFGATE" init
contains "$out" '^wrote perfgate\.conf: base main, 0 rules$' "... it says what it wrote"
contains "$out" 'perfgate ingest results/' "... and what to do next"
contains perfgate.conf '^	base = main$' "... the base"
contains perfgate.conf '^	# expect = ' "... and how to expect suites"
is "[gate]" "$(grep '^\[' perfgate.conf)" "... no more"
ok "the store is still not there" test ! -e .git/perfgate/store.db
cp perfgate.conf ../first
echo '# mine' >>perfgate.conf && cp perfgate.conf ../mine
is_status 2 "$PERFGATE" init
contains "$err" '\-\-force' "an existing file is not overwritten"
same ../mine perfgate.conf "... and is as it was"
ok "--stdout" "$PERFGATE" init --stdout
same ../first "$out" "... prints it"
same ../mine perfgate.conf "... and writes nothing"
chmod 600 perfgate.conf
ok "--force" "$PERFGATE" init --force
same ../first perfgate.conf "... writes over it"
is -rw------- "$(ls -l perfgate.conf | cut -c 1-10)" "... and keeps the mode"
is "" "$(ls -A | grep '^perfgate\.conf\.')" "nothing is left beside it"
rm perfgate.conf && ln -s nowhere perfgate.conf
is_status 2 "$PERFGATE" init
rm perfgate.conf
git init -q --bare ../bare.git
is_status 2 env -C ../bare.git "$PERFGATE" init
echo nonsense >../broken.db
is_status 2 "$PERFGATE" init --store ../broken.db
ok "a store that cannot be read: nothing is written" test ! -e perfgate.conf

### the base

git checkout -q -b trunk && git branch -q -D main
ok "no usual branch" "$PERFGATE" init --stdout
contains "$out" '^	# base = main$' "... the base is left open"
git checkout -q -b master
"$PERFGATE" init --stdout >"$out"
contains "$out" '^	base = master$' "master"
git update-ref refs/remotes/origin/develop HEAD && git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/develop
"$PERFGATE" init --stdout >"$out"
contains "$out" '^	base = develop$' "what origin's HEAD is"
git update-ref refs/heads/odd HEAD && git symbolic-ref refs/remotes/origin/HEAD refs/heads/odd
"$PERFGATE" init --stdout >"$out"
contains "$out" '^	base = master$' "... if it is one of origin's branches"

### noise that was measured

repository noise
change zero
noise seed=1 commits=25 sessions=1 series=12 samples=10 within=.01 between=0 >quiet.json
noise seed=2 commits=25 sessions=1 series=12 samples=10 within=.08 between=.01 suite=loud >loud.json
noise seed=3 commits=25 sessions=1 series=12 samples=10 within=.01 between=.05 runner=cloud >cloud.json
noise seed=4 commits=25 sessions=1 series=3 samples=1 within=.01 between=0 suite=once >once.json
noise seed=5 commits=4 sessions=1 series=3 samples=10 within=.01 between=0 suite=rare first=30 >rare.json
noise seed=6 commits=25 sessions=1 series=3 samples=10 within=3 between=.01 suite=wild >wild.json
ingest quiet.json loud.json cloud.json once.json rare.json wild.json
for n in 1 2 3 4 5 6; do
	clock=$((clock + 86400))
	change "c$n"
	kpi parse allocs_per_op=100 bytes_per_op=$((1000 + n % 2 * 200)) , parse allocs_per_op=100 bytes_per_op=1000 , lex allocs_per_op=7 bytes_per_op=5 >kpi.json
	ingest kpi.json
done
ok "noise" "$PERFGATE" init
cp perfgate.conf ../noise.conf
contains perfgate.conf '^# bench on cloud: 10 % is too little for the noise\.$' "runners that differ much are told apart"
contains perfgate.conf '^	runner = \^cloud\$$' "... in a rule of its own"
contains perfgate.conf '^# bench on lab: 10 % holds, which the noise allows\.$' "the built-in tolerance is the least"
contains perfgate.conf '^#   time: 12 series, up to 25 sessions, 3000 samples\.$' "the figures"
contains perfgate.conf '^#     Samples of a session spread by [0-9.]+ %: with 10 a side [0-9.]+ % would be seen\.$' "... within sessions"
contains perfgate.conf '^#     Medians of sessions spread by [0-9.]+ %: from one to the next [0-9.]+ % would be seen\.$' "... between them"
contains perfgate.conf '^\[rule "loud time"\]$' "a rule for what is noisy"
is 1 "$(sed -n '/rule "loud time"/,/^$/p' perfgate.conf | grep -cE '^	tolerance = (15|20)%$')" "... with a tolerance that people write"
is 1 "$(sed -n '/rule "wild time"/,/^$/p' perfgate.conf | grep -c '^	class = info$')" "what is too noisy is not judged"
contains perfgate.conf '^# kpi bytes_per_op is exact, but 1 of 2 series wobble at one commit, by up to 20 %\.$' "what is exact and wobbles"
contains perfgate.conf '^# 	judge = noisy$' "... gets a suggestion"
contains perfgate.conf '^# 	benchmark = \^parse\$$' "... for those that do"
lacks perfgate.conf 'allocs_per_op' "what is exact and does not wobble is left alone"
contains perfgate.conf '^	# rare: [0-9] of the newest 20 measured commits\.$' "a suite that is measured now and then"
is "	expect = bench loud once wild" "$(grep '^	expect' perfgate.conf | sed 's/ kpi//; s/ rare//')" "the suites that are measured regularly"
is_policy "noise"
lacks "$err" 'matches no series' "... each rule is for something"
ok "the gate takes it" sh -c "'$PERFGATE' gate --suite kpi main~1; test \$? -le 3 && test \$? -ne 2"
sed 's/^# \(\[rule\|	\)/\1/' perfgate.conf >suggested && cp suggested perfgate.conf
is_policy "with the suggestions"
ok "again" "$PERFGATE" init --force
same ../noise.conf perfgate.conf "the same store gives the same file"
rm perfgate.conf

# what is there decides nothing
printf '[rule "x"]\n\tclass = info\n' >perfgate.conf
ok "over another policy" "$PERFGATE" init --stdout
same ../noise.conf "$out" "... proposes the same"

### many metrics become one rule, and names too long for one none

repository many
change one
long=$(printf '%03000d' 0 | tr 0 .)
for metric in a b c "$long"; do
	noise seed=7 commits=6 sessions=1 series=2 samples=9 within=.1 between=0 metric="$metric" >m.json
	ingest m.json
done
ok "many metrics" "$PERFGATE" init
contains perfgate.conf '^	metric = \^\(\?:a\|b\|c\)\$$' "metrics that need the same are one rule"
contains perfgate.conf '^#   No rule: such a name does not fit into a pattern\.$' "a name that is too long has none"
is_policy "many metrics"
repository alike
change one
for metric in "$(printf '%0200d' 0)a" "$(printf '%0200d' 0)b" '\\u001b' '\\\\x1b' ; do
	noise seed=7 commits=6 sessions=1 series=2 samples=9 within=.1 between=0 metric="$metric" suite="s$n" >m.json
	ingest m.json
	noise seed=7 commits=6 sessions=1 series=2 samples=9 within=.3 between=0 metric="$metric" runner=other suite="s$n" >m.json
	ingest m.json
done
ok "names that look alike" "$PERFGATE" init
is_policy "names that look alike"

### more metrics than a file has room for

repository most
change one
"$TEST_AWK" -v sha=$sha 'BEGIN {
	print "{\"perfgate\":\"export\",\"version\":1}"
	printf "{\"run\":{\"commit\":\"%s\",\"session\":\"s\",\"runner\":{\"key\":\"r\"},\"suite\":\"most\",\"format\":\"perfgate\"}}\n", sha
	for (i = 0; i < 20000; i++)
		printf "{\"benchmark\":\"b\",\"metric\":\"%s%080d\",\"unit\":\"s\",\"quantity\":\"time\",\"direction\":\"lower\",\"values\":[1,1.05,1.1,1.15]}\n", i < 10000 ? "a" : "b", i
}' </dev/null >most.json
ingest most.json
ok "20,000 noisy metrics" "$PERFGATE" init
contains perfgate.conf '^# And [0-9]+ more metrics, for which there is no room here\.$' "what has no room is counted"
ok "... what is written is less than 1 MiB" test "$(wc -c <perfgate.conf)" -lt 1048576
is 200 "$(grep -c '^#   [ab]0' perfgate.conf)" "... with the figures of 200"
contains perfgate.conf '^#   4 metrics\.$' "... and numbers of the rest"
ok "... it is a policy" "$PERFGATE" policy --check
sed 's/,1\.05,1\.1,1\.15//' most.json >few.json
rm .git/perfgate/store.db perfgate.conf && ingest few.json
ok "20,000 of which too little is known" "$PERFGATE" init
is "[gate]" "$(grep '^\[' perfgate.conf)" "... make no rule"
contains perfgate.conf '^#   19800 metrics\.$' "... but a number"

### names and numbers that mean harm

repository hostile
change one
for name in 'x\\n[rule \\"y\\"]\\nclass = info' '\\u001b[31m' '\\u2028[gate]' '\\\\E$(touch x)' ' blank ' '#c' '^.*$' '\\"]'; do
	noise seed=7 commits=6 sessions=1 series=2 samples=5 within=.3 between=.3 "metric=$name" "suite=$name" "runner=$name" >evil.json
	ingest evil.json
done
printf '%s\n' '{"perfgate":"export","version":1}' >numbers.json
for n in 1 2 3 4 5 6 7; do
	printf '{"run":{"commit":"%040d","session":"s%d","branch":"-x y\\n[gate]","started_at":"2026-01-0%dT00:00:00Z","runner":{"key":"r"},"suite":"n","format":"perfgate"}}\n' $n $n $n
	printf '%s\n' '{"benchmark":"z","metric":"zero","unit":"s","quantity":"time","direction":"lower","values":[0,0,0,0,0]}' \
		'{"benchmark":"z","metric":"far","unit":"s","quantity":"time","direction":"lower","values":[1e308,1e-308,1,1e300,7]}' \
		'{"benchmark":"z","metric":"mixed","unit":"s","quantity":"time","direction":"higher","values":[-1e308,1e308,0,5,5]}' \
		'{"benchmark":"z","metric":"minus","unit":"s","quantity":"time","direction":"lower","values":[-1,-2,-3,-4,-5]}'
done >>numbers.json
ingest --store numbers.db numbers.json
ingest numbers.json
git branch -q -m main evil
ok "numbers that mean harm" "$PERFGATE" init --stdout --store numbers.db
contains "$out" '^	# base = main$' "a branch that cannot stand there does not"
contains "$out" '^#   zero: ' "zeros"
contains "$out" '^#   mixed: ' "mixed signs"
contains "$out" '^#   minus: ' "negative numbers"
cp "$out" perfgate.conf
ok "perfgate policy takes it" "$PERFGATE" policy --store numbers.db
rm perfgate.conf
ok "names that mean harm" "$PERFGATE" init
is_policy "names that mean harm"
lacks "$err" 'matches no series' "... each rule is for something"
is "[gate]" "$(grep -v '^\[rule "' perfgate.conf | grep '^\[')" "no name becomes a section"
fails "no control character but tabs" sh -c "LC_ALL=C tr -d '\\n\\t\\040-\\176\\200-\\377' <perfgate.conf | grep -q ."
fails "no shell ran" test -e x
done_testing
