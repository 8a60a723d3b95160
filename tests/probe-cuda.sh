# The host side of perfgate-probe-cuda before a stand-in for the driver (standin-cuda.c): what is listed
# and launched, and how errors are told. It is no GPU: nothing here says anything about a kernel or its speed.
. "${srcdir:-.}/tests/lib.sh"

need jq
host=$builddir/tests/probe-cuda-no-kernels
real=$builddir/probes/perfgate-probe-cuda
ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0

mkdir new old none
for folder in new old; do
	$TEST_CC $([ $folder = new ] || echo -DOLD) -shared -fPIC -fvisibility=hidden \
		-o $folder/libcuda.so.1 "$srcdir/tests/standin-cuda.c" -lm 2>cc.log ||
		skip_all "no shared library can be built here"
done

# drive FOLDER WORDS ARGUMENT...: before the stand-in of FOLDER
drive()
{
	LD_LIBRARY_PATH=$work/$1 STANDIN=$2 STANDIN_LOG=$work/calls
	export LD_LIBRARY_PATH STANDIN STANDIN_LOG
	: >calls
	shift 2
	timeout 60 "$host" "$@"
	drive_status=$?
	unset LD_LIBRARY_PATH STANDIN STANDIN_LOG
	return $drive_status
}

# measure WORDS LIST: small and short
measure()
{
	words=$1 list=$2
	shift 2
	run drive new "$words" run --readings "$list" --target-ns 2000000 --repeat 2 --memory 16777216 "$@"
	cp "$out" run.jsonl
}

# said N: what came of reading N: its status and reason, or ok
said()
{
	jq -r --argjson n "$1" 'select(.done == $n) | if .values then "ok" else .status + ": " + .reason end' run.jsonl
}

unavailable()
{
	jq -r 'select(.unavailable).unavailable' "$out"
}

# ---- no driver ----

if [ -e /proc/driver/nvidia/version ]; then
	skip "no driver" "there is one"
else
	for program in "$host" "$real"; do
		if [ -x "$program" ]; then
			ok "${program##*/} without a driver" "$program" list
			contains "$out" 'no driver \(libcuda.so.1' "and says so"
		else
			skip "${program##*/} without a driver" "built without nvcc"
		fi
	done
fi

ok "an old driver" drive old '' list
is "the driver is too old: libcuda.so.1 has no cuEventElapsedTime (CUDA 11 has it)" "$(unavailable)" \
	"the function that an old driver lacks is named"
ok "no device" drive new devices=0 list
is "the driver has 0 devices" "$(unavailable)" "no device is said"
ok "nonsense for devices" drive new devices=-3 list
is "the driver has -3 devices" "$(unavailable)" "and so is nonsense"
ok "an old device" drive new cc=70 list
is "device 0 has compute capability 7.0; the kernels need 7.5" "$(unavailable)" "an old device is named"
ok "a call that fails" drive new fail=1 list
is "cuInit: CUDA_ERROR_OUT_OF_MEMORY" "$(unavailable)" "an error has the driver's name for it"

# ---- the list ----

ok "list" drive new '' list
cp "$out" list.jsonl
is "1 36" "$(jq -rs '[([.[] | select(.device)] | length), (.[-1].listed)] | join(" ")' list.jsonl)" \
	"a device and its readings"
is "stand-in, no GPU" "$(jq -r 'select(.device).device.name' list.jsonl)" "the stand-in is named as such"
is "single_precision_compute half_precision_compute double_precision_compute mixed_precision_compute bfloat16_compute integer_compute integer_compute_int8_dp wmma wgmma@sm_90a global_memory_bandwidth@256 MiB cache_bandwidth@256 KiB local_memory_bandwidth@16 KiB constant_memory_bandwidth@1 KiB transfer_bandwidth@256 MiB kernel_launch_latency" \
	"$(jq -rs '[.[] | .test | select(.) | if .variant then .id + "@" + .variant else .id end] | join(" ")' list.jsonl)" \
	"tests, and the sizes that they work on"
ok "two devices" drive new devices=2 list
is "72" "$(jq -rs '.[-1].listed' "$out")" "each has its readings"
ok "a name without an end" drive new garbage list
lacks "$out" "$(printf '\033')" "no escape code of a driver gets out"
ok "list with a limit" drive new '' list --memory 16777216
contains "$out" '"id": "global_memory_bandwidth", "variant": "16 MiB"' "the limit is kept, and shown"

# ---- measuring ----

measure '' 0-35
is 0 $run_status "all readings"
for n in 0 6 24 25 26 27 32 33 35; do
	is ok "$(said $n)" "reading $n: its work is done and timed"
done
for n in 1 2 3 4 5 7 8 9 10 11 12 13 14 17 18 19 20 21 22 23 28 29 30 31; do
	is "error: wrong result" "$(said $n | sed 's/: thread.*//')" "reading $n: what was not done is noticed"
done
for n in 15 16; do
	is "unsupported: an instruction of compute capability 8.9 alone; this device has 9.0" "$(said $n)" \
		"reading $n: fp8 by mma.sync is sm_89's"
done
is "unsupported: not measurable through the driver API" "$(said 34)" "dispatch"
is "released 0 live" "$(tail -n 1 calls)" "everything that was made was released"
contains calls '^cuLaunchKernel fp32 8x1x1 256x1x1 shared 0 count 3$' "fp32: a wave of blocks; first the check"
contains calls '^cuLaunchKernel wgmma_fp16 8x1x1 128x1x1 shared 0 count 1$' "wgmma: one warpgroup a block"
contains calls '^cuLaunchKernel read4 8x1x1 256x1x1 shared 0 count 32$' \
	"read4: 16 MiB are 256 chunks, 32 for each of 8 blocks"
contains calls '^cuMemAlloc_v2 16777216$' "and no more is allocated than the limit"
lacks calls '^cuMemAlloc_v2 ([3-9].......|[0-9]{9})' "not anywhere"

measure cc=75 5,13,18
is "unsupported: needs compute capability 8.0" "$(said 5)" "bf16 needs sm_80"
is "unsupported: needs compute capability 8.0" "$(said 13)" "and so does it in tensor cores"
is "unsupported: an instruction of compute capability 9.0 alone; this device has 7.5" "$(said 18)" "wgmma needs sm_90a"

# ---- trouble ----

measure folded 0
contains run.jsonl 'not a reading of this work' "time that does not grow with the work"
measure lies 0
contains run.jsonl "the device's clock says" "a clock that shows more than passed"
measure fault=4 0,6
is "error: cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS" "$(said 0)" "a fault of a kernel is named"
contains run.jsonl '"done": 6, "status": "error", "reason": "cu[A-Za-z]*: CUDA_ERROR_ILLEGAL_ADDRESS"' \
	"and again for what comes after"

# From the first call of measuring to the last, one fails: a reading is lost, and nothing else.
measure '' 24
total=$(grep -c . calls)
n=12 bad=
while [ $n -lt "$total" ] && [ $n -lt 60 ]; do
	measure fail=$n 24
	[ $run_status -eq 0 ] && tail -n 1 run.jsonl | grep -q finished || bad="$bad $n"
	grep -q 'cu[A-Za-z_0-9]*: CUDA_ERROR_OUT_OF_MEMORY' run.jsonl || grep -q '"values"' run.jsonl || bad="$bad $n"
	[ "$(tail -n 1 calls)" = "released 0 live" ] || grep -q '^cuDevicePrimaryCtxRetain' calls && ! grep -q 'released [1-9]' calls || bad="$bad $n"
	n=$((n + 1))
done
is "" "$bad" "whichever call fails: it is named, and what was made is released"

# A driver that hangs is perfgate's to end: the probe has said what it was at.
LD_LIBRARY_PATH=$work/new STANDIN=hang=20 timeout 2 "$host" run --readings 0 >"$out" 2>/dev/null
is 124 $? "a driver that hangs"
contains "$out" '"start": 0, "test": "single_precision_compute", "reading": "float"' "what hangs was told before"

# ---- with the kernels in it ----

if [ -x "$real" ]; then
	host=$real
	measure '' 0,11,15,18,24,35
	is "50ed55ba" "$(sed -n 's/^cuModuleLoadData //p' calls | sort -u | sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/')" \
		"the driver is handed fat binaries"
	is "4" "$(grep -c '^cuModuleLoadData' calls)" "each once"
else
	skip "fat binaries" "built without nvcc"
fi

done_testing
