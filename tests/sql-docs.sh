# The queries of perfgate-store(5) against a real store: each runs, gives rows, and none goes through
# the table sample as a whole. By convention the page calls sample "x" and absence "a".
. "${srcdir:-.}/tests/lib.sh"

need sqlite3
page=$srcdir/docs/perfgate-store.5
store=$tmp/store.db

git init -q . && commit one
export PERFGATE_STORE="$store"
ok "the store is filled" "$PERFGATE" ingest "$srcdir/examples/kpi-before.json" "$srcdir/examples/callgrind-before.out"
commit two
ok "... for a second commit" "$PERFGATE" ingest "$srcdir/examples/kpi-after.json" "$srcdir/examples/callgrind-after.out"
sed 's/"rss_peak_bytes": *[0-9]*/"rss_peak_bytes": 0/' "$srcdir/examples/kpi-after.json" >absent.json
ok "... with absences" "$PERFGATE" ingest absent.json

run "$PERFGATE" gate --record HEAD~1
# Writes query.1, query.2, ...: the displays of the section QUERIES.
"$TEST_AWK" '
	/^\.Sh / { inside = $2 == "QUERIES"; next }
	inside && /^\.Bd / { n++; open = 1; next }
	/^\.Ed/ { open = 0 }
	open { print > ("query." n) }
' "$page"

series=$(sqlite3 "$store" "SELECT s.id FROM series AS s JOIN metric AS m ON m.id = s.metric_id
	JOIN benchmark AS b ON b.id = s.benchmark_id WHERE m.name = 'allocs_per_op' AND b.name = 'parse_config'")

# A search without a condition on the key is a scan by another name.
all_samples='\bSCAN (TABLE )?(x|sample|a|absence)\b|\bSEARCH (x|a) USING PRIMARY KEY$'

# ask FILE: its query with the parameters set.
ask()
{
	{
		printf '.parameter init\n'
		printf '.parameter set :%s "'\''%s'\''"\n' sha "$sha" suite kpi benchmark parse_config
		printf '.parameter set :series %s\n' "$series"
		cat "$1"
	} >"$tmp/script"
	sqlite3 -batch -bail -readonly "$store" <"$tmp/script"
}

n=0
while [ -f "query.$((n + 1))" ]; do
	n=$((n + 1))
	name=$(head -n 1 "query.$n" | cut -c1-50)
	ok "query $n runs: $name" ask "query.$n"
	contains "$out" . "query $n gives rows"
	{ printf 'EXPLAIN QUERY PLAN '; cat "query.$n"; } >explain
	ok "query $n has a plan" ask explain
	lacks "$out" "$all_samples" "query $n does not go through all samples"
done
for bad in "count(*) FROM sample AS x WHERE x.value > 1" "max(x.value) FROM sample AS x" \
	"count(*) FROM sample_v WHERE benchmark = 'parse_config'"; do
	echo "EXPLAIN QUERY PLAN SELECT $bad;" >explain
	ask explain >"$out"
	contains "$out" "$all_samples" "a query that goes through all samples is found: $bad"
done
ok "the page has queries" test "$n" -ge 5

ask query.4 >medians
is "118.0 131.0" "$(cut -d'|' -f4 medians | tr '\n' ' ' | sed 's/ $//')" "the medians are those of the documents"

# Every table, and every column of it, is explained.
for table in $(sqlite3 "$store" "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"); do
	sed -n "/^\\.Ss $table\$/,/^\\.S[hs] /p" "$page" >section
	if ! grep -q . section; then
		fail "$table has a section in perfgate-store(5)"
		continue
	fi
	case $table in property) pass "property has a section in perfgate-store(5)"; continue ;; esac
	missing=
	for column in $(sqlite3 "$store" "SELECT name FROM pragma_table_info('$table')"); do
		grep -qE "^\\.(It )?Li .*\\b$column\\b" section || missing="$missing $column"
	done
	is "" "$missing" "$table: every column is explained"
done
done_testing
