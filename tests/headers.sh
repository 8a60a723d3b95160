# Every header compiles alone.
. "${srcdir:-.}/tests/lib.sh"

flags="-std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only"
paths="-I$srcdir/src -I$srcdir/ingest -I$srcdir/gate -I$srcdir/site -I$srcdir/sql -I$srcdir/probes -I$srcdir/probes/include -I$srcdir/tests"
run $TEST_CC -fsyntax-only -x c /dev/null || skip_all "there is no compiler here"

for header in "$srcdir"/src/*.h "$srcdir"/ingest/*.h "$srcdir"/gate/*.h "$srcdir"/site/*.h "$srcdir"/sql/*.h "$srcdir"/probes/*.h "$srcdir"/probes/*/*.h \
	"$srcdir"/probes/include/perfgate/*.h; do
	[ -f "$header" ] || continue
	# Through a file that includes it: named itself, #pragma once and unused statics would warn.
	printf '#include "%s"\n' "$header" >one.c
	case $header in
	*/probes/opencl/*)
		if ! echo '#include <CL/cl.h>' | $TEST_CC -fsyntax-only -x c - 2>/dev/null; then
			skip "${header#"$srcdir"/} compiles alone" "there is no CL/cl.h here"
			continue
		fi
		;;
	esac
	ok "${header#"$srcdir"/} compiles alone" $TEST_CC $flags $paths one.c
done
done_testing
