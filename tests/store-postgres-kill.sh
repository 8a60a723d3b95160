# kill -9 of the client and of the server while a document is on its way into a PostgreSQL store: it is there
# as a whole or not at all, and the next try stores it. KILLS is how often each; make bench has 20.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/postgres.sh"

run "$PERFGATE" log --store postgres://
grep -q 'built without libpq' "$err" && skip_all "perfgate was built without libpq"
pg_fsync=on
server_start
store=$(database kills)
sha=1111111111111111111111111111111111111111
"$TEST_AWK" -v sha=$sha 'BEGIN {
	print "{\"perfgate\":\"export\",\"version\":1}"
	print "{\"commit\":\"" sha "\",\"tree\":null,\"committed_at\":\"2026-05-12T09:14:00Z\",\"parents\":[]}"
	print "{\"run\":{\"commit\":\"" sha "\",\"branch\":\"main\",\"session\":\"SESSION\",\"runner\":{\"key\":\"r\"},\"suite\":\"kpi\",\"format\":\"kpi\",\"ingested_at\":\"2026-05-12T09:20:00Z\"}}"
	for (i = 0; i < 3000; i++) {
		printf "{\"benchmark\":\"b%d\",\"metric\":\"a\",\"unit\":\"count\",\"direction\":\"lower\",\"values\":[0", i
		for (k = 1; k < 100; k++)
			printf ",%d", i * k
		print "]}"
	}
	print "{\"benchmark\":\"last\",\"metric\":\"a\",\"unit\":\"count\",\"direction\":\"lower\",\"values\":[NUMBER]}"
}' >template.json

# document N: one of 300,001 samples, another for each N
document()
{
	sed "s/NUMBER/$1/; s/SESSION/s$1/" template.json >doc.json
}

copying()
{
	sql kills "SELECT count(*) FROM pg_stat_progress_copy WHERE tuples_processed > $1" 2>/dev/null
}

# begin N: ingests a document and waits until some of its samples have reached the table
begin()
{
	document "$1"
	: >"$out"
	"$PERFGATE" ingest --store "$store" doc.json >"$out" 2>"$err" &
	client=$!
	tries=200
	until [ "$(copying $((n % 5 * 20000)))" = 1 ] || [ $tries -eq 0 ] || [ -s "$out" ]; do tries=$((tries - 1)); done
}

# What is half there: runs without all of their samples, and samples without a run.
halves()
{
	sql kills "SELECT (SELECT count(*) FROM perfgate.run AS r WHERE r.sample_count <> (SELECT count(*) FROM perfgate.sample AS x WHERE x.run_id = r.id))
		+ (SELECT count(*) FROM perfgate.sample AS x WHERE NOT EXISTS (SELECT 1 FROM perfgate.run AS r WHERE r.id = x.run_id))
		+ (SELECT count(*) FROM perfgate.series AS s WHERE NOT EXISTS (SELECT 1 FROM perfgate.benchmark AS b WHERE b.id = s.benchmark_id))"
}

wait_for_server()
{
	tries=300
	until sql kills "SELECT 1" >/dev/null 2>&1 || [ $tries -eq 0 ]; do tries=$((tries - 1)); sleep .2; done
}

document 0
ok "a document" "$PERFGATE" ingest --store "$store" doc.json
acknowledged=1 landed=0 n=0 kills=${KILLS:-6}
while [ $n -lt "$kills" ]; do
	n=$((n + 1))
	begin $n
	kill -9 $client
	wait $client 2>/dev/null
	[ $? -eq 137 ] && landed=$((landed + 1)) || acknowledged=$((acknowledged + 1))
done
# the server notices that its client is gone when it next reads
tries=600
until [ "$(sql kills "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'perfgate'")" = 0 ] || [ $tries -eq 0 ]; do tries=$((tries - 1)); sleep .1; done
ok "clients were killed in the middle: $landed of $kills" test $landed -ge $((kills / 2))
is 0 "$(halves)" "... and no document is half there"
ok "... what was acknowledged is" test "$(sql kills "SELECT count(*) FROM perfgate.run")" -ge $acknowledged

landed=0 silent=0
while [ $n -lt $((2 * kills)) ]; do
	n=$((n + 1))
	sql kills CHECKPOINT # so that there is little to recover
	begin $n
	if [ $((n % 2)) -eq 0 ]; then
		server_kill
	else
		kill -9 "$(sql kills "SELECT pid FROM pg_stat_activity WHERE application_name = 'perfgate' LIMIT 1")" 2>/dev/null
	fi
	wait $client
	case $? in
	0) acknowledged=$((acknowledged + 1)) ;;
	2)
		landed=$((landed + 1))
		grep -qE 'lost.*(nothing of this was stored|as a whole or not at all)' "$err" || { silent=$((silent + 1)); comment <"$err"; }
		;;
	*) silent=$((silent + 1)) ;;
	esac
	[ $((n % 2)) -eq 1 ] || server_again || { fail "the server starts again"; tail -n 20 "$pg_home/log" | comment; break; }
	wait_for_server
done
ok "servers were killed in the middle: $landed of $kills" test $landed -ge $((kills / 2))
is 0 $silent "... which the client says, and that nothing was stored"
is 0 "$(halves)" "... and no document is half there"
ok "... what was acknowledged is" test "$(sql kills "SELECT count(*) FROM perfgate.run")" -ge $acknowledged
document 999
ok "the next document" "$PERFGATE" ingest --store "$store" doc.json
ok "the store is in order" "$PERFGATE" store check --store "$store"
done_testing
