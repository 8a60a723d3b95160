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
for variable in $(sed -n 's/^extern const struct report_format \(report_[a-z0-9_]*\);/\1/p' gate/report.c); do
	ok "$variable is in the table" sh -c 'sed -n "/^const struct report_format \*const report_formats/,/;/p" gate/report.c | grep -qw "&$0"' "$variable"
	file=$(grep -lE "^const struct report_format $variable\b" gate/*.c)
	name=$(sed -n "/^const struct report_format $variable\\b/,/;/s/.*\\.name = \"\\([^\"]*\\)\".*/\\1/p" $file /dev/null)
	if [ -z "$name" ]; then
		fail "$variable is defined in gate/ and has a name"
		continue
	fi
	ok "report $name: its file is built" grep -qwF "$file" gate/local.mk
	ok "report $name: what every verdict looks like" test -s "tests/cases-report/every.$name"
	contains tests/reports.sh "^formats=.*\b$name\b" "report $name: its test"
	contains docs/perfgate.1 "^\.It Cm $name\$" "report $name: an item in perfgate(1)"
	contains README.md "^\| $name \|" "report $name: a line in README.md"
done
for option in $(sed -n 's/^	\[BACK_END_[A-Z]*\] = {"[^"]*", "\([a-z]*\)".*/\1/p' src/back-ends.c); do
	if [ ! -d "probes/$option" ]; then
		skip "back end $option" "it has no folder yet"
		continue
	fi
	ok "back end $option: its program" grep -q "probes/perfgate-probe-$option" $(ls probes/local.mk probes/*/local.mk)
	contains src/cmd-probe.c "^	\{\"$option\", 0, OPT_FLAG," "back end $option: its option"
	contains docs/perfgate.1 "^\.It Fl -$option\$" "back end $option: an item in perfgate(1)"
	contains tests/cmd-probe.sh "perfgate-probe-$option" "back end $option: a test"
done
done_testing
