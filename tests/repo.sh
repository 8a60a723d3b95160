# What scripts about commits and their runs source after lib.sh.
#
#     repository NAME         a new repository $work/NAME; the script goes there
#     change MSG              a commit whose tree is new; $sha
#     kpi NAME KEY=NUMBER... [, NAME KEY=NUMBER...]...
#                             a kpi document on standard output; sha=TEXT names a commit
#     ingest ARG...           `perfgate ingest ARG...`, which has to work
#     measure N [ARG...]      ingests a run in which "parse" makes N allocations
#     gate STATUS NAME ARG... `perfgate gate ARG...` exits with STATUS; the text is in $out, the
#                             JSON in $report
#     base KEY                sha, distance or guess of the base that $report names
#     verdict NAME METRIC [KEY]
#                             what $report says of a series (KEY: verdict unless given)

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

# KEY of the lines of $report that match a pattern.
report_field()
{
	grep -E -e "$1" "$report" | sed -n 's/.*"'"$2"'": "\{0,1\}\([^",}]*\).*/\1/p'
}

base()
{
	report_field '^ "base": ' "$1"
}

verdict()
{
	report_field "\"benchmark\": \"$1\", \"metric\": \"$2\"" "${3:-verdict}"
}
