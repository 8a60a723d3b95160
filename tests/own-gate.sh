# ci/bench/own-gate, by which perfgate gates itself, in a small repository: what it says of a base, of
# none, and of one that cannot be built.
. "${srcdir:-.}/tests/lib.sh"

gate=$srcdir/ci/bench/own-gate

# The benchmark allocates what the file allocs says; build/ holds what make check would have left.
results()
{
	sed "s/\"allocs_per_op\": [0-9]*/\"allocs_per_op\": $1/" "$srcdir/examples/kpi-before.json"
}

git init -q .
mkdir -p ci/bench build/perfgate-results
ln -s "$PERFGATE" build/perfgate
printf 'perfgate-ingest:\n\t$(PERFGATE) ingest $(INGEST_FLAGS) perfgate-results\n' >build/Makefile
printf '/build/\n' >.gitignore
printf '[measure]\n\tsetup = test ! -e broken\n\tcommand = ./own\n\tpairs = 1\n' >perfgate.conf
cat >own <<'SH'
#!/bin/sh
sed "s/\"allocs_per_op\": [0-9]*/\"allocs_per_op\": $(cat allocs)/" results >"$PERFGATE_OUT/kpi.json"
SH
chmod +x own
cp "$srcdir/examples/kpi-before.json" results
echo 100 >allocs
git add .
commit "no benchmarks yet"
results 100 >build/perfgate-results/kpi.json
is_status 0 sh "$gate"
contains "$out" '^not measured: no commit before' "one commit alone has no base"
is "0 passed, 0 failed, 1 skipped" "$(tail -n 1 "$out")" "which counts as skipped"
commit "another"
is_status 0 sh "$gate"
contains "$out" '^not measured: no commit before' "nor is one that lacks the benchmarks"

touch ci/bench/own.c
git add .
commit "benchmarks"
first=$sha
commit "the same"
is_status 0 sh "$gate"
contains "$out" '^PASS' "no more than the commit before: pass"
is "1 passed, 0 failed, 0 skipped" "$(tail -n 1 "$out")" "which is counted"
echo 110 >allocs
commit "more"
results 110 >build/perfgate-results/kpi.json
is_status 1 sh "$gate"
contains "$out" 'regressed .* allocs_per_op' "10 % more: the series is named"
is "0 passed, 1 failed, 0 skipped" "$(tail -n 1 "$out")" "and counted"

commit "even so"
is_status 0 sh "$gate"
git update-ref refs/remotes/origin/main "$first"
is_status 1 sh "$gate"
contains "$out" 'regressed' "the base is where the branch left origin/main"
is_status 0 sh "$gate" HEAD~1
echo 120 >allocs
results 120 >build/perfgate-results/kpi.json
is_status 1 sh "$gate" HEAD~1
contains "$out" 'regressed' "changes that are not committed are judged too"
git checkout -q allocs

touch broken
git add broken
commit "does not build"
git rm -q broken
commit "builds again"
is_status 0 sh "$gate" HEAD~1
contains "$out" '^not measured: the benchmarks of .* cannot be built' "a base that does not build is no base"
rm -rf build/perfgate-results
is_status 1 sh "$gate" HEAD~2
is "0 passed, 1 failed, 0 skipped" "$(tail -n 1 "$out")" "no results of this tree: failed"
git clone -q --depth 1 "file://$work" shallow
cp -R build shallow/build
mkdir -p shallow/build/perfgate-results
cd shallow || exit 99
is_status 0 sh "$gate"
contains "$out" '^not measured: no commit before' "a shallow clone has no base"
done_testing
