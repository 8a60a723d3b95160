# What the facts of a session say of its numbers: kept with each run, told where they are doubtful.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

wall=wall_ns_per_op

# env SESSION FACT...: as `perfgate env` prints it in a job on a quiet machine, but for these facts
env_of()
{
	facts='"os":"Linux","kernel":"6.1.0","logical_cores":4'
	session=$1
	shift
	for fact; do
		facts="$facts,$fact"
	done
	"$PERFGATE" env --runner box --session "$session" |
		sed 's/"facts": {.*/"facts": {'"$facts"'}/' >"$tmp/env.json"
}

# ran NS: ten runs of "parse" that took about as long, in the job of env_of
ran()
{
	walls parse $("$TEST_AWK" -v ns="$1" 'BEGIN { for (i = 0; i < 10; i++) printf "%d ", ns * (0.999 + i / 5000) }') >"$tmp/runs.json"
	ingest --env "$tmp/env.json" "$tmp/runs.json"
}

# compared NAME HEAD-NS FACT...: a base on a quiet machine, and a head
compared()
{
	repository "$1"
	hard 'sessions = pool'
	git add perfgate.conf && commit base
	env_of before '"load":0.5,"stolen_share":0.001,"throttled":7,"virtual":false,"battery":false'
	ran 1000000
	change head
	ns=$2
	shift 2
	env_of after "$@"
	ran "$ns"
}

### what is kept

repository kept
change first
walls parse 1000000 >runs.json
ok "ingest on this machine" "$PERFGATE" ingest runs.json
ok "... keeps what it is doing" "$PERFGATE" log --json
contains "$out" '"machine":.*"virtual": ?(true|false).*"battery": ?(true|false)' "... with each run"
if [ -r /proc/loadavg ] && [ -r /proc/stat ]; then
	contains "$out" '"load": ?[0-9].*"stolen_share": ?[0-9]' "... as the kernel tells"
else
	skip "... as the kernel tells" "there is no /proc here"
fi
ok "env" "$PERFGATE" env
contains "$out" '"facts": .*"virtual":(true|false)' "... hands it to the job that stores"

### what is told

compared quiet 1120000 '"load":4.5,"stolen_share":0.009,"throttled":7,"virtual":true,"battery":false,"governor":"powersave"'
gate 1 "a machine like most"
lacks "$out" '^machine' "... is nothing to tell of"

compared loaded 1120000 '"load":6.5,"virtual":true,"governor":"powersave"'
gate 1 "a loaded machine"
contains "$out" '^machine: numbers of head are doubtful: the load was 6.5 on 4 cores \(governor' "... is told of, and whose it was"
lacks "$out" 'numbers of the base' "... and the other side is not"
contains "$report" '^ "machine": \["numbers of head are doubtful: the load was 6.5 on 4 cores \(governor powersave, a virtual machine\)"\]' "... in JSON, too"

compared robbed 1120000 '"stolen_share":0.031'
gate 1 "time that other guests took"
contains "$out" 'doubtful: other guests took 3.1 % of its time' "... is told of"

compared portable 1120000 '"battery":true'
gate 1 "a machine on battery"
contains "$out" 'doubtful: it ran on battery$' "... is told of"

compared hot 1120000 '"throttled":7'
gate 1 "heat of the days before"
lacks "$out" '^machine' "... is nothing"
env_of after '"throttled":19'
ran 1121000
gate 1 "a machine that got hot in the session"
contains "$out" 'doubtful: heat slowed cores down 12 times' "... is told of, and how often"

compared same 1000000 '"load":99'
gate 0 "where nothing moved"
lacks "$out" '^machine' "... there is nothing to doubt"

### facts of somebody else's

compared odd 1120000 '"load":"much","throttled":null,"stolen_share":[1],"battery":1,"virtual":{},"governor":"\\u001b[2J\\u202e<b>'"$(printf '%040d' 7)"'"'
gate 1 "facts of other types"
lacks "$out" '^machine' "... say nothing"
compared odder 1120000 '"battery":true,"governor":"\\u001b[2J\\u202e<script>|`x`"'
for format in text json markdown junit github csv openmetrics; do
	is_status 1 "$PERFGATE" gate --report $format
	tr -d '\r' <"$out" >"$tmp/shown"
	is "" "$(steering "$tmp/shown")" "$format: no byte that steers a terminal"
done
is_status 1 "$PERFGATE" gate --report junit
lacks "$out" '<script' "no tag in XML"
done_testing
