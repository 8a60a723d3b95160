# What ci/ holds for CI systems: each file is parsed, and its steps run as the system would run them,
# with its variables, in real repositories. ci-run.py stands for the system.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

need python3
need make
need jq
need bash
python3 -c 'import yaml' 2>/dev/null || skip_all "python3 has no yaml"

# ... and nothing is left of the machines.
mkdir "$tmp/machines" && export TMPDIR="$tmp/machines"

# A name that git takes for a branch, and that a shell must not see.
evil='x;$(touch${IFS}$HOME/pwned)`touch${IFS}$HOME/pwned`|touch${IFS}$HOME/pwned;'\'\''""&'

# ---- the repository OWNER/perfgate, with a source that builds at once ----

action=$tmp/action
mkdir "$action" && cp -R "$srcdir/ci" "$srcdir/.github" "$action" && chmod -R u+w "$action" || exit 99
mkdir "$action/src" "$action/ingest" "$action/gate" "$action/site" "$action/sql" || exit 99
touch "$action/configure.ac" "$action/Makefile.am"
export REAL_PERFGATE="$PERFGATE" COMMENTS="$tmp/comments" ACCEPTED="$tmp/accepted"
"$PERFGATE" help comment >/dev/null 2>&1 && : >"$ACCEPTED"
cat >"$action/src/perfgate" <<'WRAPPER'
#!/bin/sh
case $1 in
comment)
	echo "token=${GITHUB_TOKEN-}${GITLAB_TOKEN-} $*" >>"$COMMENTS"
	[ ! -f "$ACCEPTED" ] || { "$REAL_PERFGATE" "$@" --dry-run >/dev/null 2>>"$ACCEPTED.err"; echo "$? $*" >>"$ACCEPTED"; }
	exit ${COMMENT_STATUS:-0}
	;;
esac
exec "$REAL_PERFGATE" "$@"
WRAPPER
cat >"$action/quickstart" <<'QUICKSTART'
#!/bin/sh
echo "built by quickstart"
cd "$(dirname "$0")" && mkdir -p build || exit
printf 'install:\n\tmkdir -p $(prefix)/bin\n\tcp ../src/perfgate $(prefix)/bin\n' >build/Makefile
QUICKSTART
chmod +x "$action/src/perfgate" "$action/quickstart"

### form

for script in "$srcdir"/ci/steps/* "$srcdir/ci/perfgate.sh" "$srcdir/ci/nightly.sh"; do
	ok "sh -n ${script##*/}" sh -n "$script"
	if command -v shellcheck >/dev/null; then
		ok "shellcheck ${script##*/}" shellcheck -s sh -S warning -e SC1091,SC2034,SC2115,SC2154,SC2254 "$script"
	else
		skip "shellcheck ${script##*/}" "shellcheck is not installed"
	fi
	contains "$srcdir/ci/local.mk" " ci/(steps/)?${script##*/}( |\$)" "ci/local.mk installs ${script##*/}"
	variables=$(grep -ohE 'PERFGATE_[A-Z_]+' "$script" | sort -u)
	missing=
	for variable in $variables; do
		grep -q "$variable" "$srcdir/docs/perfgate-ci.7" || missing="$missing $variable"
	done
	is "" "$missing" "perfgate-ci.7 has the variables of ${script##*/}"
done

ci_run()
{
	python3 "$srcdir/tests/ci-run.py" "$@"
}

version=$("$PERFGATE" --version | sed -n '1s/^perfgate //p')
for file in ci/github/action.yml ci/github/comment.yml .github/workflows/perfgate.yml; do
	ok "$file: its shell" ci_run shell "$srcdir/$file"
	tr '\000' '\n' <"$out" >lines
	lacks lines '\$\{\{' "$file: no expression is part of a line of shell"
done
grep -ohE 'OWNER/perfgate/[^ ]*@[^ ]*' "$srcdir/README.md" "$srcdir/docs/perfgate-ci.7" "$srcdir"/ci/github/*.yml \
	"$srcdir/.github/workflows/perfgate.yml" | sed 's/.*@//' | sort -u >refs
echo "v$version" >expected
same expected refs "all name the version that this is"
cat >rights.py <<'PYTHON'
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))["jobs"]["measure"]
sys.exit(job["permissions"] != {"contents": "read"} or job["steps"][0]["with"]["persist-credentials"] is not False)
PYTHON
ok "what runs the project's code may read only, and keeps no credentials" python3 rights.py "$srcdir/.github/workflows/perfgate.yml"
ok "the Jenkinsfile is balanced" ci_run jenkins "$srcdir/ci/Jenkinsfile"

# What the README shows is what runs.
"$TEST_AWK" '/^```/ { open = $0 == "```yaml"; n += open; next } open { print > ("readme." n ".yml") }' "$srcdir/README.md"
cp readme.1.yml "$tmp/performance.yml"
cp readme.2.yml "$tmp/gitlab.yml"
contains "$tmp/performance.yml" 'uses: OWNER/perfgate/' "the README has a workflow"
contains "$tmp/gitlab.yml" 'include:' "the README has a pipeline"

# ---- a project ----

remote=$work/remote.git
git init -q --bare "$remote"
git -C "$remote" config uploadpack.allowAnySHA1InWant true
repository project
git remote add origin "file://$remote"
cat >Makefile <<'MAKEFILE'
.PHONY: bench
bench:
	@sh ./bench
MAKEFILE
cat >bench <<'BENCH'
set -e
. ./settings
[ "$broken" = no ] || { echo "the benchmark crashed"; exit 7; }
out=${PERFGATE_OUT:-results}
mkdir -p "$out"
echo "[{\"schema_version\":1,\"name\":\"${1:-parse}\",\"allocs_per_op\":$allocs}]" >"$out/kpi.json"
BENCH
conf '[gate]' 'expect = kpi'
git add Makefile bench perfgate.conf

# version ALLOCS [BROKEN]: a commit whose benchmark makes so many allocations
version()
{
	printf 'allocs=%s\nbroken=%s\n# %s\n' "$1" "${2:-no}" "$clock" >settings
	git add settings && commit "makes $1"
}

# merge_of BASE TOPIC: the commit that the system makes to try a change request; $sha
merge_of()
{
	git checkout -q --detach "$1"
	clock=$((clock + 60))
	GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" \
		git merge -q --no-ff -X theirs -m "merge" "$2" || exit 99
	sha=$(git rev-parse HEAD)
}

recorded()
{
	git -C "$remote" ls-tree -r --name-only perfgate-data 2>/dev/null | grep -c '^data/'
}

# ---- GitHub ----

state=$tmp/github
mkdir "$state"
run_id=100

# started NAME=VALUE...: what starts a workflow; see ci-run.py. "head" and "fork" are of the pull request.
started()
{
	run_id=$((run_id + 1))
	python3 - "$state/run.json" "$action" "file://$remote" "$run_id" "$@" <<'PYTHON'
import json, sys
path, action, clone, run_id, *given = sys.argv[1:]
run = {"action": action, "clone": clone, "run_id": int(run_id), "token": "write", "event": {"repository": {"default_branch": "main"}}}
for one in given:
    key, _, value = one.partition("=")
    if key == "head":
        run["event"]["pull_request"] = {"head": {"sha": value}}
    elif key in ("event", "env"):
        run.setdefault(key, {}).update(json.loads(value))
    else:
        run[key] = value
json.dump(run, open(path, "w"))
PYTHON
}

# results NAME WANTED...: the lines that a run prints
results()
{
	test_name=$1
	shift
	printf '%s\n' "$@" >"$tmp/wanted"
	if [ "$run_status" -eq 0 ] && cmp -s "$tmp/wanted" "$out"; then
		pass "$test_name"
		return
	fi
	fail "$test_name"
	diff -u "$tmp/wanted" "$out" | comment
	show_output
	for log in "$state"/jobs/*/log; do
		echo "# $log"
		tail -n 30 "$log" | comment
	done
}

workflow()
{
	rm -rf "$state/jobs"
	run ci_run github "${1:-$tmp/performance.yml}" "$state"
}

gate_log()
{
	echo "$state/jobs/performance-gate-0/log"
}

verdict_of()
{
	echo "$state/artifacts/$run_id/perfgate-verdict/verdict.json"
}

# The base branch: its first commit, and one more.
version 100
git push -q origin HEAD
: >"$COMMENTS"
started event_name=push ref=refs/heads/main sha="$sha"
workflow
results "the first push to main" "performance-measure success" "performance-gate success" "performance success" "workflow success"
is 1 "$(recorded)" "... goes to the record"
contains "$state/jobs/performance-measure-0/log" '^built by quickstart' "perfgate was built"
contains "$state/jobs/performance-gate-0/summary" 'no base|no-base' "there is a summary"
ok "there is a report as JSON" jq -e '.exit == 0' "$(verdict_of)"
ok "... and others" test -s "$state/artifacts/$run_id/perfgate-verdict/junit.xml" -a -s "$state/artifacts/$run_id/perfgate-verdict/metrics.txt"
version 101 && git push -q origin HEAD
main=$sha
started event_name=push ref=refs/heads/main sha="$sha"
workflow
results "a push that is within the tolerance" "performance-measure success" "performance-gate success" "performance success" "workflow success"
is 2 "$(recorded)" "... goes to the record"
lacks "$state/jobs/performance-measure-0/log" '^built by quickstart' "perfgate came out of the cache"
contains "$(gate_log)" '^built by quickstart' "... but not where the record is written: measured code could have changed it"
same /dev/null "$COMMENTS" "pushes are not commented"

# Pull requests.
git checkout -q -b topic && version 150
topic=$sha
merge_of main topic
git push -q origin topic "$sha:refs/pull/1/merge"
started event_name=pull_request ref=refs/pull/1/merge sha="$sha" base_ref=main head_ref=topic head="$topic"
workflow
results "a pull request with a regression" "performance-measure success" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" '^##\[endgroup\]1$' "... is the gate's status 1"
contains "$(gate_log)" '^::error .*parse' "... has annotations"
contains "$state/jobs/performance-gate-0/summary" 'parse' "... has a summary"
ok "... and a verdict" jq -e '.exit == 1' "$(verdict_of)"
is "$main" "$(jq -r .base.sha "$(verdict_of)")" "... against the merge's first parent"
is 2 "$(recorded)" "... and is not recorded"
contains "$COMMENTS" "^token=ghs_write comment --from perfgate-report/verdict.json --head $topic\$" "it is commented, by the head's SHA"
export COMMENT_STATUS=2
git checkout -q --detach main && version 101 && fine=$sha && merge_of main "$fine" && git push -q origin "$sha:refs/pull/5/merge"
started event_name=pull_request ref=refs/pull/5/merge sha="$sha" base_ref=main head="$fine"
workflow
results "a comment that fails is no failure" "performance-measure success" "performance-gate success" "performance success" "workflow success"
unset COMMENT_STATUS

# A fork: a token that may only read, and a branch of any name.
git checkout -q --detach main && version 160 && fork=$sha
merge_of main "$fork" && git push -q origin "$sha:refs/pull/2/merge"
: >"$COMMENTS"
started event_name=pull_request ref=refs/pull/2/merge sha="$sha" base_ref=main head_ref="$evil" head="$fork" token=read
workflow
results "a pull request from a fork" "performance-measure success" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" '^##\[endgroup\]1$' "... is judged"
is 2 "$(recorded)" "... and not recorded"
ok "its verdict is kept" test -s "$(verdict_of)"
of_fork=$run_id

# comment.yml follows it.
follow()
{
	started event_name=workflow_run ref=refs/heads/main sha="$main" \
		event="{\"workflow_run\": {\"id\": $1, \"event\": \"$2\", \"head_sha\": \"$3\", \"head_branch\": \"x;touch pwned\", \"head_repository\": {\"full_name\": \"$4\"}}}"
	: >"$COMMENTS"
	workflow "$srcdir/ci/github/comment.yml"
}

follow "$of_fork" pull_request "$fork" somebody/project
results "comment.yml follows the fork's run" "comment success" "workflow success"
contains "$COMMENTS" "^token=ghs_write comment --from $state/jobs/comment-0/temp/perfgate-verdict/verdict.json --head $fork\$" "... and comments"
is "" "$(ls "$state/jobs/comment-0/workspace")" "... with nothing checked out"
follow "$of_fork" pull_request "$fork" owner/project
results "comment.yml leaves pull requests of the repository alone" "comment skipped" "workflow success"
follow "$of_fork" push "$fork" somebody/project
results "... and pushes" "comment skipped" "workflow success"
follow 999 pull_request "$fork" somebody/project
results "a run without a verdict is not commented" "comment success" "workflow success"
same /dev/null "$COMMENTS" "... indeed"
follow "$of_fork" pull_request '$(touch pwned)' somebody/project
results "a head that is no SHA is refused" "comment failure" "workflow failure"
same /dev/null "$COMMENTS" "... before anything is sent"
mkdir -p "$state/artifacts/77/perfgate-verdict" && ln -s /etc/passwd "$state/artifacts/77/perfgate-verdict/verdict.json"
cp -P "$state/artifacts/77/perfgate-verdict/verdict.json" link
is "perfgate: there is no verdict to comment" "$(cd "$state/artifacts/77" && PERFGATE_REPORTS=perfgate-verdict PERFGATE_HEAD_SHA=$fork "$action/ci/steps/comment")" \
	"a verdict that is a link is none"
rm -f link

# A target branch of any name.
git branch "$evil" main && git push -q origin "refs/heads/$evil"
merge_of main "$fork" && git push -q origin "$sha:refs/pull/3/merge"
for token in read write; do
	started event_name=pull_request ref=refs/pull/3/merge sha="$sha" base_ref="$evil" head_ref="$evil" head="$fork" token=$token
	sed 's/pull_request:/pull_request: {}/' "$tmp/performance.yml" >any.yml
	workflow any.yml
	results "a pull request to a branch with a hostile name, token: $token" "performance-measure success" "performance-gate failure" \
		"performance failure" "workflow failure"
	contains "$(gate_log)" '^##\[endgroup\]1$' "... is judged"
done
started event_name=push ref="refs/heads/$evil" sha="$main"
sed '/push:/s/:.*/:/' "$tmp/performance.yml" >any.yml
workflow any.yml
results "a push to it" "performance-measure success" "performance-gate success" "performance success" "workflow success"
is 2 "$(recorded)" "... which is not the default branch, is not recorded"

# The queue.
merge_of main "$fine" && git push -q origin "$sha:refs/heads/gh-readonly-queue/main/pr-5-$main"
: >"$COMMENTS"
started event_name=merge_group ref="refs/heads/gh-readonly-queue/main/pr-5-$main" sha="$sha"
workflow
results "the merge queue is gated" "performance-measure success" "performance-gate success" "performance success" "workflow success"
is "$main" "$(jq -r .base.sha "$(verdict_of)")" "... against what is on main"
is 2 "$(recorded)" "... and not recorded"
same /dev/null "$COMMENTS" "... nor commented"
merge_of main topic && git push -q origin "$sha:refs/heads/gh-readonly-queue/main/pr-1-$main"
started event_name=merge_group ref="refs/heads/gh-readonly-queue/main/pr-1-$main" sha="$sha"
workflow
results "the queue stops a regression" "performance-measure success" "performance-gate failure" "performance failure" "workflow failure"

# What crashes is not green.
git checkout -q --detach main && version 100 yes && crash=$sha && git push -q origin "$sha:refs/pull/6/merge"
: >"$COMMENTS"
started event_name=pull_request ref=refs/pull/6/merge sha="$crash" base_ref=main head="$crash"
workflow
results "a benchmark that crashes" "performance-measure failure" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" '^##\[endgroup\]3$' "... is the gate's status 3"
contains "$(gate_log)" '^::error title=perfgate::the measuring job measure-0 failed with status 2$' "... which says so"
git checkout -q --detach main && git rm -q --cached perfgate.conf && rm perfgate.conf && version 100 yes && git push -q origin "$sha:refs/pull/7/merge"
started event_name=pull_request ref=refs/pull/7/merge sha="$sha" base_ref=main head="$sha"
workflow
results "... without a policy as well" "performance-measure failure" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" '^##\[endgroup\]3$' "... with status 3"
git checkout -q --force main

# A matrix.
legs()
{
	sed "s|^      command: make bench|&\n      jobs: '$1'|" "$tmp/performance.yml" >legs.yml
}

version 100 && git push -q origin HEAD
main=$sha
legs '[{"name": "one", "command": "sh ./bench"}, {"name": "two", "command": "sh ./bench two"}]'
started event_name=pull_request ref=refs/pull/5/merge sha="$fine" base_ref=main head="$fine"
workflow legs.yml
results "two legs of a matrix" "performance-measure success" "performance-gate success" "performance success" "workflow success"
is "parse pass, two new" "$(jq -r '[.verdicts[] | "\(.benchmark) \(.verdict)"] | sort | join(", ")' "$(verdict_of)")" "... are judged together"
legs '[{"name": "one"}, {"name": "two", "dies": true}]'
: >"$COMMENTS"
started event_name=pull_request ref=refs/pull/5/merge sha="$fine" base_ref=main head="$fine"
workflow legs.yml
results "a leg whose machine is gone" "performance-measure failure" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" 'a measuring job did not succeed' "... is noticed"
contains "$(gate_log)" '^##\[endgroup\]3$' "... with status 3"
contains "$(gate_log)" '^PASS' "... though the gate passed what is there"
ok "a pass of a part is no verdict" test ! -e "$(verdict_of)"
ok "... in no report" test ! -e "$state/artifacts/$run_id/perfgate-verdict/junit.xml"
same /dev/null "$COMMENTS" "... and not commented"
legs '[{"name": "one"}, {"name": "two", "command": "exit 3"}]'
started event_name=pull_request ref=refs/pull/5/merge sha="$fine" base_ref=main head="$fine"
workflow legs.yml
results "a leg that fails" "performance-measure failure" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" 'the measuring job measure-1 failed with status 3' "... is named"

# Both sides in turns.
sed 's|^      command: .*|      command: sh ./bench\n      pairs: 2|; /results:/d' "$tmp/performance.yml" >pairs.yml
started event_name=pull_request ref=refs/pull/1/merge sha="$(git -C "$remote" rev-parse refs/pull/1/merge)" base_ref=main head="$topic"
workflow pairs.yml
results "pairs" "performance-measure success" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" '^##\[endgroup\]1$' "... are judged"
is 2 "$(grep -c 'measured 2 times' "$state/jobs/performance-measure-0/log")" "... two of each side"
merge_of main "$fork" && git push -q origin "+$sha:refs/pull/3/merge"
started event_name=pull_request ref=refs/pull/3/merge sha="$sha" base_ref="$evil" head="$fork"
sed 's/pull_request:/pull_request: {}/' pairs.yml >any.yml
workflow any.yml
results "pairs of a branch with a hostile name" "performance-measure success" "performance-gate failure" "performance failure" "workflow failure"
is 2 "$(grep -c 'measured 2 times' "$state/jobs/performance-measure-0/log")" "... are measured"
git checkout -q --detach main && conf '[gate]' 'base = main' && commit timed && timed=$sha
merge_of main "$timed" && git push -q origin "$sha:refs/pull/8/merge"
sed 's|command: sh ./bench|command: exec true|' pairs.yml >any.yml
started event_name=pull_request ref=refs/pull/8/merge sha="$sha" base_ref=main head="$timed"
workflow any.yml
results "pairs of a command that writes nothing" "performance-measure success" "performance-gate success" "performance success" "workflow success"
is "pairs" "$(jq -r '.verdicts[] | select(.metric == "wall_ns") | .proof.method' "$(verdict_of)")" "... reach the gate as pairs"
git checkout -q main
before=$(recorded)
started event_name=push ref=refs/heads/main sha="$main"
workflow pairs.yml
results "pairs of a push" "performance-measure success" "performance-gate success" "performance success" "workflow success"
is $((before + 1)) "$(recorded)" "... go to the record"

# What is measured may leave anything beside it.
evil_bench='sh ./bench; perfgate store fetch --store w.db; perfgate store drop --store w.db --suite kpi; mkdir -p perfgate-measured/x; perfgate store snapshot --store w.db perfgate-measured/x/store.db; echo 0 >perfgate-measured/x/status'
sed "s|^      command: .*|      command: '$evil_bench'|" "$tmp/performance.yml" >any.yml
runs_recorded()
{
	rm -rf "$tmp/look.db" && "$PERFGATE" store fetch --store "$tmp/look.db" >"$out" 2>"$err" &&
		"$PERFGATE" store export --store "$tmp/look.db" | grep -c '^{"run"'
}
before=$(runs_recorded)
version 100 && git push -q origin HEAD
main=$sha
started event_name=push ref=refs/heads/main sha="$main"
workflow any.yml
results "a push whose benchmark drops all that is recorded" "performance-measure success" "performance-gate success" "performance success" "workflow success"
contains "$state/jobs/performance-measure-0/log" '^dropped' "... there"
is $((before + 1)) "$(runs_recorded)" "... but not in the record"

# In one job, after a step of one's own.
cat >single.yml <<'YAML'
name: performance
on: [push]
jobs:
  all:
    runs-on: ubuntu-24.04
    permissions: { contents: write, pull-requests: write }
    steps:
      - uses: actions/checkout@v4
        with: { fetch-depth: 0 }
      - run: make bench
      - uses: OWNER/perfgate/ci/github@v0.1.0
        with: { results: results/ }
YAML
sed 's/on: \[push\]/on: { push: , pull_request: }/' single.yml >any.yml
started event_name=push ref=refs/heads/main sha="$main"
workflow any.yml
results "all in one job" "all success" "workflow success"
started event_name=pull_request ref=refs/pull/1/merge sha="$(git -C "$remote" rev-parse refs/pull/1/merge)" base_ref=main head="$topic"
workflow any.yml
results "... which fails with the gate" "all failure" "workflow failure"

# The record cannot be written, or read.
started event_name=push ref=refs/heads/main sha="$main" token=read
before=$(recorded)
git checkout -q main && version 100 && git push -q origin HEAD
started event_name=push ref=refs/heads/main sha="$sha" token=read
workflow
results "a record that cannot be written" "performance-measure success" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" '^##\[endgroup\]2$' "... is status 2"
contains "$(gate_log)" '^perfgate: the record could not be written$' "... and said"
is "$before" "$(recorded)" "... indeed"
git -C "$remote" branch -q -m perfgate-data kept && git -C "$remote" branch perfgate-data main
started event_name=pull_request ref=refs/pull/5/merge sha="$fine" base_ref=main head="$fine"
workflow
results "a record that is none" "performance-measure success" "performance-gate failure" "performance failure" "workflow failure"
contains "$(gate_log)" '^perfgate: the record could not be read$' "... is said"
git -C "$remote" branch -q -M kept perfgate-data
sed 's/contents: write/contents: read/' "$tmp/performance.yml" >any.yml
workflow any.yml
is 70 "$run_status" "a call that gives too few rights is noticed here"

# ---- GitLab ----

mkdir "$tmp/gitlab"
state=$tmp/gitlab
git clone -q "file://$action" "$tmp/source" 2>/dev/null
git -C "$action" init -q . && git -C "$action" add -A && git -C "$action" commit -q -m source && git -C "$action" tag "v$version"

# pipeline SHA MAY-PUSH NAME=VALUE...: with these variables
pipeline()
{
	python3 - "$state/run.json" "$action" "file://$remote" "$@" <<'PYTHON'
import json, sys
path, action, clone, sha, may_push, *given = sys.argv[1:]
env = {"CI_PROJECT_URL": clone[:-4], "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_SHA": sha, "CI_JOB_STAGE": "test"}
env.update(one.split("=", 1) for one in given)
json.dump({"action": action, "clone": clone, "checkout": sha, "may_push": may_push == "yes", "env": env,
           "project_variables": {"PERFGATE_SOURCE": "file://" + action}}, open(path, "w"))
PYTHON
	rm -rf "$state/jobs" "$state/artifacts"
	: >"$COMMENTS"
	run ci_run gitlab "$tmp/gitlab.yml" "$state"
}

before=$(recorded)
pipeline "$sha" yes CI_PIPELINE_SOURCE=push CI_COMMIT_BRANCH=main
results "GitLab: a push to main" "bench 0" "gate 0"
is $((before + 1)) "$(recorded)" "... is recorded"
contains "$state/jobs/bench/log" '^built by quickstart' "perfgate was built from PERFGATE_SOURCE"
ok "there are reports" test -s "$state/artifacts/gate/perfgate-report/junit.xml" -a -s "$state/artifacts/gate/perfgate-report/metrics.txt"
before=$(recorded)
pipeline "$topic" no CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=1 CI_MERGE_REQUEST_EVENT_TYPE=detached \
	CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main CI_MERGE_REQUEST_DIFF_BASE_SHA="$(git merge-base main topic)" GITLAB_TOKEN=glpat
results "GitLab: a merge request with a regression" "bench 0" "gate 1"
contains "$COMMENTS" "^token=glpat comment --from perfgate-report/verdict.json --head $topic\$" "... is commented"
is "$before" "$(recorded)" "... and not recorded"
merged=$(git -C "$remote" rev-parse refs/pull/1/merge)
pipeline "$merged" no CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=1 CI_MERGE_REQUEST_EVENT_TYPE=merged_result \
	CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main CI_MERGE_REQUEST_DIFF_BASE_SHA="$(git merge-base main topic)" \
	CI_MERGE_REQUEST_SOURCE_BRANCH_SHA="$topic" CI_MERGE_REQUEST_TITLE='$(touch $HOME/pwned)'
results "GitLab: a merged result" "bench 0" "gate 1"
contains "$COMMENTS" "head $topic\$" "... is commented by the source branch's head"
pipeline "$crash" no CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=2 CI_MERGE_REQUEST_EVENT_TYPE=detached \
	CI_MERGE_REQUEST_TARGET_BRANCH_NAME="$evil" CI_MERGE_REQUEST_DIFF_BASE_SHA="$(git rev-parse "$crash~1")"
results "GitLab: a benchmark that crashes" "bench 2" "gate 3"
contains "$state/jobs/gate/log" 'the measuring job bench failed with status 2' "... is named"
pipeline "$topic" no CI_PIPELINE_SOURCE=push CI_COMMIT_BRANCH=topic
results "GitLab: pushes to other branches are not the templates'" "bench skipped" "gate skipped"

# A fork's own project: the record and the base are where the request goes.
git clone -q --bare "file://$remote" "$work/fork.git" 2>/dev/null
git -C "$work/fork.git" config uploadpack.allowAnySHA1InWant true
git -C "$work/fork.git" branch -q -D perfgate-data main
git -C "$work/fork.git" update-ref refs/heads/main "$(git rev-list --max-parents=0 main)"
remote_kept=$remote remote=$work/fork.git
pipeline "$topic" no CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=1 CI_MERGE_REQUEST_EVENT_TYPE=detached \
	CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main CI_MERGE_REQUEST_DIFF_BASE_SHA="$(git merge-base main topic)" \
	CI_MERGE_REQUEST_PROJECT_URL="file://${remote_kept%.git}"
results "GitLab: a merge request of a fork" "bench 0" "gate 1"
is "$(git merge-base main topic)" "$(jq -r .base.sha "$state/artifacts/gate/perfgate-report/verdict.json")" "... against what it goes to"
remote=$remote_kept

printf 'protocol=https\nhost=git.example\n\n' |
	GIT_ASKPASS=$srcdir/ci/steps/askpass PERFGATE_PUSH_TOKEN=glpat-1 git -c credential.helper= credential fill >"$tmp/filled" 2>&1
contains "$tmp/filled" '^password=glpat-1$' "git gets a push token from the environment"
before=$(recorded)
version 100 && git push -q origin HEAD
pipeline "$sha" no CI_PIPELINE_SOURCE=push CI_COMMIT_BRANCH=main PERFGATE_PUSH_TOKEN=glpat-1
results "GitLab: a token of its own for the record" "bench 0" "gate 0"
is $((before + 1)) "$(recorded)" "... pushes to the project's URL, whatever origin allows"

# ---- Jenkins, and any shell ----

PATH=$tmp/bin:$PATH
mkdir "$tmp/bin" && cp "$action/src/perfgate" "$tmp/bin/perfgate"

# machine NAME SHA [OTHER]: a workspace as Jenkins makes it; or a clone for plain shell
machine()
{
	rm -rf "$work/$1" && git clone -q "file://$remote" "$work/$1" && cd "$work/$1" && git fetch -q origin "$2" && git checkout -q "$2" || exit 99
}

# jenkins SHA NAME=VALUE...: the lines of the Jenkinsfile, in order; prints the status of each
jenkins()
{
	machine jenkins "$1" >/dev/null 2>&1
	jenkins_sha=$1
	shift
	ci_run jenkins "$srcdir/ci/Jenkinsfile" | tr '\000' '\n' >"$tmp/lines"
	while read -r line; do
		if [ "$line" = 'rm -rf perfgate-measured' ] && [ -d perfgate-measured ]; then
			# stashed, and unstashed after the line
			cp -R perfgate-measured "$tmp/stash"
		fi
		env PERFGATE_CI="$srcdir/ci" PERFGATE_BRANCHES=main PERFGATE_COMMAND='make bench' PERFGATE_RESULTS=results/ PERFGATE_NAME=amd64 \
			JENKINS_URL=http://ci/ BUILD_TAG=b-1 GIT_COMMIT="$jenkins_sha" "$@" sh -xe -c "$line" >>"$tmp/jenkins.log" 2>&1 </dev/null
		printf '%s ' $?
		[ ! -d "$tmp/stash" ] || mv "$tmp/stash" perfgate-measured
	done <"$tmp/lines"
	cd "$work/project" || exit 99
}

version 100 && git push -q origin HEAD
before=$(recorded)
is "0 0 0 0 " "$(jenkins "$sha" BRANCH_NAME=main)" "Jenkins: a push to main"
is $((before + 1)) "$(recorded)" "... is recorded"
is "0 0 0 1 " "$(jenkins "$topic" BRANCH_NAME=PR-1 CHANGE_ID=1 CHANGE_TARGET=main CHANGE_BRANCH="$evil")" "Jenkins: a regression"
is "0 2 0 3 " "$(jenkins "$crash" BRANCH_NAME=PR-2 CHANGE_ID=2 CHANGE_TARGET=main CHANGE_TITLE="$evil")" "Jenkins: a crash"
is $((before + 1)) "$(recorded)" "... neither is recorded"

# shell SHA NAME=VALUE...: perfgate.sh in a clone
shell()
{
	shell_sha=$1
	shift
	machine shell "$shell_sha" >/dev/null 2>&1
	run env PERFGATE_COMMAND='make bench' PERFGATE_RESULTS=results/ "$@" sh "$srcdir/ci/perfgate.sh"
	cd "$work/project" || exit 99
}

version 100 && git push -q origin HEAD
before=$(recorded)
shell "$sha" PERFGATE_BRANCH=main
is "0 $((before + 1))" "$run_status $(recorded)" "shell: a push to main is recorded"
shell "$sha" PERFGATE_BRANCH=mainline PERFGATE_BRANCHES='release/* main'
is "0 $((before + 1))" "$run_status $(recorded)" "shell: another branch is not"
shell "$topic" PERFGATE_TARGET=main PERFGATE_COMMENT=no
is 1 "$run_status" "shell: a regression"
contains "$out" 'FAIL  1 regressed' "... is shown"
contains "$out" 'perfgate accept --reason' "... with what to type"
lacks "$out" '--store' "... where the step's store is no more"
shell "$crash" PERFGATE_TARGET=main PERFGATE_COMMENT=no
is 3 "$run_status" "shell: a crash"
contains "$err" 'the measuring job benchmarks failed with status 2' "... is named"
shell "$sha" PERFGATE_TARGET="--version" PERFGATE_COMMENT=no
is 2 "$run_status" "shell: a target that looks like an option is a branch"
contains "$err" "[^-]--version" "... which is not there"
shell "$sha" PERFGATE_BRANCH=main PERFGATE_RESULTS=
is 3 "$run_status" "shell: no results"
contains "$err" 'PERFGATE_RESULTS has to name' "... is explained"
shell "$sha" PERFGATE_BRANCH=main PERFGATE_COMMAND=true
contains "$err" 'results/: No such file' "shell: results that are not there"
is 3 "$run_status" "... are status 3"

# A change cannot have the steps write elsewhere.
machine shell "$sha" >/dev/null 2>&1
mkdir "$tmp/elsewhere" && ln -s "$tmp/elsewhere" perfgate-measured && ln -s "$tmp/elsewhere" perfgate-report
is_status 2 env PERFGATE_COMMAND='make bench' PERFGATE_RESULTS=results/ "$srcdir/ci/steps/measure"
contains "$err" 'is a symbolic link' "... for a folder that is a link"
is_status 2 "$srcdir/ci/steps/gate"
is "" "$(ls "$tmp/elsewhere")" "nothing was written where it points to"
rm perfgate-measured perfgate-report

# What other jobs left may be anything.
mkdir -p perfgate-measured/a perfgate-measured/b "perfgate-measured/c;\$(touch pwned)"
echo 0 >perfgate-measured/a/status && echo "no store" >perfgate-measured/a/store.db
printf '0;touch %s/pwned' "$HOME" >perfgate-measured/b/status
ln -s /etc/passwd "$(echo perfgate-measured/c*)/store.db" && echo 0 >"$(echo perfgate-measured/c*)/status"
run env PERFGATE_TARGET=main PERFGATE_COMMENT=no "$srcdir/ci/steps/gate"
is 3 "$run_status" "artifacts that are rubbish are not green"
contains "$err" 'what the measuring job a left is not readable' "... each is named"
contains "$err" 'the measuring job b left nothing' "... each is named"
contains "$err" 'the measuring job c---touch-pwned- left nothing' "... each is named"
cd "$work" || exit 99

# ---- perfgate itself ----

is "$tmp/bin" "$("$srcdir/ci/steps/install" 2>/dev/null)" "install: the perfgate in PATH"
mkdir "$tmp/broken" && printf '#!/bin/sh\nexit 127\n' >"$tmp/broken/perfgate" && chmod +x "$tmp/broken/perfgate"
is "$tmp/prefix/bin" "$(PATH=$tmp/broken:$PATH PERFGATE_PREFIX=$tmp/prefix "$action/ci/steps/install" 2>/dev/null)" "install: one that does not start is built again"
ok "... which works" "$tmp/prefix/bin/perfgate" --version
PATH=${PATH#*:}
mkdir -p "$tmp/installed" && cp -R "$srcdir/ci" "$tmp/installed/share" && chmod -R u+w "$tmp/installed"
if ! command -v perfgate >/dev/null; then
	is_status 2 env PERFGATE_PREFIX="$tmp/none" "$tmp/installed/share/steps/install"
	contains "$err" 'no perfgate in PATH, and no source of it' "install: says what is lacking"
fi
if [ -f "$ACCEPTED" ]; then
	ok "perfgate comment was asked" test "$(wc -l <"$ACCEPTED")" -gt 10
	lacks "$ACCEPTED" '^[^0]' "... and took every verdict for one of the head that it was given"
	comment <"$ACCEPTED.err"
else
	skip "perfgate comment takes the verdicts" "this build has no comment"
fi
is "" "$(find "$tmp" -type f -name pwned)" "no name has run anything"
done_testing
