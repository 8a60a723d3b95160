# The store in a PostgreSQL database: its address, what is not there, roles, many writers, conflicts, and
# the same answers as from a SQLite file. (tests/on-postgres.sh runs other scripts once more on it.)
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"
. "$srcdir/tests/postgres.sh"

run "$PERFGATE" log --store postgres://owner:geheim@h/x
if grep -q 'built without libpq' "$err"; then
	is_status 2 "$PERFGATE" log --store postgresql://owner:geheim@h/x
	contains "$err" "without libpq.*--with-postgresql.*libpq-dev" "without libpq: what helps"
	lacks "$err" geheim "... and no password"
	is_status 2 env PERFGATE_STORE=postgres://h/x "$PERFGATE" store info
	done_testing
	exit
fi
server_start

# ---- the address ----

one=$(database one)
is_status 2 "$PERFGATE" log --store "$one"
contains "$err" "^perfgate: postgresql://owner@/one\?host=$pg_home: there is no store yet; 'perfgate ingest'" "no store: the address, and what makes one"
is 0 "$(sql one "SELECT count(*) FROM pg_namespace WHERE nspname = 'perfgate'")" "reading creates nothing"
secret="postgres://owner:geheim@/one?host=$pg_home&password=geheim"
for address in "$secret" "postgresql://owner:geheim@/none?host=$pg_home" "postgresql://owner:geheim@127.0.0.1:1/x?sslpassword=geheim" \
	"postgresql://owner:geheim%zz@h/x" "postgresql://owner:geheim@h/x?geheim=1" \
	"postgresql://owner:geheim@[::1/x" "postgresql://owner:geheim@h:port/x" \
	"postgresql://owner:no/geheim@h.invalid/x" "postgresql://owner:no@geheim@h.invalid/x" "postgresql://owner:1/geheim@h.invalid/x" \
	"postgresql://owner:geheim/x"; do
	for command in log "gate HEAD" "store info" "store merge --store merged.db $address"; do
		run env PERFGATE_STORE="$address" "$PERFGATE" $command
		status=$?
		cat "$out" "$err" >both
		is 2 $status "$command of an address that is no store: exit status 2"
		lacks both geheim "$command: shows no password"
	done
done
is_status 2 "$PERFGATE" log --store "postgresql://owner:geheim%zz@h/x"
contains "$err" 'postgresql://USER@HOST' "an address that libpq does not take: what one is like"

# ---- the same answers ----

repository r
step 100
step 100
for n in 1 2 3; do step 100; done
PERFGATE_STORE=$secret
export PERFGATE_STORE

# Names as long as they may be, alike to their last byte, and what is special to SQL, COPY and bytea.
long=$("$TEST_AWK" 'BEGIN { srand(1); for (i = 0; i < 4000; i++) printf "%c", 97 + int(rand() * 26) }')
cat >odd.json <<JSON
{"perfgate":"export","version":1}
{"commit":"$sha","tree":null,"committed_at":null,"parents":null}
{"run":{"commit":"$sha","branch":"b\"\\\\x","session":"s7","runner":{"key":"lab"},"suite":"odd","format":"kpi","ingested_at":"2026-05-12T09:20:00Z"}}
{"benchmark":"${long}x","metric":"a","unit":"count","direction":"lower","values":[9223372036854775807,-9223372036854775808,9007199254740993,0]}
{"benchmark":"${long}y","metric":"a","unit":"count","direction":"lower","values":[5e-324,1.7976931348623157e308,-0.0,0.1,1e22,-2.2250738585072014e-308]}
{"benchmark":"b\\\\a\\\\x00 \"quoted\" ä€𝄞 '; DROP TABLE run; -- \$1 ?1","metric":"\\\\N","unit":"count","direction":"lower","values":[1]}
{"benchmark":"Zebra","metric":"a","unit":"count","direction":"none","values":[1]}
{"benchmark":"apple","metric":"a","unit":"count","direction":"none","values":[2]}
{"benchmark":"Äpfel","metric":"a","unit":"count","direction":"higher","values":[3]}
{"benchmark":"zero","metric":"a","unit":"count","direction":"lower","status":"error","reason":"${long}"}
JSON
PERFGATE_STORE= ingest odd.json
PERFGATE_STORE= ok "from a file into a database" "$PERFGATE" store merge --store "$secret" .git/perfgate/store.db
contains "$out" '6 new runs, 0 already here' "... which is made"
lacks "$out" geheim "... and shows no password"
ok "again" "$PERFGATE" store merge .git/perfgate/store.db
contains "$out" '0 new runs, 6 already here' "... changes nothing"

# compare NAME ARG...: the same bytes from the file as from the database.
compare()
{
	test_name=$1
	shift
	PERFGATE_STORE=.git/perfgate/store.db "$PERFGATE" "$@" >expected 2>expected.err
	expected_status=$?
	is_status $expected_status "$PERFGATE" "$@"
	same expected "$out" "$test_name: the same as from a file"
}

compare "log" log
compare "log --json" log --json
compare "show" show parse
compare "show of odd numbers" show y --json
compare "gate" gate HEAD~1
compare "gate --all" gate --all HEAD~3 --report json:-
compare "diff" diff HEAD~1
compare "diff --json" diff --json HEAD~4 HEAD~1
compare "selftest" selftest
compare "export" store export
compare "check" store check
ok "init reads it" "$PERFGATE" init --stdout
step 103
is_status 1 "$PERFGATE" gate --store "$secret" --report json HEAD~3
contains "$out" 'perfgate bisect kpi:parse:allocs_per_op --store .postgresql://owner@/one' "the gate says what to type, with this store"
lacks "$out" geheim "... and without its password"
ok "a document that is there already" "$PERFGATE" ingest odd.json
contains "$out" 'already stored' "... is not stored twice"
"$PERFGATE" store export >there
ok "from a database into a file" "$PERFGATE" store merge --store "$tmp/back.db" "$secret"
"$PERFGATE" store export --store "$tmp/back.db" >back
same there back "... all of it"
ok "a snapshot" "$PERFGATE" store snapshot "$tmp/snapshot.db"
"$PERFGATE" store export --store "$tmp/snapshot.db" >back
same there back "... holds the same"
ok "a snapshot needs nothing beside it" test ! -e "$tmp/snapshot.db-wal"
two=$(database two)
ok "the export into another database" "$PERFGATE" ingest --store "$two" there
"$PERFGATE" store export --store "$two" >back
same there back "... is the same again"
if sql postgres "CREATE DATABASE words TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'" 2>/dev/null; then
	"$PERFGATE" ingest --store "$(address words)" there >"$out" 2>&1
	"$PERFGATE" store export --store "$(address words)" >back
	same there back "... and where texts are sorted as in a dictionary"
else
	skip "... and where texts are sorted as in a dictionary" "this server has no ICU"
fi
sql postgres "CREATE DATABASE latin TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'"
is_status 2 "$PERFGATE" ingest --store "$(address latin)" there
contains "$err" "LATIN1; make one with ENCODING 'UTF8'" "a database that is not in UTF-8"

# ---- damage ----

sql two "UPDATE perfgate.sample SET value_int = 101 WHERE value_int = 100"
is_status 2 "$PERFGATE" store check --store "$two"
contains "$out" digest "check finds a changed sample"
sql two "INSERT INTO perfgate.sample (run_id, series_id, ordinal, value_int) VALUES (4711, 1, 0, 1)"
is_status 2 "$PERFGATE" store check --store "$two"
contains "$out" 'table sample: refers to run 4711, which is not there' "check finds what refers to nothing"
sql two "DELETE FROM perfgate.sample WHERE run_id = 4711; UPDATE perfgate.sample SET value_int = NULL, value_real = 'NaN' WHERE value_int = 101"
is_status 2 "$PERFGATE" gate --store "$two" HEAD~1
contains "$err" 'a sample that is no number' "NaN is no number"
sql two "UPDATE perfgate.sample SET value_int = 101, value_real = NULL WHERE value_real = 'NaN'; DROP VIEW perfgate.sample_v; ALTER TABLE perfgate.sample ALTER series_id TYPE bigint"
is_status 2 "$PERFGATE" gate --store "$two" HEAD~1
contains "$err" 'a sample that is no number' "a table that was altered"
sql two "UPDATE perfgate.schema_version SET version = 3"
for command in "log" "store check" "ingest there" "store merge $tmp/back.db"; do
	is_status 2 "$PERFGATE" $command --store "$two"
	contains "$err" 'newer perfgate \(schema 3, .*install' "$command: a newer version is refused"
done
sql two "DROP TABLE perfgate.run CASCADE; UPDATE perfgate.schema_version SET version = 2"
is_status 2 "$PERFGATE" log --store "$two"
contains "$err" 'table of the store is not there' "a table that is gone"

# ---- roles ----

"$TEST_AWK" '/^GRANT|^CREATE ROLE perf_(writer|reader)/' "$srcdir/docs/perfgate-store.5" >roles.sql
is 5 "$(wc -l <roles.sql | tr -d ' ')" "the manual has the roles"
writer=$(address one perf_writer) reader=$(address one perf_reader)
sql one "$(grep '^CREATE ROLE' roles.sql)"
is_status 2 "$PERFGATE" log --store "$reader"
contains "$err" 'this role may not' "a role without rights"
ok "they are granted" sql one "$(grep '^GRANT' roles.sql)"
for command in "log" "show parse" "diff HEAD~1" "gate HEAD~1" "store info" "store check" "store export" "selftest" \
	"store snapshot $tmp/reader.db"; do
	run env PERFGATE_STORE="$reader" "$PERFGATE" $command
	status=$?
	[ $status -le 1 ] || [ $status -eq 3 ] && [ ! -s "$err" ] && pass "a reader may $command" || { fail "a reader may $command"; show_output; }
done
kpi fresh allocs_per_op=1 >fresh.json
before=$(sql one "SELECT count(*) FROM perfgate.run")
for command in "ingest fresh.json" "store drop --suite kpi" "store merge $tmp/snapshot.db"; do
	is_status 2 env PERFGATE_STORE="$reader" "$PERFGATE" $command
	contains "$err" 'this role may not do that; perfgate-store\(5\)' "a reader may not $command"
done
is "$before" "$(sql one "SELECT count(*) FROM perfgate.run")" "... and nothing happened"
ok "a writer may ingest" env PERFGATE_STORE="$writer" "$PERFGATE" ingest fresh.json
is "$((before + 1))" "$(sql one "SELECT count(*) FROM perfgate.run")" "... it is there"
ok "a writer may merge" env PERFGATE_STORE="$writer" "$PERFGATE" store merge "$tmp/snapshot.db"
ok "a writer may drop" env PERFGATE_STORE="$writer" "$PERFGATE" store drop --commit HEAD
ok "... and undo it" env PERFGATE_STORE="$writer" "$PERFGATE" store drop --undo "$(sql one "SELECT min(digest) FROM perfgate.tombstone")"
database empty >empty
is_status 2 "$PERFGATE" ingest --store "$(address empty perf_writer)" fresh.json
contains "$err" 'creating the store: this role may not' "a role that may not create a store"
sql empty "CREATE SCHEMA perfgate AUTHORIZATION perf_writer"
ok "a schema made for it" "$PERFGATE" ingest --store "$(address empty perf_writer)" fresh.json
sql one "ALTER DATABASE one SET synchronous_commit = off"
sql one "CREATE FUNCTION hasty() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''%'', current_setting(''synchronous_commit''); END';
	CREATE TRIGGER hasty BEFORE INSERT ON perfgate.run FOR EACH ROW EXECUTE FUNCTION hasty()"
kpi durable allocs_per_op=1 >durable.json
is_status 2 "$PERFGATE" ingest durable.json
contains "$err" 'storing: on$' "a database that forgets what is committed last: not here"
sql one "DROP TRIGGER hasty ON perfgate.run; ALTER DATABASE one RESET synchronous_commit"
sql one "ALTER DATABASE one SET default_transaction_read_only = on"
ok "a database that is read-only by default is written to all the same" "$PERFGATE" ingest fresh.json
sql postgres "ALTER DATABASE one RESET default_transaction_read_only; ALTER DATABASE one SET extra_float_digits = -10; ALTER DATABASE one SET default_transaction_isolation = serializable"
"$PERFGATE" store export >back
PERFGATE_STORE=$tmp/back.db "$PERFGATE" store check >"$out" 2>&1
ok "whatever a database sets, numbers are exact" "$PERFGATE" store check

# ---- schema 1 ----

old=$(database old)
sql old "CREATE SCHEMA perfgate; SET search_path = perfgate; $(cat "$srcdir/sql/postgres/schema-1.sql"); $(grep '^GRANT' roles.sql)"
ok "reading takes an older store as it is" "$PERFGATE" store info --store "$old"
contains "$out" "^schema +1$" "... and says so"
is_status 2 "$PERFGATE" ingest --store "$(address old perf_writer)" fresh.json
contains "$err" 'bringing the store to schema 2: this role may not' "a role that does not own it cannot bring it up to date"
ok "its owner does, by writing" "$PERFGATE" ingest --store "$old" fresh.json
is 2 "$(sql old "SELECT version FROM perfgate.schema_version")" "... to the schema of today"
kpi fresh allocs_per_op=2 >fresher.json
ok "... and those who might write may go on" "$PERFGATE" ingest --store "$(address old perf_writer)" fresher.json
run "$PERFGATE" gate --record --store "$(address old perf_writer)" HEAD~1
is 1 "$(sql old "SELECT count(*) FROM perfgate.judgement")" "... also with what is new"
run "$PERFGATE" log --gates --store "$(address old perf_reader)"
is 2 "$(wc -l <"$out" | tr -d ' ')" "... and readers read it"

# ---- pruned ----

repository aged
for n in 1 2 3 4 5 6; do
	change "$n"
	kpi parse allocs_per_op=100 at="2020-01-0${n}T00:00:00Z" >"aged$n.json"
done
prune=$(database prune)
n=1
for sha in $(git rev-list --reverse HEAD); do
	"$PERFGATE" ingest --store "$prune" --session "s$n" --runner lab --commit "$sha" "aged$n.json" >"$out" 2>&1
	n=$((n + 1))
done
printf '[rule "levels of exact series look back 50 commits"]\n\tclass = info\n' >perfgate.conf
git add perfgate.conf && git commit -qm conf
kpi parse allocs_per_op=100 >newest.json
"$PERFGATE" ingest --store "$prune" --session newest --runner lab newest.json >"$out" 2>&1
"$PERFGATE" store snapshot --store "$prune" "$tmp/aged.db" >"$out" 2>&1
ok "what would be pruned is told" "$PERFGATE" store prune --keep 1y --store "$prune"
is 7 "$(sql prune "SELECT count(*) FROM perfgate.run")" "... and nothing happens"
run "$PERFGATE" store prune --keep 1y --apply --store "$prune" --json
went=$(sed -n 's/.*"thin": false, "runs": \([0-9]*\).*/\1/p' "$out")
ok "old runs go" test "$went" -gt 0
is "$((7 - went)) $went" "$(sql prune "SELECT (SELECT count(*) FROM perfgate.run), (SELECT count(*) FROM perfgate.pruned)" | tr '|' ' ')" "... and are remembered"
ok "... the store is in order" "$PERFGATE" store check --store "$prune"
ok "a merge" "$PERFGATE" store merge --store "$prune" "$tmp/aged.db"
contains "$out" "0 new runs, $((7 - went)) already here, $went pruned earlier" "... does not bring them back"
ok "undone" "$PERFGATE" store prune --undo all --store "$prune"
ok "a merge after that" "$PERFGATE" store merge --store "$prune" "$tmp/aged.db"
contains "$out" "$went new runs?," "... does"
cd ../r || exit 99

# ---- others in the way ----

four=$(database four)
"$PERFGATE" ingest --store "$four" fresh.json >"$out"
sql four "CREATE SEQUENCE perfgate.tries; CREATE FUNCTION perfgate.trouble() RETURNS trigger LANGUAGE plpgsql AS \$\$
	BEGIN IF nextval('perfgate.tries') <= 3 THEN RAISE EXCEPTION 'made up' USING ERRCODE = '40001'; END IF; RETURN NEW; END \$\$;
	CREATE TRIGGER trouble BEFORE INSERT ON perfgate.run FOR EACH ROW EXECUTE FUNCTION perfgate.trouble()"
ok "serialization failures are tried again" "$PERFGATE" ingest --store "$four" odd.json
is "2 4" "$(sql four "SELECT (SELECT count(*) FROM perfgate.run), (SELECT last_value FROM perfgate.tries)" | tr '|' ' ')" "... three times, and stored once"
ok "... in order" "$PERFGATE" store check --store "$four"
sql four "CREATE OR REPLACE FUNCTION perfgate.trouble() RETURNS trigger LANGUAGE plpgsql AS \$\$
	BEGIN PERFORM nextval('perfgate.tries'); RAISE EXCEPTION 'made up' USING ERRCODE = '40P01'; END \$\$; SELECT setval('perfgate.tries', 1)" >"$out"
is_status 2 "$PERFGATE" store merge --store "$four" "$tmp/back.db"
contains "$err" 'other writers got in the way each time; run this again' "... but not for ever"
is "2 13" "$(sql four "SELECT (SELECT count(*) FROM perfgate.run), (SELECT last_value FROM perfgate.tries)" | tr '|' ' ')" "... twelve times, and nothing stored"

# Eight writers, each with documents of its own and the same names: as many as there are, no more.
eight=$(database eight)
for w in 1 2 3 4 5 6 7 8; do
	for d in 1 2 3; do
		kpi parse "allocs_per_op=$w$d" , lex "allocs_per_op=$d" , "only$w" allocs_per_op=1 , "shared$d" wall_clock_ns=$w$d >"w$w.$d.json"
	done
	(for d in 1 2 3; do "$PERFGATE" ingest --store "$eight" --runner lab --session "s$w.$d" "w$w.$d.json" || exit 1; done) >"w$w.out" 2>&1 &
	eval "pid$w=\$!"
done
lost=0
for w in 1 2 3 4 5 6 7 8; do eval "wait \$pid$w" || { lost=$((lost + 1)); comment <"w$w.out"; }; done
is 0 $lost "eight writers at once: all end well, the first of them having made the store"
is "24 96" "$(sql eight "SELECT (SELECT count(*) FROM perfgate.run), (SELECT count(*) FROM perfgate.sample)" | tr '|' ' ')" "... and nothing is lost"
is "13 13" "$(sql eight "SELECT (SELECT count(*) FROM perfgate.benchmark), (SELECT count(*) FROM perfgate.series)" | tr '|' ' ')" "... and every name is there once"
ok "... in order" "$PERFGATE" store check --store "$eight"

# ---- the queries of the manual ----

"$TEST_AWK" '
	/^\.Sh / { inside = $2 == "QUERIES"; next }
	inside && /^\.Bd / { n++; open = 1; next }
	/^\.Ed/ { open = 0 }
	open { print > ("query." n) }
' "$srcdir/docs/perfgate-store.5"
series=$(sql one "SELECT min(s.id) FROM perfgate.series AS s JOIN perfgate.sample AS x ON x.series_id = s.id")
sha=$(sql one "SELECT max(sha) FROM perfgate.run_v AS r JOIN perfgate.sample AS x ON x.run_id = r.id WHERE x.series_id = $series")
n=0
while [ -f "query.$((n + 1))" ]; do
	n=$((n + 1))
	sed "s/datetime(\(.*\) \/ 1000000000, 'unixepoch')/to_timestamp(\1 \/ 1e9)/; s/json_extract(r.facts, '\$.\([a-z]*\)\.\([a-z]*\)')/r.facts::json->'\1'->>'\2'/" "query.$n" >asked
	ok "query $n runs: $(head -n 1 "query.$n" | cut -c1-50)" env PGOPTIONS="-c search_path=perfgate" psql -X -q -A -t -v ON_ERROR_STOP=1 -h "$pg_home" -U owner -d one \
		-v "sha='$sha'" -v "suite='kpi'" -v "benchmark='parse'" -v "series=$series" -f asked
done
ok "the page has queries" test "$n" -ge 5
done_testing
