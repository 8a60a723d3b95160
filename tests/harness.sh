# The harness itself: a failure is seen and counted, and nothing outside reaches a test.
. "${srcdir:-.}/tests/lib.sh"

cat >inner.sh <<'SH'
. "$srcdir/tests/lib.sh"
ok "true" true
ok "false" false
fails "a crash is no failure" sh -c 'kill -SEGV $$'
is_status 3 sh -c 'exit 3'
is_status 3 sh -c 'exit 4'
echo a >a
echo b >b
same a b "a is b"
same a a "a is a"
is x y "x is y"
skip "rain" "the sun shines"
ok "says x" echo x
contains "$out" '^x$' "x is there"
contains "$out" y "y is there"
lacks "$out" y "no y is there"
lacks "$out" x "no x is there"
lacks no-file x "no file"
ok "reads what was said" grep x "$out"
done_testing
SH
export srcdir
run sh inner.sh
sed -n 's/^\(not ok [0-9]*\) .*/\1/p; s/^\(ok [0-9]*\) - [^#]*\(.*\)/\1 \2/p; /^1\.\./p' "$out" | sed 's/ $//' >got
cat >expected <<'TAP'
ok 1
not ok 2
not ok 3
ok 4
not ok 5
not ok 6
ok 7
not ok 8
ok 9 # SKIP the sun shines
ok 10
ok 11
not ok 12
ok 13
not ok 14
not ok 15
ok 16
1..16
TAP
same expected got "each helper says ok and not ok"

echo '. "$srcdir/tests/lib.sh"; need no-such-program; ok "unreached" true' >need.sh
ok "a script may stop" sh need.sh
is "1..0 # SKIP no-such-program is not installed" "$(cat "$out")" "and says why"

echo '. "$srcdir/tests/lib.sh"; env; pwd' >env.sh
CI=true GITHUB_SHA=x CI_COMMIT_SHA=x GIT_DIR=/nowhere PERFGATE_STORE=x XDG_SESSION_ID=3 LC_NUMERIC=de_DE \
	COLUMNS=7 sh env.sh >seen
fails "no outer variable is left" grep -E '^(CI|GITHUB_|CI_|GIT_DIR|PERFGATE_|XDG_|LC_NUM|COLUMNS)' seen
is "$(tail -n 1 seen)" "$(sed -n 's/^HOME=//p' seen)/work" "HOME is the test's own"
fails "the directory is gone afterwards" test -e "$(tail -n 1 seen)"

git init -q .
commit one
is 2026-01-01T00:01:00Z "$(git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd)" "commits have fixed dates"

printf ':test-result: %s\n' "PASS a" "PASS b" "SKIP c" >good.trs
printf ':test-result: %s\n' "FAIL a" "XPASS b" "ERROR c" "XFAIL d" >bad.trs
count="$TEST_AWK -f $srcdir/ci/count-tests.awk"
ok "a good run counts as good" $count good.trs
is "2 passed, 0 failed, 1 skipped" "$(cat "$out")" "its numbers"
fails "a bad one does not" $count good.trs bad.trs
is "3 passed, 3 failed, 1 skipped" "$(cat "$out")" "its numbers too"
fails "neither does an empty one" $count /dev/null
done_testing
