# perfgate measure: what surrounds one run of the command, and what is measured of it.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

TMPDIR=$tmp/tmp
LOG=$tmp/log
PIDS=$tmp/pids
export TMPDIR LOG PIDS
mkdir "$TMPDIR" || exit 99

alone()
{
	: >"$LOG" && : >"$PIDS"
	"$PERFGATE" measure HEAD --alone --pairs 1 "$@"
}

# A metric's value of the benchmark that was measured last under a name.
value()
{
	"$PERFGATE" show "$1" --json 2>/dev/null |
		sed -n "s/.*\"metric\": \"$2\".*\"median\": \([^,]*\),.*/\1/p"
}

# Whether a process runs, or is stopped.
alive()
{
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
	'' | Z* | X*) return 1 ;;
	esac
}

none_alive()
{
	for pid in $(cat "$PIDS"); do
		if alive "$pid"; then
			fail "$1"
			echo "# process $pid is still there"
			kill -KILL "$pid"
			return
		fi
	done
	pass "$1"
}

repository r
mkdir bin
printf '#!/bin/sh\necho "tool of $(cat name)" >>"$LOG"\n' >bin/tool
printf 'echo "no first line: $1" >>"$LOG"\n' >bare
printf '#!/no/such/interpreter\n' >lost
printf 'text\n' >text
chmod +x bin/tool bare lost
echo base >name
git add . && commit base
echo head >name
commit head

### what it took

ok "a command with descendants" alone --name big -- sh -c 'sh -c "head -c 67108864 /dev/zero | tail >/dev/null; exit 0"; sleep 0.01; sleep 0.01; sleep 0.01'
ok "a descendant's memory is its peak" test "$(value big peak_memory_bytes)" -ge 67108864
ok "... its faults are counted" test "$(value big minor_faults)" -gt 100
ok "... and how often it waited" test "$(value big voluntary_switches)" -ge 3
is "$(value big cpu_ns)" $(($(value big user_ns) + $(value big system_ns))) "CPU time is user and system time"
ok "... of descendants too" test "$(value big cpu_ns)" -gt 0
ok "and waiting is none of it" test "$(value big wall_ns)" -gt 30000000
ok "a small command" alone --name small -- true
if [ "$SANITIZERS" = yes ]; then
	skip "perfgate's own memory is not the command's" "with sanitizers it is"
else
	ok "perfgate's own memory is not the command's" test "$(value small peak_memory_bytes)" -lt 4500000
fi
"$PERFGATE" show small >"$out" 2>/dev/null
for metric in user_instructions user_cycles; do
	contains "$out" "^small +$metric +(1 +[0-9]|0 +- .*unsupported: )" "$metric: a number, or why there is none"
done
"$PERFGATE" log --json >"$out" 2>/dev/null
contains "$out" '"measure": ?\{"seconds": ?[0-9]' "what the machine did meanwhile is kept"

### CPUs

allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status 2>/dev/null)
if [ -z "$allowed" ]; then
	skip "--cpus" "this system does not say what a process is bound to"
else
	cpu=${allowed%%[,-]*}
	# shellcheck disable=SC2016
	bound='sed -n "s/^Cpus_allowed_list:[[:space:]]*//p" /proc/self/status >>"$LOG"'
	ok "--cpus" alone --cpus "$cpu" --setup "$bound; echo >>\"\$LOG\"" -- sh -c "$bound"
	is "$allowed:$cpu" "$(paste -s -d: "$LOG" | sed 's/::/:/')" "... binds the command, and not its set-up"
	"$PERFGATE" log --json --limit 1 >"$out" 2>/dev/null
	contains "$out" "\"cpus\": ?\"$cpu\"" "... and is kept"
	: >"$LOG"
	ok "... both sides alike" "$PERFGATE" measure HEAD~1 HEAD --pairs 2 --cpus "$cpu" -- sh -c "$bound"
	is "$cpu" "$(sort -u "$LOG")" "... which is so"
	ok "none" alone --cpus none -- sh -c "$bound"
	is "$allowed" "$(cat "$LOG")" "... binds nothing"
	conf '[measure]' "cpus = $cpu"
	ok "from perfgate.conf" alone -- sh -c "$bound"
	is "$cpu" "$(cat "$LOG")" "... it is bound"
	ok "the command line comes first" alone --cpus none -- sh -c "$bound"
	is "$allowed" "$(cat "$LOG")" "... it is not bound"
	conf '[measure]' 'cpus = 8191'
	is_status 2 alone -- true
	contains "$err" 'perfgate.conf: cpus: CPU 8191: not all of it can be had here; there is ' "a CPU that is not there"
	rm -f perfgate.conf
	is_status 2 alone --cpus "$cpu,8000-8001" -- sh -c "echo >>'$LOG'"
	contains "$err" '--cpus: CPU .*8000-8001: not all' "some that are not there"
	is "" "$(cat "$LOG")" "... before anything ran"
fi
is_status 2 alone --cpus two -- true
contains "$err" "--cpus: 'two' is no list of CPUs: expected one such as" "no list"

### what the command finds

: >"$LOG"
sh -c 'ls /proc/self/fd >>"$LOG"' 2>/dev/null
cp "$LOG" before
if [ -s before ]; then
	ok "file descriptors" alone -- sh -c 'ls /proc/self/fd >>"$LOG"'
	same before "$LOG" "... are those of perfgate's caller"
	# two above 31 are the C library's own, and out of reach
	ok "signals" sh -c 'trap "" PIPE CHLD USR1; exec "$@"' sh "$PERFGATE" measure HEAD --alone --pairs 1 -- \
		sh -c 'grep -E "^Sig(Blk|Ign):" /proc/self/status | grep -v -E "[08]0000000$" >"$LOG"; exit 0'
	is "" "$(cat "$LOG")" "... are neither ignored nor held back"
	ok "a session of its own" alone -- sh -c 'set -- $(sed "s/.*) //" /proc/$$/stat); echo "$4 $$" >>"$LOG"'
	is "$(sed 's/.* \(.*\)/\1 \1/' "$LOG")" "$(cat "$LOG")" "... so no terminal"
else
	skip "descriptors, signals, session" "there is no /proc here"
fi
ok "standard input" alone -- sh -c 'test -z "$(cat)"'
if env --ignore-signal=CHLD true 2>/dev/null; then
	fails "children can be waited for where the caller ignores them" env --ignore-signal=CHLD \
		"$PERFGATE" measure HEAD --alone --pairs 1 -- sh -c 'exit 3'
	contains "$err" 'failed with status 3' "... and their status is known"
else
	skip "children where the caller ignores them" "env has no --ignore-signal"
fi
: >"$LOG"
LC_ALL=xx_YY GIT_PREFIX=deep/ "$PERFGATE" measure HEAD~1 HEAD --pairs 10 -- \
	sh -c 'echo "${#PERFGATE_OUT} $LC_ALL $GIT_PREFIX" >>"$LOG"; case $PERFGATE_OUT in /*) ;; *) exit 1 ;; esac' >"$out" 2>"$err"
is 1 "$(sort -u "$LOG" | wc -l | tr -d ' ')" "the environment has the same length in all runs"
contains "$LOG" '^[0-9]+ xx_YY $' "... its locale is the caller's, and git's variables are gone"

### which program

ok "a folder of PATH below the work tree" env PATH="bin:$PATH" "$PERFGATE" measure HEAD~1 HEAD --pairs 1 -- tool
contains "$LOG" '^tool of base$' "... is that of each side"
contains "$LOG" '^tool of head$' "... and of the other"
ok "a script without a first line" alone -- ./bare argument
is "no first line: argument" "$(cat "$LOG")" "... is the shell's"
is_status 2 alone -- no-such-program
contains "$err" "cannot run 'no-such-program': there is no such program in PATH \(/" "a name that is nowhere"
: >built && chmod +x built
is_status 2 alone -- ./built
contains "$err" "cannot run './built': it is not in /.*; what is not committed has to be built by --setup" "what is not committed"
ok "... built by --setup" alone --setup 'echo : >built; chmod +x built' -- ./built
is_status 2 alone -- ./text
contains "$err" "cannot run './text' in /.*: it is not executable \(chmod" "no program"
is_status 2 alone -- ./lost
contains "$err" "cannot run './lost' in .*: what runs it is not there" "a program without its interpreter"
is_status 2 alone -- ./bin
contains "$err" "cannot run './bin' in .*: Is a directory" "a folder"
is_status 2 alone -- ''
contains "$err" "cannot run ''" "no name"
is_status 2 env PATH="$PWD" "$PERFGATE" measure . -- text

### how it ends

deaf='trap "" TERM INT HUP; echo $$ >>"$PIDS"; sh -c "trap \"\" TERM INT HUP; echo \$\$ >>\"\$PIDS\"; while :; do sleep 1; done" & while :; do sleep 1; done'
: >"$PIDS"
is_status 2 alone --timeout 1s -- sh -c "$deaf"
is 2 "$(wc -l <"$PIDS" | tr -d ' ')" "a command that hears nothing, with a child"
none_alive "... is killed with it on time-out"
for signal in INT TERM; do
	: >"$PIDS"
	"$PERFGATE" measure HEAD --alone -- sh -c "$deaf" >"$out" 2>"$err" &
	pid=$!
	tries=0
	while [ "$(wc -l <"$PIDS")" -lt 2 ] && [ $tries -lt 600 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	kill -$signal $pid
	wait $pid
	is 2 $? "SIG$signal: the exit status"
	none_alive "SIG$signal: neither is left"
	is "" "$(ls "$TMPDIR")" "SIG$signal: the temporary folder is gone"
done
ok "a command that leaves something running" alone -- sh -c 'sleep 1000 & echo $! >>"$PIDS"'
none_alive "... which is killed"
ok "a set-up that leaves something running" alone --setup 'sleep 1000 & echo $! >>"$PIDS"' -- sh -c 'kill -0 $(cat "$PIDS")'
for pid in $(cat "$PIDS"); do
	ok "... which goes on" kill -0 "$pid"
	kill -KILL "$pid"
done
is_status 2 alone --timeout 60s -- sh -c 'echo $$ >>"$PIDS"; kill -STOP $$'
contains "$err" 'was stopped by a signal and was killed' "a command that is stopped would never end"
none_alive "... it is ended"
: >"$PIDS"
"$PERFGATE" measure HEAD --alone --pairs 1 -- sh -c 'echo $$ >>"$PIDS"; while ! test -e "$LOG.go"; do sleep 0.1; done' >"$out" 2>"$err" &
pid=$!
tries=0
while [ ! -s "$PIDS" ] && [ $tries -lt 600 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
kill -TSTP $pid
sleep 0.2
lacks "/proc/$pid/stat" '\) T' "SIGTSTP waits for the end of a run"
: >"$LOG.go"
kill -CONT $pid
tries=0
while alive $pid && [ $tries -lt 100 ]; do
	kill -CONT $pid 2>/dev/null
	sleep 0.1
	tries=$((tries + 1))
done
wait $pid
is 0 $? "... and after SIGCONT it goes on"

### what it says

ok "a command that says more than a disk holds" alone -- sh -c '
	head -c 100000000 /dev/zero
	tries=0
	while [ "$(wc -c </proc/self/fd/2)" -gt 17000000 ] && [ $tries -lt 600 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	test $tries -lt 600'
is_status 2 alone -- sh -c 'yes | head -c 100000000; sleep 1; echo; echo the last words; exit 1'
contains "$err" '\| the last words' "... its last lines are still there"
is_status 2 alone -- sh -c 'printf "zero\000 bytes\n"; exit 1'
contains "$err" '\| zero bytes' "bytes that are zero hide nothing"

### the machine

cores=$(grep -c '^cpu[0-9]' /proc/stat 2>/dev/null)
if [ "${cores:-0}" -gt 0 ]; then
	: >"$PIDS"
	for n in $(seq $((cores / 4 + 1))); do
		sh -c 'while :; do :; done' &
		echo $! >>"$PIDS"
	done
	ok "beside busy programs" "$PERFGATE" measure HEAD~1 HEAD --pairs 1 --report "json:$report" --report text -- sleep 1
	kill $(cat "$PIDS")
	noted 'other programs kept [0-9.]+ of [0-9]+ cores? busy meanwhile' "... it is said beside the verdict"
	contains "$out" 'note: other programs kept' "... in each report"
else
	skip "beside busy programs" "there is no /proc/stat here"
fi
done_testing
