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
	parts=$(sed -n 's/.*, \([0-9]*\) of Go left for their parts.*/\1/p' "$tmp/notes")
	refused=$(sed -n 's/.* kept.*, \([0-9]*\) refused$/\1/p' "$tmp/notes")
	is "$1" "$((kept + ${parts:-0} + refused))" "$name: every point is accounted for"
	is "$2" "${parts:-0}" "$name: points of several units"
	is 0 "$refused" "$name: none is refused"
	contains "$out" "$3 runs of $4 commits, .*: $3 stored, 0 already stored\$" "$name: rows and commits"
	ok "$name again" "$PERFGATE" ingest --store "$tmp/store.db" --runner "$name" "$file"
	contains "$out" ": 0 stored, $3 already stored\$" "$name again: nothing new"
done
ok "the store is sound" "$PERFGATE" store check --store "$tmp/store.db"

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
