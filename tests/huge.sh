# Documents out of proportion are read, or refused, within bounded memory and time. HUGE_SCALE
# (default 1, about 30 MB a document; 10 for what the bounds are meant for).
. "${srcdir:-.}/tests/lib.sh"
need timeout
[ "$SANITIZERS" = no ] || skip_all "sanitizers need address space of their own"
scale=${HUGE_SCALE:-1}
sha=1111111111111111111111111111111111111111

# bounded STATUSES NAME CMD...: within $limit KiB of address space and a minute for each 30 MB.
limit=196608
bounded()
{
	statuses=$1 test_name=$2
	shift 2
	run sh -c 'ulimit -v '$limit' 2>/dev/null; exec "$@"' sh timeout $((60 * scale)) "$@"
	status=$?
	case " $statuses " in
	*" $status "*)
		if grep -q 'out of memory' "$err"; then
			fail "$test_name: out of memory"
		else
			pass "$test_name"
		fi
		;;
	*)
		fail "$test_name"
		echo "# exit status $status"
		head -c 600 "$err" | comment
		;;
	esac
}

# kpi COUNT NAMES: an array of COUNT results under NAMES names.
kpi()
{
	awk -v n="$1" -v names="$2" 'BEGIN {
		printf "["
		for (i = 0; i < n; i++)
			printf "%s{\"schema_version\": 1, \"name\": \"n%d\", \"sample\": %d, \"git_sha\": \"\", \"timestamp\": \"2026-05-12T09:14:00Z\", \"iterations\": 180, \"allocs_per_op\": %d, \"bytes_per_op\": 1204274, \"goroutines_end\": 0, \"tokens_input\": 0, \"tokens_output\": 0, \"tokens_cache_read\": 0, \"cache_hit_rate\": 0, \"rss_peak_bytes\": 53080064, \"rss_final_bytes\": 51048448, \"wall_clock_ns\": 1127812478}\n", i ? "," : "", i % names, i / names, i
		print "]"
	}'
}

kpi $((80000 * scale)) 1 >one.json
bounded 0 "a large array of one benchmark" "$PERFGATE" ingest --store one.db --commit $sha one.json
bounded 0 "its check" "$PERFGATE" store check --store one.db
bounded 0 "its export" sh -c '"$0" store export --store one.db >one.export' "$PERFGATE"
bounded 0 "which is read" "$PERFGATE" ingest --store again.db one.export
bounded 0 "and merged" "$PERFGATE" store merge --store merged.db one.db
bounded "0 1 3" "and compared" "$PERFGATE" diff one.json one.json
rm -f one.* again.db* merged.db*
kpi $((20000 * scale)) $((20000 * scale)) >names.json
bounded 0 "a large array of as many names" "$PERFGATE" ingest --store names.db --commit $sha names.json
# what the series of one commit are is held at once, some 1.4 KiB each with their verdicts
limit=$((196608 + 327680 * scale))
bounded 0 "its check" "$PERFGATE" store check --store names.db
bounded 0 "its export" sh -c '"$0" store export --store names.db >names.export' "$PERFGATE"
bounded "0 3" "its gate" "$PERFGATE" gate --store names.db $sha $sha
bounded 0 "all of them shown" "$PERFGATE" show --store names.db n1 $sha
rm -f names.*
limit=196608

deep()
{
	awk -v n="$1" -v open="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", open }'
}
deep 1000000 '[' >deep.json
bounded 2 "brackets a million deep" "$PERFGATE" ingest --store s.db --commit $sha deep.json
deep 1000000 '{"a":' >deep.json
bounded 2 "objects a million deep" "$PERFGATE" ingest --store s.db --commit $sha deep.json
{ printf '[{"schema_version": 1, "name": "a", "x": '; deep 100000 '['; } >deep.json
bounded 2 "deep in an unknown key" "$PERFGATE" ingest --store s.db --commit $sha deep.json
# endless WHAT BEGINNING CHARACTER: a document of $format that goes on with one character.
endless()
{
	bounded 2 "$format: $1 without an end" sh -c \
		'{ printf "%s" "$4"; head -c "$2" /dev/zero | tr "\000" "$5"; } | "$0" ingest --store s.db --commit "$3" --format "$1" -' \
		"$PERFGATE" "$format" $((30000000 * scale)) $sha "$2" "$3"
}
for format in $("$PERFGATE" formats --json | sed -n 's/.*"name": "\([^"]*\)".*/\1/p'); do
	endless "one line" "" a
	endless "one string" '[{"name": "' a
	endless "spaces" "" " "
	endless "an array" "[1" ","
	bounded 2 "$format: /dev/zero" "$PERFGATE" ingest --store s.db --commit $sha --format "$format" /dev/zero
done
bounded 2 "/dev/zero" "$PERFGATE" ingest --store s.db --commit $sha /dev/zero
bounded 2 "nothing" "$PERFGATE" ingest --store s.db --commit $sha /dev/null
# A pipe that says no more is waited for, as cat would; it can be interrupted, and nothing is stored.
mkfifo slow
{ printf '[{"schema_version": 1,'; sleep 5; } >slow &
run timeout -s INT 1 "$PERFGATE" ingest --store slow.db --commit $sha slow
[ $? -ne 0 ] && pass "a pipe without an end is interrupted" || fail "a pipe without an end is interrupted"
[ -e slow.db ] && fails "with a run stored" sh -c '"$0" log --store slow.db --json | grep digest' "$PERFGATE"
fails "and nothing is left" test -e s.db-journal
# More folders and files than anybody has.
mkdir -p "$(deep 100 'd/')"
bounded 2 "folders a hundred deep" "$PERFGATE" ingest --store s.db --commit $sha d
mkdir many && (cd many && awk 'BEGIN { for (i = 0; i < 3000; i++) { f = "f" i ".json"; print "{}" >f; close(f) } }')
bounded 2 "thousands of files of no format" "$PERFGATE" ingest --store s.db --commit $sha many
done_testing
