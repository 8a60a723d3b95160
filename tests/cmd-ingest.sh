# perfgate ingest: what is read, where it is stored, what is said.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

say()
{
	test_name=$1
	shift
	ok "$test_name" "$PERFGATE" ingest "$@"
}

refuse()
{
	test_name=$1
	shift
	run "$PERFGATE" ingest "$@"
	is 2 $? "$test_name: exit status"
}

# runs [SUITE]: how many the store holds
runs()
{
	"$PERFGATE" log --limit 0 --json | grep -c "\"suite\": \"${1:-}"
}

repository r
change one && one=$sha
H=$(echo "$one" | cut -c1-12)

### one line a document

kpi parse allocs_per_op=100 goroutines_end=0 >a.json
say "a document" a.json
contains "$out" "^a\.json: kpi, 2 series, 2 samples, commit $H, runner .+\$" "format, series, samples, commit and runner"
is 1 "$(wc -l <"$out" | tr -d ' ')" "one line"
is "" "$(cat "$err")" "nothing else is said"
say "the same again" a.json
contains "$out" ': already stored$' "the same run again is already stored"
is 1 "$(runs)" "and not stored twice"
printf '[\n\n{"goroutines_end": 0, "allocs_per_op":100,\n"name":"parse","schema_version":1}]' >same.json
say "the same content, written otherwise" same.json
contains "$out" ': already stored$' "the identity is that of the content"
i=0
while [ $i -lt 42 ]; do
	printf '{"benchmark":"p","metric":"t","direction":"lower","value":1,"commit":"%040d","runner":"r%d"}\n' $((i / 2)) $((i % 2))
	i=$((i + 1))
done >many.ndjson
say "many runs" --dry-run many.ndjson
contains "$out" '^many\.ndjson: samples, 42 runs of 21 commits, [0-9]+ series, 42 samples, 2 runners: checked, not stored$' "have one line"
rm many.ndjson
echo '[]' >empty.json
say "an empty array" empty.json
is "empty.json: kpi, no runs" "$(cat "$out")" "an empty array is a valid document of zero runs"
kpi parse rss_peak_bytes=0 allocs_per_op=1 >absent.json
say "a series without a number" absent.json
contains "$out" '^absent\.json: kpi, 1 series, 1 sample, 1 without a number, commit' "absences are counted"
kpi parse allocs_per_op=7 >b.json
say "standard input" - <b.json
contains "$out" '^(-|\(?<?standard input>?\)?|stdin): kpi, 1 series' "standard input"
say "--dry-run" --dry-run --runner x a.json
contains "$out" ': checked, not stored$' "--dry-run stores nothing"
is 3 "$(runs)" "--dry-run stored nothing"
"$PERFGATE" ingest --dry-run --store "$tmp/dry.db" a.json >/dev/null
ok "--dry-run makes no store" test ! -e "$tmp/dry.db"

### several

kpi parse allocs_per_op=8 >c.json
echo '[{"schema_version":2,"name":"x"}]' >bad.json
refuse "a bad document among good ones" b.json bad.json c.json
contains "$err" "^perfgate: bad\.json:1: element 1 \('x'\): schema_version 2" "a bad document among good ones is named"
contains "$out" '^c\.json: ' "the others are stored"
is 4 "$(runs)" "... all of them"
printf '[{"schema_version":1,"name":"ok","allocs_per_op":1},\n{"schema_version":1,"name":"x","allocs_per_op":-1}]' >half.json
refuse "a document with an error at its end" half.json
is 4 "$(runs)" "nothing of a document with an error is stored"
refuse "no such file" none.json
contains "$err" '^perfgate: none\.json: No such file' "no such file"
refuse "no operand"
contains "$err" 'too few arguments' "no operand"
refuse "an empty name" ""
: >nothing.json
refuse "an empty file" nothing.json
contains "$err" '^perfgate: nothing\.json: is empty' "an empty file"
echo '<html>' >page.json
refuse "a page instead of a document" page.json
contains "$err" "looks like XML or HTML; 'perfgate formats' lists" "a page instead of a document: what it looks like, what is read"
printf '\037\213\010' >zip.json
refuse "a compressed document" zip.json
contains "$err" 'gzip' "a compressed document: what to do"
refuse "no such format" --format nope a.json
contains "$err" "no format 'nope'; 'perfgate formats'" "no such format"
refuse "the wrong format" --format clpeak a.json
long=$(printf '%04097d' 0)
kpi "$long" allocs_per_op=1 >long.json
refuse "a name of more than 4 KiB" long.json
contains "$err" '^perfgate: long\.json:1: element 1 .*name of more than 4 KiB' "a name of more than 4 KiB: where"

### folders

mkdir -p results/deep results/.hidden
kpi parse allocs_per_op=11 >results/1.json
kpi parse allocs_per_op=12 >results/deep/2.json
kpi parse allocs_per_op=13 >results/.hidden/3.json
echo text >results/README
say "a folder" results/
contains "$out" '^results/1\.json: ' "a folder: its files"
contains "$out" '^results/deep/2\.json: ' "... and those below"
lacks "$out" 'hidden' "... but for hidden ones"
contains "$err" 'note: 1 file of no format that perfgate reads skipped' "... and those of no format are counted"
mkdir none && echo text >none/README
refuse "a folder without documents" none
contains "$err" '^perfgate: none: no document' "a folder without documents is an error"
touch -d '2026-01-01T00:00:00Z' results/1.json
touch -d '2026-01-03T00:00:00Z' results/deep/2.json results/README
say "--newer-than TIME" --runner t --newer-than 2026-01-02T00:00:00Z results
lacks "$out" '1\.json' "--newer-than TIME skips older files"
contains "$out" '2\.json' "--newer-than TIME takes newer ones"
contains "$err" '1 file skipped as not newer' "... and says so"
touch -d '2026-01-02T00:00:00Z' stamp
say "--newer-than FILE" --runner f --newer-than stamp results
lacks "$out" '1\.json' "--newer-than FILE skips older files"
refuse "--newer-than of neither" --newer-than nonsense results
contains "$err" '--newer-than' "--newer-than of neither"
refuse "nothing is newer" --newer-than 2026-02-01T00:00:00Z results

### which commit

change two && two=$sha
T=$(echo "$two" | cut -c1-12)
kpi parse allocs_per_op=20 sha="$one" >of-one.json
say "a document that names its commit" of-one.json
contains "$out" "commit $H, " "the document's commit"
contains "$err" "note: of-one\.json names commit $H, which is not HEAD \($T\)" "... and that HEAD is another is said"
kpi parse allocs_per_op=21 sha="" >no-sha.json
say "an empty git_sha" no-sha.json
contains "$out" "commit $T, " "an empty git_sha: HEAD"
say "--commit" --commit HEAD~1 no-sha.json
contains "$out" "commit $H, " "--commit goes before HEAD"
say "--commit and the document" --commit HEAD of-one.json
contains "$out" "commit $T, " "--commit goes before the document's"
contains "$err" "note: of-one\.json names commit $H; stored under $T as --commit says" "... and the difference is said"
say "--commit and the document, agreeing" --commit "$one" of-one.json
is "" "$(cat "$err")" "no difference, nothing said"
kpi parse allocs_per_op=22 sha="$(echo "$one" | cut -c1-7)" >short.json
say "a document with a short SHA" short.json
contains "$out" "commit $H, " "a short SHA that git knows"
kpi parse allocs_per_op=22 sha=ffffff >unknown.json
refuse "a short SHA that nobody knows" unknown.json
contains "$err" "'ffffff', which is neither in this repository nor a full SHA" "a short SHA that nobody knows"
foreign=00112233445566778899aabbccddeeff00112233
kpi parse allocs_per_op=23 sha=$foreign >foreign.json
say "a full SHA that git does not know" foreign.json
contains "$out" 'commit 001122334455, ' "a full SHA that git does not know is taken"
refuse "--commit of nothing" --commit nowhere a.json
contains "$err" "'nowhere'" "--commit of nothing"
kpi parse allocs_per_op=1 sha="$one" , parse allocs_per_op=2 sha="$two" , parse allocs_per_op=3 sha="$one" >two.json
say "a document of two commits" two.json
contains "$out" "^two\.json: kpi, 1 series, 2 samples, commit $H" "samples of one name and commit are one group"
contains "$out" "^two\.json: kpi, 1 series, 1 sample, commit $T" "... each commit a run"
is 1 "$(grep -c note "$err")" "... and a document is remarked on once"
kpi parse allocs_per_op=1 sample=0 , parse allocs_per_op=3 sample=0 >again.json
say "repeated sample numbers" again.json
contains "$out" '2 series, 4 samples' "repeated sample numbers are legal"
mkdir "$work/nowhere"
cp ./*.json "$work/nowhere" && cd "$work/nowhere"
refuse "no repository, no store" a.json
contains "$err" '--store FILE or PERFGATE_STORE' "no repository, no store: what to do"
refuse "no repository, no commit" --store "$tmp/n.db" a.json
contains "$err" '^perfgate: a\.json: for which commit\?.*--commit SHA' "no repository, no commit: what to do"
say "no repository, the document's commit" --store "$tmp/n.db" of-one.json
say "no repository, --commit" --store "$tmp/n.db" --commit "$two" a.json
GITHUB_ACTIONS=true GITHUB_SHA=$two say "no repository, the CI system's commit" --store "$tmp/n.db" b.json
contains "$out" "commit $T, " "no repository, the CI system's commit"
PERFGATE_STORE=$tmp/e.db say "PERFGATE_STORE" of-one.json
ok "PERFGATE_STORE is where it is" test -s "$tmp/e.db"
cd "$work/r"

### dirty

dirty()
{
	say "$1" --json --runner "$1" a.json
	contains "$out" "\"tree_state\": \"$2" "$1: $2"
}
rm -f a.json && kpi parse allocs_per_op=100 >../a.json && cp ../a.json a.json
dirty "untracked files" 'clean"'
echo more >>file
dirty "changes" 'dirty:[0-9a-f]{64}"'
first=$(sed -n 's/.*"tree_state": "\([^"]*\)".*/\1/p' "$out")
dirty "the same changes" 'dirty:'
is "$first" "$(sed -n 's/.*"tree_state": "\([^"]*\)".*/\1/p' "$out")" "the same changes have the same digest"
echo more >>file
dirty "other changes" 'dirty:'
ok "other changes have another digest" test "$first" != "$(sed -n 's/.*"tree_state": "\([^"]*\)".*/\1/p' "$out")"
git add file
dirty "staged changes" 'dirty:'
say "text" a.json
contains "$out" "commit $T \(changed\), " "the line says that there are changes"
say "--clean" --json --clean --runner c a.json
contains "$out" '"tree_state": "clean"' "--clean"
say "another commit" --json --commit HEAD~1 --runner o a.json
contains "$out" '"tree_state": "clean"' "a run of another commit than HEAD is clean"
say "--dirty of another commit" --json --dirty --commit HEAD~1 --runner d a.json
contains "$out" '"tree_state": "dirty' "--dirty"
refuse "--clean and --dirty" --clean --dirty a.json
contains "$err" '--clean and --dirty' "--clean and --dirty"
printf '[ingest]\n\tignore-dirty = fil* sub/**\n' >perfgate.conf
dirty "ignore-dirty" 'clean"'
printf '[ingest]\n\tignore-dirty = *.sum\n' >perfgate.conf
dirty "ignore-dirty of other files" 'dirty:'
printf '[ingest]\n\tignore-dirt = x\n' >perfgate.conf
refuse "a bad perfgate.conf" a.json
contains "$err" '^perfgate: perfgate\.conf:2: ' "a bad perfgate.conf"
rm perfgate.conf
git reset -q --hard

### runner, session, branch, component

say "--runner" --json --runner lab a.json
contains "$out" '"runner": "lab"' "--runner"
"$PERFGATE" env >"$tmp/env.json"
key=$(sed -n 's/.*"runner": {"key": "\(.*\)"},$/\1/p' "$tmp/env.json")
say "this machine" --json --dry-run a.json
contains "$out" "\"runner\": \"$(echo "$key" | sed 's/[()]/\\&/g')\"" "the runner is this machine"
kpi session allocs_per_op=1 >s.json
say "--session and --branch" --session night --branch topic s.json
run "$PERFGATE" log --json --limit 1
contains "$out" '"branch": "topic", "session": "night"' "--session and --branch"
kpi branch allocs_per_op=1 >s.json
say "the branch that is checked out" s.json
run "$PERFGATE" log --json --limit 1
contains "$out" '"branch": "main"' "the branch that is checked out"
kpi component allocs_per_op=1 >s.json
say "--component" --component services/auth s.json
ok "--component prefixes names" "$PERFGATE" show services/auth/component
run "$PERFGATE" log --json --limit 1
contains "$out" '"component": "services/auth"' "--component is kept"

### --env

say "--env" --env "$tmp/env.json" --json --dry-run a.json
contains "$out" "\"commit\": \"$two\"" "--env: its commit"
sed 's/"key": ".*"/"key": "measured there"/; s/"session": ".*"/"session": "there"/; s/"branch": ".*"/"branch": "theirs"/' \
	"$tmp/env.json" >"$tmp/env2.json"
kpi env allocs_per_op=1 >s.json
change three
say "--env of another machine" --env "$tmp/env2.json" s.json
run "$PERFGATE" log --json --limit 1
contains "$out" "\"commit\": \"$two\".*\"branch\": \"theirs\", \"session\": \"there\", \"runner\": \"measured there\"" "--env of another machine"
say "options before --env" --env "$tmp/env2.json" --runner mine --session here --branch ours --commit HEAD --json --dry-run s.json
contains "$out" "\"commit\": \"$sha\".*\"runner\": \"mine\"" "options go before --env"
say "--env -" --env - --json --dry-run s.json <"$tmp/env2.json"
contains "$out" '"runner": "measured there"' "--env from standard input"
refuse "--env of something else" --env a.json s.json
contains "$err" "a\.json: not what 'perfgate env' prints" "--env of something else"
refuse "--env of no file" --env "$tmp/none.json" s.json
refuse "--env that is no JSON" --env file s.json

for state in dirt '' clean: 'dirty:' "dirty:$(printf '%074d' 0)"; do
	sed 's/"tree_state": "[^"]*"/"tree_state": "'"$state"'"/' "$tmp/env.json" >"$tmp/state.json"
	refuse "--env with the state '$(echo "$state" | cut -c1-20)'" --env "$tmp/state.json" s.json
	contains "$err" "state\.json: 'tree_state' is '$state', expected clean or dirty:DIGEST" "... which is named"
done
sed 's/"tree_state": "[^"]*"/"tree_state": 1/' "$tmp/env.json" >"$tmp/state.json"
refuse "--env with a state of another type" --env "$tmp/state.json" s.json
sed 's/"tree_state": "[^"]*"/"tree_state": "dirty:0123"/' "$tmp/env.json" >"$tmp/state.json"
say "--env of a changed tree" --env "$tmp/state.json" --json --dry-run s.json
contains "$out" '"tree_state": "dirty:0123"' "--env of a changed tree"

### values of options

bad=$(printf 'x\377')
for option in runner session branch commit; do
	refuse "--$option that is not UTF-8" "--$option" "$bad" s.json
	contains "$err" "^perfgate: --$option is not UTF-8: 'x" "--$option that is not UTF-8"
done
for option in runner session branch commit env format name component newer-than store; do
	refuse "an empty --$option" "--$option" '' s.json
	contains "$err" "^perfgate: --$option needs a value, and it is empty\$" "an empty --$option"
done
refuse "an empty --runner=" --runner= s.json
refuse "an empty -r" -r '' s.json
git update-ref "refs/heads/$bad" HEAD && git symbolic-ref HEAD "refs/heads/$bad"
kpi odd allocs_per_op=1 >odd.json
say "a branch that is not UTF-8" odd.json
run "$PERFGATE" log --json --limit 1
contains "$out" "\"branch\": \"x$(printf '\357\277\275')\"" "a branch that is not UTF-8 is recorded as what is"
git symbolic-ref HEAD refs/heads/main

### documents that were left over

kpi left allocs_per_op=1 at=2026-03-01T10:00:00Z >left.json
say "a document with its time" left.json
is "" "$(cat "$err")" "a document with its time: nothing to say"
change left
say "at the next commit" left.json
contains "$err" "^perfgate: note: left\.json: the same content is stored under commit [0-9a-f]{12} too; was it left over.*--newer-than" "at the next commit it was left over"
say "the same again" left.json
is "" "$(cat "$err")" "the same again: nothing to say"
kpi left allocs_per_op=1 >left.json
say "without a time" left.json
change left
say "without a time, at the next commit" left.json
is "" "$(cat "$err")" "the same numbers without a time are no news"
kpi left allocs_per_op=1 at=2026-03-02T10:00:00Z >left.json && ingest left.json
kpi left allocs_per_op=1 at=2026-03-02T10:00:00Z sha="$one" >left.json
say "a document that names its commit" left.json
lacks "$err" 'left over' "a document that names its commit is no leftover"

### a history

"$PERFGATE" store export >"$tmp/history.json"
refuse "--component and a history" --component x --store "$tmp/h.db" "$tmp/history.json"
contains "$err" 'history\.json: --component cannot be given to a document of format perfgate' "--component and a history"
say "a history" --store "$tmp/h.db" "$tmp/history.json"
lacks "$err" 'left over' "a history is no leftover"

### JSON

say "--json" --json a.json b.json empty.json
if command -v jq >/dev/null; then
	ok "--json is JSON" sh -c '"$0" ingest --json a.json b.json empty.json | jq -e "length == 2 and .[0].document == \"a.json\" and .[0].format == \"kpi\" and .[0].suite == \"kpi\" and .[0].series == 1 and .[0].samples == 1 and .[0].absences == 0 and .[0].tree_state == \"clean\" and .[0].result == \"already stored\" and (.[0].digest | length) == 64"' "$PERFGATE"
	ok "--json of nothing is JSON" sh -c '"$0" ingest --json empty.json | jq -e "length == 0"' "$PERFGATE"
else
	skip "--json is JSON" "jq is not installed"
fi

### one repository a store

repository other
change other
refuse "the store of another repository" --store "$work/r/.git/perfgate/store.db" ../r/a.json
contains "$err" 'another repository.*--force' "the store of another repository: why, and what to do"
PERFGATE_STORE=$work/r/.git/perfgate/store.db refuse "... that PERFGATE_STORE names" ../r/a.json
say "--force" --force --store "$work/r/.git/perfgate/store.db" ../r/a.json
cp "$work/r/.git/perfgate/store.db" "$tmp/cut.db"
repository orphan
change first && first=$sha && measure 1
measure 1 --store "$tmp/orphan.db"
git checkout -q --orphan pages && change pages
for round in 1 2; do
	kpi parse allocs_per_op=$round >o.json
	say "an orphan branch, run $round" o.json
	say "an orphan branch, run $round, a store by its name" --store "$tmp/orphan.db" o.json
	change more
done
run "$PERFGATE" store info --store "$tmp/orphan.db"
contains "$out" "$(echo "$first" | cut -c1-12)" "the store keeps the first root it saw"
git init -q ../part && git -C ../part commit -q --allow-empty -m part
git fetch -q ../part main && git merge -q --allow-unrelated-histories -s ours -m part FETCH_HEAD
git checkout -q --detach FETCH_HEAD && change part
say "a tree that was merged in" --store "$tmp/orphan.db" o.json
printf 'not a database' >"$tmp/none.db"
refuse "a store that is none" --store "$tmp/none.db" ../r/a.json
is "not a database" "$(cat "$tmp/none.db")" "a file that is no store is left as it is"

### hostile names

cd "$work/r"
cp b.json "$(printf 'x\033[31m.json')"
say "a file name with an escape sequence" "$(printf 'x\033[31m.json')"
lacks "$out" "$(printf '\033')" "a file name cannot steer the terminal"
cp b.json ./--json
say "a file that looks like an option" -- --json
contains "$out" '^--json: kpi' "a file that looks like an option"

# CI systems take lines of the log for commands
repository forged
change one
kpi parse allocs_per_op=1 >'::error::x'
ok "a file whose name is a command" env GITHUB_ACTIONS=true "$PERFGATE" ingest '::error::x'
lacks "$out" '^ *::' "... is none in a CI system's log"
ok "elsewhere" "$PERFGATE" ingest '::error::x'
contains "$out" '^::error::x: kpi, ' "... and elsewhere it is shown as it is"
done_testing
