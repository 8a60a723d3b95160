# Which series of HEAD is compared with which of its base: several runners, variants and sessions; and
# that nothing of the base goes unmentioned.
. "${srcdir:-.}/tests/lib.sh"
. "${srcdir:-.}/tests/repo.sh"

# history SHA RUNNER SESSION MINUTE SUITE SERIES...: ingests an export of one run. A SERIES is
# BENCHMARK:METRIC:VARIANT:VALUES, the values comma-separated, or "error" for an absence.
history()
{
	{
		echo '{"perfgate":"export","version":1}'
		printf '{"run":{"commit":"%s","branch":"main","session":"%s","runner":{"key":"%s"},"suite":"%s",' "$1" "$3" "$2" "$5"
		printf '"format":"test","started_at":"2026-01-01T00:%02d:00Z","ingested_at":"2026-01-01T00:%02d:00Z","facts":{}}}\n' "$4" "$4"
		shift 5
		for series in "$@"; do
			IFS=: read -r benchmark metric variant values <<END
$series
END
			printf '{"benchmark":"%s","metric":"%s","unit":"count","quantity":"count","direction":"lower","variant":"%s",' \
				"$benchmark" "$metric" "$variant"
			case $values in
			error) echo '"status":"error","reason":"crashed"}' ;;
			*) echo "\"values\":[$values]}" ;;
			esac
		done
	} >"$tmp/run.ndjson"
	ingest "$tmp/run.ndjson"
}

# two: a repository with a base commit $base on main and a commit $head after it.
two()
{
	repository "$1"
	change base && base=$sha
	change head && head=$sha
}

allocs=allocs_per_op

### a base for each suite

repository nearest-of-each
change first && first=$sha
change second && second=$sha
change head && head=$sha
history "$first" r a 1 kpi x:$allocs::5
history "$first" r a 1 trace t:count::7,8,9
history "$second" r b 2 kpi x:$allocs::5
history "$head" r c 3 kpi x:$allocs::5
history "$head" r c 3 trace t:count::7,8,9
gate 0 "a suite whose nearest run is further back" main
mentions t count "\"base\": {\"sha\": \"$first\", \"distance\": 2, \"n\": 3," "each sample of it counts once"

### nothing of the base goes unmentioned

two lost-on-one-runner
history "$base" x86_64/r1 a 1 callgrind f:Ir:iai/3:1000
history "$base" x86_64/r2 b 1 callgrind f:Ir:iai/3:1000
history "$head" x86_64/r1 c 2 callgrind f:Ir:iai/3:1000
history "$head" x86_64/r2 d 2 callgrind f:Ir:iai/3:error
gate 3 "lost on one of two runners" main
contains "$out" '1 lost' "a number on another runner does not hide it"

two lost-variant
history "$base" r a 1 callgrind f:Ir:iai/1:1000 f:Ir:iai/3:2000
history "$head" r b 2 callgrind f:Ir:iai/1:1000
gate 3 "one of two variants is gone" main
contains "$out" '1 missing' "the variant that stayed does not hide the one that went"

two gone-on-one-runner
history "$base" r1 a 1 kpi x:$allocs::5 y:$allocs::5
history "$base" r2 b 1 kpi x:$allocs::5 y:$allocs::5
history "$head" r1 c 2 kpi x:$allocs::5 y:$allocs::5
history "$head" r2 d 2 kpi x:$allocs::5
gate 3 "gone on a runner that ran" main

two another-machine
history "$base" r1 a 1 kpi x:$allocs::5
history "$base" r2 b 1 kpi x:$allocs::5
history "$head" r2 c 2 kpi x:$allocs::5
gate 0 "a runner that had no job this time" main
contains "$out" '^PASS  1 judged' "... is no gap: the class of a hosted machine changes from job to job"

two new-variant
history "$base" r a 1 callgrind f:Ir:iai/1:1000 f:Ir:iai/2:1000
history "$head" r b 2 callgrind f:Ir:iai/1:1000 f:Ir:iai/2:1000 f:Ir:iai/3:1000
printf '[gate]\nmax-distance = 10\n' >perfgate.conf
gate 0 "a variant beside those there were" main
contains "$out" '^new  f' "is new, since both of the base have their partner"

two changed-variant
history "$base" r a 1 callgrind f:Ir:iai/1:1000
history "$head" r b 2 callgrind f:Ir:iai/3:1000
printf '[gate]\nmax-distance = 10\n' >perfgate.conf
gate 3 "another variant in its place" main
is incomparable "$(verdict f Ir)" "cannot be compared, and is not missing as well"
lacks "$out" 'missing' "one series, one verdict"

### further back

repository further
change one && one=$sha
change two && two=$sha
change head && head=$sha
history "$one" r1 a 1 kpi x:$allocs::5 y:$allocs::5
history "$two" r1 b 2 kpi x:$allocs::5
history "$head" r2 c 3 kpi x:$allocs::5 y:$allocs::50
gate 1 "on another runner further back" main
is regressed "$(verdict y $allocs)" "a series that only an older commit has, on another runner"
is 2 "$(verdict y $allocs distance)" "... two commits back"

repository sessions-further
change one && one=$sha
change two && two=$sha
change head && head=$sha
history "$one" r old 1 kpi x:$allocs::5 y:$allocs::100
history "$one" r new 2 kpi x:$allocs::5 y:$allocs::200
history "$two" r b 3 kpi x:$allocs::5
history "$head" r c 4 kpi x:$allocs::5 y:$allocs::150
gate 0 "the newest session of an older commit" main
is improved "$(verdict y $allocs)" "150 against 200, not against 100"

### sessions of one commit

two again
measure 100 --commit "$base" --session base --runner r
measure 100 --commit "$head" --session first --runner r
measure 200 --commit "$head" --session second --runner r
gate 1 "the newest session decides" main
measure 100 --commit "$head" --session third --runner r
gate 0 "the same content measured again is the newest" main
measure 200 --commit "$head" --session second --runner r
gate 0 "ingesting again what a session had is no news" main

two suites-of-a-session
history "$base" r a 1 kpi x:$allocs::100
history "$head" r old 1 kpi x:$allocs::100
history "$head" r new 2 kpi x:$allocs::200
history "$head" r old 9 clpeak p:float::1
gate 1 "the newest session of a suite" main
is regressed "$(verdict x $allocs)" "another suite's later run makes no session newer"

### HEAD is never its own base

repository own
change a && a=$sha
change b && b=$sha
change c && c=$sha
history "$a" r a 1 kpi x:$allocs::100
history "$b" r b 2 kpi x:$allocs::500
echo '[{"name":"work","ph":"X","ts":0,"dur":5,"pid":1,"tid":1}]' >"$tmp/trace.json"
ingest --commit "$c" "$tmp/trace.json"
git checkout -q "$b"
is_status 1 "$PERFGATE" diff --exit-code main
contains "$out" '+400.0 %' "a base without a run is not replaced by what is compared"
is_status 1 "$PERFGATE" diff --exit-code main main~1
store=$(git rev-parse --path-format=absolute --git-common-dir)/perfgate/store.db
mkdir "$work/elsewhere" && cd "$work/elsewhere" || exit 99
is_status 1 "$PERFGATE" gate --store "$store" "$c" "$b"

# Without git, the merge base is what the store's parents say.
repository fork
change m0 && m0=$sha
git checkout -q -b topic && change f && f=$sha
git checkout -q main && change m1 && m1=$sha
kpi x $allocs=100 >"$tmp/x.json"
ingest --commit "$m0" "$tmp/x.json"
ingest --commit "$f" "$tmp/x.json"
kpi x $allocs=50 >"$tmp/x.json" && ingest --commit "$m1" "$tmp/x.json"
gate 0 "main has become better since" main topic
store=$(git rev-parse --path-format=absolute --git-common-dir)/perfgate/store.db
cd "$work/elsewhere" || exit 99
is_status 0 "$PERFGATE" gate --store "$store" "$m1" "$f"
contains "$out" "merge base" "from the store alone as from git"

done_testing
