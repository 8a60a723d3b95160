# perfgate formats: what is read.
. "${srcdir:-.}/tests/lib.sh"

COLUMNS=200
export COLUMNS
ok "formats" "$PERFGATE" formats
contains "$out" '^FORMAT +SUITE +READS$' "its headings"
names=$(sed 1d "$out" | cut -d' ' -f1)
contains "$out" '^kpi +kpi +kpi ScenarioResult array, schema_version 1$' "kpi"
contains "$out" '^clpeak +clpeak ' "clpeak"
contains "$out" '^callgrind-summary +callgrind ' "callgrind-summary"
contains "$out" '^callgrind-out +callgrind ' "callgrind-out"
contains "$out" '^trace +trace ' "trace"
contains "$out" '^perfgate ' "perfgate's own"
for name in $names; do
	: >empty
	run "$PERFGATE" diff --format "$name" empty empty
	lacks "$err" 'no format' "--format takes $name"
done
ok "--json" "$PERFGATE" formats --json
for name in $names; do
	contains "$out" "\"name\": \"$name\"" "--json has $name"
done
if command -v jq >/dev/null; then
	ok "--json is JSON" sh -c '"$0" formats --json | jq -e "[.[] | select(.name != \"\" and .suite != \"\" and .summary != \"\")] | length == $(echo '"$(echo "$names" | wc -l)"')"' "$PERFGATE"
else
	skip "--json is JSON" "jq is not installed"
fi
is_status 2 "$PERFGATE" formats x
ok "no repository, no store" test ! -e .git
done_testing
