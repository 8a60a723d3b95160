# perfgate --trace FILE COMMAND: a trace of perfgate's own stages.
. "${srcdir:-.}/tests/lib.sh"

need python3
need git

# names FILE: the file is a valid trace, and these are its spans.
names()
{
	python3 "$srcdir/tests/trace/check.py" "$1" >checked || return
	sed -n 's/^[0-9]* X "\(.*\)"$/\1/p' checked
}

git init -q
cp "$srcdir/examples/kpi-before.json" kpi.json
git add kpi.json && commit before
ok "ingest" "$PERFGATE" --trace t.json ingest kpi.json
contains "$out" '^kpi.json: ' "its output is what it is without"
ok "a valid trace" names t.json
for stage in ingest 'find documents' 'read a document' git 'open the store' 'write to the store'; do
	contains "$out" "^$stage\$" "its stage: $stage"
done
contains t.json '"process_name","args":\{"name":"perfgate"' "the process has its name"

cp "$srcdir/examples/kpi-after.json" kpi.json
git add kpi.json && commit after
ok "--trace=FILE" "$PERFGATE" --trace=t.json ingest kpi.json
is_status 1 "$PERFGATE" --trace g.json gate HEAD~1
contains "$out" '^FAIL  2 regressed' "the gate says what it says without"
ok "a valid trace of the gate" names g.json
for stage in gate 'find the base' 'look for measured commits' judge report; do
	contains "$out" "^$stage\$" "its stage: $stage"
done
ok "ingest reads it" "$PERFGATE" ingest g.json
contains "$out" '^g.json: trace' "as a trace"
lacks "$err" '(fault|skip|drop|overlap|unended|stray|lack)' "in which nothing is odd"
ok "commands within commands" "$PERFGATE" --trace s.json store info
names s.json >got
contains got '^info$' "are stages too"

ok "measure" "$PERFGATE" --trace m.json measure --pairs 2 HEAD HEAD~1 -- true
names m.json >got
contains got '^run what is measured$' "its runs are stages, of this process alone"

# ---- what goes wrong ----

is_status 2 "$PERFGATE" --trace no/such/folder/t.json gate
contains "$err" "^perfgate: cannot write the trace 'no/such/folder/t.json': No such file" "a file that cannot be made"
if [ -c /dev/full ]; then
	is_status 2 "$PERFGATE" --trace /dev/full formats
	contains "$err" "No space left" "a file that cannot be written"
	is "" "$(cat "$out")" "and nothing is done"
else
	skip "a file that cannot be written" "there is no /dev/full"
fi
echo mine >other
is_status 2 "$PERFGATE" --trace other formats
contains "$err" "^perfgate: 'other' is there and is no trace" "a file that is no trace"
is mine "$(cat other)" "which stays as it is"
for words in --trace '--trace x.json' --trace= '--trace= formats'; do
	is_status 2 "$PERFGATE" $words
	contains "$err" 'perfgate --trace FILE COMMAND' "$words: what is missing"
done
ok "nothing was made" test ! -e x.json
is_status 2 "$PERFGATE" --traces x.json formats
is_status 2 "$PERFGATE" --trace e.json no-such-command
ok "an error leaves a valid trace" python3 "$srcdir/tests/trace/check.py" e.json
done_testing
