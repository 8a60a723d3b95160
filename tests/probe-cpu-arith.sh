# The CPU's probe: the device, and arithmetic by each instruction set of this machine.
. "${srcdir:-.}/tests/lib.sh"

need jq
probe=$builddir/probes/perfgate-probe-cpu

ok "it lists" "$probe" list
cp "$out" list
"$probe" list >again
same list again "the same every time"

is CPU "$(jq -r 'select(.hello).backend' list)" "as CPU"
jq -r 'select(.device).device | .platform, .type, (.name | length > 0), (.properties | map(.key) | contains(["Cores"]))' list >got
printf '%s\n' CPU cpu true true >expected
same expected got "a device with a name and properties"

# NUMBER TEST VARIANT READING QUICK, those of compute
jq -rs '[foreach .[] as $l ({n: -1};
	if $l.test then .test = $l.test elif $l.reading then .n += 1 else . end;
	select($l.reading and .test.category == "compute") |
	[.n, .test.id, .test.variant, $l.reading.id, $l.reading.quick])][] | @tsv' list >readings
ok "there is arithmetic" test -s readings
is "" "$(cut -f 2-4 readings | sort | uniq -d)" "no reading twice"
is 1 "$(grep -c 'true$' readings)" "one is quick"
is "$(grep 'float ST' readings | tail -n 1 | cut -f 1-4)" "$(grep 'true$' readings | cut -f 1-4)" \
	"float on one thread by the widest instruction set"

numbers=$(cut -f 1 readings | paste -s -d ,)
ok "all of them run" "$probe" run --readings "$numbers" --repeat 2 --target-ns 500000
is "$(wc -l <readings | tr -d ' ')" "$(jq -s '[.[] | select(.values | length == 2)] | length' "$out")" \
	"and have a number a batch"
is "" "$(jq -r 'select(.status) | .reason' "$out")" "none fails its check"
is true "$(jq -r 'select(.finished).finished' "$out")" "to the end"
done_testing
