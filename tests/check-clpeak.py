"""Reads documents of clpeak/run format version 3 in the dialect of clpeak 3.0.0, strictly: the order of keys,
what is left out when empty, the vocabularies, units, seven digits, layout. Says what is wrong, with its place,
and exits 1; says "FILE: fine: D devices, T tests, R readings" otherwise.

usage: check-clpeak.py [--excerpt] FILE...   (--excerpt: a part of a file; its layout and log may have gaps)
"""
import json
import re
import sys

DOCUMENT = "schema format_version clpeak_version generated_at duration_s cancelled build host invocation devices" \
    " inventory log".split()
BUILD = "backends config".split()
HOST = "os os_version arch cpu logical_cores memory_bytes".split()
INVOCATION = "argv target_time_us target_time_us_cpu warmup iters categories tests verbose".split()
DEVICE = "backend platform name driver type platform_index device_index properties tests".split()
TEST = "id variant title category shape axis direction quantity unit description duration_s metrics".split()
METRIC = "id label value status reason unit quantity direction description repeats spread".split()
INVENTORY = "name flag available reason notes platforms".split()
INVENTORY_PLATFORM = "index name devices".split()
INVENTORY_DEVICE = "index name type arch driver api origin compute_units clock_mhz global_mem_bytes max_alloc_bytes" \
    " fp16 fp64".split()
LOG = "elapsed_s level source backend device device_index test message".split()
BACKENDS = "CUDA ROCm oneAPI Vulkan Metal OpenCL CPU LiteRT ONNX".split()
SYSTEMS = ["Linux x64", "Linux ARM64", "Linux ARM", "Linux x86", "Macintosh", "Android", "Win64", "Win32", "FreeBSD",
           "Linux unknown", "Unknown"]
TYPES = "gpu cpu accelerator unknown".split()
CATEGORIES = "compute crypto string bandwidth latency ai unknown".split()
STATUSES = "unsupported skipped error".split()
LEVELS = "error warning info debug".split()
HIGHER, LOWER = "higher_is_better", "lower_is_better"
UNITS = {"FLOPS": ("flops", HIGHER), "OPS": ("ops", HIGHER), "B/s": ("bytes_per_second", HIGHER),
         "Texel/s": ("items_per_second", HIGHER), "s": ("seconds", LOWER), "ppm": ("ratio", HIGHER)}
NUMBER_MAX = 7  # significant digits of a number that is no integer


class Token(str):
    """A number as it is written."""


class Wrong(Exception):
    pass


def check(good, place, message):
    if not good:
        raise Wrong("%s: %s" % (place, message))


def unique(pairs):
    names = [name for name, _ in pairs]
    check(len(set(names)) == len(names), "document", "a key twice: %s" % names)
    return dict(pairs)


def refuse(word):
    raise Wrong("document: %s is no JSON" % word)


def parse(text):
    return json.loads(text, object_pairs_hook=unique, parse_float=Token, parse_int=Token, parse_constant=refuse)


def members(value, known, required, place):
    check(isinstance(value, dict), place, "not an object")
    for name in required.split():
        check(name in value, place, "has no %s" % name)
    for name in value:
        check(name in known, place, "unknown key %s" % name)
    order = [name for name in known if name in value]
    check(list(value) == order, place, "keys in the order %s, expected %s" % (list(value), order))


def text(value, place, words=None, empty=False):
    check(isinstance(value, str) and not isinstance(value, Token), place, "not a string")
    check(empty or value, place, "empty, so it should not be there")
    check(not words or value in words, place, "'%s' is none of %s" % (value, words))


def integer(value, place, least=0):
    check(isinstance(value, Token) and re.fullmatch(r"-?\d+", value), place, "not an integer")
    check(int(value) >= least, place, "below %d" % least)


def real(value, place):
    check(isinstance(value, Token), place, "not a number")
    digits = re.sub(r"[eE].*", "", value).lstrip("-").replace(".", "").lstrip("0")
    check(len(digits.rstrip("0")) <= NUMBER_MAX, place, "%s has more than %d digits" % (value, NUMBER_MAX))
    check("%.7g" % float(value) == value, place, "%s, expected the spelling %.7g" % (value, float(value)))
    return float(value)


def true(value, place):
    check(value is True, place, "is written only when it is true")


def texts(value, place, words=None, empty=True):
    check(isinstance(value, list), place, "not an array")
    for i, one in enumerate(value):
        text(one, "%s[%d]" % (place, i), words, empty)


def check_unit(value, place):
    """Unit, quantity and direction as the table of unit words has them."""
    text(value["unit"], place + ".unit")
    quantity, direction = UNITS.get(value["unit"], ("unknown", HIGHER))
    text(value["quantity"], place + ".quantity", [quantity] + ["unknown", "count"] * (value["unit"] not in UNITS))
    text(value["direction"], place + ".direction", [HIGHER, LOWER] if quantity in ("ratio", "unknown") else [direction])


def check_repeats(metric, value, place):
    """Keys of our own: the batches behind the value, their median, and how far apart they lie."""
    check(isinstance(metric["repeats"], list) and metric["repeats"], place, "repeats is no array of numbers")
    repeats = sorted(real(one, place + ".repeats") for one in metric["repeats"])
    half = len(repeats) // 2
    median = repeats[half] if len(repeats) % 2 else (repeats[half - 1] + repeats[half]) / 2
    check(abs(median - value) <= 1e-6 * abs(value), place, "value %g is not the median %g" % (value, median))
    spread = real(metric["spread"], place + ".spread")
    check(spread >= 0, place, "negative spread")
    check(abs(spread - (repeats[-1] - repeats[0]) / median) <= 1e-5 * (1 + spread), place, "spread is not that of repeats")


def check_metric(metric, place):
    members(metric, METRIC, "id", place)
    text(metric["id"], place + ".id")
    if "label" in metric:
        text(metric["label"], place + ".label")
        check(metric["label"] != metric["id"], place, "a label that is the id is left out")
    check(("value" in metric) != ("status" in metric), place, "a value or a status, not both")
    check(("status" in metric) == ("reason" in metric), place, "a status and its reason go together")
    if "value" in metric:
        value = real(metric["value"], place + ".value")
        check(("repeats" in metric) == ("spread" in metric), place, "repeats and spread go together")
        if "repeats" in metric:
            check_repeats(metric, value, place)
    else:
        text(metric["status"], place + ".status", STATUSES)
        text(metric["reason"], place + ".reason")
        check("repeats" not in metric, place, "repeats without a value")
    overrides = [name for name in ("unit", "quantity", "direction") if name in metric]
    check(len(overrides) in (0, 3), place, "of unit, quantity and direction all or none is written")
    if overrides:
        check_unit(metric, place)
    if "description" in metric:
        text(metric["description"], place + ".description")


def check_test(test, place):
    members(test, TEST, "id title category shape direction quantity unit metrics", place)
    text(test["id"], place + ".id")
    check("@" not in test["id"], place, "an @ in the id, where the variant begins in keys")
    text(test["title"], place + ".title")
    text(test["category"], place + ".category", CATEGORIES)
    text(test["shape"], place + ".shape", ["homogeneous", "heterogeneous"])
    for name in ("variant", "axis", "description"):
        if name in test:
            text(test[name], place + "." + name)
    check_unit(test, place)
    if "duration_s" in test:
        check(real(test["duration_s"], place + ".duration_s") > 0, place, "a duration of 0 is left out")
    check(isinstance(test["metrics"], list) and test["metrics"], place, "no metrics")
    for metric in test["metrics"]:
        check_metric(metric, "%s/%s" % (place, metric.get("id") if isinstance(metric, dict) else "?"))
    ids = [metric["id"] for metric in test["metrics"]]
    check(len(set(ids)) == len(ids), place, "a metric twice")


def check_device(device, place):
    members(device, DEVICE, "backend platform name type tests", place)
    text(device["backend"], place + ".backend", BACKENDS)
    for name in ("platform", "name"):
        text(device[name], "%s.%s" % (place, name))
        check(device[name] == device[name].strip(), place, "blanks round the " + name)
    text(device["type"], place + ".type", TYPES)
    if "driver" in device:
        text(device["driver"], place + ".driver")
        check(device["backend"] != "CPU", place, "a CPU has no driver")
    for name in ("platform_index", "device_index"):
        if name in device:
            integer(device[name], "%s.%s" % (place, name))
    if "properties" in device:
        check(isinstance(device["properties"], list) and device["properties"], place, "no properties")
        for p in device["properties"]:
            members(p, ["key", "value"], "key value", place + ".properties")
            text(p["key"], place + ".properties")
            text(p["value"], place + ".properties." + p["key"])
    keys = []
    check(isinstance(device["tests"], list), place, "tests is no array")
    for test in device["tests"]:
        key = test["id"] + ("@" + test["variant"] if "variant" in test else "")
        check_test(test, "%s/%s" % (place, key))
        keys.append(key)
    check(len(set(keys)) == len(keys), place, "a test twice")


def check_inventory(entries):
    for entry in entries:
        place = "inventory/%s" % entry.get("name")
        members(entry, INVENTORY, "name flag available platforms" if entry.get("available") is True else "name flag"
                " available", place)
        text(entry["name"], place, BACKENDS)
        check(entry["available"] in (True, False), place, "available is no boolean")
        for platform in entry.get("platforms", []):
            members(platform, INVENTORY_PLATFORM, "index name devices", place)
            for device in platform["devices"]:
                members(device, INVENTORY_DEVICE, "index name type", place)
                text(device["type"], place + ".type", TYPES)


def check_log(entries, tests):
    latest = 0
    for i, entry in enumerate(entries):
        place = "log[%d]" % i
        members(entry, LOG, "elapsed_s level message", place)
        elapsed = real(entry["elapsed_s"], place)
        check(elapsed >= latest, place, "out of order")
        latest = elapsed
        text(entry["level"], place + ".level", LEVELS)
        text(entry["message"], place + ".message", None, True)
        check(entry["message"] == entry["message"].rstrip(), place, "blanks at the end of the message")
        check(tests is None or entry.get("test", "") in tests | {""}, place, "no such test: %s" % entry.get("test"))


def check_head(d):
    check(d["schema"] == "clpeak/run", "schema", "'%s'" % d["schema"])
    check(d["format_version"] == "3", "format_version", d["format_version"])
    text(d["clpeak_version"], "clpeak_version")
    if "generated_at" in d:
        check(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", d["generated_at"]), "generated_at", d["generated_at"])
    if "duration_s" in d:
        check(real(d["duration_s"], "duration_s") > 0, "duration_s", "0 is left out")
    if "cancelled" in d:
        true(d["cancelled"], "cancelled")
    if "build" in d:
        members(d["build"], BUILD, "", "build")
        texts(d["build"].get("backends", []), "build.backends", BACKENDS)
    members(d["host"], HOST, "", "host")
    for name in ("logical_cores", "memory_bytes"):
        if name in d["host"]:
            integer(d["host"][name], "host." + name, 1)
    text(d["host"].get("os", "Unknown"), "host.os", SYSTEMS)


def check_invocation(i):
    members(i, INVOCATION, "argv target_time_us target_time_us_cpu warmup categories", "invocation")
    texts(i["argv"], "invocation.argv")
    for name in ("target_time_us", "target_time_us_cpu", "warmup", "iters"):
        if name in i:
            integer(i[name], "invocation." + name)
    texts(i["categories"], "invocation.categories", CATEGORIES)
    texts(i.get("tests", []), "invocation.tests")
    if "verbose" in i:
        true(i["verbose"], "invocation.verbose")


def check_document(d, excerpt):
    members(d, DOCUMENT, "schema format_version clpeak_version host invocation devices", "document")
    check_head(d)
    check_invocation(d["invocation"])
    check(isinstance(d["devices"], list), "devices", "not an array")
    names = set()
    for device in d["devices"]:
        identity = "%s/%s/%s#%s" % tuple(device.get(k) for k in ("backend", "platform", "name", "device_index"))
        check(identity not in names, identity, "twice")
        names.add(identity)
        check_device(device, identity)
    tests = {t["id"] + ("@" + t["variant"] if "variant" in t else "") for v in d["devices"] for t in v["tests"]}
    if "inventory" in d:
        check_inventory(d["inventory"])
    if "log" in d:
        check(d["log"], "log", "an empty one is left out")
        check_log(d["log"], None if excerpt else tests)


# ---- layout ----

def scalar(value):
    if isinstance(value, Token):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def line(value):
    """A log entry: one object a line."""
    return "{%s}" % ", ".join("%s: %s" % (scalar(k), scalar(v)) for k, v in value.items())


def layout(value, indent, name=None):
    """The text of a value: two blanks a level, one key a line."""
    if not isinstance(value, (dict, list)):
        return scalar(value)
    if isinstance(value, list) and name == "repeats":
        return "[%s]" % ", ".join(scalar(v) for v in value)
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    inner = indent + "  "
    if isinstance(value, dict):
        parts = ["%s: %s" % (scalar(k), layout(v, inner, k)) for k, v in value.items()]
        return "{\n%s%s\n%s}" % (inner, (",\n" + inner).join(parts), indent)
    parts = [line(v) if name == "log" else layout(v, inner) for v in value]
    return "[\n%s%s\n%s]" % (inner, (",\n" + inner).join(parts), indent)


def check_layout(written, d):
    expected = layout(d, "") + "\n"
    if written == expected:
        return
    for n, (a, b) in enumerate(zip(written.split("\n"), expected.split("\n")), 1):
        check(a == b, "line %d" % n, "'%s', expected '%s'" % (a[:120], b[:120]))
    raise Wrong("last line: cut short or longer than expected")


def main(args):
    excerpt = args[:1] == ["--excerpt"]
    for name in args[excerpt:]:
        try:
            with open(name, "rb") as f:
                written = f.read().decode("utf-8")
            d = parse(written)
            check_document(d, excerpt)
            check_layout(written, d)
        except (Wrong, ValueError) as e:
            sys.exit("%s: %s" % (name, e))
        tests = [t for device in d["devices"] for t in device["tests"]]
        print("%s: fine: %d devices, %d tests, %d readings"
              % (name, len(d["devices"]), len(tests), sum(len(t["metrics"]) for t in tests)))


main(sys.argv[1:])
