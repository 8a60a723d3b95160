#!/bin/sh
# The whole nightly job, in a clone of the base branch with all of its history:
#
#     PERFGATE_COMMAND='make bench' PERFGATE_RESULTS=results/ ci/nightly.sh
#
# It reads the record, probes the machine, runs the benchmarks, says what moved, writes the site into
# PERFGATE_SITE, and adds to the record; where PERFGATE_KEEP says how much to keep, older runs leave it.
# The exit status is 2 where something of that failed, though all that could be done is done; else 1
# when PERFGATE_FAIL_ON (suspect or step) is met; else 0. perfgate-ci(7) has the variables.
# The steps are those beside this file, in a copy of it the installed ones.
here=$(dirname "$0")
[ -d "$here/steps" ] || here=/usr/local/share/perfgate/ci
steps=${PERFGATE_CI:-$here}/steps
. "$steps/lib.sh"

site=${PERFGATE_SITE:-site}
trouble=

# try WHAT COMMAND...: a failure of one part is no reason to leave out the rest.
try()
{
	what=$1
	shift
	"$@" || went_wrong "$what"
}

went_wrong()
{
	trouble="${trouble:+$trouble; }$1"
	say "$1" >&2
}

# A night is a stay of its own, also on a machine that is never restarted.
name_session()
{
	[ -n "${GITHUB_ACTIONS-}${GITLAB_CI-}${JENKINS_URL-}${PERFGATE_SESSION-}" ] ||
		PERFGATE_SESSION=nightly/$(date -u +%Y-%m-%dT%H:%M:%SZ)
	export PERFGATE_SESSION="${PERFGATE_SESSION-}"
}

probe()
{
	set -- probe --ingest --store "$store"
	[ -z "${PERFGATE_RUNNER-}" ] || set -- "$@" --runner "$PERFGATE_RUNNER"
	[ -z "$PERFGATE_SESSION" ] || set -- "$@" --session "$PERFGATE_SESSION"
	perfgate "$@" >/dev/null
}

measure()
{
	rm -rf "$measured"
	"$steps/measure" || went_wrong "the benchmarks failed with status $?"
	for found in "$measured"/*/store.db; do
		[ -f "$found" ] && [ ! -L "$found" ] || continue
		perfgate store merge --runs-only --store "$store" "$found" || return
	done
}

trend()
{
	set -- trend --store "$store"
	perfgate "$@" --json >"$reports/trend.json" || return
	[ -z "${PERFGATE_FAIL_ON-}" ] || set -- "$@" --fail-on "$PERFGATE_FAIL_ON"
	perfgate "$@" || moved=$?
	[ "$moved" -le 1 ]
}

publish()
{
	set -- publish --store "$store"
	[ -z "${PERFGATE_SITE_URL-}" ] || set -- "$@" --base-url "$PERFGATE_SITE_URL"
	[ -z "${PERFGATE_SITE_TITLE-}" ] || set -- "$@" --title "$PERFGATE_SITE_TITLE"
	perfgate "$@" -- "$site"
}

# Nobody needs what is old, in the record neither: that is what --everywhere and --compact are for.
prune()
{
	perfgate store prune --store "$store" --keep "$PERFGATE_KEEP" --thin --apply --everywhere
}

PATH=$("$steps/install"):$PATH || exit 2
make_scratch
make_folder "$reports"
name_session
moved=0
try "the record could not be read" fetch
[ "${PERFGATE_PROBE-}" = no ] || try "the machine could not be probed" probe
try "what was measured could not be stored" measure
try "the trends could not be told" trend
try "the site could not be written" publish
compact=
if [ -n "${PERFGATE_KEEP-}" ] && [ -n "$trouble" ]; then
	say "nothing is removed in a night with trouble" >&2
elif [ -n "${PERFGATE_KEEP-}" ]; then
	try "old runs could not be removed" prune
	compact=--compact
fi
try "the record could not be written" push $compact
[ -z "$trouble" ] || exit 2
exit "$moved"
