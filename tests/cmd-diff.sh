# perfgate diff: commits, documents, the work tree.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# diff STATUS NAME ARG...: as gate of repo.sh
diff_()
{
	expected=$1
	test_name=$2
	shift 2
	rm -f "$report"
	run "$PERFGATE" diff --report text --report "json:$report" "$@"
	status=$?
	if [ $status -eq "$expected" ]; then
		pass "$test_name"
	else
		fail "$test_name"
		echo "# exit status $status, expected $expected, of: diff $*"
		show_output
	fi
	[ -f "$report" ] || : >"$report"
}

### documents: no repository, no store

kpi parse allocs_per_op=100 , lex allocs_per_op=7 , old allocs_per_op=1 >old.json
kpi parse allocs_per_op=103 , lex allocs_per_op=7 , new allocs_per_op=1 >new.json
diff_ 0 "two documents" old.json new.json
contains "$out" '^old\.json -> new\.json: 1 worse, 0 better, 1 same, 1 missing, 1 new$' "two documents: the first line"
contains "$out" '^regressed +parse +allocs_per_op +100 +103 +\+3\.0 %' "two documents: what got worse"
is missing "$(verdict old allocs_per_op)" "two documents: missing"
is new "$(verdict new allocs_per_op)" "two documents: new"
is null "$(base sha)" "two documents: no commit"
contains "$report" '"command": "diff", "exit": 0' "the exit status in the report"
is "new.json old.json" "$(echo *)" "nothing was made"
diff_ 1 "--exit-code" --exit-code old.json new.json
contains "$out" '^FAIL' "--exit-code: the first line is the gate's"
contains "$report" '"exit": 1' "--exit-code: in the report"
diff_ 0 "the same document twice, --exit-code" --exit-code new.json new.json
diff_ 3 "missing alone, --exit-code" --exit-code --only '^(lex|old)$' old.json new.json
diff_ 0 "the other way" new.json old.json
contains "$out" '^new\.json -> old\.json: 0 worse, 1 better' "the other way: better"
diff_ 0 "standard input" old.json - <new.json
is regressed "$(verdict parse allocs_per_op)" "standard input"
mkdir folder && cp old.json folder && echo text >folder/notes
diff_ 0 "a folder" folder new.json
is regressed "$(verdict parse allocs_per_op)" "a folder"
diff_ 0 "a folder's file with its folder" ./old.json ./new.json
printf '[rule "lenient"]\ntolerance = 80%%\n' >perfgate.conf
diff_ 0 "perfgate.conf of the folder" --exit-code --only '^(parse|lex)$' old.json new.json
contains "$report" '"policy": "perfgate.conf"' "perfgate.conf of the folder is used and named"
rm perfgate.conf

# samples of one name and commit are one group, over files too; each commit of a document counts
kpi parse allocs_per_op=100 , parse allocs_per_op=104 >old.json
cp old.json folder/old.json
kpi parse allocs_per_op=106 >folder/more.json
diff_ 0 "a folder of two documents of one format" folder new.json
contains "$report" '"parse", "metric": "allocs_per_op".*"base": \{[^}]*"n": 3, "median": 104\}' "their samples are pooled"

# other runners, which the user said to compare
H='{"perfgate":"export","version":1}'
for side in a b; do
	{
		printf '%s\n{"run":{"commit":"%040d","runner":{"key":"runner-%s"},"suite":"kpi","format":"kpi"}}\n' "$H" 1 $side
		printf '{"benchmark":"parse","metric":"allocs_per_op","unit":"count","quantity":"count","direction":"lower","values":[5]}\n'
	} >$side.ndjson
done
diff_ 0 "documents of two runners" a.ndjson b.ndjson
is pass "$(verdict parse allocs_per_op)" "documents of two runners are compared"

### documents that cannot be read

echo '[{"schema_version":2,"name":"a"}]' >bad.json
diff_ 2 "a bad document" old.json bad.json
contains "$err" '^perfgate: bad\.json:1: element 1 .*schema_version 2' "a bad document: where and what"
diff_ 2 "a bad document first" bad.json old.json
diff_ 2 "no such file" old.json none.json
contains "$err" "'none.json' is neither a file nor a revision; no git repository here" "no such file"
diff_ 2 "one document, no repository" old.json
diff_ 2 "nothing, no repository"
contains "$err" '^perfgate: .' "nothing, no repository: a message"
diff_ 2 "three operands" old.json new.json old.json
diff_ 2 "no such format" --format nope old.json new.json
echo text >text
diff_ 2 "a document of no format" old.json text
diff_ 2 "the wrong format" --format clpeak old.json new.json
diff_ 2 "no such report" --report none old.json new.json

### commits

repository r
change one && one=$sha && measure 100
change two && two=$sha
change three && three=$sha && measure 104
diff_ 0 "two commits" HEAD~2 HEAD
is "$one" "$(base sha)" "two commits: the base"
is regressed "$(verdict parse allocs_per_op)" "two commits: worse"
diff_ 1 "two commits, --exit-code" --exit-code HEAD~2 HEAD
diff_ 0 "a commit without a run" HEAD~1
is "$one" "$(base sha)" "a commit without a run: the nearest first parent with one"
contains "$out" 'nearest first parent' "... and says so"
diff_ 0 "nothing named"
is "$one" "$(base sha)" "nothing named: the commit below HEAD that has a run"
diff_ 0 "HEAD"
is "$one" "$(base sha)" "HEAD alone, clean: never compared with itself"
diff_ 0 "the other way" HEAD HEAD~2
is "$three" "$(base sha)" "the other way: the base"
is improved "$(verdict parse allocs_per_op)" "the other way: better"
diff_ 0 "a head without a run" HEAD~2 HEAD~1
diff_ 3 "a head without a run, --exit-code" --exit-code HEAD~2 HEAD~1
diff_ 2 "an unknown revision" nowhere
contains "$err" "'nowhere' is neither a file nor a revision" "an unknown revision"
diff_ 2 "an unknown revision second" HEAD nowhere

### a document and a commit

kpi parse allocs_per_op=103 >../new.json
diff_ 0 "a commit and a document" HEAD~2 ../new.json
is regressed "$(verdict parse allocs_per_op)" "a commit and a document"
is "$one" "$(base sha)" "a commit and a document: the base"
diff_ 0 "a document and a commit" ../new.json HEAD~2
is improved "$(verdict parse allocs_per_op)" "a document and a commit"
contains "$out" '^\.\./new\.json -> ' "a document and a commit: the first line"
diff_ 0 "a document and HEAD, which has a run" HEAD ../new.json
is "$three" "$(base sha)" "HEAD itself is the base of a document"
diff_ 0 "one document" ../new.json
is "$three" "$(base sha)" "one document is compared with HEAD"
cp ../new.json main
diff_ 2 "a name that is both" main
contains "$err" 'both a revision and a file; write \./main' "a name that is both"
diff_ 0 "the file of that name" HEAD~2 ./main
is regressed "$(verdict parse allocs_per_op)" "the file of that name"
rm main

### the work tree

echo more >>file
diff_ 0 "changes that were not measured" HEAD
contains "$out" 'run the benchmarks' "changes that were not measured: what to do"
measure 108
diff_ 0 "changes" HEAD
is "$three" "$(base sha)" "changes against HEAD"
is regressed "$(verdict parse allocs_per_op)" "changes against HEAD"
contains "$out" 'work tree as it is now' "... and says so"
diff_ 0 "changes against what is named by default"
is "$three" "$(base sha)" "changes against HEAD by default"
diff_ 0 "the commit, not the changes" HEAD~2 HEAD
contains "$report" '"median": 104' "HEAD named as NEW is the commit, not the changes"
diff_ 0 "changes against an older commit" HEAD~2
contains "$report" '"median": 108' "one commit: the work tree is what is compared"

### options

git checkout -q file
diff_ 0 "--suite" --suite trace HEAD~2
is "" "$(verdict parse allocs_per_op)" "--suite narrows"
diff_ 2 "--only that matches nothing" --only '^x' HEAD~2
diff_ 0 "--all" --all HEAD~2
diff_ 1 "--strict, --exit-code" --strict --exit-code HEAD~2
diff_ 2 "--store of no file" --store "$tmp/none.db" HEAD~2
contains "$err" "$tmp/none.db" "--store of no file: named"
diff_ 0 "documents need no store" --store "$tmp/none.db" ../new.json ../new.json
printf '# callgrind format\nversion: 1\nevents: Ir\nsummary: 5000\ntotals: 5000\n' >../a.out
diff_ 0 "--name" --name prog ../a.out ../a.out
is pass "$(verdict prog Ir)" "--name names a benchmark that has no name"
printf '{"traceEvents":[{"ph":"X","name":"f","ts":1,"dur":2,"pid":1,"tid":1},' >../cut.json
diff_ 2 "a trace that was cut off" ../cut.json ../cut.json
diff_ 0 "--allow-truncated" --allow-truncated ../cut.json ../cut.json
if command -v jq >/dev/null; then
	ok "JSON" sh -c '"$0" diff --report json HEAD~2 | jq -e ".command == \"diff\" and .exit == 0 and .summary.regressed == 1"' "$PERFGATE"
else
	skip "JSON" "jq is not installed"
fi
printf '[{"schema_version":1,"name":"a","git_sha":"%s","allocs_per_op":1},\n' "$(printf '%040d' 1)" >both.json
printf '{"schema_version":1,"name":"a","git_sha":"%s","allocs_per_op":9}]\n' "$(printf '%040d' 2)" >>both.json
diff_ 2 "a document of two commits" both.json both.json
contains "$err" 'several commits' "a document of two commits is no side of a comparison"

done_testing
