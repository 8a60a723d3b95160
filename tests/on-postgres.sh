# The scripts that show what a store does, once more, with PostgreSQL databases in place of files. What
# is about the SQLite file itself is skipped.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/postgres.sh"

run "$PERFGATE" log --store postgres://
grep -q 'built without libpq' "$err" && skip_all "perfgate was built without libpq"
server_start
pg_known=$tmp/known
REAL_PERFGATE=$PERFGATE
mkdir "$pg_known"
export pg_home pg_known REAL_PERFGATE

# again SCRIPT [REGEX]: all of SCRIPT; tests whose names match REGEX are about the file.
again()
{
	(cd "$tmp" && env -u ASAN_OPTIONS -u LSAN_OPTIONS -u UBSAN_OPTIONS PERFGATE="$srcdir/tests/perfgate-on-postgres" \
		srcdir="$srcdir" builddir="$builddir" sh "$srcdir/tests/$1" </dev/null) >"$tmp/tap" 2>&1
	status=$?
	grep -qE '^1\.\.[0-9]+$' "$tmp/tap" && [ $status -eq 0 ] || echo "not ok 0 - $1 runs to its end (status $status)" >>"$tmp/tap"
	"$TEST_AWK" -v n="$test_n" -v script="$1" -v about_file="$2" '
		/^1\.\.[0-9]+$/ { next }
		/^(not )?ok [0-9]+ - / {
			name = $0
			sub(/^(not )?ok [0-9]+ - /, "", name)
			bare = name
			sub(/ # SKIP.*/, "", bare)
			if (about_file != "" && bare ~ about_file)
				print "ok " ++n " - " script ": " bare " # SKIP it is about the SQLite file"
			else
				print ($1 == "not" ? "not ok " : "ok ") ++n " - " script ": " name
			next
		}
		{ print "# " $0 }
		END { print n > "'"$tmp"'/test_n" }' "$tmp/tap"
	test_n=$(cat "$tmp/test_n")
}

again cmd-store.sh 'names the path$|^info: the path$|changed sample|damaged store|^merge: what was'
again merge.sh '^numbers stay exact and in order$'
again gate-record.sh '^the rest$|^a changed verdict is found$'
again cmd-ingest.sh '^PERFGATE_STORE is where it is$'
# with sanitizers once is enough for what only reads; store-postgres.sh has its statements
if [ "$SANITIZERS" = yes ]; then
	done_testing
	exit
fi
again cmd-gate.sh '^the message names the path$|^--store of no file: named$|a read-only store$|^nothing was made beside it$|^the gate changes nothing in the store$|a store that was named$|is named to ingest, quoted$|the store of another repository$|^... is told$'
again cmd-diff.sh 'named$'
again cmd-log.sh '^no store: its path$'
again cmd-show.sh '^no store: its path$'
again log-series.sh
again cmd-trend.sh '^an absent store is named$|a read-only store'
done_testing
