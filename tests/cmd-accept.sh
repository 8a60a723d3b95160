# perfgate accept: sections for what is regressed, written into perfgate.conf and nothing else
# changed there; --tidy.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

why='pooled buffers'

# No file is left beside perfgate.conf, and it is the same as before.
untouched()
{
	same "$tmp/before.conf" perfgate.conf "$1: perfgate.conf is as it was"
	is "" "$(ls -A | grep '^perfgate\.conf\.')" "$1: nothing is left beside it"
}

refused()
{
	is_status 2 "$PERFGATE" accept "$@"
}

### from judging, and from a report

repository r
change base && measure 100
change head && measure 150
is_status 2 "$PERFGATE" accept
contains "$err" "^perfgate: .*perfgate accept --reason '" "a reason is needed, and how to give one"
refused --reason '  '
refused --reason "two
lines"
contains "$err" "one line" "... one line"
refused --reason "$(printf '\033[31m')"
refused --reason "$(printf '\377')"
ok "nothing was written" test ! -e perfgate.conf
gate 1 "regressed" main~1
cp "$report" ../report.json

ok "--dry-run" "$PERFGATE" accept --from ../report.json --reason "$why" --dry-run
cat >../expected <<'EXPECTED'
[accept "parse allocs_per_op"]
    suite = ^kpi$
    benchmark = ^parse$
    metric = ^allocs_per_op$
    to = 150
    reason = pooled buffers
EXPECTED
same ../expected "$out" "... prints the section"
ok "... and writes none" test ! -e perfgate.conf
refused --from ../report.json --reason "$why" main
contains "$err" "only one of them" "a report and a commit"
refused --tidy --reason "$why"

ok "by judging" "$PERFGATE" accept --reason "$why" main~1
sed 's/^    /	/' ../expected >../conf
same ../conf perfgate.conf "... writes the section"
contains "$out" '^perfgate\.conf: 1 accepted \(1 section new, 0 renewed\)$' "... says what it did"
contains "$out" '^    to = 150$' "... and what it wrote"
contains "$out" 'git add perfgate\.conf && git commit' "... and that it has to be committed"
contains "$err" 'perfgate\.conf is new' "... and what a perfgate.conf does"
gate 0 "accepted" main~1
is accepted "$(verdict parse allocs_per_op)" "accepted"
cp perfgate.conf ../before.conf && cp perfgate.conf "$tmp/before.conf"
ok "nothing is regressed any more" "$PERFGATE" accept --reason "$why" main~1
contains "$out" '^nothing is regressed' "... it says so"
untouched "nothing regressed"

### what is there stays, byte for byte

printf '%s\r\n' '# first' '[gate]' '	base = main' '' '; mine' '[accept "pooling, ticket 414"]' \
	'  benchmark = ^parse$' '  # the metric' '  metric   =  ^allocs_per_op$' '  to=120' '  reason = as it was' '# end' >perfgate.conf
printf '[rule "last"]\r\n\tbenchmark = ^none$\r\n\tclass = info' >>perfgate.conf
sed 's/to=120/to=150/; s/as it was/anew = # "x"/' perfgate.conf >../conf
chmod 640 perfgate.conf
mv perfgate.conf ../kept.conf && ln -s ../kept.conf perfgate.conf
ok "a section that is there is renewed" "$PERFGATE" accept --from ../report.json --reason 'anew = # "x"'
same ../conf ../kept.conf "... and all else is as it was"
contains "$out" '^perfgate\.conf: 1 accepted \(0 sections new, 1 renewed\)$' "... it says so"
ok "... a link is followed" test -L perfgate.conf
is -rw-r----- "$(ls -l ../kept.conf | cut -c 1-10)" "... the mode is kept"
rm perfgate.conf

cat >perfgate.conf <<'CONF'
[accept "all of parsing"]
	benchmark = ^parse
	metric = ^allocs_per_op$
	to = 110
CONF
cp perfgate.conf ../conf
ok "a section that is for more" "$PERFGATE" accept --from ../report.json --reason "$why"
{ cat ../conf && echo && sed 's/^    /	/' ../expected; } >../conf2
same ../conf2 perfgate.conf "... stays, and one comes after it"
gate 0 "which decides" main~1
is accepted "$(verdict parse allocs_per_op)" "... accepted"

printf '[accept "parse allocs_per_op"]\n\tbenchmark = ^lex$\n\tto = 1' >perfgate.conf
ok "a name that is taken" "$PERFGATE" accept --from ../report.json --reason "$why"
contains perfgate.conf '^\[accept "parse allocs_per_op \(2\)"\]$' "... gets a number"
contains perfgate.conf '^	to = 1$' "... and a last line without an end got one"
ok "again" "$PERFGATE" accept --from ../report.json --reason "$why, still"
is 2 "$(grep -c accept perfgate.conf)" "accepting again adds nothing"
contains perfgate.conf 'reason = pooled buffers, still$' "... but renews"

mkdir sub && rm perfgate.conf
run env -C sub "$PERFGATE" accept --from ../../report.json --reason "$why"
contains "$out" 'git add :/perfgate\.conf' "in a folder below: the file at the top"
ok "... is written" test -f perfgate.conf

### --only, standard input, no repository

kpi a allocs_per_op=100 , b allocs_per_op=100 , c allocs_per_op=100 bytes_per_op=10 >base.json
kpi a allocs_per_op=200 , b allocs_per_op=200 , c allocs_per_op=100 bytes_per_op=10.5 >head.json
repository two
change base && ingest ../r/base.json
change head && sed 's/10\.5/12/' ../r/head.json >head.json && ingest head.json
gate 1 "three are regressed" main~1
cp "$report" ../three.json
run "$PERFGATE" accept --from - --only '^[bc]' --reason "$why" <../three.json
is "b c" "$(sed -n 's/.*benchmark = ^\(.*\)\$/\1/p' perfgate.conf | tr '\n' ' ' | sed 's/ $//')" "--only, and a report from standard input"
rm perfgate.conf
refused --from ../three.json --only nothing --reason "$why"
contains "$err" 'matches no benchmark' "--only that matches nothing"
refused --from ../three.json --only '(' --reason "$why"
ok "a report of documents" sh -c "$PERFGATE diff --report json ../r/base.json head.json | $PERFGATE accept --from - --reason '$why'"
is 3 "$(grep -c '^\[accept' perfgate.conf)" "... will do"
ok "HEAD by name" "$PERFGATE" accept --dry-run --reason "$why" main~1 main
mkdir ../plain && cd ../plain
ok "without a repository" "$PERFGATE" accept --from ../three.json --reason "$why"
is 3 "$(grep -c '^\[accept' perfgate.conf)" "... the current folder has the file"
git init -q --bare ../bare.git && cd ../bare.git
refused --from ../three.json --reason "$why"
contains "$err" 'bare repository' "a bare repository has no place for it"

### series that only variant or runner tell apart

document()
{
	commit=$1
	echo '{"perfgate":"export","version":1}'
	for runner in one two; do
		printf '{"run":{"commit":"%s","runner":{"key":"%s"},"suite":"size","format":"perfgate"}}\n' "$commit" $runner
		for variant in '' 'x.y' ' z'; do
			printf '{"benchmark":"fw","metric":"text","unit":"B","quantity":"bytes","direction":"lower","variant":"%s","values":[%s]}\n' "$variant" $2
			shift
		done
	done
}
repository variants
printf '[rule "size"]\n\tsuite = ^size$\n\tclass = hard\n\tjudge = exact\n\ttolerance = 0%%\n' >perfgate.conf
change base && document $sha 1 1 1 1 1 1 >base.json && ingest base.json
change head && document $sha 2 3 4 5 6 7 >head.json && ingest head.json
gate 1 "six series" main~1
ok "are accepted" "$PERFGATE" accept --reason "$why" main~1
is 6 "$(grep -c 'variant = ' perfgate.conf)" "... by variant"
contains perfgate.conf 'variant = \^x\\\.y\$$' "... as it is"
contains perfgate.conf 'variant = \^\$$' "... the empty one too"
contains perfgate.conf 'variant = \^\\x\{20\}z\$$' "... blanks at an end are escaped"
is 3 "$(grep -c 'runner = ^two\$' perfgate.conf)" "... and by runner"
gate 0 "each to its own level" main~1
change next && document $sha 2 3 4 5 6 8 >next.json && ingest next.json
gate 1 "one got worse" main~2
ok "is accepted" "$PERFGATE" accept --reason "$why" main~2
is 6 "$(grep -c '^\[accept' perfgate.conf)" "... in its section"
is 1 "$(grep -c 'to = 8$' perfgate.conf)" "... alone"

### what is noisy

repository noisy
printf '[rule "time"]\n\tsuite = ^bench$\n\tclass = hard\n\tsessions = pool\n' >perfgate.conf
for factor in 1 1.5; do
	change "$factor"
	{
		echo '{"perfgate":"export","version":1}'
		printf '{"run":{"commit":"%s","session":"s%s","runner":{"key":"lab"},"suite":"bench","format":"perfgate"}}\n' $sha $factor
		printf '{"benchmark":"fast","metric":"time","unit":"s","quantity":"time","direction":"lower","values":[%s]}\n' \
			"$("$TEST_AWK" -v f=$factor 'BEGIN { for (i = 0; i < 10; i++) printf "%s%.4f", i ? "," : "", f * (1 + i / 1000) }')"
	} >bench.json
	ingest bench.json
done
gate 1 "a noisy metric" main~1
ok "is accepted" "$PERFGATE" accept --reason "$why" main~1
contains perfgate.conf '^	to = 1\.50675$' "... at its median"
gate 0 "... which holds" main~1
is accepted "$(verdict fast time)" "... accepted"

### names that mean harm

cat >../names <<'NAMES'
a\nclass = info
\u001b[31mred
"] [gate] x = "
^.*$
 blanks 
\\E(a|b){2}+
\u202egnp.exe
\u0085\u2028next
$(touch x)`touch x`
# comment
ünï→
NAMES
hostile()
{
	printf '['
	comma=
	while IFS= read -r name; do
		case $name in '"'*) name='\"] [gate] x = \"' ;; esac
		printf '%s{"schema_version":1,"name":"%s","allocs_per_op":%s}' "$comma" "$name" "$1"
		comma=,
	done <../names
	printf ']'
}
repository hostile
change base && hostile 100 >base.json && ingest base.json
change head && hostile 200 >head.json && ingest head.json
gate 1 "names that mean harm" main~1
ok "are accepted" "$PERFGATE" accept --from "$report" --reason "$why"
fails "... no control character is printed" sh -c "LC_ALL=C tr -d '\\n\\040-\\176\\200-\\377' <'$out' | grep -q ."
is 11 "$(grep -c '^\[accept' perfgate.conf)" "... each by its section"
is 76 "$(wc -l <perfgate.conf | tr -d ' ')" "... of six lines and one between"
contains perfgate.conf 'benchmark = \^a\\x\{a\}class = info\$$' "... a newline is escaped"
contains perfgate.conf 'benchmark = \^\\x\{1b\}\\\[31mred\$$' "... and what steers a terminal"
gate 0 "... each pattern is for its name" main~1
is 11 "$(grep -c '"verdict": "accepted"' "$report")" "... exactly"
"$PERFGATE" accept --reason "$why" --dry-run main~1 >"$out"
contains "$out" '^nothing is regressed' "... and nothing is left"
fails "no shell ran" test -e x

### reports that mean harm

cp perfgate.conf "$tmp/before.conf"
good='{"schema":"perfgate/report","version":1,"verdicts":[%s]}\n'
item='{"suite":"kpi","benchmark":"x","metric":"allocs_per_op","verdict":"regressed","head":{"n":1,"median":%s}}'
bad()
{
	printf '%s' "$2" >bad.json
	refused --from bad.json --reason "$why"
	contains "$err" "^perfgate: bad\.json:([0-9]+:)? .*$3" "$1: the place, and what is wrong"
	untouched "$1"
}
of() { printf "$good" "$(printf "$item" "$1")"; }
bad "nothing" '' '.'
bad "no JSON" 'PASS  3 judged' '.'
bad "an array" '[]' "'\\{'"
bad "no report" '{"a":1}' "lacks 'schema'"
bad "another schema" '{"schema":"perfgate/env","version":1,"verdicts":[]}' "'schema'"
bad "another version" '{"schema":"perfgate/report","version":2,"verdicts":[]}' "'version'"
bad "a version that is no number" '{"schema":"perfgate/report","version":"1","verdicts":[]}' "'version'"
bad "no verdicts" '{"schema":"perfgate/report","version":1}' "lacks 'verdicts'"
bad "verdicts that are none" '{"schema":"perfgate/report","version":1,"verdicts":{}}' "."
bad "a verdict that is none" '{"schema":"perfgate/report","version":1,"verdicts":[1]}' "expected an object"
bad "cut off" "$(of 5 | head -c 120)" '.'
contains "$err" '^perfgate: bad\.json:1: [^:]*$' "... the place once"
printf '{"schema":"perfgate/report","version":1,\n"head":{"sha":' >bad.json
refused --from bad.json --reason "$why"
contains "$err" '^perfgate: bad\.json:2: the document ends' "cut off in head: the place"
lacks "$err" 'bad\.json.*bad\.json' "... once"
bad "more behind it" "$(of 5) {}" '.'
bad "an unknown verdict" "$(of 5 | sed 's/regressed/worse/')" "'verdict' is 'worse'"
bad "no suite" "$(of 5 | sed 's/"suite":"kpi",//')" "without 'suite'"
bad "a suite that is a number" "$(of 5 | sed 's/"kpi"/7/')" "'suite'"
bad "no head" "$(of 5 | sed 's/"head":{.*}}/"head":null}/')" "without a number at 'head'"
bad "no median" "$(of 5 | sed 's/,"median":5//')" "without 'median'"
bad "a median that is none" "$(of '"fast"')" "'median'"
bad "a median that is an array" "$(of '[]')" "'median' is an array"
bad "infinity" "$(of 1e999)" "."
bad "the same twice" "$(printf "$good" "$(printf "$item,$item" 5 6)")" 'regressed twice'
bad "a long name" "$(of 5 | sed "s/\"x\"/\"$(printf '%05000d' 0)\"/")" 'more than 4096 bytes'
bad "deep" "{\"x\":$(printf '%0100d' 0 | tr 0 '[')" '.'
of 5 >bad.json && dd if=/dev/zero bs=100 count=1 2>/dev/null >>bad.json
refused --from bad.json --reason "$why"
untouched "zeros behind it"
refused --from nowhere.json --reason "$why"
contains "$err" 'nowhere\.json' "no such file: its name"
refused --from . --reason "$why"
untouched "a folder"
of 5 | sed "s/\"x\"/\"$(printf '%04090d' 0 | tr 0 .)\"/" >bad.json
refused --from bad.json --reason "$why"
contains "$err" '4 KiB' "a name that no pattern can hold"
untouched "a name that no pattern can hold"
for number in 5 0.1 123456789012345678901234567890.5 -3 1e300 1e-300 0; do
	of $number >good.json
	ok "a level of $number" "$PERFGATE" accept --from good.json --reason "$why" --dry-run
done

### files that are in the way

rm perfgate.conf && mkdir perfgate.conf
refused --from good.json --reason "$why"
rmdir perfgate.conf && ln -s nowhere perfgate.conf
refused --from good.json --reason "$why"
rm perfgate.conf && printf '[gate]\nbogus = 1\n' >perfgate.conf && cp perfgate.conf "$tmp/before.conf"
refused --from good.json --reason "$why"
contains "$err" 'perfgate\.conf:2' "a perfgate.conf that is none: where"
untouched "a perfgate.conf that is none"
{ head -c 1048500 /dev/zero | tr '\0' '#'; } | fold -w 1000 | head -c 1048500 >perfgate.conf && cp perfgate.conf "$tmp/before.conf"
refused --from good.json --reason "$why"
untouched "a perfgate.conf that would become too large"

rm perfgate.conf
"$TEST_AWK" 'BEGIN {
	long = sprintf("%0200d", 0)
	printf "{\"schema\":\"perfgate/report\",\"version\":1,\"verdicts\":["
	for (i = 0; i < 3000; i++)
		printf "%s{\"suite\":\"kpi\",\"benchmark\":\"%s%d\",\"metric\":\"m\",\"verdict\":\"regressed\",\"head\":{\"n\":1,\"median\":5}}", i ? "," : "", long, i
	print "]}"
}' </dev/null >many.json
refused --from many.json --reason "$why"
contains "$err" '3000 sections do not fit into a perfgate\.conf of 1 MiB; --only PATTERN' "more than a file holds: what to do"
ok "nothing is written" test ! -e perfgate.conf
ok "those of a pattern" "$PERFGATE" accept --from many.json --reason "$why" --only '[05]$'
is 600 "$(grep -c '^\[accept' perfgate.conf)" "... are"

### --tidy

repository tidy
change base && kpi a allocs_per_op=100 , b allocs_per_op=100 , c allocs_per_op=100 >a.json && ingest a.json
change head && kpi a allocs_per_op=100 , b allocs_per_op=150 >a.json && ingest a.json
cat >perfgate.conf <<'CONF'
# of the file

[gate]
	base = main~1

# a is fine by now
# (ticket 7)
[accept "a"]
	benchmark = ^a$
	metric = ^allocs_per_op$
	to = 130

[accept "b"]
	benchmark = ^b$
	to = 150

[accept "c"]
	benchmark = ^c$
	metric = ^allocs_per_op$
	to = 150

[accept "elsewhere"]
	benchmark = ^nowhere$
	to = 1
CONF
cp perfgate.conf ../conf && cp perfgate.conf "$tmp/before.conf"
ok "--tidy --dry-run" "$PERFGATE" accept --tidy -n
contains "$out" '^    \[accept "a"\], line 8: the base meets it already$' "... what the base meets"
contains "$out" '^    \[accept "elsewhere"\], line 22: the store has no such series$' "... what is for nothing"
contains "$err" 'accept "c"\], line 17, stays: c allocs_per_op is missing' "... and why one stays"
untouched "--tidy --dry-run"
ok "--tidy" "$PERFGATE" accept --tidy
sed '/a is fine/,/^$/d; /elsewhere/,$d' ../conf | sed '$d' >../conf2
same ../conf2 perfgate.conf "... takes away those alone, with their comments"
contains "$out" 'git add perfgate\.conf' "... and it has to be committed"
gate 3 "the gate says the same" --only '^[abc]'
is accepted "$(verdict b allocs_per_op)" "... of what is needed"
cp perfgate.conf "$tmp/before.conf"
ok "--tidy again" "$PERFGATE" accept --tidy
contains "$out" '^no \[accept\] section can go' "... nothing is left to do"
untouched "--tidy again"
is_status 2 "$PERFGATE" accept --tidy --store none.db
printf '[accept]\n\tbenchmark = ^a$\n\tto = 1\n' >perfgate.conf && cp perfgate.conf "$tmp/before.conf"
refused --tidy
git checkout -q -b later && change later && change later
refused --tidy -n HEAD~3 HEAD~2
contains "$err" '^perfgate: perfgate\.conf:1: ' "a section without a name, another commit judged"
untouched "a section without a name"
done_testing
