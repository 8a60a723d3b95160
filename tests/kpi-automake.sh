# docs/perfgate.am in a small project of its own: make check collects what the benchmarks write.
. "${srcdir:-.}/tests/lib.sh"

[ -f "$builddir/libperfgate.la" ] || skip_all "libperfgate is not built here"
[ "$SANITIZERS" = no ] || skip_all "a library built with sanitizers takes a program built with them"
need pkg-config
need autoreconf
need automake
need sqlite3

unset MAKEFLAGS MFLAGS MAKELEVEL
if ! make -C "$builddir" DESTDIR="$tmp/root" install-libLTLIBRARIES install-pkgconfigDATA \
	install-dist_perfgateincludeHEADERS install-dist_pkgdataDATA >make.log 2>&1; then
	fail "make install"
	tail -n 20 make.log | comment
	done_testing
	exit
fi
libdir=$(dirname "$(find "$tmp/root" -name perfgate.pc)")
LD_LIBRARY_PATH=${libdir%/pkgconfig}
PKG_CONFIG_PATH=$libdir
PKG_CONFIG_SYSROOT_DIR=$tmp/root
CC=$TEST_CC
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH CC

git init -q .
fragment=$(pkg-config --variable=am perfgate)
case $fragment in "$tmp"/*) ;; *) fragment=$tmp/root$fragment ;; esac
ok "pkg-config knows where the fragment is" cp "$fragment" .
cp "$srcdir/examples/bench.c" .
cat >configure.ac <<'AC'
AC_INIT([tiny], [1])
AM_INIT_AUTOMAKE([foreign -Wall -Werror])
AC_PROG_CC
PKG_CHECK_MODULES([PERFGATE], [perfgate])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
AC
cat >Makefile.am <<'AM'
include $(top_srcdir)/perfgate.am
AM_CPPFLAGS = $(PERFGATE_CFLAGS)
LDADD = $(PERFGATE_LIBS)
AM_TESTS_ENVIRONMENT = $(PERFGATE_ENVIRONMENT)
check_DATA = $(PERFGATE_CHECK)
check_PROGRAMS = one two
one_SOURCES = bench.c
two_SOURCES = bench.c
TESTS = one two
clean-local:
	@echo "its own rule"
AM
git add .
commit first
ok "automake -Wall -Werror takes it" autoreconf -fi
mkdir build && cd build || exit 99
ok "configure" ../configure
ok "make check" make check
is 2 "$(ls perfgate-results | wc -l | tr -d ' ')" "a file of each benchmark"
ok "and again, at once" make -j2 check
is 2 "$(ls perfgate-results | wc -l | tr -d ' ')" "which begins with an empty folder"
ok "make perfgate-ingest" make perfgate-ingest PERFGATE="$PERFGATE" INGEST_FLAGS="--store $work/s.db"
is "2 4" "$(query "$work/s.db" "SELECT count(DISTINCT run_id) || ' ' || count(*) FROM sample
	JOIN series ON series.id = series_id JOIN metric ON metric.id = metric_id
	WHERE metric.name = 'allocs_per_op'")" "stores them all"
ok "make clean" make clean
contains "$out" 'its own rule' "runs the project's rule as well"
ok "and takes the folder away" test ! -d perfgate-results
done_testing
