#!/bin/sh
# A back end of `perfgate probe` that measures nothing and misbehaves: tests/cmd-probe.sh installs it
# as those of the program. Each reading is called after what it does; STAND_IN says what the list
# does. It speaks the protocol of probes/back-end.h.
verb=$1
shift
readings=
target=
while [ $# -gt 0 ]; do
	case $1 in
	--quick) shift ;;
	--readings) readings=$2; shift 2 ;;
	--target-ns) target=$2; shift 2 ;;
	*) shift 2 ;;
	esac
done
case $0 in
*-opencl) name=OpenCL driver='"driver": "'${STAND_IN_DRIVER:-1.0}'", ' type=gpu ;;
*) name=CPU driver= type=cpu ;;
esac

say()
{
	printf '%s\n' "$1" >&3
}

# A list that ends the program it is asked of has none of these.
good="good steady label other"
bad="segv good2 abort good3 exit good4 junk good5 half good6 liar good7 words good8 none good9
huge good10 minus good11 nan good12 long good13 twice good14 closed good15 unsupported skipped
console flood child good16 chatter"
fragile="crash1 crash2 crash3 crash4 crash5"

reading()
{
	case $1 in
	good | steady) quick=true ;;
	*) quick=false ;;
	esac
	case $1 in
	label) more=', "label": "A label"' ;;
	other) more=', "unit": "ops", "description": "In another unit."' ;;
	*) more= ;;
	esac
	say "{\"reading\": {\"id\": \"$1\"$more, \"quick\": $quick}}"
	n=$((n + 1))
	echo "$1" >>"$names"
}

list()
{
	n=0
	say '{"device": {"platform": " Stand-in ", "name": "Sturdy", '"$driver"'"type": "'$type'", "device_index": 0, "compute_units": 2, "fp64": true, "properties": [{"key": "Cores", "value": "2"}]}}'
	say '{"test": {"id": "single_precision_compute", "variant": "SSE2", "title": "Single-precision compute", "category": "compute", "shape": "homogeneous", "axis": "threads", "unit": "flops", "description": "What is good."}}'
	for i in $good; do reading "$i"; done
	say '{"test": {"id": "memory_latency", "title": "Memory latency", "category": "latency", "unit": "s"}}'
	for i in $bad; do reading "$i"; done
	say '{"device": {"platform": "Stand-in", "name": "Fragile", "type": "accelerator", "device_index": 1}}'
	say '{"test": {"id": "single_precision_compute", "title": "Single-precision compute", "category": "compute", "unit": "flops"}}'
	for i in $fragile; do reading "$i"; done
	say "{\"listed\": ${STAND_IN_COUNT:-$n}}"
}

measure()
{
	done='{"done": '$1', "values": '
	case $2 in
	good) say "$done[2e9, 2.1e9, 1.9e9]}" ;;
	steady) say "$done[1234567890, 1234567890]}" ;;
	label) say "$done[5e11, 5.1e11]}" ;;
	other) say "$done[3e6]}" ;;
	segv | crash*) kill -SEGV $$ ;;
	abort) kill -ABRT $$ ;;
	exit) exit 7 ;;
	hang) sleep 60 ;;
	junk) say 'Segmentation fault (not really)' ;;
	half) printf '%s' "$done[1e-" >&3; kill -KILL $$ ;;
	liar) say '{"done": 0, "values": [1]}' ;;
	words) say "$done[\"1\"]}" ;;
	none) say "$done[]}" ;;
	huge) say "$done[1e300]}" ;;
	minus) say "$done[-1e-9]}" ;;
	nan) say "$done[NaN]}" ;;
	long) awk 'BEGIN { printf "{\"log\": \"info\", \"message\": \""; for (i = 0; i < 300000; i++) printf "xxxxxxxx"; print "\"}" }' >&3 ;;
	twice) say "$done[1e-9]}"; say "$done[1e-9]}" ;;
	closed) exec 3>&-; sleep 60 ;;
	unsupported) say '{"done": '$1', "status": "unsupported", "reason": "the device has none"}' ;;
	skipped) say '{"done": '$1', "status": "skipped", "reason": "it would take too long"}' ;;
	console)
		printf 'driver \033[31m says\thello\377\n'
		printf 'half a line' >&2
		say "$done[1e-9, 1.5e-9]}"
		;;
	flood)
		awk 'BEGIN { for (i = 0; i < 20000; i++) print "flood " i }'
		say "$done[1e-9]}"
		;;
	child)
		sleep 61 &
		say "$done[1e-9]}"
		;;
	chatter)
		say '{"log": "warning", "message": "a driver'"'"'s \u001b[31mwarning", "source": "opencl"}'
		say '{"log": "debug", "message": "a detail\nof two lines"}'
		say "$done[1e-9]}"
		;;
	logs)
		awk 'BEGIN { for (x = "x"; length(x) < 1000;) x = x x
			for (i = 0; i < 6000; i++) print "{\"log\": \"info\", \"message\": \"" x "\"}" }' >&3
		say "$done[1e-9]}"
		;;
	fault)
		faulted=yes
		say '{"done": '$1', "status": "error", "reason": "the device faulted"}'
		;;
	innocent)
		if [ "$faulted" ]; then
			say '{"done": '$1', "status": "error", "reason": "the fault before it"}'
		else
			say "$done[1e-9]}"
		fi
		;;
	blanks)
		awk 'BEGIN { for (i = 0; i < 150000; i++) print "{\"log\": \"error\", \"message\": \"\"}" }' >&3
		say "$done[1e-9]}"
		;;
	gone) say '{"unavailable": "the driver is gone"}'; exit ;;
	*) say "$done[1e-9, 2e-9, 3e-9, 4e-9]}" ;;
	esac
}

run()
{
	echo "$readings $target" >>"$names.runs"
	for range in $(echo "$readings" | tr , ' '); do
		i=${range%-*}
		while [ "$i" -le "${range#*-}" ]; do
			id=$(sed -n "$((i + 1))p" "$names")
			if [ "$i" -lt 4 ]; then test=single_precision_compute; else test=memory_latency; fi
			case $id in crash*) test=single_precision_compute ;; esac
			say "{\"start\": $i, \"test\": \"$test\", \"reading\": \"$id\"}"
			measure "$i" "$id"
			i=$((i + 1))
		done
	done
	say '{"finished": true}'
}

faulted=
names=$STAND_IN_FOLDER/names
[ -z "${STAND_IN_BAD-}" ] || bad=$STAND_IN_BAD
[ "$verb" != list ] || : >"$names"
case ${STAND_IN-}:$verb in
nohello:*) say '{"listed": 0}'; exit ;;
wrong:*) say '{"hello": 2, "backend": "CPU"}'; exit ;;
segv:*) kill -SEGV $$ ;;
gone:*) name=gone ;;
esac
say "{\"hello\": 1, \"backend\": \"$name\"}"
case ${STAND_IN-}:$verb in
none:*) say '{"unavailable": "no driver, says the stand-in"}'; exit ;;
leaves:run) say '{"unavailable": "the driver was unloaded"}'; exit ;;
empty:*) say '{"listed": 0}'; exit ;;
shape:*) say '{"device": {"name": "X"}}'; say '{"test": {"id": "x", "title": "X", "category": "x", "unit": "s"}}'; exit ;;
dies:run) kill -SEGV $$ ;;
esac
"$([ "$verb" = list ] && echo list || echo run)"
