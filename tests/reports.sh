# The report formats: what they say of each verdict, what they make of names that are out to do harm,
# that other programs read them, and which of them CI systems get.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

dump=$builddir/tests/dump-report
e=$(printf '\033')
formats="text json markdown junit github openmetrics csv"

# parses NAME PROGRAM CMD...: what the other program makes of it, where it is installed
parses()
{
	test_name=$1 program=$2
	shift 2
	if command -v "$program" >/dev/null 2>&1; then
		ok "$test_name" "$@"
	else
		skip "$test_name" "$program is not installed"
	fi
}

### every verdict, as it was agreed

for format in $formats; do
	ok "$format: every verdict" "$dump" $format every
	same "$srcdir/tests/cases-report/every.$format" "$out" "$format: every verdict is as expected"
	ok "$format: again" "$dump" $format every
	same "$srcdir/tests/cases-report/every.$format" "$out" "$format: the same bytes"
done
run "$dump" text every 160 all
same "$srcdir/tests/cases-report/every-160.text" "$out" "text: 160 columns, all"
run "$dump" text every 80
ok "text: no line is over 80 columns" sh -c '! grep -E "^.{81}" "$1"' - "$out"

### nothing but what is well, and nothing at all

run "$dump" text quiet
is "PASS  1 judged: abc1234 against def5678 (3 commits back)" "$(head -n 1 "$out")" "text: a pass"
run "$dump" markdown quiet
contains "$out" '^### perfgate: PASS, 1 judged$' "markdown: a pass"
contains "$out" '^<details><summary>1 pass</summary>$' "markdown: what passed is folded"
run "$dump" github quiet
is "::notice title=perfgate%3A PASS::1 judged: abc1234 against def5678 (3 commits back); base: \"read the file in one go\", merge base of main and HEAD, which has runs" \
	"$(cat "$out")" "github: a pass is one notice"
run "$dump" junit nothing
contains "$out" '<testsuites name="perfgate" tests="1" failures="0" errors="1" skipped="0">' "junit: nothing judged is no success"
run "$dump" github nothing
contains "$out" '^::error title=perfgate%3A NOT JUDGED::nothing to compare' "github: nothing judged is an error"
for format in $formats; do
	ok "$format: nothing at all" "$dump" $format nothing
done

### limits

for scenario in many hostile; do
	run "$dump" markdown $scenario
	size=$(wc -c <"$out")
	ok "markdown, $scenario: fits into a comment" test "$size" -le 60000
	run "$dump" markdown $scenario
	contains "$out" '^and [0-9]* more, which the JSON report has$' "markdown, $scenario: what found no room is counted"
done
ok "... and uses the room" test "$size" -ge 40000
run "$dump" github many
for kind in error warning notice; do
	is 10 "$(grep -c "^::$kind " "$out")" "github: ten lines of ${kind}s, as many as GitHub shows"
	contains "$out" "^::$kind title=perfgate::and [0-9]* more" "... the last says how many more"
done
run "$dump" text many
contains "$out" '^  and 290 more: --all lists them$' "text: of many changes of the policy the first"

### hostile names

for format in $formats; do
	ok "$format: hostile names" "$dump" $format hostile
	cp "$out" "$tmp/hostile.$format"
	tr -d '\r' <"$tmp/hostile.$format" >"$tmp/lines" # CSV ends its lines so
	steering "$tmp/lines" >"$tmp/found"
	is "" "$(od -An -c "$tmp/found" | head -n 2)" "$format: nothing steers the terminal"
	parses "$format: UTF-8" iconv iconv -f UTF-8 -t UTF-8 "$tmp/hostile.$format"
done
run "$dump" text hostile 160 all
steering "$out" >"$tmp/found"
is "" "$(cat "$tmp/found")" "text, all: nothing steers the terminal"
ok "text: no line but its own begins without a blank" sh -c \
	'! grep -vE "^( |$|FAIL|policy differs|not measured:|base:|note:|next:|not gating:|not judged:|(regressed|lost|missing|incomparable|no-base|inconclusive|suspect|inherited|accepted|waived|improved|new|pass|info) |[0-9]+ .*--all|  and )" "$1"' - "$tmp/hostile.text"

for scenario in every many hostile nothing; do
	run "$dump" junit $scenario && cp "$out" "$tmp/junit.xml"
	parses "junit, $scenario: xmllint reads it" xmllint xmllint --noout "$tmp/junit.xml"
	run "$dump" json $scenario && cp "$out" "$tmp/report.json"
	parses "json, $scenario: jq reads it" jq jq -e '.schema == "perfgate/report"' "$tmp/report.json"
	run "$dump" openmetrics $scenario && cp "$out" "$tmp/metrics.txt"
	parses "openmetrics, $scenario: a strict reader reads it" python3 \
		sh -c 'python3 "$1" <"$2"' - "$srcdir/tests/check-openmetrics.py" "$tmp/metrics.txt"
	run "$dump" csv $scenario && cp "$out" "$tmp/report.csv"
	parses "csv, $scenario: Python reads it" python3 python3 - "$tmp/report.csv" <<-'PYTHON'
		import csv, sys
		with open(sys.argv[1], newline="", encoding="utf-8") as f:
		    text = f.read()
		assert text.count("\n") == text.count("\r\n") == text.count("\r"), "line ends"
		rows = list(csv.reader(text.splitlines(True), strict=True))
		assert len({len(row) for row in rows}) == 1, "rows of different length"
		assert len(set(rows[0])) == len(rows[0]), "a column twice"
		for row in csv.DictReader(text.splitlines(True), strict=True):
		    for name in ("suite", "benchmark", "metric", "unit", "variant", "runner", "reason", "section"):
		        assert not row[name][:1] in tuple("=+-@"), (name, row[name])
	PYTHON
done
if command -v xmllint >/dev/null && command -v jq >/dev/null; then
	n=$(jq '.verdicts | length' "$tmp/hostile.json")
	is "$n" "$(xmllint --xpath 'count(//testcase)' "$tmp/hostile.junit")" "junit: a test case a series"
	is "$(xmllint --xpath 'string(/testsuites/@failures)' "$tmp/hostile.junit")" \
		"$(xmllint --xpath 'count(//failure)' "$tmp/hostile.junit")" "junit: the failures are counted"
	is "$(xmllint --xpath 'string(/testsuites/@errors)' "$tmp/hostile.junit")" \
		"$(xmllint --xpath 'count(//error)' "$tmp/hostile.junit")" "junit: the errors are counted"
	is "$(xmllint --xpath 'string(/testsuites/@skipped)' "$tmp/hostile.junit")" \
		"$(xmllint --xpath 'count(//skipped)' "$tmp/hostile.junit")" "junit: what was skipped is counted"
	ok "hostile: there are 100 names and more" test "$(jq '[.verdicts[].benchmark] | unique | length' "$tmp/hostile.json")" -gt 100
else
	skip "junit and json have the same series" "xmllint or jq is not installed"
fi

# GitHub: each line is one command, with one title
ok "github: every line is a command" sh -c \
	'! grep -vE "^::(error|warning|notice) title=([^%:,]|%25|%3A|%2C)*::([^%]|%25)*$" "$1"' - "$tmp/hostile.github"
ok "github: no name forges a command" sh -c '! grep -n "::error::" "$1" | grep -v "::error %\|::.*title=.*::.*::error::"' - "$tmp/hostile.github"

# Markdown: outside of blocks there is no HTML but its own, and no sign that means something
"$TEST_AWK" '
	fence && /^```+$/ && length($0) >= fence { fence = 0; next }
	!fence && /^```+[a-z]*$/ { fence = match($0, /[a-z]/) ? RSTART - 1 : length($0); next }
	!fence { print }
	END { if (fence) print "<a block is open>" }
' "$tmp/hostile.markdown" >"$tmp/prose"
sed -e 's/<code>//g; s/<\/code>//g; s/<br>//g; s/<\/*details>//g; s/<\/*summary>//g; s/<!-- -->//g' "$tmp/prose" >"$tmp/left"
lacks "$tmp/left" '[<>`@]|\]\(|javascript:|https?:|www\.|!\[' "markdown: no HTML, links, images, mentions or code spans"
sed -e 's/^### .*//; s/&#[0-9]*;//g' "$tmp/left" >"$tmp/signs"
lacks "$tmp/signs" '[#$^{}~\\]' "markdown: no references and no mathematics"
is "" "$(sed -n '/^|/p' "$tmp/prose" | sed 's/[^|]//g' | sort -u | sed 1,2d)" "markdown: every row of a table has its columns"

# All opens that it closes.
is "$(grep -o '<code>' "$tmp/prose" | wc -l)" "$(grep -o '</code>' "$tmp/prose" | wc -l)" "markdown: code is closed"
is "$(grep -c '<details>' "$tmp/prose")" "$(grep -c '</details>' "$tmp/prose")" "markdown: what is folded is closed"

### a report that is read again

reread()
{
	"$builddir/tests/reread" "$@"
}
for scenario in every quiet nothing many; do
	run "$dump" json $scenario && cp "$out" "$tmp/$scenario.json"
	run "$dump" markdown $scenario && cp "$out" "$tmp/$scenario.markdown"
	ok "read again: $scenario" reread markdown <"$tmp/$scenario.json"
	same "$tmp/$scenario.markdown" "$out" "... and rendered as before"
done
ok "read again: hostile" reread markdown <"$tmp/hostile.json"
is "" "$(steering "$out")" "... and nothing steers a terminal"
lacks "$out" '^/' "no line is a command to GitLab"

# refused PATTERN NAME SED: what sed makes of the report is refused
refused()
{
	sed "$3" "$tmp/every.json" >"$tmp/changed.json"
	run reread markdown <"$tmp/changed.json"
	is 2 $? "refused: $2"
	contains "$err" "$1" "... and why"
	is "" "$(cat "$out")" "... and nothing is rendered"
}
refused "'schema' is not perfgate/report" "another schema" 's|perfgate/report|other/report|'
refused "'version' is not 1" "another version" 's/"version": 1/"version": 2/'
refused "'command' is none of" "another command" 's/"command": "gate"/"command": "accept"/'
refused "it lacks 'judged'" "no count" 's/, "judged": 9//'
refused "it lacks 'verdicts'" "no verdicts" 's/"verdicts": /"no-verdicts": /'
refused "'judged' is 8, but its verdicts make it 9" "another count" 's/"judged": 9/"judged": 8/'
refused "'exit' is 0, but its verdicts make it 1" "another status" 's/"exit": 1/"exit": 0/'
refused "'gates' of verdict 1 does not go with" "a regression that is said not to gate" '0,/"gates": true/s//"gates": false/'
refused "'verdict' is 'better', which" "a verdict that there is none of" 's/"verdict": "regressed"/"verdict": "better"/'
refused "'verdict' is an integer, expected a string" "a word of another type" 's/"verdict": "regressed"/"verdict": 1/'
refused "'class' is lacking" "no class" 's/"class": "hard", //'
refused "a verdict without 'benchmark'" "no name" 's/"benchmark": "[^"]*", //'
refused "'benchmark': a text of more than 4096 bytes" "a name of 5000 bytes" "s/\"benchmark\": \"parse\"/\"benchmark\": \"$(printf %05000d 0)\"/"
refused "'sha' is '../../x', which is no SHA" "a SHA that is none" 's|"sha": "abc1234def567890"|"sha": "../../x"|'
refused "'distance' is -1, expected 0 to" "a distance below 0" 's/"distance": 3/"distance": -1/'
refused "'median'" "a median that is no number" 's/"median": [0-9.]*/"median": [1]/'
refused "range" "a median that no double holds" 's/"median": [0-9.]*/"median": 1e305e/; s/1e305e/1e309/'
refused "'head' without 'n'" "a side without samples" 's/\("head": {"n": \)[0-9]*/\10/'
refused "'notes' is|expected" "notes that are an object" 's/"notes": \[.*\]/"notes": {}/'
refused "a string" "a note that is a number" 's/"notes": \[/"notes": [1, /'
refused "nested|deep|64" "deep nesting" "s/\"notes\": /\"x\": $(printf '%0100d' 0 | tr 0 '[')$(printf '%0100d' 0 | tr 0 ']'), &/"
refused ":" "what is cut off" '$d'

### what CI systems get

# in_ci STATUS NAME VARIABLE... -- ARG...: gate in a CI system
in_ci()
{
	expected_status=$1 test_name=$2
	shift 2
	set_variables=
	while [ "$1" != -- ]; do
		set_variables="$set_variables $1"
		shift
	done
	shift
	run env $set_variables "$PERFGATE" "$@"
	is "$expected_status" $? "$test_name"
}

repository ci
change base && measure 100
change head && measure 200
head=$(git rev-parse HEAD)

in_ci 1 "no CI" -- gate main~1
lacks "$out" '^::' "no CI: the text alone"
is "" "$(git status --porcelain)" "... and no file"

in_ci 1 "GitHub Actions" GITHUB_ACTIONS=true GITHUB_SHA=$head GITHUB_STEP_SUMMARY="$tmp/summary" -- gate main~1
contains "$out" '^FAIL ' "GitHub Actions: the text"
contains "$out" '^::error title=regressed%3A kpi%3A parse allocs_per_op::' "... and annotations"
contains "$tmp/summary" '^### perfgate: FAIL, 1 regressed of 1 judged' "... and the step's summary"
in_ci 1 "GitHub Actions, again" GITHUB_ACTIONS=true GITHUB_SHA=$head GITHUB_STEP_SUMMARY="$tmp/summary" -- gate main~1
is 2 "$(grep -c '^### perfgate' "$tmp/summary")" "the summary is appended to"
in_ci 1 "GitHub Actions, --report" GITHUB_ACTIONS=true GITHUB_SHA=$head GITHUB_STEP_SUMMARY="$tmp/summary" -- \
	gate --report csv:"$tmp/r.csv" main~1
lacks "$out" '^::' "--report overrides: no annotations"
is 2 "$(grep -c '^### perfgate' "$tmp/summary")" "... and no summary"
in_ci 0 "GitHub Actions, diff" GITHUB_ACTIONS=true GITHUB_SHA=$head GITHUB_STEP_SUMMARY="$tmp/summary" -- diff main~1
lacks "$out" '^::' "diff writes the text alone"
is 2 "$(grep -c '^### perfgate' "$tmp/summary")" "... and no summary"
in_ci 1 "a summary that cannot be written" GITHUB_ACTIONS=true GITHUB_SHA=$head GITHUB_STEP_SUMMARY="$tmp/no/summary" -- gate main~1
contains "$err" "GITHUB_STEP_SUMMARY: $tmp/no/summary: No such file" "... is told, and changes no status"
in_ci 1 "a summary that is a folder" GITHUB_ACTIONS=true GITHUB_SHA=$head GITHUB_STEP_SUMMARY="$tmp" -- gate main~1
dd if=/dev/zero of="$tmp/full" bs=1024 count=1024 2>/dev/null
in_ci 1 "a summary that is full" GITHUB_ACTIONS=true GITHUB_SHA=$head GITHUB_STEP_SUMMARY="$tmp/full" -- gate main~1
is 1048576 "$(wc -c <"$tmp/full" | tr -d ' ')" "... is left as it is"
contains "$err" 'full' "... and that is told"

in_ci 1 "GitLab CI" GITLAB_CI=true CI_COMMIT_SHA=$head CI_PROJECT_DIR="$PWD" -- gate main~1
lacks "$out" '^::' "GitLab CI: the text"
contains perfgate-junit.xml '<failure message="regressed, hard: ' "... and JUnit XML"
contains perfgate-metrics.txt '^perfgate_exit_status 1$' "... and metrics"
is "?? perfgate-junit.xml ?? perfgate-metrics.txt" "$(git status --porcelain | tr '\n' ' ' | sed 's/ $//')" "... and no other file"
in_ci 1 "GitLab CI, again" GITLAB_CI=true CI_COMMIT_SHA=$head CI_PROJECT_DIR="$PWD" -- gate main~1
is "" "$(cat "$err")" "its own files are written anew"
echo mine >perfgate-junit.xml
in_ci 1 "GitLab CI, a file that is another's" GITLAB_CI=true CI_COMMIT_SHA=$head CI_PROJECT_DIR="$PWD" -- gate main~1
is mine "$(cat perfgate-junit.xml)" "another's file is left alone"
contains "$err" 'perfgate-junit\.xml: not written' "... and that is told"
rm -f perfgate-junit.xml && ln -s "$tmp/elsewhere" perfgate-junit.xml
in_ci 1 "GitLab CI, a link" GITLAB_CI=true CI_COMMIT_SHA=$head CI_PROJECT_DIR="$PWD" -- gate main~1
ok "no link is followed" test ! -e "$tmp/elsewhere"
rm -f perfgate-junit.xml
git add perfgate-metrics.txt && commit "by mistake" && measure 200
in_ci 0 "GitLab CI, a file of the repository" GITLAB_CI=true CI_COMMIT_SHA=$sha CI_PROJECT_DIR="$PWD" -- gate main~1
is "?? perfgate-junit.xml" "$(git status --porcelain)" "a file of the repository is not written"

# CI systems take lines of the log for commands
repository forged
change base
printf '[{"schema_version":1,"name":"::error::forged ##[error]forged","allocs_per_op":100}]' >doc.json && ingest doc.json
change head
sed -i 's/:100/:200/' doc.json && ingest doc.json
in_ci 1 "a name that is a command" GITHUB_ACTIONS=true GITHUB_SHA=$sha COLUMNS=20 -- gate main~1
lacks "$out" '^ *::error::' "... is none at the beginning of a line"
lacks "$out" '^[^:].*##\[' "... nor amid one in the text"
in_ci 1 "a name that is a command, 160 columns" GITHUB_ACTIONS=true GITHUB_SHA=$sha COLUMNS=160 -- gate main~1
contains "$out" '# #\[error\]forged' "... it is shown"
in_ci 1 "markdown on standard output" GITHUB_ACTIONS=true GITHUB_SHA=$sha -- gate --report markdown main~1
lacks "$out" '^ *::|##\[' "... holds none either"
contains "$out" '^### perfgate: FAIL' "... and keeps its heading"

# files of reports
repository files
change base && measure 100
change head && measure 200
is_status 1 "$PERFGATE" gate --report json:- main~1
contains "$out" '"schema": "perfgate/report"' "FORMAT:- is standard output"
ok "... and no file" test ! -e -
is_status 2 "$PERFGATE" gate --report json:a --report csv:a main~1
contains "$err" "csv:a: that file is another report's, --report json:a" "two reports in one file are refused"
ok "... before anything is written" test ! -e a
: >a && ln -s a b
is_status 2 "$PERFGATE" gate --report json:a --report csv:b main~1
contains "$err" "another report's" "... whatever it is called"
is_status 1 "$PERFGATE" gate --report json:/dev/null --report csv:/dev/null main~1
cp .git/perfgate/store.db "$tmp/before.db"
is_status 2 "$PERFGATE" gate --report json:.git/perfgate/store.db main~1
contains "$err" 'not written: that file is a store' "the store is not written over"
same "$tmp/before.db" .git/perfgate/store.db "... and stays as it is"
is_status 2 "$PERFGATE" gate --report "json:$tmp/before.db" main~1
contains "$err" 'or a database' "nor is another"
chmod 600 a && echo old >a
is_status 1 "$PERFGATE" gate --report json:b main~1
contains a '"schema": "perfgate/report"' "a link is followed"
ok "... and stays one" test -L b
is 600 "$(stat -c %a a)" "the file's mode stays"
mkdir narrow && echo old >narrow/r.json && kpi parse allocs_per_op=1 >doc1 && kpi parse allocs_per_op=2 >doc2
ok "no room for a report" sh -c '(ulimit -f 0; exec "$0" diff --report json:narrow/r.json doc1 doc2) 2>&1 | cat' "$PERFGATE"
is "old r.json" "$(cat narrow/r.json) $(ls narrow)" "... leaves what was there, and nothing else"
contains "$out" '^perfgate: --report: narrow/r\.json: ' "... and is told"
mkfifo pipe
cat pipe >got &
is_status 1 "$PERFGATE" gate --report json:pipe main~1
wait $!
contains got '"schema": "perfgate/report"' "a pipe is written to"
ok "... and stays one" test -p pipe
done_testing
