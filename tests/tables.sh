# Each entry of a table brings all that belongs to it. The steps are in the comments of the tables.
. "${srcdir:-.}/tests/lib.sh"

cd "$srcdir" || exit 99

for variable in $(sed -n 's/^extern const struct reader \(reader_[a-z0-9_]*\);/\1/p' ingest/reader.c); do
	ok "$variable is in the table" grep -q "&$variable[, ]" ingest/reader.c
	file=$(grep -lE "^const struct reader $variable\b" ingest/*.c)
	name=$(sed -n "/^const struct reader $variable\\b/,/;/s/.*\\.name = \"\\([^\"]*\\)\".*/\\1/p" $file /dev/null)
	if [ -z "$name" ]; then
		fail "$variable is defined in ingest/ and has a name"
		continue
	fi
	ok "reader $name: its file is built" grep -qwF "$file" ingest/local.mk
	ok "reader $name: a case that is read" sh -c "ls tests/cases/$name/*/expected"
	ok "reader $name: a case that is refused" sh -c "ls tests/cases/$name/*/error"
	ok "reader $name: a fuzzer" grep -q "READER=$variable\$" tests/local.mk
	ok "reader $name: a corpus" sh -c "ls tests/fuzz/corpus/$name/*"
	if [ -f docs/perfgate-formats.7 ]; then
		contains docs/perfgate-formats.7 "^\.Ss $name\$" "reader $name: a section in perfgate-formats(7)"
	fi
done
done_testing
