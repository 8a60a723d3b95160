# The documentation says what the program does. docs/HACKING.md describes the conventions.
. "${srcdir:-.}/tests/lib.sh"

manual=$srcdir/docs/perfgate.1
formats=$srcdir/docs/perfgate-formats.7
readme=$srcdir/README.md
PATH=$tmp/bin:$PATH
mkdir "$tmp/bin" && ln -s "$PERFGATE" "$tmp/bin/perfgate" || exit 99

# ---- commands and options ----

# Names of commands in the program, subcommands with their parent.
commands()
{
	perfgate help | sed -n '/^usage/,/^In a/s/^  \([a-z][a-z-]*\) .*/\1/p' | while read -r name; do
		echo "$name"
		perfgate help "$name" | sed -n "/^commands:/,\$s/^  \\([a-z][a-z-]*\\) .*/$name \\1/p"
	done
}

# The options that a command's help lists, each letter and name on a line of its own.
options_of()
{
	perfgate $1 -h | sed -n '/^options:/,$p' | grep -E '^  -' | "$TEST_AWK" '{
		for (i = 1; i <= NF && $i ~ /^-/; i++) { sub(/,$/, "", $i); print $i } }' |
		grep -vxE -e '-h|--help' | sort -u
}

section()
{
	sed -n "/^\\.Ss $1\$/,/^\\.S[hs] /p" "$manual"
}

# Those of the items of a section: ".It Fl c , Fl -commit Ar rev".
documented()
{
	section "$1" | "$TEST_AWK" '/^\.It Fl / {
		for (i = 2; i < NF; i++) if ($i == "Fl") print "-" $(i + 1) }' | sort -u
}

commands >list
ok "the program has commands" test "$(wc -l <list)" -gt 10
sed -n '/^\.Sh COMMANDS/,/^\.Sh VERDICTS/s/^\.Ss //p' "$manual" >sections
sort list >a && sort sections >b
same a b "perfgate.1 has a section for each command, and no other"
while read -r command; do
	options_of "$command" >a
	documented "$command" >b
	same a b "perfgate.1: the options of $command"
done <list

# ---- formats and reports ----

sed -n '/^\.Sh FORMATS/,/^\.Sh THE REPORT/s/^\.Ss //p' "$formats" >b
perfgate formats --json | sed -n 's/.*{"name": "\([^"]*\)".*/\1/p' >a
ok "the program has formats" test -s a
same a b "perfgate-formats.7 has a section for each format, in the program's order"
sed 's/.*/^| & |/' a >patterns
is "$(wc -l <a)" "$(grep -c -f patterns "$readme")" "README.md lists each format"
perfgate gate --report nothing >"$out" 2>"$err"
sed -n 's/.*there are //p' "$err" | tr -d ' ' | tr ',' '\n' >a
ok "the program has report formats" test -s a
sed -n '/^\.Sh REPORTS/,/^\.Sh /s/^\.It Cm //p' "$manual" >b
same a b "perfgate.1: REPORTS has an item for each report format"
sed -n 's/^static const char \*const names\[VERDICT_COUNT\].*//; s/.*\[VERDICT_[A-Z_]*\] = "\([a-z-]*\)",$/\1/p' \
	"$srcdir/gate/verdict.c" | sort >a
sed -n '/^\.Sh VERDICTS/,/^\.Sh /s/^\.It Cm //p' "$manual" | sort >b
same a b "perfgate.1: VERDICTS has an item for each verdict"

# Built-in rules: every metric that one names stands in the table, literally or as a family.
sed -n '/^const struct builtin builtin_rules/,/^};/p' "$srcdir/gate/policy-rules.c" |
	grep -oE '"(allocs|bytes|tokens|goroutines|cache|wall|rss|iterations|sample|timestamp)[a-z_*]*"' | tr -d '"' | sort -u >a
missing=
while read -r metric; do
	grep -qF "$metric" "$srcdir/docs/perfgate.conf.5" || missing="$missing $metric"
done <a
is "" "$missing" "perfgate.conf.5: the kpi metrics of the built-in rules"
sed -n 's/.*\[ATTR_[A-Z_]*\] = {"\([a-z-]*\)", parse_.*/\1/p; s/.*{"\(gate\|ingest\|measure\)", "\([a-z-]*\)", parse_.*/\2/p
	s/^	{[A-Z_|() ]*, "\([a-z-]*\)", parse_.*/\1/p; s/.*\[FIELD_[A-Z]*\] = "\([a-z]*\)",.*/\1/p' "$srcdir"/gate/policy-*.c | sort -u >a
sed -n 's/^\.It Cm \([a-z-]*\) = .*/\1/p' "$srcdir/docs/perfgate.conf.5" | sort -u >b
same a b "perfgate.conf.5: an item for each key"
sed -n 's/^	{"\([a-z]*\)", parse_[a-z]*},$/\1/p' "$srcdir/gate/policy-parse.c" | sort >a
ok "the policy has sections" test "$(wc -l <a)" -gt 5
sed -n 's/^\.Sh \[\([a-z]*\).*/\1/p' "$srcdir/docs/perfgate.conf.5" | sort -u >b
same a b "perfgate.conf.5: a heading for each section"
sed -n 's/^	{"\([^"\\]*\)", [a-z_]*, {.*/\1/p' "$srcdir/gate/unit.c" | sort >a
ok "the policy has units" test "$(wc -l <a)" -gt 40
sed -n '/^\.Sh UNITS/,/^\.El/s/^\.It \(.*\) Ta .*/\1/p' "$srcdir/docs/perfgate.conf.5" | tr -d ' ' | tr , '\n' | grep -v '\\' | sort >b
same a b "perfgate.conf.5: each unit"

# ---- form ----

for page in "$srcdir"/docs/*.[1-9]; do
	name=${page##*/}
	if command -v mandoc >/dev/null; then
		ok "mandoc finds no fault with $name" mandoc -T lint -W warning "$page"
	else
		skip "mandoc finds no fault with $name" "mandoc is not installed"
	fi
	contains "$srcdir/docs/local.mk" "^	docs/$name( |\$)" "docs/local.mk installs $name"
done

# ---- command lines ----

# A branch with one measured commit below it, and the documents of its own commit in results/.
scratch()
{
	rm -rf "$work/scratch" && mkdir "$work/scratch" && cd "$work/scratch" && git init -q . || exit 99
	mkdir results
	cp "$srcdir/examples/kpi-before.json" results/kpi.json
	cp "$srcdir/examples/callgrind-before.out" results/callgrind.out.parse
	cp "$srcdir/examples/kpi-before.json" old.json
	cp "$srcdir/examples/kpi-after.json" new.json
	printf 'all:\n' >Makefile
	git add Makefile
	commit "parse the configuration"
	perfgate ingest results >"$out" 2>"$err" || fail "the first commit of the scratch repository"
	git checkout -q -b careful
	commit "parse it with more care"
	cp "$srcdir/examples/kpi-after.json" results/kpi.json
	cp "$srcdir/examples/callgrind-after.out" results/callgrind.out.parse
}

# Without what differs from machine to machine.
normal()
{
	sed -E 's/\b[0-9a-f]{40}\b/SHA/g; s/\b[0-9a-f]{7}\b/SHA/g; s/[[:space:]]+$//'
}

# run_lines NAME: standard input has "$ COMMAND" lines, and under a command what it prints, if shown.
run_lines()
{
	doc=$1
	command=
	: >"$tmp/shown"
	while IFS= read -r line; do
		case $line in
		'$ '*)
			run_one
			command=${line#??}
			: >"$tmp/shown"
			;;
		*)
			printf '%s\n' "$line" >>"$tmp/shown"
			;;
		esac
	done
	run_one
}

run_one()
{
	[ -n "$command" ] || return
	wanted=$(printf '%s\n' "$command" | sed -n 's/.*# exit status \([0-9]*\)$/\1/p')
	run sh -c "$command" </dev/null
	status=$?
	if [ $status -ne "${wanted:-0}" ]; then
		fail "$doc: $command"
		echo "# exit status $status"
		show_output
	elif [ -s "$tmp/shown" ]; then
		normal <"$tmp/shown" >"$tmp/a"
		normal <"$out" >"$tmp/b"
		same "$tmp/a" "$tmp/b" "$doc: $command"
	else
		pass "$doc: $command"
	fi
}

# Fenced blocks of README.md: "sh run" holds commands, "console" commands behind "$ " and output.
"$TEST_AWK" '
	/^```/ { kind = kind == "" ? substr($0, 4) : ""; if (kind == "") kind = ""; next }
	kind == "sh run" && NF { print "$ " $0 }
	kind == "console" { print }
' "$readme" >"$tmp/readme-lines"
scratch
ok "README.md has command lines" grep -q '^\$ perfgate gate' "$tmp/readme-lines"
run_lines README.md <"$tmp/readme-lines"

"$TEST_AWK" '
	/^\.Sh / { inside = $2 == "EXAMPLES" }
	inside && /^\$ / { print }
' "$manual" >"$tmp/manual-lines"
scratch
ok "perfgate.1 has command lines" test "$(wc -l <"$tmp/manual-lines")" -gt 10
run_lines perfgate.1 <"$tmp/manual-lines"

# ---- policies and documents ----

# displays FILE SECTION PREFIX: writes the displays of a section to PREFIX1, PREFIX2, ...
displays()
{
	"$TEST_AWK" -v section="$2" -v prefix="$3" '
		/^\.S[hs] / { inside = substr($0, 5) == section }
		inside && /^\.Bd / { n++; open = 1; next }
		/^\.Ed/ { open = 0 }
		open { print > (prefix n) }
	' "$1"
}

displays "$srcdir/docs/perfgate.conf.5" EXAMPLES "$tmp/policy."
"$TEST_AWK" '/^```/ { open = $0 == "```ini"; next } open { print }' "$readme" >"$tmp/policy.readme"
for file in "$tmp"/policy.*; do
	cp "$file" perfgate.conf
	ok "a policy that is shown is one: $(head -n 1 "$file") (${file##*.})" perfgate policy
done
rm -f perfgate.conf
ok "there are policies" test -f "$tmp/policy.3"

displays "$formats" perfgate "$tmp/export."
for file in "$tmp"/export.*; do
	ok "an export that is shown can be read (${file##*.})" perfgate ingest --format perfgate --dry-run "$file"
done
contains "$out" 'perfgate, 1 series, 1 sample, commit 0123456789ab, runner lab-3' "... as what it says"
done_testing
