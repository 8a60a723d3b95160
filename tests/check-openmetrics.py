"""Reads OpenMetrics text (1.0) from standard input, strictly; prints one JSON object a sample."""
import json
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|\})')


def labels_of(text, line):
    """The labels that text begins with, and what follows them."""
    labels = {}
    while True:
        match = LABEL.match(text)
        assert match, "bad label in: " + line
        name, value, after = match.groups()
        assert name not in labels, "label twice in: " + line
        value = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], value)
        labels[name] = value
        text = text[match.end():]
        if after == "}":
            return labels, text


text = sys.stdin.buffer.read().decode("utf-8")
assert text.endswith("# EOF\n"), "no # EOF"
lines = text[:-1].split("\n")
assert lines.count("# EOF") == 1, "more than one # EOF"
families, seen, family, kind = set(), set(), None, None
for line in lines[:-1]:
    match = re.fullmatch(r"# (TYPE|UNIT|HELP) (%s) (.*)" % NAME, line)
    if match:
        if match[1] == "TYPE":
            family, kind = match[2], match[3]
            assert family not in families, "family twice: " + family
            assert kind in ("gauge", "info"), line
            families.add(family)
        assert match[2] == family, "metadata out of place: " + line
        if match[1] == "UNIT":
            assert family.endswith("_" + match[3]), line
        continue
    match = re.match(NAME, line)
    assert match, "no sample: " + line
    name, rest = match[0], line[match.end():]
    assert name == family + ("_info" if kind == "info" else ""), "not of its family: " + line
    labels = {}
    if rest.startswith("{"):
        labels, rest = labels_of(rest[1:], line)
    assert re.fullmatch(r" ([-+]?(\d+(\.\d+)?([eE][-+]?\d+)?|Inf)|NaN)", rest), "bad value: " + line
    key = (name, tuple(sorted(labels.items())))
    assert key not in seen, "sample twice: " + line
    seen.add(key)
    print(json.dumps({"name": name, "labels": labels, "value": rest.strip()}))
