# perfgate-probe-opencl, on whatever OpenCL there is, and in front of a driver in trouble: a stand-in
# (standin-opencl.c) between it and the real one.
. "${srcdir:-.}/tests/lib.sh"

need jq
probe=$builddir/probes/perfgate-probe-opencl
[ -x "$probe" ] || skip_all "built without OpenCL"
POCL_CACHE_DIR=$tmp/pocl
export POCL_CACHE_DIR
mkdir "$POCL_CACHE_DIR"
# Compilers in drivers leak; what the probe makes and releases is counted below.
ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0:verify_asan_link_order=0

none='no OpenCL platform (install a driver'\''s ICD, such as pocl-opencl-icd)'
unavailable()
{
	jq -r 'select(.unavailable).unavailable' "$1"
}

OCL_ICD_VENDORS=$work/none OCL_ICD_FILENAMES='' "$probe" list >none.jsonl 2>/dev/null
if [ -n "$(unavailable none.jsonl)" ]; then
	is "$none" "$(unavailable none.jsonl)" "no platform: unavailable, and what to install"
else
	skip "no platform" "this loader finds its platforms elsewhere"
fi

ok "list" "$probe" list
cp "$out" list.jsonl
[ -z "$(unavailable list.jsonl)" ] || skip_all "$(unavailable list.jsonl)"

# all NAME FILTER: a filter of jq says true of the lines of the file $lines, read as an array.
all()
{
	if jq -es "$2" "$lines" >/dev/null 2>"$err"; then
		pass "$1"
	else
		fail "$1"
		head -n 40 "$lines" | comment
	fi
}

# run_readings LIST [OPTION...]: small and short; the lines go to run.jsonl.
lines=run.jsonl
run_readings()
{
	list=$1
	shift
	"$probe" run --readings "$list" --target-ns 2000000 --repeat 2 --memory 16777216 "$@" \
		>run.jsonl 2>stderr
	status=$?
}

# number TEST READING: its place in the list of the first device
number()
{
	jq -rs --arg test "$1" --arg reading "$2" '
		reduce .[] as $l ({n: 0, found: null};
			if $l.test then .test = $l.test.id
			elif $l.reading then
				(if .found == null and .test == $test and $l.reading.id == $reading
					then .found = .n else . end) | .n += 1
			else . end) | .found' list.jsonl
}

lines=list.jsonl
all "the list begins with hello and ends with a count" '
	.[0] == {hello: 1, backend: "OpenCL"} and
	(.[-1].listed == (map(select(.reading)) | length))'
all "devices have names, indexes and properties" '
	map(select(.device).device) | length > 0 and all(
		(.platform | length > 0) and (.name | length > 0) and .platform_index >= 0 and
		.device_index >= 0 and (.type | test("^(gpu|cpu|accelerator|unknown)$")) and
		(.fp16 | type == "boolean") and (.properties | all(.key and .value)))'
all "every test of each device, with clpeak's ids" '
	(map(select(.device)) | length) as $devices |
	["single_precision_compute", "half_precision_compute", "double_precision_compute",
	 "mixed_precision_compute", "integer_compute", "integer_compute_fast", "integer_compute_char",
	 "integer_compute_short", "integer_compute_int8_dp", "global_memory_bandwidth",
	 "local_memory_bandwidth", "image_memory_bandwidth", "transfer_bandwidth",
	 "kernel_launch_latency"] as $ids |
	map(select(.test).test.id) == [range($devices) | $ids[]]'
all "three readings are quick: compute, bandwidth, latency" '
	(map(select(.device)) | length) as $devices |
	map(select(.reading.quick)) | length == 3 * $devices'

# ---- all readings of the first device ----

# Time that does not grow with the work may also be the work of a busy machine: once more, longer.
run_readings 0-58
cp run.jsonl all.jsonl
for n in $(jq -r 'select(.status == "error" and (.reason | test("times the work took"))).done' run.jsonl); do
	run_readings "$n" --target-ns 30000000
	jq -c --argjson n "$n" 'select(.done != $n)' all.jsonl >others.jsonl
	jq -c 'select(.done != null)' run.jsonl >>others.jsonl
	mv others.jsonl all.jsonl
done
is 0 $status "a run exits 0"
lines=all.jsonl
all "every reading has numbers or is unsupported" '
	map(select(.done != null)) | length == 59 and
	all(.status == "unsupported" or (.values | length == 2 and all(. > 0)))'
all "the basic ones have numbers" '
	map(select(.done != null and .values)) | length >= 20'
lines=run.jsonl

# ---- a driver in trouble ----

standin=$tmp/standin.so
if ! $TEST_CC -std=gnu17 -shared -fPIC -o "$standin" "$srcdir/tests/standin-opencl.c" -ldl 2>"$err"; then
	comment <"$err"
	skip "with a stand-in for the driver" "it does not build here"
	done_testing
	exit
fi

# trouble WORDS READINGS [OPTION...]
trouble()
{
	words=$1
	shift
	STANDIN=$words LD_PRELOAD=$standin run_readings "$@"
}

# reason STATUS REGEX NAME: the only reading of run.jsonl ended so, and the program well.
reason()
{
	is "0 $1" "$status $(jq -r 'select(.done != null) | .status // "ok"' run.jsonl)" "$3"
	jq -r 'select(.done != null) | .reason // ""' run.jsonl >reason
	[ -z "$2" ] || contains reason "$2" "... and why"
}

single=$(number single_precision_compute float)
global=$(number global_memory_bandwidth float)
image=$(number image_memory_bandwidth float4)
to_device=$(number transfer_bandwidth h2d_pinned)
from_device=$(number transfer_bandwidth d2h_pinned)
dispatch=$(number kernel_launch_latency dispatch)
roundtrip=$(number kernel_launch_latency roundtrip)

for call in clCreateContext clCreateCommandQueue clCreateProgramWithSource clBuildProgram \
	clCreateKernel clSetKernelArg clCreateBuffer clEnqueueNDRangeKernel clFinish \
	clGetEventProfilingInfo clEnqueueReadBuffer; do
	trouble $call=-5 $single
	reason error "^$call: CL_OUT_OF_RESOURCES\$" "$call fails"
done
trouble clEnqueueWriteBuffer=-4 $global
reason error '^clEnqueueWriteBuffer: CL_MEM_OBJECT_ALLOCATION_FAILURE$' "the data does not arrive"
trouble clEnqueueMapBuffer=-12 $to_device
reason error '^clEnqueueMapBuffer: CL_MAP_FAILURE$' "nothing can be mapped"
trouble clFinish=-4242 $roundtrip
reason error '^clFinish: unknown error -4242$' "an error without a name"
trouble kernel=-9999 $single
reason error '^a kernel ended with: an illegal read or write' "a kernel fails on the device"
trouble clGetPlatformIDs=-1001 $single
is "0 $none" "$status $(unavailable run.jsonl)" "the loader knows no platform"
trouble clGetDeviceIDs=-1 $single
contains run.jsonl '^\{"unavailable": "no OpenCL device on 1 platform"\}$' "a platform without a device"
trouble clGetDeviceInfo=-33 list
is 2 $status "a list of no numbers is a usage error"
STANDIN=clGetDeviceInfo=-33 LD_PRELOAD=$standin "$probe" list >run.jsonl 2>stderr
all "a device that tells nothing is listed" 'map(select(.device).device.name) == ["unnamed device"]'
if [ "$image" != null ] && jq -e "select(.done == $image and .values)" all.jsonl >/dev/null; then
	trouble clCreateImage=-10 $image
	reason error '^clCreateImage: CL_IMAGE_FORMAT_NOT_SUPPORTED$' "no such image"
fi

STANDIN=garbage LD_PRELOAD=$standin "$probe" list >run.jsonl 2>stderr
is 0 $? "texts and counts of garbage are listed"
all "... as JSON" '.[-1].listed == (map(select(.reading)) | length)'
is "" "$(steering run.jsonl)" "... without what steers a terminal"

trouble syntax $single,$((single + 1))
is "error error" "$(jq -r 'select(.done != null).status' run.jsonl | paste -sd' ')" "a kernel that does not build"
all "... is logged once, whole" 'map(select(.log)) | length == 1 and .[0].source == "opencl" and
	(.[0].message | test("no such"))'
all "... and its first line is the reason" 'map(select(.done != null)) | all(.reason | test("^the kernel does not build: .*"))'
is "" "$(steering run.jsonl)" "... without what steers a terminal"

trouble wrong $single
reason error '^wrong result: item 0 of chain1 after 1 iterations$' "a kernel that does not run"
trouble wrong $global
reason error '^wrong result: the sum of item 0$' "sums that are wrong"
trouble wrong $roundtrip
reason error '^wrong result: 2 launches, of which 0 ran$' "launches that do nothing"
trouble fold $single
reason error '^compiler folded the loop: 8 times the work took 1(\.[0-9]*)? times as long$' "a folded loop"
trouble lazy $to_device
reason skipped 'nothing was copied \(zero-copy\)$' "a copy that is none, to the device"
trouble lazy $from_device
reason skipped 'nothing was copied \(zero-copy\)$' "a copy that is none, from the device"

for words in noclock longclock; do
	trouble $words $global
	reason ok '' "$words: the wall clock counts"
	all "... which is said once" 'map(select(.log)) | length == 1 and .[0].log == "warning" and
		(.[0].message | test("the wall clock counts$"))'
	trouble $words $dispatch
	reason error "^the driver's event times cannot be true" "$words: no time from queued to started"
done

# What was made is released, whatever went wrong.
STANDIN_LEFT=$work/left
export STANDIN_LEFT
for words in local clCreateKernel=-5 clSetKernelArg=-5 clFinish=-5 clEnqueueNDRangeKernel=-5 wrong \
	noclock syntax clEnqueueMapBuffer=-12; do
	trouble "$words" "$single,$global,$image,$to_device,$dispatch,$roundtrip"
	is 0 "$(cat left)" "$words: nothing is left behind"
done
unset STANDIN_LEFT

# What waits forever is the parent's to end; what it was doing is known.
STANDIN=hang LD_PRELOAD=$standin timeout 3 "$probe" run --readings $single >run.jsonl 2>stderr
is 124 $? "a driver that hangs"
contains run.jsonl '^\{"start": 0, "test": "single_precision_compute", "reading": "float"\}$' "... has said in what"

# ---- by way of perfgate probe ----

PERFGATE_LIBEXEC=$builddir/probes
export PERFGATE_LIBEXEC
ok "perfgate probe measures it" "$PERFGATE" probe --opencl --tests '^kernel_launch_latency/' -o doc.json
ok "... into a document that says so" jq -e '
	.build.backends == ["OpenCL"] and .devices[0].backend == "OpenCL" and
	(.devices[0].tests | map(.id) == ["kernel_launch_latency"]) and
	(.devices[0].tests[0].metrics | map(.id) == ["dispatch", "roundtrip"])' doc.json
if command -v python3 >/dev/null; then
	ok "... by the rules of the format" python3 "$srcdir/tests/check-clpeak.py" doc.json
fi
ok "a driver that hangs costs the reading" env STANDIN=hang LD_PRELOAD="$standin" \
	"$PERFGATE" probe --opencl --tests '^kernel_launch_latency/roundtrip' --timeout 2s -o doc.json
ok "... which says so" jq -e '.devices[0].tests[0].metrics[0].status == "error"' doc.json

# ---- arithmetic that the device lacks, with its type or function replaced ----

emulated()
{
	trouble "$1" $(number "$2" "$3")
	is "0 0" "$status $(jq -r 'select(.done != null) | .reason // ""' run.jsonl | grep -vc -e '^$' -e 'times the work took')" "$2 $3 is right"
}
emulated half half_precision_compute half16
emulated half mixed_precision_compute mp4
emulated dot integer_compute_int8_dp int8_dp8
emulated local local_memory_bandwidth float8
done_testing
