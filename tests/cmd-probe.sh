# perfgate probe, with tests/stand-in.sh for its back ends, which does all that a driver might.
. "${srcdir:-.}/tests/lib.sh"

lib=$tmp/lib
mkdir "$lib" && cp "$srcdir/tests/stand-in.sh" "$lib/perfgate-probe-cpu" &&
	chmod 755 "$lib/perfgate-probe-cpu" || exit 99
PERFGATE_LIBEXEC=$lib
STAND_IN_FOLDER=$lib
PERFGATE_STORE=$tmp/store.db
export PERFGATE_LIBEXEC STAND_IN_FOLDER PERFGATE_STORE

probe()
{
	"$PERFGATE" probe "$@"
}

# The document FILE is one that clpeak would have written, and is read without a remark.
checked()
{
	if command -v python3 >/dev/null; then
		ok "$2: it is laid out as clpeak does it" python3 "$srcdir/tests/check-clpeak.py" "$1"
	else
		skip "$2: it is laid out as clpeak does it" "python3 is not installed"
	fi
}

# What a reading of a document came to: its value, or its reason.
result()
{
	sed -n "/\"id\": \"$2\"/,/}/s/^ *\"\\(value\\|reason\\)\": \"\\{0,1\\}\\(.*[^\",]\\)\"\\{0,1\\},\\{0,1\\}\$/\\2/p" "$1" | head -n 1
}

nobody()
{
	for pid in $(ps -eo pid=,args= | awk '$2 == "sleep" && ($3 == 60 || $3 == 61) { print $1 }'); do
		[ ! -e "/proc/$pid/environ" ] || ! tr '\000' '\n' <"/proc/$pid/environ" | grep -qxF "STAND_IN_FOLDER=$lib" ||
			return 1
	done
}

# ---- lists ----

ok "the devices are listed" probe --list-devices
contains "$out" '^cpu:0 +Sturdy +Stand-in +- +cpu$' "... by backend and index"
contains "$out" '^cpu:1 +Fragile +Stand-in +- +accelerator$' "... without a driver as well"
contains "$out" '^CUDA: perfgate-probe-cuda is not installed$' "... and what there is not"
ok "... as JSON" probe --list-devices --json
contains "$out" '^ \{"device": "cpu:1", "backend": "CPU", "platform": "Stand-in", "name": "Fragile", "driver": null, "type": "accelerator", "reason": null\},$' "... with their members"
contains "$out" '^ \{"device": null, "backend": "CUDA", "reason": "perfgate-probe-cuda is not installed"\}$' "... and reasons"
ok "the tests are listed" probe --list-tests --devices cpu:1
is "6" "$(wc -l <"$out")" "... of the devices named"
contains "$out" '^cpu:1 +single_precision_compute +crash3 +FLOPS ' "... with unit and reading"
ok "... quick ones only" probe --list-tests --quick --json
is "2" "$(grep -c '"quick": true' "$out")" "... as JSON"
is_status 2 probe --list-tests -o x.json
is_status 2 probe --list-tests --tests nothing
contains "$err" 'none of the [0-9]+ readings is one that --tests asks for' "nothing is left to measure"
is_status 2 probe --list-tests --tests '('
is_status 2 probe --list-tests --devices gpu:9
contains "$err" "there is no device 'gpu:9'" "a device that is not there"
for name in Fragile fragile CPU:1 fragile,cpu:1; do
	ok "a device is called $name" probe --list-tests --devices "$name"
	is "6" "$(wc -l <"$out")" "... and no other is"
done
ok "a test is called by its variant" probe --list-tests --tests '@SSE2$'
is "5" "$(wc -l <"$out")" "... with all of its readings"
ok "a reading by both" probe --list-tests --tests '^memory_latency/good2$'
is "2" "$(wc -l <"$out")" "... alone"

# ---- all that may happen ----

ok "each reading that goes wrong costs itself" probe --cpu --timeout 1s -o all.json --verbose
cp "$out" table
cp "$err" said
checked all.json "a document of much that went wrong"
while read -r id result; do
	is "$result" "$(result all.json "$id")" "reading $id: $result"
done <<'END'
good 2e+09
steady 1.234568e+09
other 3000000
segv killed by SIGSEGV
abort killed by SIGABRT
exit ended with status 7
junk wrote what is not the protocol (line:1: invalid token near 'Segmentation')
half killed by SIGKILL
liar wrote what is not the protocol (reading 0 is done, and was not started)
words wrote what is not the protocol (a value is a string)
none wrote what is not the protocol (0 values)
huge wrote what is not the protocol (a value of 1e+300)
minus wrote what is not the protocol (a value of -1e-09)
nan wrote what is not the protocol (line:1: invalid token near 'NaN')
long wrote what is not the protocol
twice 1e-09
closed closed its channel and stayed
unsupported the device has none
skipped it would take too long
console 1.25e-09
flood 1e-09
child 1e-09
chatter 1e-09
crash1 killed by SIGSEGV
crash3 killed by SIGSEGV
crash4 3 readings before it in a row ended the program
crash5 3 readings before it in a row ended the program
END
for i in 2 3 4 5 6 7 8 9 10 11 12 13 15 16; do
	[ "$(result all.json good$i)" = 2.5e-09 ] || fail "what is beside is measured: good$i"
done
contains all.json '"status": "skipped"' "what is given up is skipped"
contains all.json '"repeats": \[2e\+09, 2\.1e\+09, 1\.9e\+09\]' "the batches are there"
contains all.json '"spread": 0\.1$' "... and their spread"
contains all.json '"message": "driver ..x1b\[31m says hello..xff"' "what a driver writes is in the log, and harmless"
contains all.json '"level": "warning", "source": "console", "backend": "CPU", "device": "Sturdy", "device_index": 0, "test": "memory_latency", "message": "half a line"' "... half of a line, too"
contains all.json '"message": "1[0-9]{4} more lines"' "... and a flood is bounded"
contains all.json '"source": "opencl", .*"message": "a driver.s ..x1b\[31mwarning"' "... and what is said in good order"
contains all.json '"level": "debug", .*"message": "a detail..?nof two lines"' "... with details when asked"
contains all.json '"flag": "cpu",' "the inventory is there when asked"
ok "nothing is left running" nobody
ok "the log beside the document is gone" test ! -e all.log
contains table '^cpu:0  Sturdy$' "the table names the device"
contains table '^single_precision_compute@SSE2 +good +2\.00 GFLOPS +10 %' "... and readings in a fitting unit"
contains table '^ +A label +' "... by their labels"
contains table '^memory_latency +segv +- +- +error: killed by SIGSEGV$' "... and what went wrong"
is "" "$(steering table)" "... and steers no terminal"
is "" "$(steering said)" "nor does what --verbose says"
ok "the table fits a terminal" env COLUMNS=80 "$PERFGATE" probe --tests 'single.*@|memory_latency/(console|skipped)'
is "" "$(awk 'length > 80' "$out")" "... of 80 columns"

ok "one that hangs is ended" env STAND_IN_BAD="hang good2" "$PERFGATE" probe --tests memory_latency --timeout 1s -o hang.json
is "timed out after 1 s" "$(result hang.json hang)" "... and it is said after how long"
is "2.5e-09" "$(result hang.json good2)" "... and the next is measured"
checked hang.json "a document of one that hung"
lacks hang.json '"inventory"' "no inventory that was not asked for"
contains hang.json '"tests": \[' "what was narrowed is said"
ok "nothing is left running of it" nobody

ok "a fault ends the process it happened in" env STAND_IN_BAD="fault innocent" "$PERFGATE" probe --tests memory_latency -o fault.json
is "the device faulted" "$(result fault.json fault)" "... which says so of one reading"
is 1e-09 "$(result fault.json innocent)" "... and no other suffers"

ok "a flood of messages" env STAND_IN_BAD=logs "$PERFGATE" probe --tests '/logs$' -o logs.json
contains logs.json '"level": "warning", "message": "log truncated: [0-9]+ debug/info entries dropped after 4 MiB of messages"\}$' "... is cut"
ok "... and no more" test "$(wc -c <logs.json)" -gt 4000000 -a "$(wc -c <logs.json)" -lt 6000000
checked logs.json "a document with a long log"
ok "a flood of empty messages" env STAND_IN_BAD=blanks "$PERFGATE" probe --tests '/blanks$' -o blanks.json
ok "... is cut as well" test "$(grep -c '"level": "error"' blanks.json)" -lt 150000
ok "a driver that goes while it measures" env STAND_IN_BAD="gone good2" "$PERFGATE" probe --tests memory_latency -o gone.json
is "its back end is gone: the driver is gone" "$(result gone.json gone)" "... costs the reading that it was at"

# ---- what is handed on ----

rm -f "$lib"/names.runs
ok "the repeats and the budget are handed on" probe --tests '/good$' --repeat 3 --budget 1s --json
cp "$out" one.json
checked one.json "the document as output"
contains one.json '"target_time_us_cpu": 200000,' "the budget is divided"
is "0 10000000000" "$(cat "$lib/names.runs")" "... and is the back end's to spend"
lacks one.json "perfgate/store|--store|store\.db" "no store is named in a document"
is_status 2 probe --repeat 65
is_status 2 probe --budget 0
is_status 2 probe --budget soon
is_status 2 probe --clean --dirty
is_status 2 probe -o /nonexistent/x.json --tests '/good$'
is_status 2 probe -o . --tests '/good$'
echo mine >own.log
echo '{"schema": "clpeak/run-log", "format_version": 3' >left.log
ok "a log of that name that is another's" probe --tests '/good$' -o own.json
is mine "$(cat own.log)" "... stays"
ok "what a run left that died" probe --tests '/good$' -o left.json
ok "... goes" test ! -e left.log
mkfifo fifo.log
ok "a log's name that is a FIFO's" probe --tests '/good$' -o fifo.json
ok "... stays one" test -p fifo.log
ok "no log for what is no file" probe --tests '/good$' -o /dev/null
ok "the document to the output" probe --tests '/good$' -o -
checked "$out" "... is one"
ok "a file that is there is replaced" probe --tests '/good$' -o one.json
lacks one.json '"repeats": \[\]' "... as a whole"


# ---- lists that go wrong ----

while read -r how why; do
	STAND_IN=$how
	export STAND_IN
	is_status 2 probe --cpu
	contains "$err" "^perfgate: CPU is unavailable: $why" "$how: says why"
	ok "$how: not asked for by name" probe --json
	contains "$out" '"devices": \[\]' "$how: no device"
	contains "$out" "\"level\": \"info\", \"backend\": \"CPU\", \"message\": \"CPU: $why" "$how: in the log"
done <<'END'
nohello its program wrote what is not the protocol
wrong its program wrote what is not the protocol
gone its program wrote what is not the protocol
segv its program killed by SIGSEGV
none no driver, says the stand-in
empty no device was found
shape its program wrote what is not the protocol
END
STAND_IN=leaves
ok "a device that is gone when it is to be measured" probe --tests '/good$' --json
is "its back end is gone: the driver was unloaded" "$(result "$out" good)" "... is what its readings say"
STAND_IN=dies
rm -f "$lib"/names.runs
ok "a program that always dies" probe --json --devices cpu:0
contains "$out" '"reason": "killed by SIGSEGV"' "... is an error"
contains "$out" '"reason": "3 readings before it in a row ended the program"' "... and given up"
checked "$out" "... in a document"
unset STAND_IN
STAND_IN_COUNT=3
export STAND_IN_COUNT
is_status 2 probe --cpu
contains "$err" '3 listed, of which [0-9]+ came' "a list that is not whole"
unset STAND_IN_COUNT
is_status 2 probe --cuda
contains "$err" '^perfgate: CUDA is unavailable: perfgate-probe-cuda is not installed; build perfgate where nvcc is' "a back end that is not built"
is_status 2 env PERFGATE_LIBEXEC="$tmp" "$PERFGATE" probe
contains "$err" 'no program to measure with is installed' "no back end at all"
printf 'no program\n' >"$lib/perfgate-probe-cuda" && chmod 755 "$lib/perfgate-probe-cuda"
is_status 2 probe --cuda
contains "$err" '^perfgate: CUDA is unavailable: .*perfgate-probe-cuda' "a back end that cannot be run"
rm "$lib/perfgate-probe-cuda"

# ---- stopped ----

for signal in TERM HUP; do
	[ $signal = TERM ] && bad="good2 hang unsupported" || bad="hang unsupported"
	STAND_IN_BAD=$bad "$PERFGATE" probe --devices cpu:0 -o stopped.json >"$out" 2>"$err" &
	pid=$!
	n=0
	while [ $n -lt 100 ] && ! grep -q '"test": "memory_latency"' stopped.log 2>/dev/null; do
		sleep 0.1
		n=$((n + 1))
	done
	sleep 0.2
	cp stopped.log meanwhile.log
	kill -$signal $pid
	wait $pid
	is 2 $? "$signal stops it"
	contains "$err" 'stopped by a signal' "... and it says so"
	contains stopped.json '"cancelled": true,$' "... with a document of what there is"
	is "2e+09" "$(result stopped.json good)" "... which has what was measured"
	is "stopped by a signal" "$(result stopped.json hang)" "... and what was being measured"
	lacks stopped.json '"id": "unsupported"' "... and nothing else"
	checked stopped.json "... as it should be"
	ok "... and no log beside it" test ! -e stopped.log
	ok "... and nothing left running" nobody
	contains meanwhile.log '^\{"schema": "clpeak/run-log", "format_version": 3, ' "while it ran there was a log"
	ok "... of objects, a line each" "$TEST_AWK" '!/^\{"(schema|elapsed_s)": .*\}$/ { bad = 1 } END { exit bad }' meanwhile.log
	rm -f stopped.json
done

# ---- the store ----

git init -q . && echo 1 >file && git add file && commit one
ok "the document is stored" probe --devices cpu:0 --tests 'single_precision_compute|memory_latency/good2' --ingest --session here -o stored.json
contains "$err" '5 series of the probe, commit '"$(git rev-parse --short=12 HEAD)"', runner ' "... and it is said where"
ok "... under the session" query "$PERFGATE_STORE" "select session from run"
is here "$(cat "$out")" "... that was named"
ok "the same document is read without a remark" "$PERFGATE" ingest --session here stored.json
is "" "$(cat "$err")" "... and the machine is the same"
contains "$out" 'already stored' "... and the run is"
ok "it survives export" sh -ec '"$0" store export >export.json; "$0" ingest --store again.db export.json; "$0" store export --store again.db >again.json' "$PERFGATE"
same export.json again.json "... byte by byte"
commit two
ok "what failed is an absence" env STAND_IN_BAD="segv good2" "$PERFGATE" probe --cpu --devices cpu:0 --ingest --runner box
ok "... of another runner" query "$PERFGATE_STORE" "select count(*) from absence a join run r on r.id = a.run_id join runner k on k.id = r.runner_id where k.key = 'box' and a.reason = 'killed by SIGSEGV'"
is 1 "$(cat "$out")" "... in the store"

# ---- comparing ----

ok "two runs are compared" env STAND_IN_BAD="good2 unsupported" "$PERFGATE" probe --devices cpu:0 -o old.json
ok "... with a document" env STAND_IN_BAD="good2 segv" "$PERFGATE" probe --devices cpu:0 --compare old.json
contains "$out" '^CPU/Stand-in/Sturdy#0$' "... device by device"
contains "$out" '^single_precision_compute@SSE2 +steady +1\.23 GFLOPS +1\.23 GFLOPS +\+0\.0 %  (within spread|the same)$' "... what is the same"
contains "$out" '^memory_latency +segv +- +- +- +error: killed by SIGSEGV$' "... what failed"
sed 's/"value": 1.234568e+09/"value": 2e+09/; s/\[1.234568e+09, 1.234568e+09\]/[2e+09, 2e+09]/; s/"value": 3000000/"value": 1000000/; s/\[3000000\]/[1000000]/' old.json >changed.json
ok "a change is said" env STAND_IN_BAD="good2 unsupported" "$PERFGATE" probe --cpu --devices cpu:0 --compare changed.json
contains "$out" 'steady +2\.00 GFLOPS +1\.23 GFLOPS +-38\.3 % +worse$' "... for the worse"
contains "$out" 'other +1\.00 MOPS +3\.00 MOPS +\+200\.0 % +better$' "... and for the better"
contains "$out" '^1 better, 1 worse, [0-9]+ within the spread$' "... and counted"
sed 's/"good2"/"good2 of yore"/' old.json >vanished.json
ok "what vanished is said" env STAND_IN_BAD="good2 unsupported" "$PERFGATE" probe --cpu --devices cpu:0 --compare vanished.json
contains "$out" '^memory_latency +good2 of yore +2\.50 ns +- +- +gone$' "... by name"
contains "$out" '^memory_latency +good2 +- +2\.50 ns +- +new$' "... and what is new"
sed 's/"value": 2e+09/"value": 2.05e+09/; s/\[2e+09, 2.1e+09, 1.9e+09\]/[2e+09, 2.05e+09, 2.2e+09]/' old.json >close.json
ok "a change within the spread" probe --tests '/good$' --compare close.json
contains "$out" 'good +2\.05 GFLOPS +2\.00 GFLOPS +-2\.4 % +within spread$' "... is called so"
lacks "$out" ' $' "... and no line ends with a blank"
ok "what was not asked for has not vanished" probe --tests '/good$' --compare old.json
contains "$out" '^note: [0-9]+ readings from before are not asked for now$' "... and is counted"
ok "with a commit" probe --tests '/good$' --compare HEAD~1
contains "$out" 'good +2\.00 GFLOPS +2\.00 GFLOPS' "... as stored"
is_status 2 probe --tests '/good$' --compare HEAD
contains "$err" 'the store has no probe of ' "one without a probe of this runner"
is_status 2 probe --tests '/good$' --compare HEAD --ingest
contains "$err" 'the store has no probe of ' "... and what is stored is not compared with itself"
is_status 2 probe --tests '/good$' --compare nothing -o never.json
is_status 2 probe --tests '/good$' --compare nothing --store none.db -o never.json
contains "$err" '^perfgate: --compare nothing, which is no file: .*none\.db' "... without a store either"
is_status 2 probe --tests '/good$' --compare "$srcdir/NEWS" -o never.json
is_status 2 probe --tests '/good$' --ingest --commit nothing -o never.json
ok "mistakes are found before anything is measured" test ! -e never.json
is_status 2 probe --tests '/good$' --compare old.json --json
contains "$err" 'compare shows a table where --json prints the document' "one of two outputs"
cp changed.json over.json
ok "the file that is written anew" probe --cpu --devices cpu:0 --compare over.json -o over.json
contains "$out" '^1 better, 1 worse, ' "... is compared as it was"
mkdir "$tmp/two" && cp "$lib"/perfgate-probe-cpu "$tmp/two" && cp "$lib"/perfgate-probe-cpu "$tmp/two/perfgate-probe-opencl" || exit 99
ok "two back ends" env PERFGATE_LIBEXEC="$tmp/two" "$PERFGATE" probe --tests '/good$' -o two.json
contains "$out" '^opencl:0  Sturdy \(driver 1\.0\)$' "... of one document"
checked two.json "... with both"
ok "another driver" env PERFGATE_LIBEXEC="$tmp/two" STAND_IN_DRIVER=2.0 "$PERFGATE" probe --tests '/good$' --opencl --compare two.json
contains "$out" '^note: driver of OpenCL/Stand-in/Sturdy#0: 1\.0 before, 2\.0 now$' "... is said"
if [ -f "$samples/clpeak/GeForce_RTX_5060.3.0.0-34.EXCERPT.clpeak.json" ]; then
	cp "$samples"/clpeak/GeForce_RTX_5060.*.json real.json
	ok "clpeak's own is compared with" probe --tests '/good$' --compare real.json
	contains "$out" 'readings from before are not asked for now' "... which has other devices"
else
	skip "clpeak's own is compared with" "the samples are not there"
fi

# ---- the step of CI ----

mkdir results && cp "$srcdir/examples/kpi-before.json" results/kpi.json
mkdir "$tmp/bin" && ln -s "$PERFGATE" "$tmp/bin/perfgate"
step()
{
	PATH=$tmp/bin:$PATH PERFGATE_RESULTS=results/ PERFGATE_COMMAND=true sh "$srcdir/ci/steps/measure"
}
PERFGATE_PROBE=yes
export PERFGATE_PROBE
ok "the measuring step probes where it is asked to" step
ok "... before and after, in one session" query perfgate-measured/benchmarks/store.db "select suite, count(distinct session) from run group by suite order by suite"
is "clpeak|1 kpi|1" "$(tr '\n' ' ' <"$out" | sed 's/ $//')" "... beside what was measured"
rm -rf perfgate-measured
STAND_IN=segv
export STAND_IN
ok "a probe that fails does not fail the step" step
contains "$err" 'the machine could not be probed before the benchmarks' "... and is said"
unset STAND_IN
rm -rf perfgate-measured results/kpi.json
is_status 2 step
ok "a probe alone is nothing that was measured" test ! -e perfgate-measured/benchmarks/store.db
unset PERFGATE_PROBE
ok "none is made unasked" sh -c 'cp "$0" results/ && rm -rf perfgate-measured' "$srcdir/examples/kpi-before.json"
ok "... by the step" step
ok "... which leaves" query perfgate-measured/benchmarks/store.db "select count(*) from run where suite = 'clpeak'"
is 0 "$(cat "$out")" "... no probe"

# ---- the real one ----

unset PERFGATE_LIBEXEC
ok "the back ends of the build tree are found" "$PERFGATE" probe --cpu --list-devices
contains "$out" '^cpu:0 ' "... and list a device"
for kind in opencl:perfgate-probe-opencl cuda:perfgate-probe-cuda; do
	if [ ! -x "$builddir/probes/${kind#*:}" ]; then
		skip "${kind%:*} is listed" "${kind#*:} is not built"
		continue
	fi
	run "$PERFGATE" probe --"${kind%:*}" --list-devices
	status=$?
	if [ $status -eq 0 ]; then
		contains "$out" "^${kind%:*}:0 " "${kind%:*} is listed"
	else
		contains "$err" 'is unavailable: .*; install ' "${kind%:*} is not there, and it says what to do"
	fi
done
ok "they list what they measure" "$PERFGATE" probe --cpu --list-tests --quick --json
if grep -q '"reading"' "$out"; then
	ok "the processor is measured" "$PERFGATE" probe --cpu --quick --budget 1s -o real-cpu.json
	checked real-cpu.json "a document of this machine"
	ok "... is read without a remark" "$PERFGATE" ingest --dry-run real-cpu.json
	is "" "$(cat "$err")" "... and belongs to this machine"
else
	skip "the processor is measured" "the back end has no quick readings"
fi
done_testing
