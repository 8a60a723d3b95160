# perfgate help, -h, --version, and what is said to words that are not known.
. "${srcdir:-.}/tests/lib.sh"

ok "help" "$PERFGATE" help
contains "$out" '^usage: perfgate COMMAND' "help: the usage"
cp "$out" "$tmp/overview"
commands=$(sed -n 's/^  \([a-z][a-z]*\)  *[a-z].*/\1/p' "$tmp/overview" | grep -v '^perfgate$')
for command in ingest gate diff log show store policy formats env help; do
	contains "$tmp/overview" "^  $command +[a-z]" "help lists $command"
done
for option in -h --help; do
	ok "$option" "$PERFGATE" $option
	same "$tmp/overview" "$out" "$option is help"
done
is_status 2 "$PERFGATE"
same "$tmp/overview" "$out" "no command: help, but no success"
for option in --version -V; do
	ok "$option" "$PERFGATE" $option
	contains "$out" '^perfgate [0-9]+\.[0-9]+' "$option: name and version"
	is 1 "$(wc -l <"$out" | tr -d ' ')" "$option: one line"
done
for command in $commands; do
	ok "help $command" "$PERFGATE" help "$command"
	contains "$out" "^usage: perfgate $command" "help $command: the usage"
	cp "$out" "$tmp/help"
	for option in -h --help; do
		ok "$command $option" "$PERFGATE" "$command" $option
		same "$tmp/help" "$out" "$command $option is help $command"
	done
	[ "$command" = store ] || contains "$tmp/help" '^  -h, --help ' "$command has -h"
	is 0 "$(awk 'length > 120' "$tmp/help" | wc -l | tr -d ' ')" "help $command: no line is too long"
	is_status 2 "$PERFGATE" "$command" --no-such-option-at-all
	contains "$err" '^perfgate: ' "$command: an option that is not known"
done

run "$PERFGATE" store check -h
cp "$out" "$tmp/help"
ok "help store check" "$PERFGATE" help store check
same "$tmp/help" "$out" "help store check is store check -h"

# suggestions
suggests()
{
	run "$PERFGATE" $1
	is 2 $? "$1: exit status"
	is "perfgate: $2" "$(cat "$err")" "$1"
}
suggests gaet "no command 'gaet'; did you mean 'gate'?"
suggests ingst "no command 'ingst'; did you mean 'ingest'?"
suggests pol "no command 'pol'; did you mean 'policy'?"
suggests xyzzyxyzzy "no command 'xyzzyxyzzy'; 'perfgate help' lists them"
suggests 'help gaet' "no command 'gaet'; did you mean 'gate'?"
suggests 'store exprot' "no command 'store exprot'; did you mean 'store export'?"
suggests 'gate --stirct' "no option --stirct; did you mean --strict?"
suggests 'gate --xyzzyxyzzyxyzzy' "no option --xyzzyxyzzyxyzzy (-h lists them)"
suggests 'ingest --comit x' "no option --comit; did you mean --commit?"
suggests 'ingest --dry-run=yes' "--dry-run takes no value"
suggests 'ingest --commit' "--commit needs a value: --commit REV"
suggests 'ingest -c' "-c needs a value: -c REV"
suggests 'ingest -x' "no option -x (-h lists them)"
suggests 'ingest -nx' "no option -x (-h lists them)"
suggests 'help gate diff' "'gate' has no commands of its own"
suggests 'store chek' "no command 'store chek'; did you mean 'store check'?"

# a word that could steer a terminal is shown escaped
run "$PERFGATE" "$(printf 'g\033[31m')"
lacks "$err" "$(printf '\033')" "an unknown command cannot steer the terminal"
run "$PERFGATE" gate "--$(printf 'g\033[31m')"
lacks "$err" "$(printf '\033')" "an unknown option cannot steer the terminal"

# a closed or full output is no success
if [ -w /dev/full ]; then
	is_status 2 sh -c '"$0" help >/dev/full' "$PERFGATE"
	contains "$err" 'cannot write the output' "a full output is an error"
else
	skip "a full output is an error" "there is no /dev/full"
fi
is_status 2 "$PERFGATE" help foo
lacks "$err" 'did you mean' "a word like no command suggests none"
done_testing
