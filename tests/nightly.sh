# ci/nightly.sh, night after night: a repository, the record in its remote, the site.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

need jq
mkdir "$tmp/bin" "$tmp/machine" || exit 99
ln -s "$PERFGATE" "$tmp/bin/perfgate"
PATH=$tmp/bin:$PATH
export PATH TMPDIR="$tmp/machine" PERFGATE_PROBE=no PERFGATE_RESULTS=results PERFGATE_COMMAND='sh ./bench'
unset PERFGATE_CI PERFGATE_KEEP PERFGATE_FAIL_ON PERFGATE_SITE PERFGATE_SITE_URL PERFGATE_SITE_TITLE PERFGATE_SESSION

git init -q --bare "$work/remote.git"
repository project
git remote add origin "file://$work/remote.git"
cat >bench <<'BENCH'
. ./settings
mkdir -p results
[ "$allocs" != crash ] || exit 7
[ -z "${DROPPED-}" ] || { mkdir -p perfgate-measured/other && cp "$DROPPED" perfgate-measured/other/store.db; }
printf '[{"schema_version":1,"name":"parse","allocs_per_op":%s},{"schema_version":1,"name":"print","allocs_per_op":50}]\n' \
	"$allocs" >results/kpi.json
BENCH
printf 'results/\nsite/\nperfgate-*/\n' >.gitignore
git add bench .gitignore

# version ALLOCS: a commit with a benchmark that makes so many allocations
version()
{
	echo "allocs=$1 # $clock" >settings
	git add settings && commit "makes $1"
}

night()
{
	is_status "$1" env PERFGATE_SESSION="$2" "$srcdir/ci/nightly.sh"
}

version 100
night 0 first
ok "the first night writes a site" test -s site/index.html
ok "and begins the record" git -C "$work/remote.git" rev-parse --verify --quiet refs/heads/perfgate-data
ok "what moved is kept as JSON" jq -e . perfgate-report/trend.json
for n in 2 3 4; do
	version 100
	night 0 "night $n"
done
version 130
night 0 step
contains "$out" 'parse' "a night says what moved"
contains site/index.html 'parse' "and so does the site"
night 0 "the same commit again"
PERFGATE_FAIL_ON=step
export PERFGATE_FAIL_ON
night 1 failing
unset PERFGATE_FAIL_ON

version crash
night 2 broken
contains "$err" 'the benchmarks failed with status 7' "a night whose benchmarks fail says so"
ok "and writes the site all the same" test -s site/index.html
"$PERFGATE" store fetch --store "$tmp/record.db" >/dev/null 2>&1
is 5 "$("$PERFGATE" log --limit 0 --json --store "$tmp/record.db" | jq '[.[].commit] | unique | length')" \
	"the record has every night that measured"
is_status 0 "$PERFGATE" store drop --store "$tmp/record.db" --commit "$(git rev-parse HEAD~1)"
DROPPED=$tmp/record.db
export DROPPED
version 130
night 0 "with a store in which runs were dropped"
unset DROPPED
"$PERFGATE" store fetch --store "$tmp/whole.db" >/dev/null 2>&1
is 6 "$("$PERFGATE" log --limit 0 --json --store "$tmp/whole.db" | jq '[.[].commit] | unique | length')" \
	"what benchmarks leave drops nothing from the record"
version 130
PERFGATE_KEEP=1d
export PERFGATE_KEEP
night 0 pruning
contains "$out" '^nothing to prune$' "a night can prune; what gates look at stays"
contains "$out" '^put [0-9]+ files on origin together into one$' "and keeps the record small"

is "" "$(ls "$TMPDIR")" "nothing is left of the machine's folders"
done_testing
