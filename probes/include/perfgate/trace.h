/*
 * perfgate/trace.h: where a program spends its time, as a trace that chrome://tracing, Perfetto and
 * `perfgate ingest` read. Nothing is linked but the threads of the system (-pthread).
 *
 *     #include <perfgate/trace.h>
 *
 *     perfgate_trace_begin("out.json");          0, or -1 with errno
 *     {
 *             PERFGATE_SCOPE("parse");           until the end of the block
 *             PERFGATE_FUNCTION();               the same with the function's name
 *             PERFGATE_INSTANT("reload");        a moment
 *             PERFGATE_COUNTER("queue", n);      a whole number that varies
 *     }
 *     perfgate_trace_end();                      or the end of the program
 *
 * C99 or C++11 and later with GCC or Clang on a POSIX system; MSVC, where C has no PERFGATE_SCOPE
 * and takes PERFGATE_BEGIN and PERFGATE_END. With PERFGATE_TRACE defined as 0 nothing remains, and
 * no argument is evaluated. Any number of files, C and C++ mixed, may include this header; they
 * share one session. Each then carries the code, and the linker takes one copy for the program;
 * files that define PERFGATE_TRACE_EXTERN leave it to another that does not. Manual:
 * perfgate_trace(3).
 *
 * Names are string literals, which the compiler checks; what ends with _COPY takes any string and
 * copies it. A literal has to stay where it is until it is written: call perfgate_trace_flush()
 * before dlclose() of a library that used some. Names are cut after 1,500 bytes.
 *
 * How: an event is a record in a buffer of its thread, without lock or formatting. A full buffer,
 * one older than 0.1 s, a thread's end and the session's end write it out, one event a line. After
 * a crash the file holds whole lines and lacks only its closing bracket, which readers of the array
 * form forgive. What starts with perfgate_priv_ is private.
 */
#ifndef PERFGATE_TRACE_H
#define PERFGATE_TRACE_H

#ifndef PERFGATE_TRACE
#define PERFGATE_TRACE 1
#endif

#if PERFGATE_TRACE

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_MSC_VER)
#define PERFGATE_PRIV_UNLIKELY(x) (x)
#define PERFGATE_PRIV_SESSION() (perfgate_priv_session)
extern volatile long perfgate_priv_session;
#elif defined(__GNUC__)
#define PERFGATE_PRIV_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PERFGATE_PRIV_SESSION() (__atomic_load_n(&perfgate_priv_session, __ATOMIC_RELAXED))
extern long perfgate_priv_session __attribute__((visibility("default"))); /* its number; 0: none */
#else
#error "perfgate/trace.h needs GCC, Clang or MSVC; define PERFGATE_TRACE as 0 for others"
#endif

/*
 * Opens a session, which writes to path: its file is emptied, or made. Returns 0, or -1 with errno:
 * EBUSY while a session is open, here or (for a regular file) in another process that writes to the
 * same file; EINVAL without a path; or why path cannot be opened or written.
 */
int perfgate_trace_begin(const char *path);

/*
 * Writes what all threads recorded, ends scopes that are still open (with args.unended), and closes
 * the file. exit() does it too. Returns 0, or -1 with errno when the file is not complete; 0
 * without a session. What other threads record meanwhile goes into the file or is dropped and
 * counted.
 */
int perfgate_trace_end(void);

/* Writes what all threads recorded so far. Returns as perfgate_trace_end(). */
int perfgate_trace_flush(void);

/* How many events of this session, or of the last, are not in its file. */
unsigned long long perfgate_trace_dropped(void);

struct perfgate_priv_thread;
struct perfgate_priv_scope {
	struct perfgate_priv_thread *thread; /* NULL: began outside a session */
	long session;
	unsigned depth;
};

enum {
	PERFGATE_PRIV_BEGIN,
	PERFGATE_PRIV_END,
	PERFGATE_PRIV_INSTANT,
	PERFGATE_PRIV_COUNTER,
	PERFGATE_PRIV_COPIED /* beside one of these */
};

void perfgate_priv_open(struct perfgate_priv_scope *s, const char *name, int copied);
void perfgate_priv_close(struct perfgate_priv_scope *s);
void perfgate_priv_pop(void);
void perfgate_priv_event(int kind, const char *name, long long value);
void perfgate_priv_name_thread(const char *name);

#ifdef __cplusplus
}

class perfgate_priv_guard
{
      public:
	perfgate_priv_guard(const char *name, int copied)
	{
		scope.thread = nullptr;
		if (PERFGATE_PRIV_UNLIKELY(PERFGATE_PRIV_SESSION()))
			perfgate_priv_open(&scope, name, copied);
	}
	~perfgate_priv_guard()
	{
		if (PERFGATE_PRIV_UNLIKELY(scope.thread != nullptr))
			perfgate_priv_close(&scope);
	}
	perfgate_priv_guard(const perfgate_priv_guard &) = delete;
	perfgate_priv_guard &operator=(const perfgate_priv_guard &) = delete;

      private:
	perfgate_priv_scope scope;
};
#elif defined(__GNUC__)
static inline struct perfgate_priv_scope perfgate_priv_enter(const char *name, int copied)
{
	struct perfgate_priv_scope s = {0, 0, 0};

	if (PERFGATE_PRIV_UNLIKELY(PERFGATE_PRIV_SESSION()))
		perfgate_priv_open(&s, name, copied);
	return s;
}

static inline void perfgate_priv_leave(struct perfgate_priv_scope *s)
{
	if (PERFGATE_PRIV_UNLIKELY(s->thread != 0))
		perfgate_priv_close(s);
}
#endif

/* Two levels, so that __COUNTER__ is a number when it is joined. */
#define PERFGATE_PRIV_JOIN2(a, b) a##b
#define PERFGATE_PRIV_JOIN(a, b) PERFGATE_PRIV_JOIN2(a, b)
#define PERFGATE_PRIV_UNIQUE PERFGATE_PRIV_JOIN(perfgate_priv_scope_, __COUNTER__)

#if defined(__cplusplus)
#define PERFGATE_PRIV_SCOPE(name, copied) perfgate_priv_guard PERFGATE_PRIV_UNIQUE(name, copied)
#elif defined(__GNUC__)
#define PERFGATE_PRIV_SCOPE(name, copied)                                                          \
	__attribute__((cleanup(perfgate_priv_leave),                                               \
		unused)) struct perfgate_priv_scope PERFGATE_PRIV_UNIQUE =                         \
		perfgate_priv_enter(name, copied)
#endif
#define PERFGATE_PRIV_DO(call) (PERFGATE_PRIV_UNLIKELY(PERFGATE_PRIV_SESSION()) ? call : (void)0)
#define PERFGATE_PRIV_EVENT(kind, name, value)                                                     \
	PERFGATE_PRIV_DO(perfgate_priv_event(kind, name, value))

#ifdef PERFGATE_PRIV_SCOPE
#define PERFGATE_SCOPE(literal) PERFGATE_PRIV_SCOPE("" literal "", 0)
#define PERFGATE_SCOPE_COPY(name) PERFGATE_PRIV_SCOPE(name, PERFGATE_PRIV_COPIED)
#if !defined(__cplusplus)
#define PERFGATE_FUNCTION() PERFGATE_PRIV_SCOPE(__func__, 0)
#elif defined(_MSC_VER)
#define PERFGATE_FUNCTION() PERFGATE_PRIV_SCOPE(__FUNCSIG__, 0)
#else
#define PERFGATE_FUNCTION() PERFGATE_PRIV_SCOPE(__PRETTY_FUNCTION__, 0)
#endif
#endif

/* A span that no block bounds; ends on the thread that began it, the innermost first. */
#define PERFGATE_BEGIN(literal) PERFGATE_PRIV_EVENT(PERFGATE_PRIV_BEGIN, "" literal "", 0)
#define PERFGATE_BEGIN_COPY(name)                                                                  \
	PERFGATE_PRIV_EVENT(PERFGATE_PRIV_BEGIN | PERFGATE_PRIV_COPIED, name, 0)
#define PERFGATE_END() PERFGATE_PRIV_DO(perfgate_priv_pop())

#define PERFGATE_INSTANT(literal) PERFGATE_PRIV_EVENT(PERFGATE_PRIV_INSTANT, "" literal "", 0)
#define PERFGATE_INSTANT_COPY(name)                                                                \
	PERFGATE_PRIV_EVENT(PERFGATE_PRIV_INSTANT | PERFGATE_PRIV_COPIED, name, 0)

#define PERFGATE_COUNTER(literal, value)                                                           \
	PERFGATE_PRIV_EVENT(PERFGATE_PRIV_COUNTER, "" literal "", value)
#define PERFGATE_COUNTER_COPY(name, value)                                                         \
	PERFGATE_PRIV_EVENT(PERFGATE_PRIV_COUNTER | PERFGATE_PRIV_COPIED, name, value)

/* The calling thread's name (63 bytes, copied) in this session and later ones. */
#define PERFGATE_THREAD(name) perfgate_priv_name_thread(name)

#ifndef PERFGATE_TRACE_EXTERN
/* ---- from here on: what one file of a program has to hold ---- */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * The system. Each part defines PERFGATE_PRIV_SHARED (a function of which the linker takes one),
 * _SHARED_DATA (the same for a variable; with _ZERO, where it needs a value), loads and stores of
 * which one thread writes and others read, and perfgate_priv_ lock_t, lock(), unlock(), clock() in
 * nanoseconds, pid(), tid(), mine(), set_mine(), at_start(), at_exit(), create(), put(), cut(),
 * shut() and two names.
 */
#if defined(_MSC_VER)
#include <io.h>
#include <stdio.h>
#include <share.h>
#include <windows.h>

#ifdef __cplusplus
#define PERFGATE_PRIV_ZERO                                                                         \
	{                                                                                          \
	}
#define PERFGATE_PRIV_SHARED extern "C" inline
#define PERFGATE_PRIV_SHARED_DATA extern "C" __declspec(selectany)
#else
#define PERFGATE_PRIV_ZERO                                                                         \
	{                                                                                          \
		0                                                                                  \
	}
#define PERFGATE_PRIV_SHARED __inline
#define PERFGATE_PRIV_SHARED_DATA __declspec(selectany)
#endif
#define PERFGATE_PRIV_LOAD(p) ((unsigned)ReadNoFence((const volatile LONG *)(p)))
#define PERFGATE_PRIV_ACQUIRE(p) ((unsigned)ReadAcquire((const volatile LONG *)(p)))
#define PERFGATE_PRIV_RELEASE(p, v) WriteRelease((volatile LONG *)(p), (LONG)(v))
#define PERFGATE_PRIV_ADD(p, v) InterlockedExchangeAdd((volatile LONG *)(p), (LONG)(v))

typedef SRWLOCK perfgate_priv_lock_t;
#define PERFGATE_PRIV_SESSION_DATA PERFGATE_PRIV_SHARED_DATA volatile long perfgate_priv_session = 0

#else
#include <pthread.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#elif defined(__FreeBSD__)
#include <pthread_np.h>
#endif

#ifdef __cplusplus
#define PERFGATE_PRIV_SHARED extern "C" inline __attribute__((visibility("default")))
#define PERFGATE_PRIV_SHARED_DATA __attribute__((weak, visibility("default")))
#else
#define PERFGATE_PRIV_SHARED __attribute__((weak, visibility("default")))
#define PERFGATE_PRIV_SHARED_DATA __attribute__((weak, visibility("default")))
#endif
#define PERFGATE_PRIV_LOAD(p) __atomic_load_n(p, __ATOMIC_RELAXED)
#define PERFGATE_PRIV_ACQUIRE(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define PERFGATE_PRIV_RELEASE(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define PERFGATE_PRIV_ADD(p, v) __atomic_fetch_add(p, v, __ATOMIC_RELAXED)

typedef pthread_mutex_t perfgate_priv_lock_t;
#define PERFGATE_PRIV_SESSION_DATA PERFGATE_PRIV_SHARED_DATA long perfgate_priv_session
#endif

#ifdef __cplusplus
#if defined(__GNUC__) && !defined(_MSC_VER)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#endif
extern "C" {
#endif

#ifndef PERFGATE_PRIV_PAGES
#define PERFGATE_PRIV_PAGES 16 /* of lines that wait to be written; tests take fewer */
#endif

enum {
	PERFGATE_PRIV_NAME_MAX = 1500,
	PERFGATE_PRIV_THREAD_NAME_MAX = 64,
	PERFGATE_PRIV_PAGE = 4096,
	PERFGATE_PRIV_OUT = PERFGATE_PRIV_PAGES * PERFGATE_PRIV_PAGE,
	PERFGATE_PRIV_DEPTH = 1024,
	PERFGATE_PRIV_KNOWN = 64,
	PERFGATE_PRIV_KNOWN_MAX = 48,
	PERFGATE_PRIV_LIMIT = 1024, /* records; an event may need a few more */
	PERFGATE_PRIV_RECORDS = PERFGATE_PRIV_LIMIT + PERFGATE_PRIV_NAME_MAX / 16 + 4,
	PERFGATE_PRIV_AGE_NS = 100000000
};

/* An event; a counter's value follows in the next, then a copied name in as many as it needs. */
struct perfgate_priv_record {
	union {
		const char *name;
		long long value; /* the length of a copied name; the depth of what ends */
	} what;
	long long when; /* ns << 3 | kind */
};

struct perfgate_priv_span {
	const char *name;
	long long start;
	int copied, on_heap; /* no literal; to be freed */
};

/* A literal as it is written, without looking at it again. */
struct perfgate_priv_known {
	const char *name;
	unsigned len;
	char text[PERFGATE_PRIV_KNOWN_MAX];
};

struct perfgate_priv_thread {
	/* The thread's own. */
	long session; /* that it records for */
	unsigned depth;
	long long due; /* when the buffer is too old */
	unsigned long tid;
	int listed;

	/* Written by the thread; records before n are there for others. */
	unsigned n;
	struct perfgate_priv_record record[PERFGATE_PRIV_RECORDS];

	/* Under the lock. */
	perfgate_priv_lock_t lock;
	long open, last; /* the session that takes its records, or 0; the last one that did */
	unsigned taken;  /* records that have been written out */
	unsigned height; /* of the stack, which is not filled past its end */
	struct perfgate_priv_span stack[PERFGATE_PRIV_DEPTH];
	long long start;
	size_t head_len, used;
	unsigned long long high; /* the text of a time stamp's first digits */
	unsigned high_len;
	char high_text[24];
	char head[96]; /* the beginning of each line */
	char out[PERFGATE_PRIV_OUT + PERFGATE_PRIV_PAGE];
	struct perfgate_priv_known known[PERFGATE_PRIV_KNOWN];

	struct perfgate_priv_thread *next; /* under the list's lock */
};

struct perfgate_priv_state {
	/* Under the list's lock. */
	struct perfgate_priv_thread *threads;
	long serial; /* of the last session */
	long long start;
	int started; /* at_start() was called */
	/* Under the file's. */
	int fd, paged, error;
	long long at; /* where the next line goes; before it all lines are whole */
};

PERFGATE_PRIV_SESSION_DATA;
#ifdef PERFGATE_PRIV_ZERO
PERFGATE_PRIV_SHARED_DATA unsigned long perfgate_priv_lost = 0;
PERFGATE_PRIV_SHARED_DATA struct perfgate_priv_state perfgate_priv_state = PERFGATE_PRIV_ZERO;
#else
PERFGATE_PRIV_SHARED_DATA unsigned long perfgate_priv_lost;
PERFGATE_PRIV_SHARED_DATA struct perfgate_priv_state perfgate_priv_state;
#endif

static inline void perfgate_priv_drop(unsigned n)
{
	PERFGATE_PRIV_ADD(&perfgate_priv_lost, n);
}

PERFGATE_PRIV_SHARED void perfgate_priv_empty(struct perfgate_priv_thread *t, long long now);
PERFGATE_PRIV_SHARED struct perfgate_priv_thread *perfgate_priv_join(long session);
PERFGATE_PRIV_SHARED void perfgate_priv_thread_ends(void *mine);
PERFGATE_PRIV_SHARED void perfgate_priv_exits(void);

#if defined(_MSC_VER)
PERFGATE_PRIV_SHARED_DATA SRWLOCK perfgate_priv_list_lock = PERFGATE_PRIV_ZERO;
PERFGATE_PRIV_SHARED_DATA SRWLOCK perfgate_priv_file_lock = PERFGATE_PRIV_ZERO;
PERFGATE_PRIV_SHARED_DATA DWORD perfgate_priv_key = FLS_OUT_OF_INDEXES;
PERFGATE_PRIV_SHARED_DATA __declspec(
	thread) char perfgate_priv_name[PERFGATE_PRIV_THREAD_NAME_MAX] = PERFGATE_PRIV_ZERO;

static __inline void perfgate_priv_lock_init(SRWLOCK *l)
{
	InitializeSRWLock(l);
}

static __inline void perfgate_priv_lock(SRWLOCK *l)
{
	AcquireSRWLockExclusive(l);
}

static __inline void perfgate_priv_unlock(SRWLOCK *l)
{
	ReleaseSRWLockExclusive(l);
}

static __inline long long perfgate_priv_clock(void)
{
	LARGE_INTEGER t, f;

	QueryPerformanceCounter(&t);
	QueryPerformanceFrequency(&f);
	return t.QuadPart / f.QuadPart * 1000000000 +
	       t.QuadPart % f.QuadPart * 1000000000 / f.QuadPart;
}

static __inline unsigned long perfgate_priv_pid(void)
{
	return GetCurrentProcessId();
}

static __inline unsigned long perfgate_priv_tid(void)
{
	return GetCurrentThreadId();
}

static __inline struct perfgate_priv_thread *perfgate_priv_mine(void)
{
	return (struct perfgate_priv_thread *)FlsGetValue(perfgate_priv_key);
}

static __inline void perfgate_priv_set_mine(struct perfgate_priv_thread *t)
{
	FlsSetValue(perfgate_priv_key, t);
}

static void WINAPI perfgate_priv_fiber_ends(PVOID mine)
{
	perfgate_priv_thread_ends(mine);
}

static __inline void perfgate_priv_at_start(void)
{
	perfgate_priv_key = FlsAlloc(perfgate_priv_fiber_ends);
}

static __inline void perfgate_priv_at_exit(void)
{
}

static __inline int perfgate_priv_create(const char *path, int *ret_regular)
{
	int fd = -1;
	errno_t e = _sopen_s(&fd, path, _O_WRONLY | _O_CREAT | _O_TRUNC | _O_BINARY | _O_NOINHERIT,
		_SH_DENYWR, _S_IREAD | _S_IWRITE);

	*ret_regular = 0; /* no signal ends a process inside a write */
	if (e)
		errno = e == EACCES ? EBUSY : e;
	return e ? -1 : fd;
}

static __inline long perfgate_priv_put(int fd, const char *p, size_t len)
{
	return _write(fd, p, (unsigned)len);
}

static __inline void perfgate_priv_cut(int fd, long long at)
{
	if (_chsize_s(fd, at) == 0)
		_lseeki64(fd, at, SEEK_SET);
}

static __inline int perfgate_priv_shut(int fd)
{
	return _close(fd);
}

static __inline void perfgate_priv_process_name(char *name, size_t size)
{
	char path[1024];
	const char *slash;
	DWORD n = GetModuleFileNameA(NULL, path, sizeof(path));

	path[n < sizeof(path) ? n : sizeof(path) - 1] = '\0';
	slash = strrchr(path, '\\');
	strncpy_s(name, size, slash ? slash + 1 : path, _TRUNCATE);
}

static __inline void perfgate_priv_system_name(char *name)
{
	*name = '\0';
}

#else
PERFGATE_PRIV_SHARED_DATA pthread_mutex_t perfgate_priv_list_lock = PTHREAD_MUTEX_INITIALIZER;
PERFGATE_PRIV_SHARED_DATA pthread_mutex_t perfgate_priv_file_lock = PTHREAD_MUTEX_INITIALIZER;
PERFGATE_PRIV_SHARED_DATA pthread_key_t perfgate_priv_key;
PERFGATE_PRIV_SHARED_DATA int perfgate_priv_has_key;
PERFGATE_PRIV_SHARED_DATA __thread struct perfgate_priv_thread *perfgate_priv_self;
PERFGATE_PRIV_SHARED_DATA __thread char perfgate_priv_name[PERFGATE_PRIV_THREAD_NAME_MAX];

static inline void perfgate_priv_lock_init(pthread_mutex_t *l)
{
	pthread_mutex_init(l, NULL);
}

static inline void perfgate_priv_lock(pthread_mutex_t *l)
{
	pthread_mutex_lock(l);
}

static inline void perfgate_priv_unlock(pthread_mutex_t *l)
{
	pthread_mutex_unlock(l);
}

/* Without CLOCK_MONOTONIC the C library hides what is not in ISO C (-std=c99); it is there all the
 * same, and is called under names of our own, which no declaration can contradict. */
#ifdef CLOCK_MONOTONIC
#define perfgate_priv_clock_gettime clock_gettime
#define perfgate_priv_ftruncate ftruncate
#else
#define CLOCK_MONOTONIC_PERFGATE_PRIV 1
extern int perfgate_priv_clock_gettime(int, struct timespec *) __asm__("clock_gettime");
extern int perfgate_priv_ftruncate(int, off_t) __asm__("ftruncate");
#endif

static inline long long perfgate_priv_clock(void)
{
	struct timespec t;

#ifdef CLOCK_MONOTONIC
	perfgate_priv_clock_gettime(CLOCK_MONOTONIC, &t);
#else
	perfgate_priv_clock_gettime(CLOCK_MONOTONIC_PERFGATE_PRIV, &t);
#endif
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline unsigned long perfgate_priv_pid(void)
{
	return (unsigned long)getpid();
}

#if defined(__linux__)
extern long perfgate_priv_syscall(long, ...) __asm__("syscall");
#endif

static inline unsigned long perfgate_priv_tid(void)
{
#if defined(__linux__)
	return (unsigned long)perfgate_priv_syscall(SYS_gettid);
#elif defined(__APPLE__)
	__extension__ unsigned long long id = 0;

	pthread_threadid_np(NULL, &id);
	return (unsigned long)id;
#elif defined(__FreeBSD__)
	return (unsigned long)pthread_getthreadid_np();
#else
	static unsigned long last; /* none that C can ask for: in the order of their first event */

	return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
#endif
}

static inline struct perfgate_priv_thread *perfgate_priv_mine(void)
{
	return perfgate_priv_self;
}

static inline void perfgate_priv_set_mine(struct perfgate_priv_thread *t)
{
	perfgate_priv_self = t;
	if (PERFGATE_PRIV_LOAD(&perfgate_priv_has_key))
		pthread_setspecific(perfgate_priv_key, t);
}

static inline void perfgate_priv_before_fork(void)
{
	perfgate_priv_lock(&perfgate_priv_list_lock);
	perfgate_priv_lock(&perfgate_priv_file_lock);
}

static inline void perfgate_priv_after_fork(void)
{
	perfgate_priv_unlock(&perfgate_priv_file_lock);
	perfgate_priv_unlock(&perfgate_priv_list_lock);
}

/* The session stays with the parent. The other threads' buffers are left as they are: nothing looks
 * at them again, since no later session has their session's number. */
static inline void perfgate_priv_in_child(void)
{
	struct perfgate_priv_thread *t;

	if (PERFGATE_PRIV_SESSION())
		close(perfgate_priv_state.fd);
	PERFGATE_PRIV_RELEASE(&perfgate_priv_session, 0);
	for (t = perfgate_priv_state.threads; t; t = t->next)
		t->last = 0;
	t = perfgate_priv_self;
	if (t) {
		t->open = t->last = t->session = 0;
		t->n = t->taken = 0;
		t->used = 0;
		t->tid = perfgate_priv_tid();
	}
	perfgate_priv_after_fork();
}

static inline void perfgate_priv_at_start(void)
{
	int made = !pthread_key_create(&perfgate_priv_key, perfgate_priv_thread_ends);

	PERFGATE_PRIV_RELEASE(&perfgate_priv_has_key, made);
	pthread_atfork(perfgate_priv_before_fork, perfgate_priv_after_fork, perfgate_priv_in_child);
}

/* Where this code is in a library, it may be gone when threads end. */
static inline void perfgate_priv_at_exit(void)
{
	perfgate_priv_lock(&perfgate_priv_list_lock);
	if (perfgate_priv_has_key)
		pthread_key_delete(perfgate_priv_key);
	PERFGATE_PRIV_RELEASE(&perfgate_priv_has_key, 0);
	perfgate_priv_unlock(&perfgate_priv_list_lock);
}

/* Empties a file only once it is known that no other process writes a trace there. */
static inline int perfgate_priv_create(const char *path, int *ret_regular)
{
	struct stat st;
	int fd = open(path, O_WRONLY | O_CREAT, 0666), error;

	if (fd < 0)
		return -1;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	*ret_regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
	if (!*ret_regular)
		return fd;
	error = flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK ? EBUSY : 0;
	if (!error && perfgate_priv_ftruncate(fd, 0) < 0)
		error = errno;
	if (!error)
		return fd;
	close(fd);
	errno = error;
	return -1;
}

static inline long perfgate_priv_put(int fd, const char *p, size_t len)
{
	ssize_t n;

	do
		n = write(fd, p, len);
	while (n < 0 && errno == EINTR);
	return (long)n;
}

static inline void perfgate_priv_cut(int fd, long long at)
{
	if (perfgate_priv_ftruncate(fd, (off_t)at) == 0)
		lseek(fd, (off_t)at, SEEK_SET);
}

static inline int perfgate_priv_shut(int fd)
{
	return close(fd);
}

static inline void perfgate_priv_process_name(char *name, size_t size)
{
#if defined(__linux__)
	int fd = open("/proc/self/comm", O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, name, size - 1);

	name[n > 0 ? n - 1 : 0] = '\0'; /* without its newline */
	if (fd >= 0)
		close(fd);
#elif defined(__APPLE__) || defined(__FreeBSD__)
	strncpy(name, getprogname(), size - 1);
#else
	strncpy(name, "program", size - 1);
#endif
}

/* What the system calls the thread; name has room for 64 bytes. */
static inline void perfgate_priv_system_name(char *name)
{
	*name = '\0';
#if defined(__linux__)
	prctl(PR_GET_NAME, name);
#endif
}
#endif

/* ---- text ---- */

#define PERFGATE_PRIV_PUT(p, literal)                                                              \
	((char *)memcpy(p, literal, sizeof(literal) - 1) + sizeof(literal) - 1)

/* v, below 10^8, as eight digits, the first of which is the lowest byte: all are worked out at
 * once, in lanes of one word. */
static inline unsigned long long perfgate_priv_digits(unsigned v)
{
	unsigned long long d = v / 10000 | (unsigned long long)(v % 10000) << 32, high;

	high = (d * 10486 >> 20) & 0x0000007F0000007FULL; /* hundreds: * 10486 / 2^20 is / 100 */
	d = high | (d - 100 * high) << 16;
	high = (d * 103 >> 10) & 0x000F000F000F000FULL; /* tens: * 103 / 2^10 is / 10 */
	d = high | (d - 10 * high) << 8;
	return d | 0x3030303030303030ULL;
}

static inline void perfgate_priv_store(char *p, unsigned long long lowest_first)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	lowest_first = __builtin_bswap64(lowest_first);
#endif
	memcpy(p, &lowest_first, 8);
}

enum { PERFGATE_PRIV_1E8 = 100000000 };

/* Writes up to seven bytes past what it returns. */
static inline char *perfgate_priv_put_number(char *p, unsigned long long v)
{
	unsigned low = (unsigned)(v % PERFGATE_PRIV_1E8);
	int skip = 0;

	if (v >= PERFGATE_PRIV_1E8)
		p = perfgate_priv_put_number(p, v / PERFGATE_PRIV_1E8);
	else
		skip = (v < 10) + (v < 100) + (v < 1000) + (v < 10000) + (v < 100000) +
		       (v < 1000000) + (v < 10000000);
	perfgate_priv_store(p, perfgate_priv_digits(low) >> 8 * skip);
	return p + 8 - skip;
}

/* The last eight digits of nanoseconds as microseconds, without the first skip of them. */
static inline char *perfgate_priv_put_part(char *p, unsigned ns, int skip)
{
	unsigned long long digits = perfgate_priv_digits(ns);

	perfgate_priv_store(p, digits >> 8 * skip);
	p += 5 - skip;
	perfgate_priv_store(p, digits >> 40 << 8 | '.');
	return p + 4;
}

/* Less than ten microseconds: what most scopes that matter for speed take. */
static inline char *perfgate_priv_put_brief(char *p, unsigned ns)
{
	unsigned high = ns / 100, low = ns % 100;

	p[0] = (char)('0' + high / 10);
	p[1] = '.';
	p[2] = (char)('0' + high % 10);
	p[3] = (char)('0' + low / 10);
	p[4] = (char)('0' + low % 10);
	return p + 5;
}

/* Nanoseconds as microseconds. */
static inline char *perfgate_priv_put_time(char *p, long long ns)
{
	unsigned long long t = ns < 0 ? 0 : (unsigned long long)ns;
	unsigned low = (unsigned)(t % PERFGATE_PRIV_1E8);
	int skip = 0;

	if (t < 10000)
		return perfgate_priv_put_brief(p, low);
	if (t >= PERFGATE_PRIV_1E8)
		p = perfgate_priv_put_number(p, t / PERFGATE_PRIV_1E8);
	else
		skip = (low < 100000) + (low < 1000000) + (low < 10000000);
	return perfgate_priv_put_part(p, low, skip);
}

/* Whether all bytes are ASCII that a JSON string takes as it is; looked at in words of eight. */
static inline int perfgate_priv_is_plain(const char *s, size_t len)
{
	const unsigned long long ones = ~0ULL / 255;
	unsigned long long w;
	size_t i;

	for (i = 0; i + 8 <= len; i += 8) {
		memcpy(&w, s + i, 8);
		if ((w | (w - ones * 32) | ((w ^ (ones * '"')) - ones) |
			    ((w ^ (ones * '\\')) - ones)) &
			(ones * 128))
			return 0;
	}
	for (; i < len; i++)
		if (s[i] < 32 || s[i] > 126 || s[i] == '"' || s[i] == '\\')
			return 0;
	return 1;
}

/* The length of the UTF-8 sequence at s, which ends with NUL; 0 when it is none (RFC 3629). */
static inline int perfgate_priv_sequence(const unsigned char *s)
{
	int n = *s < 0x80   ? 1
		: *s < 0xC2 ? 0
		: *s < 0xE0 ? 2
		: *s < 0xF0 ? 3
		: *s < 0xF5 ? 4
			    : 0,
	    i;

	for (i = 1; i < n; i++)
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] > 0x9F) ||
		(*s == 0xF0 && s[1] < 0x90) || (*s == 0xF4 && s[1] > 0x8F))
		return 0;
	return n;
}

static inline char *perfgate_priv_put_escaped(char *p, const char *name)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char *s = (const unsigned char *)name;
	const char *last = p + PERFGATE_PRIV_NAME_MAX - 6;
	int n;

	for (; *s && p <= last; s += n ? n : 1) {
		n = perfgate_priv_sequence(s);
		if (n == 0) {
			p = PERFGATE_PRIV_PUT(p, "\xEF\xBF\xBD"); /* U+FFFD */
		} else if (*s < 32 || *s == 127) {
			p = PERFGATE_PRIV_PUT(p, "\\u00");
			*p++ = hex[*s >> 4];
			*p++ = hex[*s & 15];
		} else {
			if (*s == '"' || *s == '\\')
				*p++ = '\\';
			memcpy(p, s, (size_t)n);
			p += n;
		}
	}
	return p;
}

static inline char *perfgate_priv_put_name(char *p, const char *name)
{
	size_t len = strlen(name);

	if (!perfgate_priv_is_plain(name, len))
		return perfgate_priv_put_escaped(p, name);
	if (len > PERFGATE_PRIV_NAME_MAX)
		len = PERFGATE_PRIV_NAME_MAX;
	memcpy(p, name, len);
	return p + len;
}

static inline char *perfgate_priv_put_literal(
	struct perfgate_priv_known *known, char *p, const char *name)
{
	struct perfgate_priv_known *k = &known[((size_t)name >> 2) % PERFGATE_PRIV_KNOWN];
	char *end;

	if (k->name == name) {
		memcpy(p, k->text, sizeof(k->text));
		return p + k->len;
	}
	end = perfgate_priv_put_name(p, name);
	if ((size_t)(end - p) > sizeof(k->text))
		return end;
	k->name = name;
	k->len = (unsigned)(end - p);
	memcpy(k->text, p, k->len);
	return end;
}

/* ---- the file, under its lock ---- */

/* Keeps the whole lines of what a failed write left behind: each page begins with one. */
static inline void perfgate_priv_fail(struct perfgate_priv_state *g, size_t done, int error)
{
	long long whole = (g->at + (long long)done) / PERFGATE_PRIV_PAGE * PERFGATE_PRIV_PAGE;

	g->error = error;
	if (!g->paged)
		return;
	if (whole > g->at)
		g->at = whole;
	perfgate_priv_cut(g->fd, g->at);
}

static inline void perfgate_priv_write_all(struct perfgate_priv_state *g, const char *p, size_t len)
{
	size_t done = 0;
	long n;

	while (!g->error && done < len) {
		n = perfgate_priv_put(g->fd, p + done, len - done);
		if (n > 0)
			done += (size_t)n;
		else
			perfgate_priv_fail(g, done, n < 0 ? errno : ENOSPC);
	}
	if (!g->error)
		g->at += (long long)len;
}

static inline void perfgate_priv_drop_lines(const char *p, const char *end)
{
	for (; p < end; p++)
		if (*p == '\n')
			perfgate_priv_drop(1);
}

/*
 * Lines, of which none crosses a page when p begins one. A signal that kills the process ends a
 * write between two pages of the file, so lines must not cross those either.
 */
static inline void perfgate_priv_write(struct perfgate_priv_state *g, const char *p, size_t len)
{
	char blank[PERFGATE_PRIV_PAGE];
	size_t past = (size_t)(g->at % PERFGATE_PRIV_PAGE), room = PERFGATE_PRIV_PAGE - past;
	long long at;

	if (g->paged && past && len > room) {
		memset(blank, ' ', room);
		blank[room - 1] = '\n';
		perfgate_priv_write_all(g, blank, room);
	}
	at = g->at;
	perfgate_priv_write_all(g, p, len);
	if (g->error)
		perfgate_priv_drop_lines(p + (g->at - at), p + len);
}

/* ---- lines, under the thread's lock ---- */

static inline void perfgate_priv_write_out(struct perfgate_priv_thread *t)
{
	if (!t->used)
		return;
	perfgate_priv_lock(&perfgate_priv_file_lock);
	perfgate_priv_write(&perfgate_priv_state, t->out, t->used);
	perfgate_priv_unlock(&perfgate_priv_file_lock);
	t->used = 0;
}

/* As perfgate_priv_put_time(), where what changes once in 0.1 s is at hand as text. */
static inline char *perfgate_priv_put_stamp(struct perfgate_priv_thread *t, char *p, long long ns)
{
	unsigned long long high = ns < 0 ? 0 : (unsigned long long)ns / PERFGATE_PRIV_1E8;

	if (!high)
		return perfgate_priv_put_time(p, ns);
	if (high != t->high) {
		t->high = high;
		t->high_len =
			(unsigned)(perfgate_priv_put_number(t->high_text, high) - t->high_text);
	}
	memcpy(p, t->high_text, sizeof(t->high_text));
	return perfgate_priv_put_part(
		p + t->high_len, (unsigned)((unsigned long long)ns % PERFGATE_PRIV_1E8), 0);
}

static inline char *perfgate_priv_line(struct perfgate_priv_thread *t, char phase, long long when)
{
	char *p = t->out + t->used;

	memcpy(p, t->head, sizeof(t->head));
	p[sizeof(",{\"ph\":\"") - 1] = phase;
	return perfgate_priv_put_stamp(t, p + t->head_len, when - t->start);
}

/* Blanks from the last line's end to the page that begins at next, where a newline of its own ends
 * it. The line behind it moves there. */
static inline void perfgate_priv_move_line(
	struct perfgate_priv_thread *t, size_t from, size_t next, size_t len)
{
	memmove(t->out + next, t->out + from, len);
	memset(t->out + from - 1, ' ', next - from);
	t->out[next - 1] = '\n';
}

/* The line from from to to ends at the page that begins at next, or behind it. */
static inline void perfgate_priv_next_page(
	struct perfgate_priv_thread *t, size_t from, size_t to, size_t next)
{
	size_t len = to > next ? to - from : 0;

	if (len)
		perfgate_priv_move_line(t, from, next, len);
	t->used = next + len;
	if (next == PERFGATE_PRIV_OUT) {
		t->used = next;
		perfgate_priv_write_out(t);
		memcpy(t->out, t->out + next, len);
		t->used = len;
	}
}

static inline void perfgate_priv_line_done(struct perfgate_priv_thread *t, char *p)
{
	size_t from = t->used, to, next;

	p = PERFGATE_PRIV_PUT(p, "}\n");
	to = (size_t)(p - t->out);
	next = (from / PERFGATE_PRIV_PAGE + 1) * PERFGATE_PRIV_PAGE;
	if (PERFGATE_PRIV_UNLIKELY(to >= next))
		perfgate_priv_next_page(t, from, to, next);
	else
		t->used = to;
}

static inline void perfgate_priv_span_line(
	struct perfgate_priv_thread *t, const struct perfgate_priv_span *s, long long end, int open)
{
	char *p = perfgate_priv_line(t, 'X', s->start);

	p = PERFGATE_PRIV_PUT(p, ",\"dur\":");
	p = perfgate_priv_put_time(p, end - s->start);
	p = PERFGATE_PRIV_PUT(p, ",\"name\":\"");
	p = s->copied ? perfgate_priv_put_name(p, s->name)
		      : perfgate_priv_put_literal(t->known, p, s->name);
	p = PERFGATE_PRIV_PUT(p, "\"");
	if (open)
		p = PERFGATE_PRIV_PUT(p, ",\"args\":{\"unended\":true}");
	perfgate_priv_line_done(t, p);
}

static inline void perfgate_priv_instant_line(
	struct perfgate_priv_thread *t, const char *name, long long when)
{
	char *p = perfgate_priv_line(t, 'i', when);

	p = PERFGATE_PRIV_PUT(p, ",\"s\":\"t\",\"name\":\"");
	p = perfgate_priv_put_name(p, name);
	perfgate_priv_line_done(t, PERFGATE_PRIV_PUT(p, "\""));
}

static inline void perfgate_priv_counter_line(
	struct perfgate_priv_thread *t, const char *name, long long when, long long value)
{
	char *p = perfgate_priv_line(t, 'C', when);

	p = PERFGATE_PRIV_PUT(p, ",\"name\":\"");
	p = perfgate_priv_put_name(p, name);
	p = PERFGATE_PRIV_PUT(p, "\",\"args\":{\"value\":");
	if (value < 0)
		*p++ = '-';
	p = perfgate_priv_put_number(
		p, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value);
	perfgate_priv_line_done(t, PERFGATE_PRIV_PUT(p, "}"));
}

static inline void perfgate_priv_thread_line(struct perfgate_priv_thread *t)
{
	char name[PERFGATE_PRIV_THREAD_NAME_MAX], *p;

	memcpy(name, perfgate_priv_name, sizeof(name));
	if (!*name)
		perfgate_priv_system_name(name);
	if (!*name)
		return;
	p = perfgate_priv_line(t, 'M', perfgate_priv_clock());
	p = PERFGATE_PRIV_PUT(p, ",\"name\":\"thread_name\",\"args\":{\"name\":\"");
	p = perfgate_priv_put_name(p, name);
	perfgate_priv_line_done(t, PERFGATE_PRIV_PUT(p, "\"}"));
}

/* ---- from records to lines, under the thread's lock ---- */

static inline char *perfgate_priv_duplicate(const char *s)
{
	char *copy = (char *)malloc(strlen(s) + 1);

	if (copy)
		memcpy(copy, s, strlen(s) + 1);
	return copy;
}

static inline void perfgate_priv_push(
	struct perfgate_priv_thread *t, const char *name, int copied, long long when)
{
	struct perfgate_priv_span s = {name, when, copied, 0};

	if (t->height < PERFGATE_PRIV_DEPTH)
		t->stack[t->height] = s;
	else
		perfgate_priv_drop(1);
	t->height++;
}

/* Ends what is deeper than depth: one scope, and those that longjmp() left behind. */
static inline void perfgate_priv_end_to(
	struct perfgate_priv_thread *t, unsigned depth, long long when, int open)
{
	struct perfgate_priv_span *s;

	while (t->height > depth) {
		if (--t->height >= PERFGATE_PRIV_DEPTH)
			continue;
		s = &t->stack[t->height];
		perfgate_priv_span_line(t, s, when, open);
		if (s->on_heap)
			free((void *)(size_t)s->name);
	}
}

/* How many records the one at r takes. */
static inline unsigned perfgate_priv_extent(const struct perfgate_priv_record *r)
{
	unsigned n = (r->when & 3) == PERFGATE_PRIV_COUNTER ? 2 : 1;

	if (r->when & PERFGATE_PRIV_COPIED)
		n += (unsigned)((size_t)r->what.value / sizeof(*r)) + 1;
	return n;
}

static inline void perfgate_priv_take(
	struct perfgate_priv_thread *t, const struct perfgate_priv_record *r)
{
	int kind = (int)(r->when & 3);
	long long when = r->when >> 3;
	const char *name = r->what.name;

	if (r->when & PERFGATE_PRIV_COPIED)
		name = (const char *)(r + (kind == PERFGATE_PRIV_COUNTER ? 2 : 1));
	switch (kind) {
	case PERFGATE_PRIV_BEGIN:
		perfgate_priv_push(t, name, (r->when & PERFGATE_PRIV_COPIED) != 0, when);
		break;
	case PERFGATE_PRIV_END:
		perfgate_priv_end_to(t, (unsigned)r->what.value, when, 0);
		break;
	case PERFGATE_PRIV_INSTANT:
		perfgate_priv_instant_line(t, name, when);
		break;
	default:
		perfgate_priv_counter_line(t, name, when, r[1].what.value);
	}
}

/* Names of open scopes must outlive the records that they were copied into. */
static inline void perfgate_priv_keep_names(struct perfgate_priv_thread *t)
{
	unsigned i;
	struct perfgate_priv_span *s;
	char *copy;

	for (i = 0; i < t->height && i < PERFGATE_PRIV_DEPTH; i++) {
		s = &t->stack[i];
		if (!s->copied || s->on_heap)
			continue;
		copy = perfgate_priv_duplicate(s->name);
		s->copied = s->on_heap = copy != 0;
		s->name = copy ? copy : "(no memory for the name)";
	}
}

static inline void perfgate_priv_drain(struct perfgate_priv_thread *t)
{
	unsigned n = PERFGATE_PRIV_ACQUIRE(&t->n);

	while (t->taken < n) {
		perfgate_priv_take(t, &t->record[t->taken]);
		t->taken += perfgate_priv_extent(&t->record[t->taken]);
	}
	perfgate_priv_keep_names(t);
}

/* The events among the records that nobody took. */
static inline unsigned perfgate_priv_left(struct perfgate_priv_thread *t)
{
	unsigned i, left = 0, n = PERFGATE_PRIV_ACQUIRE(&t->n);

	for (i = t->taken; i < n; i += perfgate_priv_extent(&t->record[i]))
		left += (t->record[i].when & 3) != PERFGATE_PRIV_END;
	return left;
}

/* The thread's records are to go into no file any more. */
static inline void perfgate_priv_finish(struct perfgate_priv_thread *t)
{
	perfgate_priv_drain(t);
	perfgate_priv_end_to(t, 0, perfgate_priv_clock(), 1);
	perfgate_priv_write_out(t);
	t->open = 0;
}

/* ---- the thread's own part ---- */

/* Empties the buffer of records; what becomes of them waits for a whole buffer of lines, or its
 * time. */
PERFGATE_PRIV_SHARED void perfgate_priv_empty(struct perfgate_priv_thread *t, long long now)
{
	perfgate_priv_lock(&t->lock);
	if (t->open)
		perfgate_priv_drain(t);
	else
		perfgate_priv_drop(perfgate_priv_left(t));
	t->taken = 0;
	PERFGATE_PRIV_RELEASE(&t->n, 0U);
	if (t->open && now >= t->due) {
		perfgate_priv_write_out(t);
		t->due = now + PERFGATE_PRIV_AGE_NS;
	}
	perfgate_priv_unlock(&t->lock);
}

PERFGATE_PRIV_SHARED void perfgate_priv_exits(void)
{
	(void)perfgate_trace_end();
	perfgate_priv_at_exit();
}

/* Under the list's lock. */
static inline void perfgate_priv_start(void)
{
	if (perfgate_priv_state.started)
		return;
	perfgate_priv_state.started = 1;
	perfgate_priv_at_start();
	atexit(perfgate_priv_exits);
}

static inline struct perfgate_priv_thread *perfgate_priv_create_mine(void)
{
	struct perfgate_priv_thread *t;

	perfgate_priv_lock(&perfgate_priv_list_lock);
	perfgate_priv_start();
	perfgate_priv_unlock(&perfgate_priv_list_lock);
	t = perfgate_priv_mine();
	if (t)
		return t;
	t = (struct perfgate_priv_thread *)calloc(1, sizeof(*t));
	if (!t)
		return t;
	perfgate_priv_lock_init(&t->lock);
	t->tid = perfgate_priv_tid();
	perfgate_priv_set_mine(t);
	return t;
}

static inline void perfgate_priv_make_head(struct perfgate_priv_thread *t)
{
	char *p = PERFGATE_PRIV_PUT(t->head, ",{\"ph\":\"X\",\"pid\":");

	p = perfgate_priv_put_number(p, perfgate_priv_pid());
	p = PERFGATE_PRIV_PUT(p, ",\"tid\":");
	p = perfgate_priv_put_number(p, t->tid);
	p = PERFGATE_PRIV_PUT(p, ",\"ts\":");
	t->head_len = (size_t)(p - t->head);
}

/* Drops scopes of a session that goes on elsewhere: in the process that this one was forked from.
 */
static inline void perfgate_priv_forget(struct perfgate_priv_thread *t)
{
	while (t->height > 0)
		if (--t->height < PERFGATE_PRIV_DEPTH && t->stack[t->height].on_heap)
			free((void *)(size_t)t->stack[t->height].name);
}

/* Under the list's lock and the thread's. */
static inline void perfgate_priv_reset(struct perfgate_priv_thread *t, long session)
{
	perfgate_priv_forget(t);
	t->depth = t->taken = 0;
	PERFGATE_PRIV_RELEASE(&t->n, 0U);
	t->used = 0;
	t->start = perfgate_priv_state.start;
	t->due = perfgate_priv_clock() + PERFGATE_PRIV_AGE_NS;
	perfgate_priv_make_head(t);
	t->session = t->open = t->last = session;
	perfgate_priv_thread_line(t);
	if (!t->listed) {
		t->next = perfgate_priv_state.threads;
		perfgate_priv_state.threads = t;
		t->listed = 1;
	}
}

/* The thread, ready to record for the session; NULL when that has ended, or without memory. */
PERFGATE_PRIV_SHARED struct perfgate_priv_thread *perfgate_priv_join(long session)
{
	struct perfgate_priv_thread *t = perfgate_priv_create_mine();
	int is_open;

	if (!t) {
		perfgate_priv_drop(1);
		return t;
	}
	perfgate_priv_lock(&perfgate_priv_list_lock);
	is_open = PERFGATE_PRIV_SESSION() == session;
	if (is_open) {
		perfgate_priv_lock(&t->lock);
		perfgate_priv_reset(t, session);
		perfgate_priv_unlock(&t->lock);
	} else {
		perfgate_priv_drop(1);
	}
	perfgate_priv_unlock(&perfgate_priv_list_lock);
	return is_open ? t : 0;
}

static inline struct perfgate_priv_thread *perfgate_priv_here(void)
{
	long session = PERFGATE_PRIV_SESSION();
	struct perfgate_priv_thread *t;

	if (!session)
		return 0;
	t = perfgate_priv_mine();
	return t && t->session == session ? t : perfgate_priv_join(session);
}

/* At most NAME_MAX bytes, not ending inside a character. */
static inline size_t perfgate_priv_name_len(const char *s)
{
	size_t len = strlen(s);

	if (len <= PERFGATE_PRIV_NAME_MAX)
		return len;
	for (len = PERFGATE_PRIV_NAME_MAX; len > 0 && (s[len] & 0xC0) == 0x80;)
		len--;
	return len;
}

static inline void perfgate_priv_append(
	struct perfgate_priv_thread *t, int kind, const char *name, long long value, long long when)
{
	unsigned n = PERFGATE_PRIV_LOAD(&t->n);
	struct perfgate_priv_record *r = &t->record[n];
	size_t len;
	char *text;

	r->when = when * 8 | kind;
	if (kind == PERFGATE_PRIV_END)
		r->what.value = value;
	else
		r->what.name = name;
	n++;
	if ((kind & 3) == PERFGATE_PRIV_COUNTER)
		t->record[n++].what.value = value;
	if (kind & PERFGATE_PRIV_COPIED) {
		len = perfgate_priv_name_len(name);
		r->what.value = (long long)len;
		text = (char *)t->record + n * sizeof(*r);
		memcpy(text, name, len);
		text[len] = '\0';
		n += (unsigned)(len / sizeof(*r)) + 1;
	}
	PERFGATE_PRIV_RELEASE(&t->n, n);
}

static inline void perfgate_priv_make_room(struct perfgate_priv_thread *t)
{
	if (PERFGATE_PRIV_UNLIKELY(PERFGATE_PRIV_LOAD(&t->n) > PERFGATE_PRIV_LIMIT))
		perfgate_priv_empty(t, perfgate_priv_clock());
}

static inline void perfgate_priv_append_end(struct perfgate_priv_thread *t, long long now)
{
	perfgate_priv_append(t, PERFGATE_PRIV_END, 0, t->depth, now);
	if (PERFGATE_PRIV_UNLIKELY(now >= t->due) ||
		PERFGATE_PRIV_UNLIKELY(PERFGATE_PRIV_LOAD(&t->n) > PERFGATE_PRIV_LIMIT))
		perfgate_priv_empty(t, now);
}

PERFGATE_PRIV_SHARED void perfgate_priv_open(
	struct perfgate_priv_scope *s, const char *name, int copied)
{
	struct perfgate_priv_thread *t = perfgate_priv_here();

	s->thread = t;
	if (!t)
		return;
	s->session = t->session;
	s->depth = t->depth++;
	perfgate_priv_make_room(t);
	if (copied)
		perfgate_priv_append(t, PERFGATE_PRIV_BEGIN | PERFGATE_PRIV_COPIED, name, 0,
			perfgate_priv_clock());
	else
		perfgate_priv_append(t, PERFGATE_PRIV_BEGIN, name, 0, perfgate_priv_clock());
}

/* A scope whose session has ended was written then. One that ends on another thread than it began
 * on (a coroutine) ends with the scope around it. */
PERFGATE_PRIV_SHARED void perfgate_priv_close(struct perfgate_priv_scope *s)
{
	long long now = perfgate_priv_clock();
	struct perfgate_priv_thread *t = s->thread;

	if (PERFGATE_PRIV_SESSION() != s->session || t != perfgate_priv_mine() ||
		t->session != s->session || t->depth <= s->depth)
		return;
	t->depth = s->depth;
	perfgate_priv_append_end(t, now);
}

PERFGATE_PRIV_SHARED void perfgate_priv_pop(void)
{
	long long now = perfgate_priv_clock();
	struct perfgate_priv_thread *t = perfgate_priv_here();

	if (!t || !t->depth)
		return;
	t->depth--;
	perfgate_priv_append_end(t, now);
}

PERFGATE_PRIV_SHARED void perfgate_priv_event(int kind, const char *name, long long value)
{
	struct perfgate_priv_thread *t = perfgate_priv_here();
	long long now;

	if (!t)
		return;
	perfgate_priv_make_room(t);
	t->depth += (kind & 3) == PERFGATE_PRIV_BEGIN;
	now = perfgate_priv_clock();
	perfgate_priv_append(t, kind, name, value, now);
	if (now >= t->due)
		perfgate_priv_empty(t, now);
}

PERFGATE_PRIV_SHARED void perfgate_priv_name_thread(const char *name)
{
	struct perfgate_priv_thread *t = perfgate_priv_mine();
	size_t len = strlen(name);

	if (len >= sizeof(perfgate_priv_name))
		len = sizeof(perfgate_priv_name) - 1;
	memcpy(perfgate_priv_name, name, len);
	perfgate_priv_name[len] = '\0';
	if (!t)
		return;
	perfgate_priv_lock(&t->lock);
	if (t->open)
		perfgate_priv_thread_line(t);
	perfgate_priv_unlock(&t->lock);
}

static inline void perfgate_priv_unlist(struct perfgate_priv_thread *t)
{
	struct perfgate_priv_thread **p = &perfgate_priv_state.threads;

	while (*p && *p != t)
		p = &(*p)->next;
	if (*p)
		*p = t->next;
}

PERFGATE_PRIV_SHARED void perfgate_priv_thread_ends(void *mine)
{
	struct perfgate_priv_thread *t = (struct perfgate_priv_thread *)mine;

	if (!t)
		return;
	perfgate_priv_lock(&perfgate_priv_list_lock);
	perfgate_priv_lock(&t->lock);
	if (t->open)
		perfgate_priv_finish(t);
	else if (t->last == perfgate_priv_state.serial)
		perfgate_priv_drop(perfgate_priv_left(t));
	perfgate_priv_unlock(&t->lock);
	perfgate_priv_unlist(t);
	perfgate_priv_unlock(&perfgate_priv_list_lock);
	perfgate_priv_set_mine(0);
	free(t);
}

/* ---- sessions ---- */

/* The first line, which no comma precedes. */
static inline void perfgate_priv_write_head(struct perfgate_priv_state *g)
{
	char line[PERFGATE_PRIV_PAGE], name[256] = "", *p;

	perfgate_priv_process_name(name, sizeof(name));
	p = PERFGATE_PRIV_PUT(line, "[\n{\"ph\":\"M\",\"pid\":");
	p = perfgate_priv_put_number(p, perfgate_priv_pid());
	p = PERFGATE_PRIV_PUT(p, ",\"tid\":");
	p = perfgate_priv_put_number(p, perfgate_priv_tid());
	p = PERFGATE_PRIV_PUT(p, ",\"ts\":0.000,\"name\":\"process_name\",\"args\":{\"name\":\"");
	p = perfgate_priv_put_name(p, name);
	p = PERFGATE_PRIV_PUT(p, "\",\"clock\":\"monotonic\",\"zero_us\":");
	p = perfgate_priv_put_time(p, g->start);
	p = PERFGATE_PRIV_PUT(p, "}}\n");
	perfgate_priv_write(g, line, (size_t)(p - line));
}

static inline void perfgate_priv_write_tail(struct perfgate_priv_state *g)
{
	char line[PERFGATE_PRIV_PAGE], *p = line;
	unsigned long lost = PERFGATE_PRIV_LOAD(&perfgate_priv_lost);
	int error = g->error;

	if (lost) {
		p = PERFGATE_PRIV_PUT(p, ",{\"ph\":\"M\",\"pid\":");
		p = perfgate_priv_put_number(p, perfgate_priv_pid());
		p = PERFGATE_PRIV_PUT(p, ",\"name\":\"process_labels\",\"args\":{\"labels\":\"");
		p = perfgate_priv_put_number(p, lost);
		p = PERFGATE_PRIV_PUT(p, " events dropped\",\"dropped\":");
		p = perfgate_priv_put_number(p, lost);
		p = PERFGATE_PRIV_PUT(p, "}}\n");
	}
	p = PERFGATE_PRIV_PUT(p, "]\n");
	if (g->paged)
		g->error = 0; /* all lines are whole, so the end may still find room */
	perfgate_priv_write(g, line, (size_t)(p - line));
	if (error)
		g->error = error;
}

/* Under the list's lock. Returns 0 or an errno. */
static inline int perfgate_priv_begin_on(struct perfgate_priv_state *g, const char *path)
{
	int regular = 0, fd = perfgate_priv_create(path, &regular), error;

	if (fd < 0)
		return errno;
	perfgate_priv_start();
	perfgate_priv_lock(&perfgate_priv_file_lock);
	g->fd = fd;
	g->paged = regular;
	g->error = 0;
	g->at = 0;
	g->start = perfgate_priv_clock();
	perfgate_priv_write_head(g);
	error = g->error;
	perfgate_priv_unlock(&perfgate_priv_file_lock);
	if (error)
		perfgate_priv_shut(fd);
	return error;
}

PERFGATE_PRIV_SHARED int perfgate_trace_begin(const char *path)
{
	struct perfgate_priv_state *g = &perfgate_priv_state;
	int error = EINVAL;

	if (path) {
		perfgate_priv_lock(&perfgate_priv_list_lock);
		error = PERFGATE_PRIV_SESSION() ? EBUSY : perfgate_priv_begin_on(g, path);
		if (!error) {
			PERFGATE_PRIV_RELEASE(&perfgate_priv_lost, 0);
			g->serial++;
			PERFGATE_PRIV_RELEASE(&perfgate_priv_session, g->serial);
		}
		perfgate_priv_unlock(&perfgate_priv_list_lock);
	}
	if (error)
		errno = error;
	return error ? -1 : 0;
}

/* Under the list's lock: all threads of the session, to the end of it or to here. Returns the error
 * of the file, or 0. */
static inline int perfgate_priv_collect(long session, int last)
{
	struct perfgate_priv_thread *t;
	int error;

	for (t = perfgate_priv_state.threads; t; t = t->next) {
		if (t->last != session)
			continue;
		perfgate_priv_lock(&t->lock);
		if (last) {
			perfgate_priv_finish(t);
		} else {
			perfgate_priv_drain(t);
			perfgate_priv_write_out(t);
			memset(t->known, 0, sizeof(t->known));
		}
		perfgate_priv_unlock(&t->lock);
	}
	perfgate_priv_lock(&perfgate_priv_file_lock);
	error = perfgate_priv_state.error;
	perfgate_priv_unlock(&perfgate_priv_file_lock);
	return error;
}

PERFGATE_PRIV_SHARED int perfgate_trace_flush(void)
{
	long session;
	int error = 0;

	perfgate_priv_lock(&perfgate_priv_list_lock);
	session = PERFGATE_PRIV_SESSION();
	if (session)
		error = perfgate_priv_collect(session, 0);
	perfgate_priv_unlock(&perfgate_priv_list_lock);
	if (error)
		errno = error;
	return error ? -1 : 0;
}

PERFGATE_PRIV_SHARED int perfgate_trace_end(void)
{
	struct perfgate_priv_state *g = &perfgate_priv_state;
	long session;
	int error = 0;

	perfgate_priv_lock(&perfgate_priv_list_lock);
	session = PERFGATE_PRIV_SESSION();
	if (session) {
		PERFGATE_PRIV_RELEASE(&perfgate_priv_session, 0);
		perfgate_priv_collect(session, 1);
		perfgate_priv_lock(&perfgate_priv_file_lock);
		perfgate_priv_write_tail(g);
		error = g->error;
		if (perfgate_priv_shut(g->fd) < 0 && !error)
			error = errno;
		perfgate_priv_unlock(&perfgate_priv_file_lock);
	}
	perfgate_priv_unlock(&perfgate_priv_list_lock);
	if (error)
		errno = error;
	return error ? -1 : 0;
}

PERFGATE_PRIV_SHARED unsigned long long perfgate_trace_dropped(void)
{
	struct perfgate_priv_state *g = &perfgate_priv_state;
	struct perfgate_priv_thread *t;
	unsigned long long n;

	perfgate_priv_lock(&perfgate_priv_list_lock);
	n = PERFGATE_PRIV_LOAD(&perfgate_priv_lost);
	for (t = g->threads; t; t = t->next) {
		if (t->last != g->serial) /* after a fork nobody unlocks it */
			continue;
		perfgate_priv_lock(&t->lock);
		if (!t->open)
			n += perfgate_priv_left(t);
		perfgate_priv_unlock(&t->lock);
	}
	perfgate_priv_unlock(&perfgate_priv_list_lock);
	return n;
}

#ifdef __cplusplus
}
#if defined(__GNUC__) && !defined(_MSC_VER)
#pragma GCC diagnostic pop
#endif
#endif

#endif /* PERFGATE_TRACE_EXTERN */

#else /* PERFGATE_TRACE is 0 */

#if defined(__GNUC__)
__attribute__((always_inline, unused))
#endif
static inline int
perfgate_priv_nothing(unsigned long size)
{
	(void)size;
	return 0;
}

#define perfgate_trace_begin(path) perfgate_priv_nothing(sizeof(path))
#define perfgate_trace_end() perfgate_priv_nothing(0)
#define perfgate_trace_flush() perfgate_priv_nothing(0)
#define perfgate_trace_dropped() ((unsigned long long)perfgate_priv_nothing(0))
#define PERFGATE_SCOPE(literal) ((void)sizeof("" literal ""))
#define PERFGATE_SCOPE_COPY(name) ((void)sizeof(name))
#define PERFGATE_FUNCTION() ((void)0)
#define PERFGATE_BEGIN(literal) ((void)sizeof("" literal ""))
#define PERFGATE_BEGIN_COPY(name) ((void)sizeof(name))
#define PERFGATE_END() ((void)0)
#define PERFGATE_INSTANT(literal) ((void)sizeof("" literal ""))
#define PERFGATE_INSTANT_COPY(name) ((void)sizeof(name))
#define PERFGATE_COUNTER(literal, value) ((void)sizeof("" literal ""), (void)sizeof(value))
#define PERFGATE_COUNTER_COPY(name, value) ((void)sizeof(name), (void)sizeof(value))
#define PERFGATE_THREAD(name) ((void)sizeof(name))

#endif
#endif
