# The examples, built against an installed tree as a user would: C and C++, shared and static, with
# allocations counted and not.
. "${srcdir:-.}/tests/lib.sh"

[ -f "$builddir/libperfgate.la" ] || skip_all "libperfgate is not built here"
[ "$SANITIZERS" = no ] || skip_all "a library built with sanitizers takes a program built with them"
need pkg-config

# A make around this one is not to be asked for jobs.
unset MAKEFLAGS MFLAGS MAKELEVEL
if ! make -C "$builddir" DESTDIR="$tmp/root" install-libLTLIBRARIES install-pkgconfigDATA \
	install-dist_perfgateincludeHEADERS >make.log 2>&1; then
	fail "make install"
	tail -n 20 make.log | comment
	done_testing
	exit
fi
libdir=$(dirname "$(find "$tmp/root" -name perfgate.pc)")
libdir=${libdir%/pkgconfig}
PKG_CONFIG_PATH=$libdir/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$tmp/root
LD_LIBRARY_PATH=$libdir
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
cflags=$(pkg-config --cflags perfgate)
counts=no
[ -f "$PKG_CONFIG_PATH/perfgate-alloc.pc" ] && counts=yes
git init -q .
commit first

# ---- the header ----

for std in c99 c11 c17; do
	printf '#include <perfgate/kpi.h>\nint main(void) { return 0; }\n' >one.c
	ok "kpi.h alone, $std" $TEST_CC -std=$std -Wall -Wextra -pedantic -Werror $cflags -fsyntax-only one.c
done
cxx=$(command -v g++ || command -v c++ || command -v clang++)
if [ -n "$cxx" ]; then
	cp one.c one.cc
	for std in c++11 c++17; do
		ok "kpi.h alone, $std" "$cxx" -std=$std -Wall -Wextra -pedantic -Werror $cflags -fsyntax-only one.cc
	done
else
	skip "kpi.h alone, C++" "there is no C++ compiler"
fi

# ---- the libraries ----

# exported FILE: the names that it defines for others, without versions.
exported()
{
	nm -D --defined-only "$1" | "$TEST_AWK" '$2 ~ /^[A-Z]$/ { print $3 }' | sort
}

if [ -f "$libdir/libperfgate.so" ] && command -v nm >/dev/null; then
	exported "$libdir/libperfgate.so" >got
	contains got '^perfgate_record$' "the library has its functions"
	lacks got '^(_|[^p]|p[^e]|perfgate_(self|text|file_|sampler|hush|count))' "and exports no other name"
	sed -n 's/^PERFGATE_API .*[ *]\(perfgate_[a-z_]*\)(.*/\1/p; /^PERFGATE_API int perfgate_run($/s/.*/perfgate_run/p' \
		"$srcdir/probes/include/perfgate/kpi.h" | sort -u >declared
	same declared got "those that kpi.h declares, all of them"
	ok "it has a soname" test -e "$libdir/libperfgate.so.0"
else
	skip "exported names" "there is no shared library, or no nm"
fi
if [ -f "$libdir/libperfgate.a" ] && command -v nm >/dev/null; then
	nm -g --defined-only "$libdir/libperfgate.a" | "$TEST_AWK" 'NF == 3 { print $3 }' >got
	lacks got '^perfgat[^e]|^perfgate[^_]|^([^p]|p[^e]|pe[^r])' "the static one has no name without perfgate_"
fi

# ---- the examples ----

# built NAME COMPILER...: runs what the compiler made, and has its results in NAME.json and NAME.values.
built()
{
	name=$1
	shift
	rm -rf results && mkdir results
	if ! run "$@" -O2 -o "./$name" || ! run env PERFGATE_OUT=results ${preload:+"LD_PRELOAD=$preload"} "./$name"; then
		fail "$name: built and run"
		show_output
		return
	fi
	pass "$name: built and run"
	cat results/*.json >"$name.json"
	"$TEST_AWK" '/"(name|allocs_per_op|bytes_per_op)"/ { gsub(/[",]/, "", $2); printf "%s ", $2 }
		/"goroutines_end"/ { gsub(/,/, "", $2); print $2 }' "$name.json" >"$name.values"
	ok "$name: ingest reads it" "$PERFGATE" ingest --store "$name.db" results
	contains "$out" ' 30 series, 30 samples' "$name: all of it"
	command -v sqlite3 >/dev/null || return
	"$TEST_AWK" '/"name"/ { n = $2 } /"(sample|iterations|[a-z_]*(op|end|put|read|rate|bytes|ns))"/ { print n, $1, $2 }' \
		"$name.json" | tr -d '":,' | sort >expected
	query "$name.db" "SELECT benchmark.name || ' ' || metric.name || ' ' || value FROM sample
		JOIN series ON series.id = series_id JOIN benchmark ON benchmark.id = benchmark_id
		JOIN metric ON metric.id = metric_id
		WHERE metric.name NOT IN ('timestamp', 'tokens_total', 'wall_ns_per_op')" | sort >got
	is 24 "$(wc -l <expected | tr -d " ")" "$name: 12 numbers a result"
	same expected got "$name: each number is the one that was written"
}

# 9 words of 43 letters, a string that grows with each; and a vector of 1000 ints.
printf '%s\n' 'copy_words 9 235 0' 'cache 1 1000 0' >c.counted
printf '%s\n' 'copy_words 0 0 0' 'cache 0 0 0' >c.plain
printf '%s\n' 'copy_vector 1 4000 0' 'two_pointers 2 88 0' >cc.counted
printf '%s\n' 'copy_vector 0 0 0' 'two_pointers 0 0 0' >cc.plain

# both LANGUAGE COMPILER SOURCE: in the ways that there are here.
both()
{
	language=$1
	compile="$2 $3 -Wall -Wextra -Werror $cflags"
	preload=
	if [ -f "$libdir/libperfgate.so" ]; then
		built $language-shared $compile $(pkg-config --libs perfgate)
		same $language.plain $language-shared.values "$language-shared: not counted is 0"
	fi
	if [ -f "$libdir/libperfgate.a" ]; then
		built $language-static $compile "$libdir/libperfgate.a" -pthread
		same $language.plain $language-static.values "$language-static: not counted is 0"
	fi
	if [ $counts = no ]; then
		skip "$language: allocations" "they are not counted in this build"
		return
	fi
	if [ -f "$libdir/libperfgate-alloc.so" ]; then
		built $language-counted $compile -Wl,--as-needed $(pkg-config --libs perfgate-alloc)
		same $language.counted $language-counted.values "$language-counted: exact"
		preload=$libdir/libperfgate-alloc.so
		built $language-preloaded $compile $(pkg-config --libs perfgate)
		same $language.counted $language-preloaded.values "$language-preloaded: exact"
		preload=
	fi
	if [ -f "$libdir/libperfgate-alloc.a" ]; then
		built $language-counted-static $compile -Wl,-u,malloc "$libdir/libperfgate-alloc.a" \
			"$libdir/libperfgate.a" -pthread
		same $language.counted $language-counted-static.values "$language-counted-static: exact"
	fi
}

both c "$TEST_CC" "$srcdir/examples/bench.c"
if [ -n "$cxx" ]; then
	both cc "$cxx -std=c++11" "$srcdir/examples/bench.cc"
else
	skip "the example in C++" "there is no C++ compiler"
fi
done_testing
