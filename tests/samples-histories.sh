# The histories of ../shared/samples, where that folder is there: every point is accounted for, by a
# count made apart from perfgate; benchstat's inputs keep their values.
. "${srcdir:-.}/tests/lib.sh"

[ -d "$samples/histories" ] || skip_all "there is no folder ../shared/samples/histories"
need python3
samples=$(cd "$samples" && pwd)
git init -q . && commit start

# points, those of Go with several units in one, and rows, of a history
cat >"$tmp/count.py" <<'PY'
import json, sys
text = open(sys.argv[1]).read()
data = json.loads(text[text.index("{"):].rstrip().rstrip(";"))
rows = [r for suite in data["entries"].values() for r in suite]
points = [p for r in rows for p in r["benches"]]
same = {json.dumps(r, sort_keys=True) for r in rows}
print(len(points), sum("\t" in p["unit"] for p in points), len(rows), len({r["commit"]["id"] for r in rows}))
PY
for file in "$samples"/histories/*.js; do
	name=$(basename "$file" .js)
	set -- $(python3 "$tmp/count.py" "$file")
	ok "$name" "$PERFGATE" ingest --store "$tmp/store.db" --runner "$name" "$file"
	cp "$err" "$tmp/notes"
	kept=$(sed -n 's/.* points: \([0-9]*\) kept.*/\1/p' "$tmp/notes")
	parts=$(sed -n 's/.*, \([0-9]*\) left for their parts.*/\1/p' "$tmp/notes")
	refused=$(sed -n 's/.* kept.*, \([0-9]*\) refused$/\1/p' "$tmp/notes")
	is "$1" "$((kept + ${parts:-0} + refused))" "$name: every point is accounted for"
	is "$2" "${parts:-0}" "$name: points of several units"
	is 0 "$refused" "$name: none is refused"
	contains "$out" "$3 runs of $4 commits, .*: $3 stored, 0 already stored\$" "$name: rows and commits"
	ok "$name again" "$PERFGATE" ingest --store "$tmp/store.db" --runner "$name" "$file"
	contains "$out" ": 0 stored, $3 already stored\$" "$name again: nothing new"
done
ok "the store is sound" "$PERFGATE" store check --store "$tmp/store.db"

# steps NAME BENCHMARK SHA RATIO: that trend has a step of about RATIO whose commits, as far as they
# can be told, hold SHA or the next one
cat >"$tmp/steps.py" <<'PY'
import csv, json, sys
name, history, benchmark, sha, ratio = sys.argv[1:]
text = open(history).read()
rows = [r for s in json.loads(text[text.index("{"):])["entries"].values() for r in s]
rows.sort(key=lambda r: r["date"])
at = {r["commit"]["id"]: i for i, r in enumerate(rows)}
want = next(i for c, i in at.items() if c.startswith(sha))
for s in csv.DictReader(sys.stdin):
    if s["benchmark"] == benchmark and s["after_commit"] and s["evidence"] == "confirmed":
        change = float(s["after"]) / float(s["before"])
        if at[s["after_commit"]] <= want <= at[s["last"]] and 0.85 < change / float(ratio) < 1.15:
            sys.exit(0)
sys.exit(1)
PY
steps()
{
	"$PERFGATE" trend --store "$tmp/$1.db" --all --csv >"$tmp/steps.csv"
	ok "$2: the step at $3" sh -c 'python3 "$@" <"$0"' "$tmp/steps.csv" "$tmp/steps.py" "$1" \
		"$samples/histories/$1.js" "$2" "$3" "$4"
}
for name in secretlint_2.7M rune_985K; do
	ok "$name by itself" "$PERFGATE" ingest --store "$tmp/$name.db" --runner "$name" "$samples/histories/$name.js"
done
steps secretlint_2.7M 'run secretlint for js-primer' a402f7a9 0.71
steps secretlint_2.7M 'run secretlint for textling.github.io' 9c1c55b0 0.87
steps rune_985K aoc_2020_11a 6cb67451 3.41
steps rune_985K fib_15 87b355dd 0.40

# values of Go text, each brought to base units by decimal arithmetic
cat >"$tmp/values.py" <<'PY'
import re, sys
from decimal import Decimal
scale = {"ns/op": ("sec/op", -9), "MB/s": ("B/s", 6)}
for line in open(sys.argv[1]):
    words = line.split()
    if line.startswith("Benchmark") and len(words) > 3:
        for value, unit in zip(words[2::2], words[3::2]):
            metric, shift = scale.get(unit, (unit, 0))
            print(metric, repr(float(Decimal(value).scaleb(shift))))
PY
cat >"$tmp/dumped.py" <<'PY'
import sys
for line in sys.stdin:
    head, _, values = line.rpartition(": ")
    if line.startswith("0 "):
        metric = head.split(" | ")[1].split()[0]
        for v in values.split():
            print(metric, repr(float(v)))
PY
for file in "$samples"/gobench/*.txt "$samples"/gobench/benchstat/*.txt; do
	name=$(basename "$file")
	python3 "$tmp/values.py" "$file" | sort >"$tmp/expected"
	ok "$name is read" test -s "$tmp/expected"
	"$DUMP" "$file" | python3 "$tmp/dumped.py" | sort >"$tmp/got"
	same "$tmp/expected" "$tmp/got" "$name: the values of the text"
done
done_testing
