# Every directory tests/cases/READER/CASE: `input` (or input.1, input.2, ..., or a directory of
# named files and folders) through tests/dump with the arguments of the file `args`, beside what has to come
# out: `expected`, or `error` where the document is refused. A refused one is also handed to
# `perfgate ingest`, which has to say the same and store nothing.
. "${srcdir:-.}/tests/lib.sh"

git init -q . && commit start
cp -R "$srcdir/tests/cases" cases && chmod -R u+w cases
store=$tmp/store.db
can_ingest=no
"$PERFGATE" ingest -h >"$out" 2>&1 && can_ingest=yes

# The number of runs in the store; an absent store holds none.
runs()
{
	[ -f "$store" ] || { echo 0; return; }
	command -v sqlite3 >/dev/null || { echo unknown; return; }
	sqlite3 "$store" 'select count(*) from run'
}

# The inputs of the case in the current directory, one a line.
inputs()
{
	if [ -d input ]; then
		find input -type f | sort
	else
		ls | grep -E '^input(\.|$)'
	fi
}

refused()
{
	printf 'error: %s\n' "$(cat error)" >"$tmp/expected"
	run "$DUMP" "$@"
	status=$?
	if [ $status -ne 1 ] || ! cmp -s "$tmp/expected" "$out"; then
		fail "$case"
		echo "# exit status $status; the error has to be: $(cat error)"
		show_output
		return
	fi
	pass "$case"
	[ $can_ingest = yes ] || return
	rm -f "$store" "$store"-*
	printf 'perfgate: %s\n' "$(cat error)" >"$tmp/expected"
	run "$PERFGATE" ingest --store "$store" "$@"
	status=$?
	stored=$(runs)
	if [ $status -ne 2 ] || ! grep -qxF -f "$tmp/expected" "$err"; then
		fail "$case: ingest refuses it"
		echo "# exit status $status; expected 2 and: $(cat "$tmp/expected")"
		show_output
	elif [ "$stored" = unknown ]; then
		skip "$case: ingest refuses it" "sqlite3 is not installed"
	elif [ "$stored" != 0 ]; then
		fail "$case: ingest refuses it"
		echo "# it stored $stored runs"
	else
		pass "$case: ingest refuses it"
	fi
}

accepted()
{
	run "$DUMP" "$@"
	status=$?
	if [ $status -eq 0 ] && [ ! -s "$err" ]; then
		same expected "$out" "$case"
	else
		fail "$case"
		echo "# exit status $status"
		show_output
	fi
}

for directory in cases/*/*/; do
	case=${directory#cases/}
	case=${case%/}
	cd "$work/$directory" || exit 99
	set -f
	set -- $(test ! -f args || cat args)
	set +f
	for input in $(inputs); do
		set -- "$@" "$input"
	done
	if [ -f error ]; then
		refused "$@"
	elif [ -f expected ]; then
		accepted "$@"
	else
		fail "$case: has neither 'expected' nor 'error'"
	fi
done
done_testing
