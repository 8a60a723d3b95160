# The CPU's probe on 64-bit Arm: built for it here, and run under an emulator that has every
# instruction set.
. "${srcdir:-.}/tests/lib.sh"

cc=aarch64-linux-gnu-gcc
need $cc
need qemu-aarch64
need jq
echo 'int main(void) { return 0; }' >empty.c
$cc -static -o empty empty.c 2>/dev/null || skip_all "$cc has no C library to link with"

includes="-I$srcdir/src -I$srcdir/probes -I$srcdir/probes/cpu -I$srcdir/tests"
shared="$srcdir/probes/back-end.c $srcdir/probes/outcome.c $srcdir/probes/plan.c"
for module in buf cpus err host-memory json-out machine num pin runner text; do
	shared="$shared $srcdir/src/$module.c"
done
for file in "$srcdir"/probes/cpu/*.c; do
	case $file in */main.c) ;; *) shared="$shared $file" ;; esac
done

# What the probe does not reach is left out, so that it may want more modules than these.
build() # PROGRAM SOURCE
{
	$cc -std=gnu17 -D_GNU_SOURCE -O1 -Wall -Wextra -static -ffunction-sections -Wl,--gc-sections $includes -o "$1" "$2" $shared -lm -lpthread
}

arm()
{
	qemu-aarch64 -cpu max "$@"
}

ok "the probe compiles" build probe "$srcdir/probes/cpu/main.c"
lacks "$err" . "without a warning"
ok "the check of its kernels compiles" build check "$srcdir/tests/unit-arith.c"

ok "so does that of its memory" build memory "$srcdir/tests/unit-cpu-memory.c"
ok "what it does to memory is checked" arm ./memory
lacks "$out" '^not ok' "and is right"
lacks "$out" 'SKIP' "with every instruction set"

ok "it lists" arm ./probe list
jq -r 'select(.test).test | select(.category == "crypto") | "\(.id) \(.variant)"' "$out" >listed
cat >expected <<'END'
aes_encrypt ARMv8 AES
sha256_hash ARMv8 SHA2
crc32c ARMv8 CRC32
END
same expected listed "the instructions for crypto"
jq -r 'select(.test).test | select(.category == "compute") | "\(.id) \(.variant)"' "$out" >listed
cat >expected <<'END'
single_precision_compute NEON
double_precision_compute NEON
half_precision_compute NEON FP16
bfloat16_compute NEON BF16
integer_compute NEON
integer_compute_int8_dp NEON DotProd
matrix MMLA
END
same expected listed "arithmetic by every instruction set"

ok "the kernels are checked" arm ./check
lacks "$out" '^not ok' "and are right"
contains "$out" '^ok .*: a wrong kernel is refused' "and wrong ones are seen"

ok "it measures" arm ./probe run --readings 0-15 --repeat 1 --target-ns 1000000
is 16 "$(jq -s '[.[] | select(.values)] | length' "$out")" "each of them, on one thread and on all"

ok "a processor with less of them" qemu-aarch64 -cpu cortex-a57 ./probe list
jq -r 'select(.test).test | select(.category == "compute") | .variant' "$out" | sort -u >listed
echo NEON >expected
same expected listed "is used for what it has"
done_testing
