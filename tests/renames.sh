# Benchmarks that got another name: [rename] sections, and the gate that suggests them.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

allocs=allocs_per_op

# ran NAME N [, NAME N]...: a run of the commit at hand
ran()
{
	arguments=
	while [ $# -gt 0 ]; do
		case $1 in
		,) arguments="$arguments ," && shift ;;
		*) arguments="$arguments $1 $allocs=$2" && shift 2 ;;
		esac
	done
	kpi $arguments >"$tmp/doc.json" && ingest "$tmp/doc.json"
}

renamed='[rename "slashes"]'

### one rename

repository one
change one && one=$sha && ran parse_json 100 , parse_xml 200 , lex 5
change two && two=$sha && ran parser/json 103 , parser/xml 200 , lex 5
gate 3 "without a section" main
is "missing new" "$(verdict parse_json $allocs) $(verdict parser/json $allocs)" "the old name is missing, the new one new"
noted 'parse_xml may be called parser/xml now' "what agrees in all values is suggested"
not_noted 'parse_json' "... and what does not is not"
conf "$renamed" 'from = ^parse_(.*)$' 'to = parser/$1'
gate 1 "with a section" main
judged regressed "$one" parser/json $allocs "the series goes on under its new name"
judged pass "$one" parser/xml $allocs "... and so does the other"
is '' "$(verdict parse_json $allocs)" "nobody speaks of the old name"
not_noted 'may be called' "... nor suggests what is there"
change three && ran parser/json 103 , parser/xml 200 , lex 5
gate 1 "the commit after it" main
judged regressed "$one" parser/json $allocs "the last good level is known under the old name"
mentions parser/json $allocs "$(echo "$two" | cut -c1-7)" "... and the commit that left it named"
rm perfgate.conf
gate 0 "the section is gone" main
is pass "$(verdict parser/json $allocs)" "... and with it what is known of the old name"

# another suite has that name too
conf "$renamed" 'suite = ^callgrind$' 'from = ^parse_(.*)$' 'to = parser/$1'
gate 0 "a section for another suite" main
noted 'slashes' "... matches nothing here, and is reported"

### several commits, several names

repository chain
change one && one=$sha && ran first 100
change two && two=$sha && ran second 110
change three && three=$sha && ran third 110
conf '[rename "b"]' 'from = ^second$' 'to = third' '[rename "a"]' 'from = ^first$' 'to = second'
gate 1 "a chain of two renames" main
judged regressed "$one" third $allocs "... is one series"
mentions third $allocs "$(echo "$two" | cut -c1-7)" "... whose middle name did it"
gate 3 "the commit of the middle name, by its own policy" main "$two"
is missing "$(verdict first $allocs)" "... which knows of no rename"
git checkout -q "$two"
gate 1 "the commit of the middle name, by this policy" main
judged regressed "$one" third $allocs "... goes by the newest name as well"
git checkout -q main

### what cannot be

conf '[rename "a"]' 'from = ^first$' 'to = second' '[rename "b"]' 'from = ^second$' 'to = first'
gate 2 "a cycle" main
contains "$err" '^perfgate: .*rename "a".*' "... names its sections"
conf '[rename "longer"]' 'from = ^(.*)$' 'to = $1x'
gate 2 "a name that grows for ever" main
contains "$err" 'rename "longer"' "... names its section"
conf '[rename "nothing"]' 'from = ^third$' 'to = $1'
gate 2 "a group that is not there" main
contains "$err" '^perfgate: perfgate\.conf:' "... and where"

repository collision
change one && ran a 100 , b 200
change two && ran b 200
conf '[rename "one"]' 'from = ^a$' 'to = b'
gate 2 "two benchmarks of one commit become one" main
contains "$err" "'a' and 'b'" "... both are named"
change three && ran b 200
git checkout -q --detach && git checkout -q main
gate 2 "two commits further, the level is looked for at that commit" main

# the old and the new name, each at its own time, are no collision
repository turns
change one && one=$sha && ran a 100
change two && ran b 100
change three && ran b 103
conf '[rename "one"]' 'from = ^a$' 'to = b'
gate 1 "each name at its own time" main
judged regressed "$(git rev-parse HEAD~1)" b $allocs "... is one series"

# old names that swap
repository swap
change one && one=$sha && ran a 100 , b 200
change two && ran b 100 , a 200
conf '[rename "there"]' 'from = ^a$' 'to = b' '[rename "back"]' 'from = ^b$' 'to = a'
gate 2 "names that swap" main
contains "$err" 'rename' "... are a cycle: history cannot tell which is meant"

### what is suggested

repository suggest
change one
kpi old $allocs=100 bytes_per_op=3000 , other $allocs=7 bytes_per_op=9 >"$tmp/doc.json" && ingest "$tmp/doc.json"
change two
kpi new $allocs=100 bytes_per_op=3000 , other $allocs=7 bytes_per_op=9 >"$tmp/doc.json" && ingest "$tmp/doc.json"
gate 3 "one missing, one new, all exact values agree" main
noted 'old may be called new now' "... is suggested"
git checkout -q HEAD~1 && git checkout -q -b half && change half
kpi new $allocs=100 bytes_per_op=3001 , other $allocs=7 bytes_per_op=9 >"$tmp/doc.json" && ingest "$tmp/doc.json"
gate 3 "one value differs" main
not_noted 'may be called' "... nothing is suggested"
change twins
kpi new $allocs=100 bytes_per_op=3000 , newer $allocs=100 bytes_per_op=3000 >"$tmp/doc.json" && ingest "$tmp/doc.json"
gate 3 "two that could be meant" main
not_noted 'old may be called' "... nothing is suggested"
git checkout -q main && git checkout -q -b hostile "$(git rev-parse main~1)" && change hostile
printf '[{"schema_version":1,"name":"a.*(b\\u001b[2J$1","allocs_per_op":100,"bytes_per_op":3000},{"schema_version":1,"name":"other","allocs_per_op":7,"bytes_per_op":9}]' >"$tmp/doc.json"
ingest "$tmp/doc.json"
gate 3 "a name like a pattern" main
lacks "$out" "$(printf '\033')" "... steers no terminal"

# what is suggested works as it is written
git checkout -q main
gate 3 "the suggestion" main
from=$(sed -n 's/.*from = \([^ ]*\) and to = .*/\1/p' "$report")
conf '[rename "as told"]' "from = $from" 'to = new'
gate 0 "the suggestion, followed" main
is pass "$(verdict new $allocs)" "... makes them one"

done_testing
