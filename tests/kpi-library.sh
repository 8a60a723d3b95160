# What a program that links libperfgate leaves in PERFGATE_OUT, and what ingest makes of it.
. "${srcdir:-.}/tests/lib.sh"

writer=$builddir/tests/kpi-writer
[ -x "$writer" ] || skip_all "libperfgate is not built here"

# A run of the writer with a fresh folder out/.
write()
{
	chmod u+w out 2>/dev/null
	rm -rf out && mkdir out
	run env PERFGATE_OUT=out "$writer" "$@"
	status=$?
}

files()
{
	ls -A out | wc -l | tr -d ' '
}

# The names in out/, one a line.
names()
{
	sed -n 's/^    "name": \(.*\),$/\1/p' out/*.json
}

is_names()
{
	names >got
	printf '%s\n' $1 >expected
	same expected got "$2"
}

# ---- ends ----

write return a b a
is 0 $status "a program that returns from main"
is_names '"a" "b" "a"' "has written what it recorded"
ls out >got
contains got '^kpi-kpi-writer-[0-9]+-[0-9]+\.json$' "into a file with its name"
write late a
is_names '"a" "late"' "what an exit handler records is written"
write chdir a
is 1 "$(files)" "a relative folder is meant from where the first result was recorded"
write abort a abort b
is_names '"a"' "abort() loses what was not flushed, and nothing else"
write kill a kill b
is_names '"a"' "so does SIGKILL"
write _exit a
is 0 "$(files)" "and _exit()"
write return
is 0 "$(files)" "a program that records nothing writes nothing"
write return return
echo '[]' >expected
same expected out/*.json "unless it flushes: an empty array"

# ---- folders ----

ok "without PERFGATE_OUT" env -u PERFGATE_OUT "$writer" return a
is "" "$(cat "$err")" "nothing is said"
run env PERFGATE_OUT=no-folder "$writer" return a b
contains "$err" '^perfgate: 2 results are lost: PERFGATE_OUT: No such file or directory$' "lost results are told"
run env "PERFGATE_OUT=$(printf 'a\033[31mb')" "$writer" return a
is "" "$(steering "$err")" "with nothing in it that steers a terminal"
: >a-file
run env PERFGATE_OUT=a-file "$writer" return a
contains "$err" 'lost: .*Not a directory' "a file is no folder"
rm -rf out && mkdir out && chmod a-w out
if [ -w out ]; then
	skip "a folder that takes no file" "this user may write everywhere"
else
	run env PERFGATE_OUT=out "$writer" return a
	contains "$err" 'lost: .*Permission denied' "a folder that takes no file"
fi
chmod u+w out
rm -f out/*
run sh -c '(trap "" XFSZ; ulimit -f 0; PERFGATE_OUT=out exec "$0" return a) 2>&1 | cat' "$writer"
contains "$out" 'lost: .*File too large' "a file that cannot be written"
is 0 "$(files)" "leaves nothing behind"

# ---- many processes ----

rm -rf out && mkdir out
for i in 1 2 3 4 5 6 7 8 9 10; do
	PERFGATE_OUT=out "$writer" return "name_$i" &
done
wait
is 10 "$(files)" "ten programs at once have ten files"
names | sort >got
printf '"name_%s"\n' 1 10 2 3 4 5 6 7 8 9 | sort >expected
same expected got "and no result is lost"
cp "$writer" './we;rd $(name)'
run env PERFGATE_OUT=out './we;rd $(name)' return a
is 11 "$(files)" "a program with an odd name"
ls out >got
lacks got '[^-A-Za-z0-9._]' "has a file with a name that no shell minds"

# ---- what ingest makes of it ----

git init -q .
commit first
write return 'a"\b' "$(printf 'c\001\033[31m')" "$(printf '\377é')" '<script>' a a
run env "PERFGATE_SHA=$sha" "$writer" return a
ok "ingest reads it" "$PERFGATE" ingest --store s.db out
contains "$out" ' 65 series, 78 samples' "all of it"
is "" "$(steering "$out")" "and shows nothing that steers a terminal"
ok "show finds a name" "$PERFGATE" show --store s.db --json a
contains "$out" '"a"' "as it was given"
rm -rf out && mkdir out
PERFGATE_OUT=out PERFGATE_SHA=$sha "$writer" return a
contains out/*.json "\"git_sha\": \"$sha\"" "PERFGATE_SHA is the git_sha"
is_status 98 env PERFGATE_OUT=out PERFGATE_SHA=HEAD "$writer" return a
mkdir left && echo '[' >left/.kpi-x-1-2.json.0.part
cp out/*.json left
ok "what a killed program left half is not read" "$PERFGATE" ingest --store s.db left
done_testing
