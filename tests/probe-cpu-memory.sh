# The CPU's probe: caches, main memory, atomics, branches and crypto, with little time and memory.
. "${srcdir:-.}/tests/lib.sh"

need jq
probe=$builddir/probes/perfgate-probe-cpu
kinds='.category == "bandwidth" or .category == "latency" or .category == "crypto"'

# NUMBER TEST VARIANT READING QUICK of what is not arithmetic
readings() # LIST
{
	jq -rs "[foreach .[] as \$l ({n: -1};
		if \$l.test then .test = \$l.test elif \$l.reading then .n += 1 else . end;
		select(\$l.reading and (.test | $kinds)) |
		[.n, .test.id, .test.variant, \$l.reading.id, \$l.reading.quick])][] | @tsv" "$1"
}

ok "it lists" "$probe" list --memory 16777216
readings "$out" >list
is "" "$(cut -f 2-4 list | sort | uniq -d)" "no reading twice"
cut -f 2 list | uniq >tests
for test in global_memory_bandwidth cache_bandwidth l1_write_bandwidth memory_latency atomics \
	branch_mispredict store_forward aes_encrypt sha256_hash crc32c; do
	contains tests "^$test\$" "there is $test"
done
grep 'true$' list | cut -f 2-4 >quick
printf '%s\t16 MiB\t%s\n' global_memory_bandwidth read memory_latency DRAM >expected
same expected quick "one of bandwidth and one of latency are quick, and name the working set"

ok "it lists for haste" "$probe" list --quick
readings "$out" | grep 'true$' | cut -f 3 | sort -u >quick
ok "a working set that is small" grep -qx '[1-9][0-9]* MiB' quick

numbers=$(cut -f 1 list | paste -s -d ,)
ok "all of them run" "$probe" run --readings "$numbers" --repeat 1 --target-ns 1000000 --memory 16777216
cp "$out" ran
is "$(wc -l <list | tr -d ' ')" "$(jq -s '[.[] | select(has("done"))] | length' ran)" "and are done"
is "" "$(jq -r 'select(.status == "error") | .reason' ran)" "without an error"
ok "most have a number" test "$(jq -s '[.[] | select(.values)] | length' ran)" -gt 20
jq -rs '[foreach .[] as $l (null; if $l.start then $l.reading else . end; select($l.status == "skipped") | .)][]' ran >skipped
contains skipped '^TLB miss$' "what needs more memory is not run"

ok "with next to no memory" "$probe" run --readings "$numbers" --repeat 1 --target-ns 100000 --memory 4096
is "" "$(jq -r 'select(.status == "error") | .reason' "$out")" "nothing fails"
done_testing
