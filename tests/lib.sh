# What every test script begins with:  . "${srcdir:-.}/tests/lib.sh"
#
# The script then runs in a fresh directory ($work), removed at its end, in the C locale and UTC,
# with no trace of the CI system, of git's or perfgate's variables or of the user's configuration.
# $PERFGATE and $DUMP are the built programs, $srcdir the source tree, $builddir the build tree, all
# absolute; $samples is the folder of sample documents, which may be absent.
#
#     ok NAME CMD...              CMD exits 0
#     fails NAME CMD...           CMD does not
#     is_status N CMD...          CMD exits N
#     same EXPECTED GOT NAME      the two files hold the same bytes
#     is EXPECTED GOT NAME        the two strings are the same
#     contains FILE REGEX NAME    a line of FILE matches the extended regular expression
#     lacks FILE REGEX NAME       none does
#     steering FILE               prints its bytes and code points that steer a terminal
#     skip NAME REASON            one test that cannot run here
#     need PROGRAM, skip_all WHY  the script cannot run here
#     commit MSG                  a commit with a fixed date, a minute after the one before; $sha
#     query STORE SQL         what the store's database answers, columns divided by |
#     forget STORE            removes a store
#     done_testing                the last line: prints the plan
#
# The output of the CMD that ran last is in the files $out and $err; contains and lacks leave it there.

srcdir=$(cd "${srcdir:-.}" && pwd) || exit 99
builddir=$(cd "${builddir:-.}" && pwd) || exit 99
PERFGATE=${PERFGATE:-$builddir/perfgate}
DUMP=${DUMP:-$builddir/tests/dump}
TEST_CC=${TEST_CC:-cc}
TEST_AWK=${TEST_AWK:-awk}
SANITIZERS=${SANITIZERS:-no}
samples=$srcdir/../shared/samples

for variable in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/\1/p'); do
	case $variable in
	GIT_* | PERFGATE_* | XDG_* | LC_* | LANG | LANGUAGE | COLUMNS | LINES | PAGER | NO_COLOR | \
	CLICOLOR* | FORCE_COLOR | CI | CI_* | GITHUB_* | GITLAB_* | RUNNER_* | BUILDKITE* | CIRCLE* | \
	TRAVIS* | JENKINS_* | BUILD_* | JOB_* | DRONE* | APPVEYOR* | BITBUCKET_* | SYSTEM_* | TF_BUILD | \
	TEAMCITY_* | SEMAPHORE* | CIRRUS_* | WOODPECKER_* | FORGEJO_* | GITEA_*)
		unset "$variable"
		;;
	esac
done

tmp=$(mktemp -d "${TMPDIR:-/tmp}/perfgate-test.XXXXXX") || exit 99
tmp=$(cd "$tmp" && pwd -P) || exit 99
trap 'cd / && chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM

LC_ALL=C
TZ=UTC
TERM=dumb
HOME=$tmp
GIT_CONFIG_NOSYSTEM=1
GIT_CONFIG_GLOBAL=$tmp/.gitconfig
GIT_CEILING_DIRECTORIES=$tmp
GIT_TERMINAL_PROMPT=0
# A sanitizer's exit status is none of perfgate's own.
ASAN_OPTIONS=exitcode=99${ASAN_OPTIONS:+:$ASAN_OPTIONS}
LSAN_OPTIONS=exitcode=99${LSAN_OPTIONS:+:$LSAN_OPTIONS}
UBSAN_OPTIONS=exitcode=99:print_stacktrace=1${UBSAN_OPTIONS:+:$UBSAN_OPTIONS}
export LC_ALL TZ TERM HOME GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL GIT_CEILING_DIRECTORIES \
	GIT_TERMINAL_PROMPT ASAN_OPTIONS LSAN_OPTIONS UBSAN_OPTIONS
umask 022

cat >"$GIT_CONFIG_GLOBAL" <<'CONFIG'
[user]
	name = A U Thor
	email = author@example.org
[init]
	defaultBranch = main
[core]
	autocrlf = false
	hooksPath = /dev/null
	fsmonitor = false
[commit]
	gpgSign = false
[tag]
	gpgSign = false
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol "file"]
	allow = always
[advice]
	detachedHead = false
CONFIG

work=$tmp/work
out=$tmp/out
err=$tmp/err
mkdir "$work" && cd "$work" || exit 99
: >"$out" >"$err"
test_n=0
clock=1767225600 # 2026-01-01T00:00:00Z

steering()
{
	# C0 but for the newline, and DEL
	tr -d '\012\040-\176\200-\377' <"$1"
	# C1, bidirectional controls, separators, tags, the byte order mark; bytes that are not UTF-8
	if command -v iconv >/dev/null; then
		iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || echo "not UTF-8"
	fi
	grep -o -a "$(printf '\302')[$(printf '\200')-$(printf '\237')]" "$1"
	grep -o -a "$(printf '\342\200')[$(printf '\216\217\250')-$(printf '\256')]" "$1"
	grep -o -a "$(printf '\342\201')[$(printf '\246')-$(printf '\251')]" "$1"
	grep -o -a -e "$(printf '\330\234')" -e "$(printf '\363\240\201')" -e "$(printf '\357\273\277')" "$1"
}

# Text as TAP comments.
comment()
{
	sed 's/^/#   /'
}

pass()
{
	test_n=$((test_n + 1))
	echo "ok $test_n - $1"
}

fail()
{
	test_n=$((test_n + 1))
	echo "not ok $test_n - $1"
}

skip()
{
	test_n=$((test_n + 1))
	echo "ok $test_n - $1 # SKIP $2"
}

skip_all()
{
	echo "1..0 # SKIP $1"
	exit 0
}

need()
{
	command -v "$1" >/dev/null 2>&1 || skip_all "$1 is not installed"
}

done_testing()
{
	echo "1..$test_n"
}

# The command may read the output of the one before.
run()
{
	"$@" >"$out.new" 2>"$err.new"
	run_status=$?
	mv -f "$out.new" "$out"
	mv -f "$err.new" "$err"
	return $run_status
}

show_output()
{
	echo "# standard output:"
	head -n 40 "$out" | comment
	echo "# standard error:"
	head -n 40 "$err" | comment
}

ok()
{
	test_name=$1
	shift
	run "$@"
	status=$?
	if [ $status -eq 0 ]; then
		pass "$test_name"
	else
		fail "$test_name"
		echo "# exit status $status of: $*"
		show_output
	fi
}

# A command that a signal or a sanitizer ended did not fail in the way that was meant.
fails()
{
	test_name=$1
	shift
	run "$@"
	status=$?
	if [ $status -gt 0 ] && [ $status -lt 99 ]; then
		pass "$test_name"
	else
		fail "$test_name"
		echo "# exit status $status of: $*"
		show_output
	fi
}

is_status()
{
	expected_status=$1
	shift
	run "$@"
	status=$?
	test_name=$(printf '%s ' "exit status $expected_status:" "${1##*/}")
	shift
	test_name=$test_name$*
	if [ $status -eq "$expected_status" ]; then
		pass "$test_name"
	else
		fail "$test_name"
		echo "# exit status $status"
		show_output
	fi
}

same()
{
	if cmp -s "$1" "$2"; then
		pass "$3"
	else
		fail "$3"
		diff -u "$1" "$2" 2>&1 | head -n 60 | comment
	fi
}

is()
{
	if [ "$1" = "$2" ]; then
		pass "$3"
	else
		fail "$3"
		printf '%s\n' "expected: $1" "     got: $2" | comment
	fi
}

contains()
{
	if grep -qE -e "$2" "$1"; then
		pass "$3"
	else
		fail "$3"
		echo "# no line matches: $2"
		head -n 40 "$1" | comment
	fi
}

lacks()
{
	if [ -f "$1" ] && ! grep -nE -e "$2" "$1" >"$tmp/lacks"; then
		pass "$3"
	else
		fail "$3"
		echo "# a line matches: $2"
		head -n 40 "$tmp/lacks" | comment
	fi
}

# tests/on-postgres.sh runs scripts with databases in place of files.
if [ -n "${pg_known-}" ]; then
	. "$srcdir/tests/postgres.sh"
fi

query()
{
	if [ -n "${pg_known-}" ]; then database_query "$@"; else sqlite3 "$@"; fi
}

forget()
{
	rm -f "$1" "$1"-*
	[ -z "${pg_known-}" ] || database_forget "$1"
}

commit()
{
	clock=$((clock + 60))
	GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" \
		git commit -q -a --allow-empty -m "$1" || exit 99
	sha=$(git rev-parse HEAD)
}
