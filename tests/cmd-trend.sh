# Where series stand along a line of commits: its order, the steps, and what is said of them.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

need jq

# follow ARG...: the trends as JSON in $trend
trend=$tmp/trend.json
follow()
{
	ok "trend --json $*" "$PERFGATE" trend --json "$@"
	cp "$out" "$trend"
}

# says FILTER TEST: what jq says of $trend is true
says()
{
	if jq -e "$1" "$trend" >"$tmp/said" 2>&1; then
		pass "$2"
	else
		fail "$2"
		echo "# $1"
		comment <"$tmp/said"
	fi
}

# commits N [FROM]: that many commits; their SHAs are in the file line, oldest first
commits()
{
	commits_n=0
	while [ $commits_n -lt "$1" ]; do
		commits_n=$((commits_n + 1))
		change "$commits_n"
	done
}

# series NAME AWK-EXPRESSION-OF-i [MEMBERS]: a line of the format samples for each line of the
# standard input, SHA [SESSION]; i counts from 1, n(i) is noise of about 1 %
series()
{
	"$TEST_AWK" -v name="$1" -v more="${3:-}" '
		function n(i) { return 1 + ((i * 7919 + length(name) * 104729) % 101 - 50) / 2500 }
		{
			i++
			printf "{\"suite\":\"samples\",\"benchmark\":\"%s\",\"metric\":\"time\",\"unit\":\"s\",\"direction\":\"lower\"", name
			printf ",\"commit\":\"%s\",\"runner\":\"ci\",\"session\":\"%s\"%s,\"value\":%.17g}\n", $1, $2 ? $2 : "night " i, more, ('"$2"')
		}'
}

# ---- the order of commits ----

repository r
commits 20
git checkout -q -b side
change aside
aside=$sha
git checkout -q main
git merge -q --no-ff -m merged side
merge=$(git rev-parse HEAD)
commits 19
git log --first-parent --reverse --format=%H >line
is 40 "$(wc -l <line | tr -d ' ')" "set-up: a line of 40"
shas=$(jq -R . <line | jq -s -c .)
at() { sed -n "$1p" line; }

series steady '0.001 * n(i)' <line >runs
series grows '0.002 * n(i) * (i >= 31 ? 1.3 : 1)' <line >>runs
series mended '0.002 * n(i) * (i >= 11 && i < 26 ? 1.3 : 1)' <line >>runs
series counted 'i >= 16 ? 1015 : 1000' ',"metric":"allocs","unit":"count"' <line | sed 's/"metric":"time","unit":"s",//' >>runs
echo "$aside" | series steady 9 ',"branch":"side"' >>runs
conf '[rule "counted"]' 'metric = ^allocs$' 'class = hard' 'judge = exact' 'tolerance = 1%'

# arrival: the newest first, and half of them later
tail -r runs >reversed 2>/dev/null || tac runs >reversed
"$TEST_AWK" 'NR % 2' reversed >odd
"$TEST_AWK" 'NR % 2 == 0' reversed >even
ingest odd
ingest even
follow
says '.schema == "perfgate/trend" and .version == 1 and .line == "HEAD"' "the line is HEAD's where nothing names another"
says ".series[] | select(.benchmark == \"steady\") | [.points[].commit] == $shas" "points are in the order of first parents, whenever they arrived"
says '.commits == 40 and .commits_elsewhere == 1 and .commits_by_time == 0' "a commit of another branch is left out"
says ".series[] | select(.benchmark == \"grows\") | (.steps | length) == 1 and .steps[0].commit == \"$(at 31)\" and .steps[0].after_commit == \"$(at 30)\"" "a noisy step is found at its commit"
says '.series[] | select(.benchmark == "grows") | .steps[0] | .sense == "worse" and .change > 0.25 and .change < 0.35 and .low <= .change and .change <= .high' "... with its size"
says '.series[] | select(.benchmark == "grows") | .state == "worse"' "... which is for the worse"
says ".series[] | select(.benchmark == \"counted\") | .exact and .noise == 0 and .steps[0].commit == \"$(at 16)\" and .steps[0].before == 1000 and .steps[0].after == 1015 and .steps[0].evidence == \"exact\"" "an exact step at its commit"
says '.series[] | select(.benchmark == "mended") | (.steps | length) == 2 and .state == "better" and (.worse | not)' "what was made good is not worse"
says '.series[] | select(.benchmark == "steady") | .state == "steady" and .steps == [] and .suspect == null' "and nothing in what is steady"

follow --rev side
says ".line == \"side\" and ([.series[] | select(.benchmark == \"steady\") | .points[].commit][-1] == \"$aside\")" "--rev: another line"
git checkout -q --detach "$(at 12)"
follow
says '.line == "HEAD" and .commits == 12' "a detached HEAD is a line, too"
git checkout -q main
conf '[gate]' 'base = main' '[rule "counted"]' 'metric = ^allocs$' 'class = hard' 'judge = exact' 'tolerance = 1%'
git checkout -q -b topic "$(at 12)"
follow
says '.line == "main" and .commits == 40' "gate.base names the line"
git checkout -q main

# ---- as text ----

ok "trend" "$PERFGATE" trend
contains "$out" "^main \\($(at 40 | cut -c 1-7)\\): 40 commits with runs, 2026-01-01 to 2026-01-01\$" "the line is said"
contains "$out" '^1 commit with runs is on other branches and left out$' "... and what is not on it"
contains "$out" "^worse +grows time +.*\\+30\\.[0-9] %.* $(at 30 | cut -c 1-7)\\.\\.$(at 31 | cut -c 1-7) " "a step, with its commits"
is "counted grows mended" "$(sed -n 's/^[a-z]*  *\(counted\|grows\|mended\|steady\) .*/\1/p' "$out" | sort | tr '\n' ' ' | sed 's/ $//')" "steady series are not listed"
contains "$out" '^4 series: 2 worse, 1 better, 1 steady$' "... but counted"
ok "trend --all" "$PERFGATE" trend --all
contains "$out" '^steady +steady time ' "--all lists them"
ok "trend PATTERN" "$PERFGATE" trend stea
contains "$out" '^1 series: 1 steady$' "a PATTERN lists what it names"
ok "80 columns" env COLUMNS=80 "$PERFGATE" trend --all
is "" "$("$TEST_AWK" 'length > 80' "$out")" "... are enough"
contains "$out" '^worse +grows time .*[0-9] ms .* [_.:=+*#-]+ +40$' "... for a level and a sparkline in ASCII"
ok "UTF-8" env LC_ALL=en_GB.UTF-8 "$PERFGATE" trend grows
contains "$out" '▁.*█' "blocks where the locale has them"
"$PERFGATE" trend --all >a && "$PERFGATE" trend --all >b
same a b "the same bytes again"

# ---- --since, --last, CSV ----

follow --last 15
says '[.series[] | .points | length] == [15, 15, 15, 15]' "--last: so many points"
says '.series[] | select(.benchmark == "mended") | (.steps | length) == 1 and .state == "better"' "... and what happened in them"
says '.series[] | select(.benchmark == "counted") | .steps == [] and .level == 1015' "... though levels are those of all"
follow --since "$(at 25)"
says ".series[] | select(.benchmark == \"steady\") | .points[0].commit == \"$(at 26)\"" "--since REV: what is after it"
follow --since 2026-01-01T00:30:00Z
says '.series[0].points[0].time >= "2026-01-01T00:30:00Z"' "--since a moment"
ok "nothing since" "$PERFGATE" trend --since 2036-01-01
contains "$out" '^no series has a point since then$' "... is said"
is_status 2 "$PERFGATE" trend --since yesterweek
contains "$err" "expected a day such as 2026-09-30" "... nothing else"
is_status 2 "$PERFGATE" trend --since 1000000w
contains "$err" "expected a day such as" "a span that no clock knows"
ok "--since a span" "$PERFGATE" trend --since 90d
is_status 2 "$PERFGATE" trend --json --csv
ok "trend --csv" "$PERFGATE" trend --csv
tr -d '\r' <"$out" >table.csv
is 5 "$("$TEST_AWK" -F, '$2 == "samples"' table.csv | wc -l | tr -d ' ')" "CSV: a line for each step, one for a series without"
is "" "$("$TEST_AWK" -F, 'NR == 1 { n = NF } NF != n' table.csv)" "... all of as many cells"
contains table.csv "^worse,samples,counted,allocs,count,,ci,hard,exact,lower,40,1015.0,0,yes,no,$(at 16),2026-01-01T00:16:00Z,$(at 15),$(at 16),$(at 16),1000.0,1015.0,0.0149[^,]*,0.0149[^,]*,0.0149[^,]*,0,exact,worse,,\$" "... with what the step was"

# ---- --fail-on, accept, waive ----

is_status 0 "$PERFGATE" trend
is_status 1 "$PERFGATE" trend --fail-on step
is_status 0 "$PERFGATE" trend --fail-on step mended steady
is_status 1 "$PERFGATE" trend --fail-on step grows
is_status 0 "$PERFGATE" trend --fail-on suspect --last 5
is_status 2 "$PERFGATE" trend --fail-on steps
cp perfgate.conf plain
cat >>perfgate.conf <<'CONF'
[accept "pool"]
benchmark = ^counted$
to = 1015
reason = pooled
[waive "grows"]
benchmark = ^grows$
until = 2030-01-01
reason = rewritten
CONF
is_status 0 "$PERFGATE" trend --fail-on suspect
contains "$out" '^accepted +counted allocs ' "an accepted level is labelled"
follow
says '.series[] | select(.benchmark == "grows") | .state == "accepted" and (.section | test("waive"))' "... and one that is waived"
sed -i.old 's/2030-01-01/2025-12-31/' perfgate.conf
is_status 1 "$PERFGATE" trend --fail-on step
cp plain perfgate.conf

# ---- sessions, runners, names ----

at 40 >last
{ echo "$(at 40) again"; } | series steady '0.001 * n(50)' >more
{ cat line; } | series steady '0.004 * n(i)' ',"x":0' | sed 's/"runner":"ci"/"runner":"arm"/' >>more
ingest more
follow samples:steady:time
says '[.series[] | [.runner, (.points | length)]] == [["arm", 40], ["ci", 41]]' "two runners, and two sessions of a commit"
says '.series[1].points[-1].session == "again"' "... in their order"
ok "trend steady" "$PERFGATE" trend steady
contains "$out" 'steady time on arm ' "runners are told where they differ"
cat >>perfgate.conf <<'CONF'
[rename "names"]
from = ^(grows|fresh)$
to = new/growing
[retire "old"]
benchmark = ^mended$
CONF
change renamed
echo "$sha" >new
series fresh '0.0026 * n(i)' <new >runs
series steady '0.001 * n(i)' <new >>runs
ingest runs
follow
says '.series[] | select(.benchmark == "new/growing") | (.points | length) == 41' "[rename] unites series"
says '[.series[] | .benchmark] | index("mended") == null' "[retire] leaves them out"
says '.series[] | select(.benchmark == "counted") | .missing and .state == "missing"' "what the newest commit does not have is missing"
says '.series[] | select(.benchmark == "steady" and .runner == "arm") | .missing | not' "... but for what another runner measured"
ok "trend" "$PERFGATE" trend
contains "$out" "^missing +counted allocs .*$(at 40 | cut -c 1-7)\\.\\. .*last seen" "... and says when it was there"
cp plain perfgate.conf

# ---- suspects ----

commits 8
git log -8 --reverse --format=%H >new
series suspected '0.003 * n(i)' <line >runs
head -3 new | series suspected '0.0033 * n(i) * n(i)' >>runs
ingest runs
ok "trend suspected" "$PERFGATE" trend suspected
contains "$out" "^suspect +suspected time .* $(at 40 | cut -c 1-7)\\.\\.$(head -1 new | cut -c 1-7) .* suspect " "the newest points are suspect"
contains "$out" '^suspect: the newest points may be the beginning of another level; the next runs will tell$' "... until more confirm it"
follow suspected
says ".series[0] | .steps == [] and .suspect.commit == \"$(head -1 new)\" and .suspect.sense == \"worse\" and .suspect.change > 0.05" "... in JSON"
is_status 1 "$PERFGATE" trend --fail-on suspect suspected
is_status 0 "$PERFGATE" trend --fail-on step suspected
ok "trend --csv" "$PERFGATE" trend --csv suspected
contains "$out" ',suspect,worse,,' "... in CSV"
cp perfgate.conf judged
conf '[rule "coarse"]' 'metric = ^time$' 'judge = noisy' 'class = advisory' 'floor = 1s'
is_status 0 "$PERFGATE" trend --fail-on suspect suspected
contains "$out" '^steady +suspected ' "below the floor nothing is"
conf '[accept "known"]' 'benchmark = ^suspected$' 'to = 3.3ms' 'reason = meant'
is_status 0 "$PERFGATE" trend --fail-on suspect suspected
contains "$out" '^accepted +suspected .* suspect ' "nor what the policy accepts"
cp judged perfgate.conf
sed 1,3d new | series suspected '0.0033 * n(i)' >runs
ingest runs
follow suspected
says ".series[0] | .suspect == null and .steps[0].commit == \"$(head -1 new)\" and .state == \"worse\"" "then it is a step"
is_status 1 "$PERFGATE" trend --fail-on step suspected

# ---- the machine's ----

repository machine
commits 40
git log --reverse --format=%H >line
series slower '0.001 * n(i) * (i >= 21 ? 1.25 : 1)' ',"started_at":"2026-02-01T00:00:00Z"' <line >runs
series own '0.001 * n(i) * (i >= 31 ? 1.25 : 1)' <line >>runs
series long '0.001 * n(i) * (i >= 9 ? 1.25 : 1)' <line >>runs
series CPU/native/Example#0/memory_latency '1e-7 * n(i) * (i >= 21 ? 1.4 : 1)' ',"quantity":"seconds"' <line |
	sed 's/"suite":"samples"/"suite":"clpeak"/; s/"metric":"time"/"metric":"DRAM"/' >>runs
"$TEST_AWK" '{ i = $0; sub(/.*"session":"night /, "", i); sub(/".*/, "", i); sub(/,"started_at":"[^"]*"/, "")
	sub(/,"value"/, sprintf(",\"started_at\":\"2026-%02d-%02dT01:00:00Z\"&", 1 + int(i / 28), 1 + i % 28)); print }' runs >dated
ingest dated
follow
says '.series[] | select(.suite == "clpeak") | .order == "time" and (.points | length) == 40 and (.steps | length) == 1' "probes are ordered by time"
says '.series[] | select(.benchmark == "slower") | .steps[0].machine == "clpeak:CPU/native/Example#0/memory_latency:DRAM"' "a step with one of a probe is the machine's"
says '.series[] | select(.benchmark == "own") | .steps[0].machine == null' "another is not"
is_status 0 "$PERFGATE" trend --fail-on step slower
is_status 1 "$PERFGATE" trend --fail-on suspect slower
is_status 1 "$PERFGATE" trend --fail-on step own
ok "trend slower" "$PERFGATE" trend slower
contains "$out" '^suspect .* machine ' "... which is said, and no more than suspect"
lacks "$out" 'newest points' "... by the step alone"
contains "$out" '^the machine.s: a probe of the same runner stepped with 1 of these: clpeak:CPU/native/Example#0/memory_latency:DRAM$' "... with the probe's name"
ok "publish" "$PERFGATE" publish site
contains site/index.html '<tr class="suspect">.*samples: slower time.*\+2[45]\.[0-9] %.*<td>worse</td>' "the site says the same of it"
contains site/overview.md '<code>slower</code> .* worse, machine \|$' "... in Markdown"
contains site/overview.csv '^samples,slower,.*,worse,clpeak:CPU/native/Example#0/memory_latency:DRAM' "... in CSV"
contains site/badge/samples-*.svg 'perf samples: 2 regressed' "... and counts the others, one of long ago"

# ---- what git does not know ----

repository known
n=0
while [ $n -lt 6 ]; do
	n=$((n + 1))
	step $n
done
git checkout -q -b side
step 99
git checkout -q main
change other
git merge -q --no-ff -m merged side 2>/dev/null || { echo both >file && git add file && commit merged; }
measure 7
step 8
follow allocs
says '[.series[0].points[].value] == [1, 2, 3, 4, 5, 6, 7, 8] and .commits_elsewhere == 1' "a merge counts, what it brought does not"
store=$work/known/.git/perfgate/store.db
cp "$trend" whole
git clone -q --depth 2 "file://$work/known" ../shallow
cd ../shallow || exit 99
follow --store "$store" allocs
jq -c '.series[0].points' "$trend" >a && jq -c '.series[0].points' "$work/known/whole" >b
same b a "a shallow clone goes on by the store, and by time where nobody measured"
mkdir ../nowhere && cd ../nowhere || exit 99
follow --store "$store" allocs
jq -c '.series[0].points' "$trend" >a && jq -c '.series[0].points' "$work/known/whole" >b
same b a "and so does the store alone"
repository other
change unrelated
series foreign 'i' ',"x":1' <"$work/r/line" | "$TEST_AWK" '{ sub(/,"value"/, sprintf(",\"committed_at\":\"2026-03-%02dT00:00:00Z\"&", 32 - (NR % 31 + 1))); print }' | head -20 >runs
ingest runs
follow
says '.commits_by_time == 20 and ([.series[0].points[].time] | . == sort)' "what no line has stands by time"

# ---- trouble ----

cd "$work/r" || exit 99
is_status 2 "$PERFGATE" trend stedy
contains "$err" "no series is called, or matches, 'stedy'; did you mean 'steady'" "a name that is mistyped"
is_status 2 "$PERFGATE" trend '('
contains "$err" missing "what is no pattern"
is_status 2 "$PERFGATE" trend --rev nothing
is_status 2 "$PERFGATE" trend --store "$work/none.db"
contains "$err" "$work/none.db" "an absent store is named"
is_status 2 "$PERFGATE" trend --suite kpi steady
repository special
change one
echo "$sha" | series 'f(x)[+*?' 1 >runs
echo "$sha" | series 'fx' 1 >>runs
ingest runs
follow 'samples:f(x)[+*?:time'
says '[.series[].benchmark] == ["f(x)[+*?"]' "a name that is no pattern"
echo "$sha" | series 'bad@' 1 | sed 's/@/\\u001b[31m\\n::error::x/' >runs
ingest runs
ok "a hostile name" "$PERFGATE" trend --all bad
is "" "$(steering "$out")" "... steers nothing"
ok "... in JSON" "$PERFGATE" trend --json bad
is "" "$(steering "$out")" "... nor here"
ok "... in CSV" "$PERFGATE" trend --csv bad
is "" "$(tr -d '\r' <"$out" >csv; steering csv)" "... nor here"
ok "trend bad" "$PERFGATE" trend bad
contains "$out" 'x1b' "... but can be seen"
repository empty
change one
kpi parse allocs_per_op=1 >doc.json
echo dirty >>file
ingest doc.json
ok "only dirty runs" "$PERFGATE" trend
contains "$out" '^there is no clean run' "... are none"
contains "$out" '^0 series$' "... and have no series"
follow
says '.series == [] and .commits == 0' "... in JSON"
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w "${store%/*}" "$store"
	ok "a read-only store" "$PERFGATE" trend --store "$store"
else
	skip "a read-only store" "root may write everything"
fi
done_testing
