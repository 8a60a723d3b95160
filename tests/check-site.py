"""Checks the site in a folder: pages, feed and badges are well-formed, nothing in a page is inline,
all addresses are relative and lead to files and anchors that are there, JSON can be read."""
import json
import os
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ET

root = os.path.abspath(sys.argv[1])
outside = tuple(sys.argv[2:])  # what addresses of commits begin with
trees, ids = {}, {}


def wrong(path, text):
    print("%s: %s" % (os.path.relpath(path, root), text))
    wrong.count += 1


wrong.count = 0


def parse(path):
    with open(path, "rb") as f:
        text = f.read().decode("utf-8")
    bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]", text)
    if bad:
        wrong(path, "a character that steers: %r" % bad[0])
    # what HTML has and XML has not
    return ET.fromstring(text.replace("<!DOCTYPE html>", "", 1))


def check_page(path, tree):
    headings = [int(e.tag[1]) for e in tree.iter() if re.fullmatch("h[1-6]", e.tag)]
    if headings[:1] != [1] or headings.count(1) != 1:
        wrong(path, "headings begin with %s" % headings[:2])
    if any(b > a + 1 for a, b in zip(headings, headings[1:])):
        wrong(path, "a heading is left out: %s" % headings)
    if tree.get("lang") != "en" or tree.find(".//meta[@name='viewport']") is None:
        wrong(path, "no language or no viewport")
    policy = tree.find(".//meta[@http-equiv='Content-Security-Policy']")
    if policy is None or "default-src 'none'" not in policy.get("content"):
        wrong(path, "no content policy")
    for e in tree.iter():
        if e.tag == "style" or e.get("style") or (e.tag == "script" and (e.text or not e.get("src"))):
            wrong(path, "inline: <%s>" % e.tag)
        if any(name.startswith("on") for name in e.keys()):
            wrong(path, "a handler: <%s>" % e.tag)
        if e.tag == "table" and e.find("caption") is None:
            wrong(path, "a table without a caption")
        if e.tag == "th" and e.get("scope") not in ("col", "row"):
            wrong(path, "a heading of a table without scope")
        if e.tag == "img" and not e.get("alt"):
            wrong(path, "a picture without words")
        if e.tag == "nav" and not e.get("aria-label"):
            wrong(path, "a nav without a name")


def check_address(path, e, name, base):
    address = e.get(name)
    if address == "data:,":
        return
    if outside and address.startswith(outside):
        return
    parts = urllib.parse.urlsplit(address)
    if parts.scheme or parts.netloc or address.startswith("/"):
        wrong(path, "leads elsewhere: %s" % address)
        return
    target = os.path.normpath(os.path.join(base, urllib.parse.unquote(parts.path))) if parts.path else path
    if not (target + "/").startswith(root + "/") or not os.path.isfile(target):
        wrong(path, "leads nowhere: %s" % address)
    elif parts.fragment and target in ids and parts.fragment not in ids[target]:
        wrong(path, "no such anchor: %s" % address)


for folder, folders, files in os.walk(root):
    for name in files:
        path = os.path.join(folder, name)
        try:
            if name.endswith((".html", ".xml", ".svg")):
                trees[path] = parse(path)
                all_ids = [e.get("id") for e in trees[path].iter() if e.get("id")]
                ids[path] = set(all_ids)
                if len(all_ids) != len(ids[path]):
                    wrong(path, "an id twice")
            elif name.endswith(".json"):
                with open(path, encoding="utf-8") as f:
                    json.load(f)
        except (ET.ParseError, UnicodeDecodeError, ValueError) as e:
            wrong(path, str(e))
for path, tree in trees.items():
    page = path.endswith(".html")
    if page:
        check_page(path, tree)
    for e in tree.iter():
        for name in ("href", "src", "data-src"):
            if e.get(name) is not None:
                check_address(path, e, name, os.path.dirname(path))
    if page:
        for name in ("data-index", "data-commits"):
            for e in tree.iterfind(".//*[@%s]" % name):
                check_address(path, e, name, root)
print("%d pages and pictures" % len(trees))
sys.exit(wrong.count > 0)
