# What scripts about commits and their runs source after lib.sh.
#
#     repository NAME         a new repository $work/NAME; the script goes there
#     change MSG              a commit whose tree is new; $sha
#     kpi NAME KEY=NUMBER... [, NAME KEY=NUMBER...]...
#                             a kpi document on standard output; sha=TEXT names a commit
#     ingest ARG...           `perfgate ingest ARG...`, which has to work
#     measure N [ARG...]      ingests a run in which "parse" makes N allocations
#     step N                  a commit in which "parse" makes N allocations, measured; $sha
#     noise ASSIGNMENT...     what noise.awk prints, documents of noisy series
#     gate STATUS NAME ARG... `perfgate gate ARG...` exits with STATUS; the text is in $out, the
#                             JSON in $report
#     base KEY                sha, distance or guess of the base that $report names
#     verdict NAME METRIC [KEY]
#                             what $report says of a series (KEY: verdict unless given)
#     judged VERDICT SHA NAME METRIC TEST
#                             that the series has that verdict against the numbers of SHA
#     mentions NAME METRIC TEXT TEST, silent NAME METRIC TEXT TEST
#                             that what $report says of a series holds TEXT; that it does not
#     noted REGEX TEST, not_noted REGEX TEST
#                             that a note of $report matches; that none does
#     conf LINE...            writes perfgate.conf
#     walls NAME NS...        a kpi document on standard output: runs of a benchmark that took so long
#     github SHA REF TARGET RUN [ATTEMPT], no_github
#                             the variables of a GitHub job; TARGET "" but for change requests

report=$tmp/report.json

repository()
{
	cd "$work" && git init -q "$1" && cd "$1" || exit 99
}

change()
{
	echo "$1" >>file
	git add file && commit "$1"
}

kpi()
{
	printf '[{"schema_version":1,"name":"%s"' "$1"
	shift
	while [ $# -gt 0 ]; do
		case $1 in
		,)
			shift
			printf '},\n {"schema_version":1,"name":"%s"' "$1"
			;;
		sha=*) printf ',"git_sha":"%s"' "${1#*=}" ;;
		at=*) printf ',"timestamp":"%s"' "${1#*=}" ;;
		*) printf ',"%s":%s' "${1%%=*}" "${1#*=}" ;;
		esac
		shift
	done
	echo '}]'
}

ingest()
{
	"$PERFGATE" ingest "$@" >"$tmp/ingest.log" 2>&1 && return
	fail "set-up: ingest $*"
	comment <"$tmp/ingest.log"
}

measure()
{
	kpi parse allocs_per_op="$1" >"$tmp/measured.json"
	shift
	ingest "$@" "$tmp/measured.json"
}

gate()
{
	expected_status=$1
	test_name=$2
	shift 2
	rm -f "$report"
	run "$PERFGATE" gate --report text --report "json:$report" "$@"
	status=$?
	if [ $status -eq "$expected_status" ]; then
		pass "$test_name"
	else
		fail "$test_name"
		echo "# exit status $status, expected $expected_status, of: gate $*"
		show_output
	fi
	[ -f "$report" ] || : >"$report"
}

# KEY of the lines of $report that match a pattern, where a line has it first.
report_field()
{
	grep -E -e "$1" "$report" | "$TEST_AWK" -v key="\"$2\": " '
		(at = index($0, key)) {
			value = substr($0, at + length(key))
			sub(/^"/, "", value)
			sub(/[",}].*/, "", value)
			print value
		}'
}

base()
{
	report_field '^ "base": ' "$1"
}

verdict()
{
	report_field "\"benchmark\": \"$1\", \"metric\": \"$2\"" "${3:-verdict}"
}

series_line()
{
	grep -F -e "\"benchmark\": \"$1\", \"metric\": \"$2\"" "$report"
}

judged()
{
	is "$1 $2" "$(verdict "$3" "$4") $(series_line "$3" "$4" | sed -n 's/.*"base": {"sha": "\([^"]*\)".*/\1/p')" "$5"
}

mentions()
{
	series_line "$1" "$2" >"$tmp/line"
	if grep -qF -e "$3" "$tmp/line"; then
		pass "$4"
	else
		fail "$4"
		echo "# not mentioned: $3"
		comment <"$tmp/line"
	fi
}

silent()
{
	series_line "$1" "$2" >"$tmp/line"
	if [ -s "$tmp/line" ] && ! grep -qF -e "$3" "$tmp/line"; then
		pass "$4"
	else
		fail "$4"
		echo "# mentioned, or no such series: $3"
		comment <"$tmp/line"
	fi
}

notes()
{
	grep -E -e '^ "notes": ' "$report" >"$tmp/notes"
}

noted()
{
	notes
	contains "$tmp/notes" "$1" "$2"
}

not_noted()
{
	notes
	lacks "$tmp/notes" "$1" "$2"
}

conf()
{
	printf '%s\n' "$@" >perfgate.conf
}

# hard [LINE...]: the metric $wall is hard, on main and what comes from it
hard()
{
	conf '[gate]' 'base = main' '[rule "hard"]' "metric = ^$wall\$" 'class = hard' "$@"
}

walls()
{
	walls_name=$1 walls_comma=
	shift
	printf '['
	for ns in "$@"; do
		printf '%s{"schema_version":1,"name":"%s","wall_clock_ns":%s,"iterations":1}' "$walls_comma" "$walls_name" "$ns"
		walls_comma=,
	done
	echo ']'
}

github()
{
	export GITHUB_ACTIONS=true GITHUB_SHA="$1" GITHUB_REF="$2" GITHUB_RUN_ID="$4" GITHUB_RUN_ATTEMPT="${5:-1}" GITHUB_JOB=bench
	GITHUB_REF_NAME=${2#refs/heads/}
	GITHUB_REF_NAME=${GITHUB_REF_NAME#refs/pull/}
	export GITHUB_REF_NAME GITHUB_BASE_REF="$3"
}

no_github()
{
	unset GITHUB_ACTIONS GITHUB_SHA GITHUB_REF GITHUB_REF_NAME GITHUB_BASE_REF GITHUB_RUN_ID GITHUB_RUN_ATTEMPT GITHUB_JOB
}

step()
{
	change "makes $1, $clock"
	measure "$1"
}

noise()
{
	for assignment; do
		set -- "$@" -v "$assignment"
		shift
	done
	"$TEST_AWK" "$@" -f "$srcdir/tests/noise.awk" </dev/null
}
