# perfgate/trace.h: it compiles, and what it writes is a trace, whatever the program does.
. "${srcdir:-.}/tests/lib.sh"

need python3
include=$srcdir/probes/include
here=$srcdir/tests/trace
strict="-Wall -Wextra -pedantic -Wshadow -Wundef -Werror -I$include"
flags="-g -O1"
[ "$SANITIZERS" != yes ] || flags="$flags -fsanitize=address,undefined -fno-sanitize-recover=all"
case $TEST_CC in *clang*) cxx=clang++ ;; *) cxx=g++ ;; esac
command -v $cxx >/dev/null || cxx=

# ---- it compiles ----

printf '#include <perfgate/trace.h>\n' >alone.c
cp alone.c alone.cc
for compiler in gcc clang; do
	command -v $compiler >/dev/null || { skip "C by $compiler" "$compiler is not installed" && continue; }
	for std in c99 c11 gnu17; do
		ok "$compiler -std=$std takes the header alone" $compiler -std=$std $strict -Wstrict-prototypes \
			-Wmissing-prototypes -Wconversion -c -o alone.o alone.c
	done
done
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || { skip "C++ by $compiler" "$compiler is not installed" && continue; }
	for std in c++11 c++17 c++20; do
		ok "$compiler -std=$std takes the header alone" $compiler -std=$std $strict -Wold-style-cast \
			-Wzero-as-null-pointer-constant -c -o alone.o alone.cc
	done
done

# The headers of Windows are not here: what of them the header uses, as it is documented.
stubs()
{
	mkdir -p windows/sys && cd windows || exit 99
	printf '%s\n' 'typedef int errno_t;' '#ifdef __cplusplus' 'extern "C" int *_errno(void);' '#else' \
		'int *_errno(void);' '#endif' '#define errno (*_errno())' '#define EINVAL 22' '#define EACCES 13' \
		'#define EBUSY 16' '#define ENOSPC 28' >errno.h
	printf '%s\n' '#define _O_WRONLY 1' '#define _O_CREAT 0x100' '#define _O_TRUNC 0x200' \
		'#define _O_BINARY 0x8000' '#define _O_NOINHERIT 0x80' >fcntl.h
	printf '#define _SH_DENYWR 0x20\n' >share.h
	printf '#define _S_IREAD 0x100\n#define _S_IWRITE 0x80\n' >sys/stat.h
	: >sys/types.h
	c_header stdio '#define SEEK_SET 0'
	c_header stdlib 'void *calloc(size_t, size_t); void *malloc(size_t); void free(void *);' \
		'int atexit(void(__cdecl *)(void));'
	c_header string 'void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);' \
		'void *memset(void *, int, size_t); size_t strlen(const char *);' \
		'CONST_OUT char *strrchr(const char *, int);' '#define _TRUNCATE ((size_t)-1)' \
		'int strncpy_s(char *, size_t, const char *, size_t);'
	c_header io 'int _write(int, const void *, unsigned); int _close(int); int _chsize_s(int, long long);' \
		'long long _lseeki64(int, long long, int); int _sopen_s(int *, const char *, int, int, int);'
	c_header windows 'typedef unsigned long DWORD; typedef long LONG; typedef void *PVOID; typedef int BOOL;' \
		'typedef union { long long QuadPart; } LARGE_INTEGER; typedef struct { PVOID Ptr; } SRWLOCK;' \
		'#define WINAPI __stdcall' '#define FLS_OUT_OF_INDEXES ((DWORD)0xFFFFFFFF)' \
		'void WINAPI InitializeSRWLock(SRWLOCK *); void WINAPI AcquireSRWLockExclusive(SRWLOCK *);' \
		'void WINAPI ReleaseSRWLockExclusive(SRWLOCK *); DWORD WINAPI FlsAlloc(void(WINAPI *)(PVOID));' \
		'PVOID WINAPI FlsGetValue(DWORD); BOOL WINAPI FlsSetValue(DWORD, PVOID);' \
		'BOOL WINAPI QueryPerformanceCounter(LARGE_INTEGER *); DWORD WINAPI GetCurrentProcessId(void);' \
		'BOOL WINAPI QueryPerformanceFrequency(LARGE_INTEGER *); DWORD WINAPI GetCurrentThreadId(void);' \
		'DWORD WINAPI GetModuleFileNameA(PVOID, char *, DWORD); LONG ReadNoFence(LONG const volatile *);' \
		'LONG ReadAcquire(LONG const volatile *); void WriteRelease(LONG volatile *, LONG);' \
		'LONG InterlockedExchangeAdd(LONG volatile *, LONG);'
	cd ..
}

c_header()
{
	header=$1.h
	shift
	{
		printf '%s\n' '#pragma once' '#include <stddef.h>' '#ifdef __cplusplus' 'extern "C" {' \
			'#define CONST_OUT const' '#else' '#define CONST_OUT' '#endif' "$@" '#ifdef __cplusplus' '}' \
			'#endif'
	} >"$header"
}

if run clang --target=x86_64-pc-windows-msvc -fms-compatibility -fsyntax-only -x c /dev/null; then
	stubs
	cat >msvc.c <<'C'
#include <perfgate/trace.h>
int use(int n);
int use(int n)
{
	if (perfgate_trace_begin("x.json") < 0)
		return 1;
	PERFGATE_BEGIN("a");
	PERFGATE_COUNTER("n", n);
	PERFGATE_INSTANT_COPY("now");
	PERFGATE_END();
	PERFGATE_THREAD("main");
#ifdef __cplusplus
	PERFGATE_SCOPE("b");
	PERFGATE_FUNCTION();
#endif
	return perfgate_trace_end();
}
C
	cp msvc.c msvc.cc
	windows="--target=x86_64-pc-windows-msvc -fms-compatibility -fms-extensions -nostdlibinc -Iwindows
		-I$include -Wall -Wextra -Werror -fsyntax-only"
	ok "C for MSVC" clang $windows -std=c11 msvc.c
	ok "C++ for MSVC" clang $windows -std=c++14 msvc.cc
else
	skip "C for MSVC" "no clang that knows Windows"
	skip "C++ for MSVC" "no clang that knows Windows"
fi

# ---- compiled out ----

for level in -O0 -O2; do
	ok "PERFGATE_TRACE=0 compiles, $level" $TEST_CC $level -std=c99 $strict -c -o off.o "$here/off.c"
	nm off.o | sed 's/^[0-9a-f ]*//' >left
	echo "T off" >expected
	same expected left "and leaves nothing, $level"
done
if [ -n "$cxx" ]; then
	sed 's/int off(.*;$/extern "C" &/' "$here/off.c" >off.cc
	ok "PERFGATE_TRACE=0 compiles as C++" $cxx -O0 -std=c++11 $strict -c -o off.o off.cc
	nm off.o | sed 's/^[0-9a-f ]*//' >left
	same expected left "and leaves nothing"
else
	skip "PERFGATE_TRACE=0 compiles as C++" "no C++ compiler"
fi
cat >main.c <<'C'
int off(const char *path, int *calls);
int main(void)
{
	int calls = 0;
	return off("x.json", &calls) || calls;
}
C
$TEST_CC -c -std=c99 -I"$include" -o off.o "$here/off.c"
ok "without it no argument is evaluated" sh -c '$0 -o main main.c off.o && ./main && test ! -e x.json' "$TEST_CC"

# ---- one session for all files of a program ----

printf '#include <perfgate/trace.h>\nvoid f(void);\nvoid f(void)\n{\n\tPERFGATE_SCOPE("f");\n}\n' >f.c
$TEST_CC -std=c99 -I"$include" -DPERFGATE_TRACE_EXTERN -c f.c
nm f.o | sed -n 's/^ *\([TVWtvw]\|[0-9a-f]* [TtVWBDbd]\) //p' | sort >defined
ok "PERFGATE_TRACE_EXTERN defines nothing shared" sh -c '! grep -qv -e "^f$" -e perfgate_priv_enter -e perfgate_priv_leave defined'

build()
{
	program=$1
	shift
	if [ -n "$cxx" ]; then
		$cxx -std=c++11 $strict "$@" -c -o part.o "$here/part.cc" || return
	else
		printf 'void cxx_part(void);\nvoid cxx_part(void)\n{\n}\n' >part.c
		$TEST_CC "$@" -c -o part.o part.c || return
	fi
	$TEST_CC -std=gnu99 $strict "$@" -c -o scopes.o "$here/scopes.c" &&
		${cxx:-$TEST_CC} "$@" -o "$program" part.o scopes.o -pthread
}
ok "a program of C and C++" build scopes $flags

# counts [--crashed] FILE: checked, and what is in it without the metadata.
counts()
{
	python3 "$here/check.py" "$@" >checked || return
	grep -v '^[0-9]* M "\(process\|thread\)_name"' checked
}

# holds NAME FILE [--crashed]: the trace is valid and holds what stands on standard input.
holds()
{
	cat >expected
	run counts $3 "$2"
	same expected "$out" "$1"
	comment <"$err"
	[ "$3" ] || ok "$1: perfgate reads it" "$PERFGATE" ingest --store s.db --commit $commit "$2"
	[ "$3" ] || lacks "$err" 'note: .*(fault|lack|skip|drop|overlap|unended|stray)' "$1: and finds nothing odd"
}
commit=0000000000000000000000000000000000000001

ok "scopes" ./scopes scopes a.json
if [ -n "$cxx" ]; then
	run counts a.json
	contains "$out" '^1 X ".*overloaded.*= double.*"$' "functions are told apart by their types"
	grep -v overloaded "$out" >got
	sed 's/^	*//' >expected <<-'COUNTS'
		3 C "level"
		1 X "C++"
		1 X "a.json"
		1000 X "empty"
		1 X "first"
		1 X "left by an exception"
		10 X "nested"
		1 X "pair"
		1 X "second"
		1 X "text that is gone"
		1 X "two_in_a_block"
		1 i "caught"
		1 i "moment"
	COUNTS
	same expected got "scopes of C and C++, nested exactly"
else
	skip "functions are told apart by their types" "no C++ compiler"
	skip "scopes of C and C++, nested exactly" "no C++ compiler"
fi
contains a.json '"ph":"C".*"args":\{"value":-9223372036854775807\}' "counters are exact"
is 0 "$(grep -c '"dur":0.000,"name":"empty"' a.json)" "no empty scope takes no time"
contains a.json '"thread_name","args":\{"name":"the \\"main\\" thread"\}' "a thread's name"
ok "the tid is the kernel's" sh -c './scopes scopes b.json & wait $!; grep -q "\"pid\":$!,\"tid\":$!," b.json'
python3 - >clock <<'PY'
import json, time
start = json.load(open("b.json"))[0]["args"]["zero_us"] * 1000
print("same" if 0 < time.monotonic_ns() - start < 600e9 else "other")
PY
is same "$(cat clock)" "the clock is the system's monotonic one"

ok "hostile names" ./scopes names a.json
ok "hostile names make a valid trace" counts a.json
python3 - a.json >got <<'PY'
import json, sys
names = {e["name"] for e in json.load(open(sys.argv[1], encoding="utf-8")) if e["ph"] == "X"}
print(all("n%c-%c" % (c, c) in names for c in range(1, 128)), "n\ufffd-\ufffd" in names)
print('quote " and \\ and \n and \x01 and \ufffd' in names, "C:\\Users\\x" in names, "" in names)
print("gr\u00fc\u00df \U0001F600" in names)
print(any(n.startswith("surrogate \ufffd") and "overlong \ufffd\ufffd, cut \ufffd" in n for n in names))
print("a" * 1500 in names, max(map(len, names)))
PY
printf '%s\n' 'True True' 'True True True' True True 'True 1500' >expected
same expected got "and come back as they were"

ok "lines of all lengths" ./scopes pages a.json
ok "lines of all lengths: the trace is valid" counts a.json
ok "deep recursion, and a jump out of scopes" ./scopes deep a.json
holds "what a jump left ends" a.json <<'COUNTS'
1 M "process_labels"
1 X "after"
1 X "around"
2 X "left by a jump"
1024 X "nested"
COUNTS
contains a.json '"dropped":976\}' "what was dropped is in the file"

ok "eight threads" ./scopes threads a.json
{
	echo '40000 C "jobs"'
	echo '1 X "all"'
	echo '40000 X "job"'
	for i in 0 1 2 3 4 5 6 7; do echo "5000 X \"worker $i\""; done
} >eight
holds "every event of eight threads" a.json <eight
is 9 "$(grep -o '"tid":[0-9]*' a.json | sort -u | wc -l | tr -d ' ')" "each has a tid of its own"

ok "the same with buffers that are full all the time" build small $flags -DPERFGATE_PRIV_PAGES=1
ok "lines that end everywhere" ./small lengths a.json
ok "are valid" counts a.json
is 20000 "$(grep -c '^,.*"ph":"i"' a.json)" "and complete"
ok "eight threads with small buffers" ./small threads a.json
holds "are complete" a.json <eight

# ---- sessions ----

ok "a session that ends before its scopes" ./scopes late a.json b.json
holds "scopes that are open end with the session" a.json <<'COUNTS'
1 X "ended"
1 X "inside, open at the end"+
1 X "open at the end"+
COUNTS
holds "the next session knows nothing of them" b.json <<'COUNTS'
1 X "in the second"
1 i "in the second"
COUNTS
ok "no second session beside the first" ./scopes twice a.json b.json
run counts a.json
printf '1 i "one"\n1 i "two"\n' >expected
same expected "$out" "which is intact"
ok "sessions that end while threads record" ./scopes races a.json b.json
ok "the first is valid" counts a.json
ok "the second is valid" counts b.json
ok "exit() inside a scope" ./scopes leaves a.json
holds "ends the session" a.json <<'COUNTS'
1 X "never left"+
1 i "bye"
COUNTS
ok "a fork" ./scopes forks a.json b.json
holds "the parent's file is the parent's" a.json <<'COUNTS'
1 X "copied in the parent"+
1 X "in the parent"+
1 i "after"
1 i "before"
1 i "not yet written"
COUNTS
holds "the child can have its own" b.json <<'COUNTS'
5000 C "jobs"
5000 X "job"
1 X "of the child"+
5000 X "worker 0"
COUNTS
ok "a file that cannot grow" ./scopes full a.json
ok "ends with a whole line" counts a.json
sum=$(sed -n 's/.*"dropped":\([0-9]*\).*/\1/p' a.json)
is 10000 $((sum + $(grep -c '"name":"i"' a.json))) "each event is there or counted"

# ---- crashes ----

{ ./scopes aborts a.json; } 2>/dev/null
run counts --crashed a.json
contains "$out" '^5000 X "worker 0"$' "abort() leaves whole lines"
ok "which perfgate reads" "$PERFGATE" ingest --store s.db --commit $commit a.json
whole=0
for i in 1 2 3 4 5 6 7 8; do
	./scopes killed a.json &
	sleep 0.0$i
	kill -9 $!
	wait $! 2>/dev/null
	[ -s a.json ] || echo '[' >a.json
	last=$(tail -c 1 a.json | od -An -c | tr -d ' ')
	[ "$last" = '\n' ] && tail -n 1 a.json | grep -qE '(^\[$|^[[,]?\{.*\} *$|^ *$)' && whole=$((whole + 1))
done
is 8 $whole "kill -9 leaves whole lines"
ok "which are a trace but for the bracket" counts --crashed a.json
ok "and perfgate reads it" "$PERFGATE" ingest --store s.db --commit $commit a.json

# ---- the examples ----

ok "examples/trace.c" sh -c '$0 $1 -pthread -o example "$2" && ./example a.json' "$TEST_CC" "$strict" \
	"$srcdir/examples/trace.c"
ok "which perfgate reads" "$PERFGATE" ingest --store s.db --commit $commit a.json
if [ -n "$cxx" ]; then
	ok "examples/trace.cc" sh -c '$0 $1 -pthread -o example "$2" && ./example a.json' "$cxx" "$strict" \
		"$srcdir/examples/trace.cc"
	run counts a.json
	contains "$out" '^10 X "count"$' "with what its threads did"
else
	skip "examples/trace.cc" "no C++ compiler"
fi

# ---- threads, once more ----

printf 'int main(void)\n{\n\treturn 0;\n}\n' >empty.c
if run $TEST_CC -fsanitize=thread -o empty empty.c && run ./empty && run build raced -O1 -g -fsanitize=thread; then
	for mode in threads races late forks; do
		ok "no race: $mode" ./raced $mode a.json b.json
	done
else
	skip "no race" "ThreadSanitizer does not work here"
fi
done_testing
