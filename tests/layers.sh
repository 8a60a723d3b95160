# What may know what: one file a library, no SQL in C, no upward includes, no banned function.
. "${srcdir:-.}/tests/lib.sh"

cd "$srcdir" || exit 99
sources=$(ls src/*.[ch] ingest/*.[ch] gate/*.[ch] site/*.[ch] probes/*.[ch] probes/*/*.[ch] 2>/dev/null)

# none NAME PATTERN FILES...: no line of FILES matches the extended expression.
none()
{
	test_name=$1
	pattern=$2
	shift 2
	if [ $# -gt 0 ] && grep -nE -e "$pattern" "$@" /dev/null >"$out"; then
		fail "$test_name"
		comment <"$out"
	else
		pass "$test_name"
	fi
}

# only NAME HEADER ALLOWED: no source but those that match the pattern ALLOWED includes HEADER.
only()
{
	none "$1" "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$2" \
		$(printf '%s\n' $sources | grep -vxE -e "$3")
}

only "only src/db-sqlite* include sqlite3.h" 'sqlite3\.h' 'src/db-sqlite[-a-z0-9]*\.[ch]'
only "only src/db-postgres* include libpq" 'libpq' 'src/db-postgres[-a-z0-9]*\.[ch]'
only "only src/db* see a driver's inside" '(db-sqlite|db-postgres|db-drivers)\.h' 'src/db[-a-z0-9]*\.[ch]'
none "nothing but the store sees a database" 'include.*"db[-a-z0-9]*\.h"' \
	$(printf '%s\n' $sources | grep -vE '^src/(store|db)')
none "no command sees the store's inside" 'include.*"store-private\.h"' $(ls src/*.c | grep -v '^src/store')
only "only ingest/json.c includes jansson.h" 'jansson\.h' 'ingest/json\.c'
only "only src/pattern.c includes pcre2.h" 'pcre2\.h' 'src/pattern\.c'
only "only src/sha256.c includes sha2.h" 'sha2\.h' 'src/sha256\.c'
only "only src/http.c includes curl.h" 'curl/' 'src/http\.c'
only "only probes/ include OpenCL and CUDA" '(CL/|cuda)' 'probes/.*'
none "ingest/, gate/ and the store know no server" 'include.*"(http|forge)[-a-z]*\.h"' ingest/*.[ch] gate/*.[ch] src/store*.[ch]
none "only src/forge* speak HTTP" 'include.*"http\.h"' $(ls src/*.[ch] | grep -v '^src/\(http\|forge\)')
none "ingest/ and gate/ know no store" 'include.*"store[-a-z0-9]*\.h"' ingest/*.[ch] $(ls gate/*.[ch] 2>/dev/null)
none "ingest/ knows no gate" 'include.*"(policy|series|verdict|report|decimal)\.h"' ingest/*.[ch]
none "gate/ knows no reader" 'include.*"(reader|input|json|batch|spill)\.h"' $(ls gate/*.[ch] 2>/dev/null)
none "site/ knows no store, no reader and no command" \
	'include.*"(store[-a-z0-9]*|reader|input|json|batch|spill|command|context|trending|git)\.h"' site/*.[ch]
none "gate/ does no I/O but that of report writers" \
	'(^|[^A-Za-z0-9_])(printf|puts|putchar|fputs|fputc|fprintf|perror|f?open|fdopen|freopen|fread|fgets|getline|read|write|stat|lstat|unlink|rename|getenv|time|clock_gettime|exit|abort|system|popen|fork)[[:space:]]*\(' gate/*.[ch]
only "only gate/report*.c write to a file" '(^|[^A-Za-z0-9_])(fwrite|fflush)[[:space:]]*\(' \
	'((src|ingest|probes)/.*|gate/report.*)\.[ch]'
none "no SQL in C" '"[^"]*(SELECT |INSERT |UPDATE [a-z_]+ SET|DELETE FROM|CREATE TABLE|select [a-z_.*]+[ ,].* from |insert into |delete from )' \
	$(printf '%s\n' $sources | grep '\.c$')
none "no banned function" \
	'(^|[^A-Za-z0-9_])(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets|localtime|gmtime|system|mktemp|tmpnam|alloca)[[:space:]]*\(' \
	$sources tests/*.c tests/fuzz/*.c
none "no struct typedef" '^typedef struct' $sources
done_testing
