# The n-th allocation, write, cut or sync fails, for every n until none does: perfgate says so and
# exits 2 (or 0, where it could do without), and the store holds all of the document or nothing.
# FAULTS_STEP (default 31) is how many allocations are stepped over; every write is tried.
. "${srcdir:-.}/tests/lib.sh"
need sqlite3
[ "$SANITIZERS" = no ] || skip_all "the sanitizers have an allocator of their own"
step=${FAULTS_STEP:-31}

if ! $TEST_CC -shared -fPIC -o failing.so "$srcdir/tests/failing.c" -ldl >"$out" 2>"$err"; then
	show_output
	skip_all "no shared object can be built to preload"
fi
library=$PWD/failing.so

sha=1111111111111111111111111111111111111111
document()
{
	cat <<JSON
{"perfgate":"export","version":1}
{"commit":"$1","tree":"2222222222222222222222222222222222222222","committed_at":"2026-05-12T09:14:00Z","parents":["3333333333333333333333333333333333333333"]}
{"run":{"commit":"$1","branch":"main","session":"s","runner":{"key":"r"},"suite":"kpi","format":"kpi","ingested_at":"2026-05-12T09:20:00Z","facts":{"a":[1]}}}
{"benchmark":"parse","metric":"allocs_per_op","unit":"count","direction":"lower","values":[118,119,0.5]}
{"benchmark":"parse","metric":"bytes_per_op","unit":"B","direction":"lower","status":"skipped","reason":"no"}
JSON
}
document $sha >doc.json
document 4444444444444444444444444444444444444444 >other.json
cat >kpi.json <<JSON
[{"schema_version": 1, "name": "parse", "sample": 0, "git_sha": "$sha", "timestamp": "2026-05-12T09:14:00Z",
"iterations": 180, "allocs_per_op": 118, "bytes_per_op": 1204274, "goroutines_end": 0, "tokens_input": 0,
"tokens_output": 0, "tokens_cache_read": 0, "cache_hit_rate": 0.5, "rss_peak_bytes": 1, "rss_final_bytes": 1,
"wall_clock_ns": 1127812478}]
JSON

"$PERFGATE" ingest --store base.db other.json >"$out" 2>&1
"$PERFGATE" store export --store base.db >nothing
cp base.db all.db
"$PERFGATE" ingest --store all.db doc.json >"$out" 2>&1
"$PERFGATE" store export --store all.db >all
printf '%s\n' '[gate]' 'base = main' '[rule "a"]' 'benchmark = ^p(a|b)+' 'tolerance = 3%' >perfgate.conf

# What the store may hold afterwards: the export is that of FILE... .
is_one_of()
{
	"$PERFGATE" store export --store work.db 2>"$err" | sed 's/"dropped_at":"[^"]*"//' >now
	for candidate in "$@"; do
		cmp -s now "$candidate" && return 0
	done
	return 1
}

# sweep NAME CALL STEP START CANDIDATES ARGUMENT...: START is the store to begin with, "" none.
sweep()
{
	name=$1 call=$2 by=$3 start=$4 candidates=$5
	shift 5
	n=1 odd=0 tried=0
	while :; do
		rm -f work.db* mark snapshot.db*
		[ -z "$start" ] || cp "$start" work.db
		env LD_PRELOAD="$library" FAILING_CALL="$call" FAILING_AT=$n FAILING_MARK=mark FAILING_ERRNO="${error:-28}" \
			${lasting:+FAILING_ON=yes} "$PERFGATE" "$@" >"$out" 2>"$err"
		status=$?
		[ -e mark ] || break
		tried=$((tried + 1))
		complaint=
		if [ $status -ne "${good:-0}" ] && [ $status -ne 2 ]; then
			complaint="exit status $status"
		elif [ $status -eq 2 ] && [ "$call" = memory ] && ! grep -q 'emory' "$err"; then
			complaint="does not say that there is no memory"
		elif [ $status -eq 2 ] && ! grep -q '^perfgate: ' "$err"; then
			complaint="says nothing"
		fi
		cp "$err" said
		if [ -n "$candidates" ] && [ -s work.db ]; then
			if ! "$PERFGATE" store check --store work.db >checked 2>&1; then
				# creating it was broken off: reading says so, and writing goes on
				grep -qE 'empty file|writer left a log' checked && "$PERFGATE" ingest --store work.db doc.json >again 2>&1 &&
					is_one_of ${candidates##* } || complaint="$complaint; $(cat checked again)"
			elif ! is_one_of $candidates; then
				complaint="$complaint; holds a part"
			elif [ $status -eq 0 ] && ! is_one_of ${candidates##* }; then
				complaint="$complaint; exit 0, but it is not there"
			fi
		fi
		if [ -e snapshot.db ] && ! "$PERFGATE" store check --store snapshot.db >checked 2>&1; then
			complaint="$complaint; half a snapshot"
		fi
		if [ -n "$complaint" ]; then
			odd=$((odd + 1))
			[ $odd -gt 5 ] || { echo "# call $n: $complaint"; comment <said; }
		fi
		n=$((n + by))
	done
	is "0 of $tried" "$odd of $tried" "$name: each failing $call call${lasting:+, and all after it,} is dealt with"
	[ $tried -gt 0 ] || fail "$name: no call was made to fail"
	is ${good:-0} $status "$name: and without a failure it works"
}

"$PERFGATE" ingest --store new.db doc.json >"$out" 2>&1
"$PERFGATE" store export --store new.db >new
echo '{"perfgate":"export","version":1}' >blank

for lasting in "" yes; do
	sweep "the first ingest" file 1 "" "blank new" ingest --store work.db doc.json
	sweep "ingest" file 1 base.db "nothing all" ingest --store work.db doc.json
	sweep "merge" file 1 base.db "nothing all" store merge --store work.db new.db
	sweep "snapshot" file 1 base.db "nothing" store snapshot --store work.db snapshot.db
done
lasting=
error=5
sweep "ingest, input/output error" file 1 base.db "nothing all" ingest --store work.db doc.json
cp all.db work.db
"$PERFGATE" store drop --store work.db --commit $sha >"$out" 2>&1
is_one_of blank
cp now gone
sweep "drop" file 1 all.db "all gone" store drop --store work.db --commit $sha

sweep "ingest" memory "$step" base.db "nothing all" ingest --store work.db doc.json
sweep "the first ingest" memory $((step * 9)) "" "blank new" ingest --store work.db doc.json
sweep "ingest of another format" memory $((step * 3)) base.db "" ingest --store work.db --runner r kpi.json
sweep "merge" memory $((step * 2)) base.db "nothing all" store merge --store work.db new.db
sweep "drop" memory $((step * 3)) all.db "all gone" store drop --store work.db --commit $sha
sweep "snapshot" memory $((step * 3)) base.db "nothing" store snapshot --store work.db snapshot.db
good=3
sweep "gate" memory $((step * 2)) all.db "all" gate --store work.db --only pars $sha $sha
good=
sweep "show" memory $((step * 3)) all.db "all" show --store work.db 'pa(r)se$' $sha
sweep "log" memory $((step * 3)) all.db "all" log --json --store work.db
sweep "export" memory $((step * 3)) all.db "all" store export --store work.db
sweep "check" memory $((step * 3)) all.db "all" store check --store work.db
sweep "policy" memory $((step * 3)) all.db "all" policy --store work.db
sweep "diff" memory $((step * 3)) "" "" diff doc.json other.json

# whole_conf NAME NEW ARGUMENT...: perfgate.conf is the old one or NEW, and nothing is left beside it
whole_conf()
{
	name=$1 new=$2
	shift 2
	n=1 odd=0
	while :; do
		cp old.conf perfgate.conf
		rm -f mark
		env LD_PRELOAD="$library" FAILING_CALL=file FAILING_AT=$n FAILING_MARK=mark FAILING_ERRNO=28 \
			"$PERFGATE" "$@" >"$out" 2>"$err"
		status=$?
		[ -e mark ] || break
		if [ $status -ne 2 ] && [ $status -ne 0 ]; then
			odd=$((odd + 1))
		elif [ $status -eq 2 ] && ! { cmp -s perfgate.conf old.conf && grep -q '^perfgate: ' "$err"; }; then
			odd=$((odd + 1))
		elif [ $status -eq 0 ] && ! cmp -s perfgate.conf "$new"; then
			odd=$((odd + 1))
		fi
		n=$((n + 1))
	done
	is 0 $odd "$name: each failing file call is dealt with"
	ok "$name: there were some" test $n -gt 2
	same "$new" perfgate.conf "$name: and without a failure it works"
	is "" "$(ls | grep '^perfgate\.conf\.')" "$name: nothing is left beside it"
}

cat >report.json <<'JSON'
{"schema": "perfgate/report", "version": 1, "verdicts": [{"suite": "kpi", "benchmark": "parse",
"metric": "allocs_per_op", "verdict": "regressed", "head": {"n": 1, "median": 130.5}}]}
JSON
sweep "accept" memory "$step" "" "" accept --from report.json --reason why --dry-run
sweep "init" memory $((step * 3)) all.db "all" init --store work.db --stdout
sweep "selftest" memory $((step * 3)) all.db "all" selftest --store work.db
cp perfgate.conf old.conf
"$PERFGATE" accept --from report.json --reason why >"$out" 2>&1 && mv perfgate.conf accepted.conf
whole_conf "accept" accepted.conf accept --from report.json --reason why
"$PERFGATE" init --store all.db --stdout >init.conf 2>"$err"
whole_conf "init" init.conf init --store all.db --force
done_testing
