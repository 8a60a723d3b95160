#!/usr/bin/env python3
"""Checks a trace of perfgate/trace.h:  check.py [--crashed] FILE

Strict JSON (--crashed: once the array is closed), one event a line, the fields of each phase, times in
microseconds with three decimals, spans of one thread that lie inside or beside each other to the
nanosecond. Prints each phase and name with its count, in order; a span still open at the end has a +.
"""
import collections
import json
import re
import sys
from decimal import Decimal

FIELDS = {
    "M": {"ph", "pid", "tid", "ts", "name", "args"},
    "X": {"ph", "pid", "tid", "ts", "dur", "name"},
    "i": {"ph", "pid", "tid", "ts", "s", "name"},
    "C": {"ph", "pid", "tid", "ts", "name", "args"},
}


def no_constant(text):
    raise ValueError("not JSON: " + text)


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("a key twice: %s" % keys)
    return dict(pairs)


def events_of(path, crashed):
    data = open(path, "rb").read()
    for page in range(4096, len(data), 4096):
        assert data[page - 1:page] == b"\n", "a line crosses the page at %d" % page
    text = data.decode("utf-8")
    if crashed and not text.endswith("]\n"):
        assert text.endswith("\n"), "the last line is not whole"
        text += "]"
    events = json.loads(text, parse_float=Decimal, parse_constant=no_constant,
                        object_pairs_hook=no_duplicates)
    lines = [line for line in text.split("\n") if line.strip() not in ("", "[", "]")]
    assert len(lines) == len(events), "%d lines, %d events" % (len(lines), len(events))
    for at, line in enumerate(lines):
        assert line.startswith("," if at else "{"), line
        for time in re.findall(r'"(?:ts|dur|zero_us)":([^,}]*)', line):
            assert re.fullmatch(r"(0|[1-9][0-9]*)\.[0-9]{3}", time), line
    return events


def check_fields(event):
    expected = FIELDS[event["ph"]]
    if event["name"] == "process_labels":
        expected = expected - {"tid", "ts"}
    if event["ph"] == "X" and "args" in event:
        assert event["args"] == {"unended": True}, event
        expected = expected | {"args"}
    assert set(event) == expected, event
    for key in ("pid", "tid"):
        assert key not in event or 0 < event[key] < 2**32, event


def check_nesting(events):
    threads = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            start = int(event["ts"] * 1000)
            threads[event["tid"]].append((start, -int(event["dur"] * 1000), event["name"]))
    for spans in threads.values():
        stack = []
        for start, negative, name in sorted(spans):
            while stack and stack[-1] <= start:
                stack.pop()
            assert not stack or start - negative <= stack[-1], "%s leaves its parent" % name
            stack.append(start - negative)


def main():
    events = events_of(sys.argv[-1], "--crashed" in sys.argv)
    for event in events:
        check_fields(event)
    assert events[0]["name"] == "process_name" and events[0]["args"]["clock"] == "monotonic"
    assert len({event["pid"] for event in events}) == 1
    check_nesting(events)
    counts = collections.Counter()
    for event in events:
        counts["%s %s%s" % (event["ph"], json.dumps(event["name"]), "+" if event["ph"] == "X" and "args" in event else "")] += 1
    for what in sorted(counts):
        print(counts[what], what)


main()
