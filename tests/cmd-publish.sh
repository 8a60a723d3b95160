# perfgate publish: the site as a folder of files.
. "${srcdir:-.}/tests/lib.sh"
need python3

PERFGATE_DATA=$tmp/no-data
export PERFGATE_DATA
git init -q repo && cd repo || exit 99
store=$tmp/store.db
hostile='<script>alert("1")</script>&'\''../../../etc/passwd'
long=$(printf '%04000d' 0 | tr 0 x)

# series COMMIT BENCHMARK METRIC UNIT DIRECTION VALUES: a line of an export.
series()
{
	printf '{"benchmark":"%s","metric":"%s","unit":"%s","quantity":"time","direction":"%s","values":[%s]}\n' \
		"$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')" "$2" "$3" "$4" "$5"
}

# history N: N commits, each with a run of kpi and, but for the last, of one benchmark more.
history()
{
	i=0 parent=
	while [ $i -lt "$1" ]; do
		commit "change $i"
		level=1000
		[ $i -lt 12 ] || level=1200
		noise=$((i * 7919 % 13))
		echo "{\"commit\":\"$sha\",\"tree\":\"$sha\",\"committed_at\":\"$(git show -s --format=%cI | sed 's/+00:00/Z/')\",\"parents\":[$parent]}" >>"$tmp/commits"
		parent="\"$sha\""
		cat >>"$tmp/runs" <<RUN
{"run":{"commit":"$sha","tree_state":"clean","branch":"main","session":"s$i","runner":{"key":"box"},"suite":"kpi","format":"kpi","format_version":"1","ingested_at":"2026-01-02T00:00:00Z","facts":{}}}
RUN
		{
			series parse allocs_per_op count lower $level,$level
			series Parse allocs_per_op count lower 7
			series parse wall_ns_per_op ns lower $((level * 100 + noise * 20)),$((level * 100 + noise * 30))
			series "$hostile" allocs_per_op '<b>' lower 5
			series "$long" allocs_per_op count lower 5
			series negative balance count higher -5.25
			[ $i -eq $(($1 - 1)) ] || series gone allocs_per_op count lower 3
		} >>"$tmp/runs"
		i=$((i + 1))
	done
}

history 24
{
	echo '{"perfgate":"export","version":1}'
	cat "$tmp/commits" "$tmp/runs"
} >"$tmp/history"
ok "the history is stored" "$PERFGATE" ingest --store "$store" "$tmp/history"
chmod a-w "$store"

# ---- what is written ----

ok "publish" "$PERFGATE" publish --store "$store" "$tmp/a site"
contains "$out" 'a site: [0-9]+ files written, 0 unchanged, 0 removed, [0-9.]+ MiB: 6 benchmarks, 7 series, 24 commits; charts are still' "what was done"
cd "$tmp/a site" || exit 99
ok "pages are sound, and their addresses lead somewhere" python3 "$srcdir/tests/check-site.py" .
contains index.html '<tr class="worse">.*parse allocs_per_op.*\+20' "the overview has what moved"
contains index.html '<tr class="missing">.*gone allocs_per_op' "and what is missing"
contains index.html 'badge/all.svg" alt="perf: 2 regressed"' "and how many"
lacks index.html '<script>alert' "a hostile name stays text"
ok "benchmarks whose names differ in case have pages of their own" sh -c 'ls bench/parse-*.html | wc -l | grep -qx 2'
is 6 "$(ls bench | wc -l | tr -d ' ')" "a page for each benchmark"
ok "names of files are short" sh -c '! find . | grep -qE "/[^/]{70}"'
ok "names of files are plain" sh -c '! find . | grep -q "[^a-zA-Z0-9./_-]"'
contains suite/kpi-*.html '<th scope="row"><a href="../bench/parse-[0-9a-f]{12}.html#s-[0-9a-f]{12}">parse</a></th>' "a suite lists its series"
contains badge/kpi-*.svg 'perf kpi: 2 regressed' "its badge"
ok "OpenMetrics of a suite" sh -c 'cat suite/kpi-*.txt | python3 "$0/tests/check-openmetrics.py"' "$srcdir"
contains "$out" '"perfgate_level".*"benchmark": "parse", "metric": "allocs_per_op".*"1200\.0"' "its levels"
ok "OpenMetrics of all" sh -c 'python3 "$0/tests/check-openmetrics.py" <metrics.txt' "$srcdir"
contains suite/kpi-*.csv '^worse,kpi,parse,allocs_per_op,count,,box,hard,lower,24,[0-9a-f]{40},1200\.0,0,[0-9a-f]{40},1000\.0,1200\.0,0\.2,exact,worse' "CSV"
contains suite/kpi-*.md '^\| <code>parse</code> \| <code>allocs_per_op</code> \| <code>box</code> \| 1200 \| exact \|' "Markdown"
contains suite/kpi-*.json '"state":"worse","benchmark":"parse","metric":"allocs_per_op"' "JSON"
contains overview.csv '^kpi,parse,allocs_per_op,count,,box,hard,lower,[0-9a-f]{40},1000\.0,1200\.0,0\.2,exact,worse' "what moved as CSV"
contains feed.xml '<id>urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}</id>' "ids of the feed"
contains feed.xml '<updated>2026-01-01T00:13:00Z</updated>' "its times are those of commits"
contains compare/index.html '<a href="../bench/parse-[0-9a-f]{12}.html#s-[0-9a-f]{12}">kpi: parse wall_ns_per_op</a></th><td class="n" data-v="[0-9]+">120[.0-9]* us' "without scripts the newest two are compared"
cat >"$tmp/unpack.py" <<'PY'
import json, sys
D = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
def codes(s, width=3):
    found = []
    for i in range(0, len(s), width):
        found.append(0)
        for c in s[i:i + width]:
            found[-1] = found[-1] << 6 | D.index(c)
    return found
def value(c, i, odd): return {0: None, 1: 0, 2: odd.get(str(i))}[c] if c < 3 else float("%de%d" % ((c - 3) % 9000 + 1000, (c - 3) // 9000 - 15))
commits = json.load(open("data/commits.json"))["commits"]
index = json.load(open("data/series.json"))
for n in (0, -1):
    c = json.load(open("data/c/%s.json" % commits[n][0]))
    v = [value(x, i, c["x"]) for i, x in enumerate(codes(c["v"]))]
    v += [None] * (len(index["series"]) - len(v))
    for s, x in zip(index["series"], v):
        print(n, index["benchmarks"][s[0]][1][:8], index["metrics"][s[1]][0], x)
for suite, name, address in json.load(open("data/search.json")):
    d = json.load(open("data/b/" + address[6:-4] + "json"))
    for s in d["series"]:
        y = [s["base"] + s["step"] * c for c in codes(s["y"], s["width"])]
        print(d["benchmark"][:8], s["metric"], d["lines"][s["line"]], *y[:1], *y[-1:])
PY
ok "the data can be unpacked" python3 "$tmp/unpack.py"
contains "$out" '^0 parse allocs_per_op 1000' "a commit's median"
contains "$out" '^-1 parse allocs_per_op 1200' "another commit's"
contains "$out" '^-1 gone allocs_per_op None' "what it has not"
contains "$out" '^0 negative balance -5.25' "a value that has no code"
contains "$out" '^parse allocs_per_op \[0, 24\] 1000\.0 1200' "a chart's values"
contains "$out" '^gone allocs_per_op \[0, 23\] 3\.0 3' "and its commits"
cd "$work/repo" || exit 99

# ---- again ----

find "$tmp/a site" -type f -exec ls -li --full-time {} + >"$tmp/before" 2>/dev/null || ls -liR "$tmp/a site" >"$tmp/before"
ok "publish again" "$PERFGATE" publish --store "$store" "$tmp/a site"
contains "$out" ' 0 files written, [0-9]+ unchanged, 0 removed' "nothing is written twice"
find "$tmp/a site" -type f -exec ls -li --full-time {} + >"$tmp/after" 2>/dev/null || ls -liR "$tmp/a site" >"$tmp/after"
same "$tmp/before" "$tmp/after" "no file was touched"
ok "into a relative folder" sh -c 'mkdir below && cd below && "$1" publish --json --store "$2" "../b site"' - "$PERFGATE" "$store"
contains "$out" '^\{"written": [0-9]+, "unchanged": 0, "removed": 0, "bytes": [0-9]+, "benchmarks": 6, "series": 7, "commits": 24, "uplot": false\}$' "the summary as JSON"
ok "gives the same" diff -r "$tmp/a site" "b site"
echo mine >"$tmp/a site/bench/mine.html"
echo damaged >"$tmp/a site/index.html"
ok "less than before" "$PERFGATE" publish --store "$store" --last 3 "$tmp/a site"
ok "a benchmark that is gone" "$PERFGATE" publish --store "$store" --suite kpi --since "$(git rev-parse HEAD)" "$tmp/a site"
ok "has no page" sh -c '! ls "$0"/bench/gone-*' "$tmp/a site"
ok "what others put there stays" test -f "$tmp/a site/bench/mine.html"
rm "$tmp/a site/bench/mine.html"
ok "and all of it comes back" "$PERFGATE" publish --store "$store" "$tmp/a site"
ok "as it was" diff -r "$tmp/a site" "b site"

# ---- addresses ----

git remote add origin git@github.com:owner/name.git
ok "with a remote and a base" "$PERFGATE" publish --store "$store" --title 'A <title>' --base-url https://example.org/perf "$tmp/c"
contains "$tmp/c/index.html" "<a href=\"https://github.com/owner/name/commit/$(git rev-parse HEAD)\">" "links to commits"
contains "$tmp/c/index.html" '<title>A &lt;title&gt;</title>' "its title"
contains "$tmp/c/feed.xml" '<link rel="self" href="https://example.org/perf/feed.xml"/>' "absolute links in the feed"
ok "sound, too" python3 "$srcdir/tests/check-site.py" "$tmp/c" https://github.com/owner/name/commit/ https://example.org/perf/
git remote set-url origin https://gitlab.com/group/sub/name.git
ok "GitLab" "$PERFGATE" publish --store "$store" "$tmp/c"
contains "$tmp/c/index.html" "https://gitlab.com/group/sub/name/-/commit/$(git rev-parse HEAD)" "its links"
ok "a template with the commit in it twice" "$PERFGATE" publish --store "$store" --commit-url 'https://git.example.org/{sha}/{sha}' "$tmp/c"
contains "$tmp/c/index.html" "https://git.example.org/$(git rev-parse HEAD)/$(git rev-parse HEAD)\"" "its links have it twice"
ok "a template" "$PERFGATE" publish --store "$store" --commit-url 'https://git.example.org/x?id={sha}&a=b' "$tmp/c"
contains "$tmp/c/index.html" "https://git.example.org/x\?id=$(git rev-parse HEAD)&amp;a=b\"" "is filled in"
for url in 'https://user:secret@example.org/{sha}' 'https://secret@example.org/{sha}' 'https://secret@example.org?{sha}'; do
	is_status 2 "$PERFGATE" publish --store "$store" --commit-url "$url" "$tmp/c"
	contains "$err" "^perfgate: --commit-url: the address has a user's name" "a secret is no part of an address that is published"
	lacks "$err" secret "... nor of the message"
done
is_status 2 "$PERFGATE" publish --store "$store" --base-url 'https://secret@example.org/' "$tmp/c"
lacks "$err" secret "the same of the site's own"
is_status 2 "$PERFGATE" publish --store "$store" --base-url 'https://example.org/?q=1' "$tmp/c"
contains "$err" "it can have no '\\?'" "names of files cannot follow a query"
is_status 2 "$PERFGATE" publish --store "$store" --commit-url 'javascript:alert({sha})' "$tmp/c"
is_status 2 "$PERFGATE" publish --store "$store" --commit-url 'https://example.org/' "$tmp/c"
contains "$err" '\{sha\} has to stand' "what a template lacks"
is_status 2 "$PERFGATE" publish --store "$store" --base-url 'https://example.org/" onload="' "$tmp/c"
git remote remove origin

# ---- recorded gates ----

cp "$store" "$tmp/gated.db" && chmod u+w "$tmp/gated.db"
run "$PERFGATE" gate --store "$tmp/gated.db" --record "$(git rev-list --reverse HEAD | sed -n 12p)" "$(git rev-list --reverse HEAD | sed -n 13p)"
ok "publish with a recorded gate" "$PERFGATE" publish --store "$tmp/gated.db" "$tmp/gated"
contains "$tmp/gated/index.html" "<td>failed</td><td>1 regressed, [^<]*</td><td><code>$(git rev-list --reverse HEAD | sed -n 13p | cut -c1-10)</code></td><td><code>$(git rev-list --reverse HEAD | sed -n 12p | cut -c1-10)</code>" "what the gate said"
ok "soundly" python3 "$srcdir/tests/check-site.py" "$tmp/gated"

# ---- accepted ----

printf '[accept "meant"]\n\tbenchmark = ^parse$\n\tmetric = ^allocs_per_op$\n\tto = 1200\n\treason = meant\n' >perfgate.conf
ok "publish with an accept" "$PERFGATE" publish --store "$store" "$tmp/accepted"
contains "$tmp/accepted/index.html" '<tr class="weak">.*parse allocs_per_op.*worse, accepted' "what moved says so"
contains "$tmp/accepted/index.html" 'alt="perf: 1 regressed"' "and the badge does not count it"
rm perfgate.conf

# ---- in the way ----

mkdir "$tmp/full" && echo mine >"$tmp/full/notes"
is_status 2 "$PERFGATE" publish --store "$store" "$tmp/full"
contains "$err" 'not empty and holds no site that perfgate wrote' "a folder of others is left alone"
is notes "$(ls "$tmp/full")" "nothing was written into it"
ok "unless it is asked for" "$PERFGATE" publish --store "$store" --force "$tmp/full"
ok "and what was there stays" test -f "$tmp/full/notes"
is_status 2 "$PERFGATE" publish --store "$store" "$tmp/no/folder"
contains "$err" 'no/folder: No such file' "a folder that cannot be made"
is_status 2 "$PERFGATE" publish --store "$store" "$store"
is_status 2 "$PERFGATE" publish --store "$tmp/none.db" "$tmp/d"
ok "without a store nothing is made" test ! -e "$tmp/d"

mkdir "$tmp/elsewhere"
rm -r "$tmp/full/bench" && ln -s "$tmp/elsewhere" "$tmp/full/bench"
is_status 2 "$PERFGATE" publish --store "$store" "$tmp/full"
contains "$err" 'full/bench/.*in the way' "a link in place of a folder"
is "" "$(ls "$tmp/elsewhere")" "is not followed"
rm "$tmp/full/bench"
echo secret >"$tmp/secret"
rm "$tmp/full/index.html" && ln -s "$tmp/secret" "$tmp/full/index.html"
echo ../secret >>"$tmp/full/perfgate-site.txt"
ok "a link in place of a file" "$PERFGATE" publish --store "$store" "$tmp/full"
ok "gives way" test ! -h "$tmp/full/index.html"
is secret "$(cat "$tmp/secret")" "what it leads to stays, and so does what a list names outside"
ln -s "$tmp/elsewhere" "$tmp/full/link" && touch "$tmp/elsewhere/x"
printf '%s\n' no/such/folder link/x index.html/x >>"$tmp/full/perfgate-site.txt"
ok "a list of what cannot be there" "$PERFGATE" publish --store "$store" "$tmp/full"
ok "is no reason to make a folder" test ! -e "$tmp/full/no"
ok "or to follow a link" test -e "$tmp/elsewhere/x"
rm "$tmp/full/index.html" && mkdir "$tmp/full/index.html"
is_status 2 "$PERFGATE" publish --store "$store" "$tmp/full"
contains "$err" 'index.html: .*a folder is in the way' "a folder in place of a file"
rmdir "$tmp/full/index.html"
echo something else >"$tmp/full/perfgate-site.txt"
is_status 2 "$PERFGATE" publish --store "$store" "$tmp/full"
contains "$err" 'not the list of a site' "a list that is none"

# a snapshot, which needs no log beside it
ok "a snapshot" "$PERFGATE" store snapshot --store "$store" "$tmp/snapshot.db"
ok "a limit on the size of files" sh -c '(ulimit -f 20; exec "$0" publish --store "$1" "$2") ; test $? -eq 2' "$PERFGATE" "$tmp/snapshot.db" "$tmp/small"
contains "$err" 'small/.*: File too large' "names the file"
ok "nothing half written" sh -c '! find "$0" -name "*.part" | grep .' "$tmp/small"
ok "with room it goes on" "$PERFGATE" publish --store "$store" "$tmp/small"
ok "to the same end" diff -r "$tmp/small" "b site"
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w "$tmp/c/bench"
	is_status 2 "$PERFGATE" publish --store "$store" "$tmp/c"
	contains "$err" 'c/bench/.*Permission denied' "a folder that may not be written"
	chmod u+w "$tmp/c/bench"
else
	skip "a folder that may not be written" "root may write anywhere"
fi

# ---- uPlot ----

mkdir -p "$tmp/data/uplot"
for file in uPlot.iife.min.js uPlot.min.css LICENSE; do echo "$file" >"$tmp/data/uplot/$file"; done
ok "with uPlot" "$PERFGATE" publish --store "$store" --data-dir "$tmp/data" "$tmp/e"
lacks "$out" 'charts are still' "charts move"
same "$tmp/data/uplot/LICENSE" "$tmp/e/assets/uPlot-LICENSE.txt" "with its licence"
contains "$tmp/e"/bench/gone-*.html '<html [^>]*data-uplot="assets/"' "pages with charts name it"
done_testing
