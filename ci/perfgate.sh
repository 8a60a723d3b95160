#!/bin/sh
# An example for any system that runs shell, in a clone with all of the history and the target branch:
#
#     PERFGATE_COMMAND='make bench' PERFGATE_RESULTS=results/ ci/perfgate.sh
#
# What the system does not tell by variables that perfgate knows (perfgate(1), ENVIRONMENT) has to be
# given: PERFGATE_TARGET, the branch that a change request goes to, as git knows it; or
# PERFGATE_BRANCH, the branch that was built. perfgate-ci(7) lists the rest.
# The steps are those beside this file, in a copy of it the installed ones.
set -u
here=$(dirname "$0")
[ -d "$here/steps" ] || here=/usr/local/share/perfgate/ci
steps=${PERFGATE_CI:-$here}/steps

PATH=$("$steps/install"):$PATH || exit 2
rm -rf "${PERFGATE_MEASURED:-perfgate-measured}"
"$steps/measure" || echo "measuring failed with status $?" >&2
exec "$steps/gate"
