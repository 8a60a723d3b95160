# The fuzzers' functions over the corpus and over the documents of tests/cases.
. "${srcdir:-.}/tests/lib.sh"

cd "$srcdir" || exit 99
for program in "$builddir"/tests/fuzz/replay-*; do
	[ -x "$program" ] || continue
	case $program in *.o | *.log | *.trs) continue ;; esac
	name=${program##*/replay-}
	files=$(find tests/fuzz/corpus/"$name" tests/cases/"$name" -type f 2>/dev/null |
		grep -E '/corpus/|/input(/|\.|$)|/input[^/]*$' | sort)
	if [ -n "$files" ]; then
		ok "$name: $(echo "$files" | wc -l) files" "$program" $files
	else
		fail "$name: has no corpus"
	fi
done
done_testing
