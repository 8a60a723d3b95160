# What the steps share. All that they are told comes from the environment; perfgate-ci(7) lists it.
# Names of branches are anybody's: they are compared, handed to git, and never made part of a command.
set -eu
umask 022

steps=$(cd "${steps:-$(dirname "$0")}" && pwd)
measured=${PERFGATE_MEASURED:-perfgate-measured}
reports=${PERFGATE_REPORTS:-perfgate-report}
target=${PERFGATE_TARGET:-${GITHUB_BASE_REF:-${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-${CHANGE_TARGET-}}}}

say()
{
	printf 'perfgate: %s\n' "$(printf '%s' "$*" | tr '[:cntrl:]' ' ')"
}

die()
{
	say "$*" >&2
	exit 2
}

# A folder that goes away with the step.
make_scratch()
{
	scratch=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/perfgate-ci.XXXXXX")
	trap 'rm -rf "$scratch"' EXIT
	trap 'exit 2' HUP INT TERM
	store=$scratch/store.db
}

# A folder of the work tree; a change cannot have it point elsewhere.
make_folder()
{
	[ ! -L "$1" ] || die "$1 is a symbolic link; remove it"
	mkdir -p "$1"
}

# set_output NAME VALUE: an output of a step of GitHub Actions; VALUE is one line.
set_output()
{
	[ -z "${GITHUB_OUTPUT-}" ] || printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# The branch that was built; nothing for change requests, queues and tags.
branch()
{
	[ -z "$target" ] || return 0
	if [ -n "${GITHUB_ACTIONS-}" ]; then
		case ${GITHUB_EVENT_NAME-}:${GITHUB_REF-} in
		*:refs/heads/gh-readonly-queue/*) ;;
		push:refs/heads/* | schedule:refs/heads/* | workflow_dispatch:refs/heads/*)
			printf '%s' "${GITHUB_REF#refs/heads/}"
			;;
		esac
	elif [ -n "${GITLAB_CI-}" ]; then
		[ -n "${CI_MERGE_REQUEST_IID-}" ] || printf '%s' "${CI_COMMIT_BRANCH-}"
	elif [ -n "${JENKINS_URL-}" ]; then
		[ -n "${CHANGE_ID-}" ] || printf '%s' "${BRANCH_NAME-}"
	else
		printf '%s' "${PERFGATE_BRANCH-}"
	fi
}

# Whether what was measured on this branch goes to the record: it matches one of PERFGATE_BRANCHES.
is_recorded()
{
	[ -n "$1" ] || return 1
	set -f
	for pattern in ${PERFGATE_BRANCHES:-${CI_DEFAULT_BRANCH:-main}}; do
		case $1 in
		$pattern)
			set +f
			return 0
			;;
		esac
	done
	set +f
	return 1
}

# A merge request of another project, which GitLab runs there: its origin is not where it goes.
is_gitlab_fork()
{
	[ -n "${GITLAB_CI-}" ] && [ -n "${CI_MERGE_REQUEST_PROJECT_URL-}" ] &&
		[ "$CI_MERGE_REQUEST_PROJECT_URL" != "${CI_PROJECT_URL-}" ]
}

# What the record has, into the store.
fetch()
{
	from=${PERFGATE_REMOTE:-origin}
	! is_gitlab_fork || from=$CI_MERGE_REQUEST_PROJECT_URL.git
	perfgate store fetch --store "$store" "$from"
}

# push [OPTION...]: with a token of its own for the record, where the clone has none that may push.
push()
{
	to=${PERFGATE_REMOTE:-origin}
	if [ -n "${PERFGATE_PUSH_TOKEN-}" ]; then
		GIT_ASKPASS=$steps/askpass
		export GIT_ASKPASS PERFGATE_PUSH_TOKEN
		to=${PERFGATE_PUSH_URL:-${CI_PROJECT_URL:+$CI_PROJECT_URL.git}}
		to=${to:-${PERFGATE_REMOTE:-origin}}
	fi
	perfgate store push --store "$store" "$@" "$to"
}
