# The CI systems: what their variables say, and what is made of it.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# on NAME=VALUE... -- COMMAND...: the command with these variables alone
on()
{
	set_variables=
	while [ "$1" != -- ]; do
		set_variables="$set_variables $1"
		shift
	done
	shift
	run env $set_variables "$@"
}

# says_env NAME PATTERN VARIABLE...: `perfgate env` prints a line that matches
says_env()
{
	test_name=$1
	pattern=$2
	shift 2
	on "$@" -- "$PERFGATE" env
	contains "$out" "$pattern" "$test_name"
}

# main: A B, topic: A T1; merged: a merge of topic into B, detached
repository r
change A && a=$sha && measure 100
git checkout -q -b topic
change T1 && topic=$sha && measure 150
git checkout -q main
change B && b=$sha && measure 200
git checkout -q --detach
GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" git merge -q -s ours -m merge topic
merge=$(git rev-parse HEAD) && measure 206
git branch -q other "$a"

# judged NAME BASE ASKED VARIABLE...: gate without operands takes BASE, which it was asked for as
# ASKED
judged()
{
	test_name=$1
	expected=$2
	asked=$3
	shift 3
	rm -f "$report"
	on "$@" -- "$PERFGATE" gate --report "json:$report" --report text
	is "$expected" "$(base sha)" "$test_name: the base"
	contains "$report" "\"asked\": $asked" "$test_name: what was asked for"
}

### no system, and one that is not known

judged "no CI system" "$b" null CI=true GITHUB_BASE_REF=other
judged "a system that is not known" "$b" null CI=true NEW_CI=1 CI_TARGET=other
judged "an empty marker" "$b" null GITHUB_ACTIONS= GITHUB_BASE_REF=other

### each system: target branch, branch, session

# A merge that the system made: the base is its first parent, whatever main is now.
git branch -q -f main "$a"
judged "GitHub, pull request" "$b" '"main"' GITHUB_ACTIONS=true GITHUB_SHA="$merge" GITHUB_REF=refs/pull/3/merge \
	GITHUB_BASE_REF=main
contains "$out" 'merge that github made' "GitHub, pull request: why"
is "$topic" "$(report_field '^ "head": ' merged)" "... and the commit that was merged is named"
judged "GitHub, merge queue" "$b" '"main"' GITHUB_ACTIONS=true GITHUB_SHA="$merge" \
	GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-3-0123456789abcdef
judged "GitHub, merge queue of a branch with a slash" "$b" '"release/2"' GITHUB_ACTIONS=true GITHUB_SHA="$merge" \
	GITHUB_REF=refs/heads/gh-readonly-queue/release/2/pr-3-0123456789abcdef
judged "GitLab, merged result" "$b" '"main"' GITLAB_CI=true CI_COMMIT_SHA="$merge" \
	CI_MERGE_REQUEST_EVENT_TYPE=merged_result CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
judged "GitLab, merge train" "$b" '"main"' GITLAB_CI=true CI_COMMIT_SHA="$merge" \
	CI_MERGE_REQUEST_EVENT_TYPE=merge_train CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
judged "Azure, pull request" "$b" '"main"' TF_BUILD=True BUILD_SOURCEVERSION="$merge" \
	BUILD_SOURCEBRANCH=refs/pull/3/merge SYSTEM_PULLREQUEST_TARGETBRANCH=refs/heads/main
judged "Travis, pull request" "$b" '"main"' TRAVIS=true TRAVIS_COMMIT="$merge" TRAVIS_PULL_REQUEST=3 TRAVIS_BRANCH=main

# A branch as it is: the merge base with the target.
git branch -q -f main "$b" && git checkout -q topic
judged "GitHub, the head of a pull request" "$a" '"main"' GITHUB_ACTIONS=true GITHUB_SHA="$topic" \
	GITHUB_REF=refs/pull/3/head GITHUB_BASE_REF=main
contains "$report" '"merged": null' "... which is no merge"
judged "GitHub, a pull request's head checked out instead of its merge" "$a" '"main"' GITHUB_ACTIONS=true \
	GITHUB_SHA="$merge" GITHUB_REF=refs/pull/3/merge GITHUB_BASE_REF=main
judged "GitLab, detached merge request" "$a" '"main"' GITLAB_CI=true CI_COMMIT_SHA="$topic" \
	CI_MERGE_REQUEST_EVENT_TYPE=detached CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
judged "Jenkins" "$a" '"main"' JENKINS_URL=http://ci/ GIT_COMMIT="$topic" BRANCH_NAME=PR-3 CHANGE_TARGET=main
judged "Buildkite" "$a" '"main"' BUILDKITE=true BUILDKITE_COMMIT="$topic" BUILDKITE_BRANCH=topic \
	BUILDKITE_PULL_REQUEST_BASE_BRANCH=main
judged "Bitbucket" "$a" '"main"' BITBUCKET_BUILD_NUMBER=3 BITBUCKET_COMMIT="$topic" BITBUCKET_PR_DESTINATION_BRANCH=main
judged "Drone" "$a" '"main"' DRONE=true DRONE_COMMIT_SHA="$topic" DRONE_SOURCE_BRANCH=topic DRONE_TARGET_BRANCH=main
judged "Cirrus" "$a" '"main"' CIRRUS_CI=true CIRRUS_CHANGE_IN_REPO="$topic" CIRRUS_BASE_BRANCH=main
judged "CircleCI, which names no target" "$a" null CIRCLECI=true CIRCLE_SHA1="$topic" CIRCLE_BRANCH=topic
judged "Travis, a push" "$a" null TRAVIS=true TRAVIS_COMMIT="$topic" TRAVIS_PULL_REQUEST=false TRAVIS_BRANCH=topic
judged "GitHub, a push" "$a" null GITHUB_ACTIONS=true GITHUB_SHA="$topic" GITHUB_REF=refs/heads/topic GITHUB_REF_NAME=topic \
	GITHUB_BASE_REF=

# a target branch that was not fetched and that the store does not know
judged "a target that nobody knows" null '"gone"' GITHUB_ACTIONS=true GITHUB_SHA="$topic" GITHUB_REF=refs/pull/3/head \
	GITHUB_BASE_REF=gone
contains "$out" 'gone is not in this clone' "a target that nobody knows: why there is no base"

### the branch that is recorded

git checkout -q --detach
says_env "GitHub: branch" '"branch": "topic"' GITHUB_ACTIONS=true GITHUB_REF_NAME=topic
says_env "GitLab: branch" '"branch": "topic"' GITLAB_CI=true CI_COMMIT_BRANCH=topic
says_env "Jenkins: branch" '"branch": "topic"' JENKINS_URL=x BRANCH_NAME=topic
says_env "Buildkite: branch" '"branch": "topic"' BUILDKITE=true BUILDKITE_BRANCH=topic
says_env "CircleCI: branch" '"branch": "topic"' CIRCLECI=true CIRCLE_BRANCH=topic
says_env "Azure: branch, which may hold slashes" '"branch": "hotfix/main"' TF_BUILD=True BUILD_SOURCEBRANCH=refs/heads/hotfix/main BUILD_SOURCEBRANCHNAME=main
says_env "Bitbucket: branch" '"branch": "topic"' BITBUCKET_BUILD_NUMBER=1 BITBUCKET_BRANCH=topic
says_env "Travis: branch" '"branch": "topic"' TRAVIS=true TRAVIS_BRANCH=topic TRAVIS_PULL_REQUEST=false
says_env "Drone: branch" '"branch": "topic"' DRONE=true DRONE_SOURCE_BRANCH=topic
says_env "Cirrus: branch" '"branch": "topic"' CIRRUS_CI=true CIRRUS_BRANCH=topic
says_env "a branch that is not UTF-8" "\"branch\": \"x$(printf '\357\277\275')\"" GITLAB_CI=true CI_COMMIT_BRANCH="x$(printf '\377')"
says_env "a job that is not UTF-8" "\"session\": \"gitlab/x$(printf '\357\277\275')/" GITLAB_CI=true CI_JOB_ID="x$(printf '\377')"
kpi ci allocs_per_op=1 >ci.json
on GITHUB_ACTIONS=true GITHUB_SHA="$topic" GITHUB_REF_NAME=topic -- "$PERFGATE" ingest ci.json
run "$PERFGATE" log --json --limit 1
contains "$out" '"branch": "topic"' "ingest records the CI system's branch"
kpi ci allocs_per_op=2 >ci.json
on GITHUB_ACTIONS=true GITHUB_SHA="$topic" GITHUB_REF_NAME=topic -- "$PERFGATE" ingest --commit "$a" ci.json
run "$PERFGATE" log --json --limit 1
lacks "$out" '"branch": "topic"' "... but not for another commit"

### the session: a job and its attempt on one machine

says_env "GitHub: session" '"session": "github/77/2/bench/[0-9a-f]{8}"' GITHUB_ACTIONS=true GITHUB_RUN_ID=77 \
	GITHUB_RUN_ATTEMPT=2 GITHUB_JOB=bench
says_env "GitLab: session" '"session": "gitlab/77/' GITLAB_CI=true CI_JOB_ID=77
says_env "Jenkins: session" '"session": "jenkins/b-77/' JENKINS_URL=x BUILD_TAG=b-77
says_env "Buildkite: session" '"session": "buildkite/77/' BUILDKITE=true BUILDKITE_JOB_ID=77
says_env "CircleCI: session" '"session": "circleci/77/' CIRCLECI=true CIRCLE_WORKFLOW_JOB_ID=77
says_env "Azure: session" '"session": "azure/77/2/' TF_BUILD=True SYSTEM_JOBID=77 SYSTEM_JOBATTEMPT=2
says_env "Bitbucket: session" '"session": "bitbucket/77/' BITBUCKET_BUILD_NUMBER=1 BITBUCKET_STEP_UUID=77
says_env "Travis: session" '"session": "travis/77/' TRAVIS=true TRAVIS_JOB_ID=77
says_env "Drone: session" '"session": "drone/77/2/' DRONE=true DRONE_BUILD_NUMBER=77 DRONE_STEP_NUMBER=2
says_env "Cirrus: session" '"session": "cirrus/77/' CIRRUS_CI=true CIRRUS_TASK_ID=77
says_env "a job without a number" '"session": "boot/' GITLAB_CI=true
says_env "the system is a fact" '"ci":"gitlab"' GITLAB_CI=true
done_testing
