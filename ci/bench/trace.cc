/*
 * What a scope of perfgate/trace.h costs, beside two readings of the clock and beside the simple
 * way of writing such a trace: one object with a lock, a stream, and a flush after each event.
 *
 *     trace CLOCK|SCOPE|OFF|STREAM THREADS SCOPES FILE
 *
 * prints nanoseconds a scope: of processor time, in all threads and in the kernel, and of wall time
 * by processor. What is written at the end is part of both.
 */
#include <perfgate/trace.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

namespace
{

class stream_trace
{
	std::ofstream out;
	std::mutex lock;
	bool first = true;

      public:
	explicit stream_trace(const char *path) : out(path)
	{
		out << "{\"otherData\": {},\"traceEvents\":[" << std::flush;
	}
	~stream_trace()
	{
		out << "]}" << std::flush;
	}
	void event(const char *name, long long start_us, long long end_us)
	{
		std::lock_guard<std::mutex> hold(lock);

		out << (first ? "" : ",") << "{\"cat\":\"function\",\"dur\":" << end_us - start_us
		    << ",\"name\":\"" << name << "\",\"ph\":\"X\",\"pid\":0,\"tid\":"
		    << std::hash<std::thread::id>()(std::this_thread::get_id()) % 4294967296
		    << ",\"ts\":" << start_us << "}" << std::flush;
		first = false;
	}
};

stream_trace *stream;

class stream_scope
{
	const char *name;
	long long start = now();

	static long long now()
	{
		auto t = std::chrono::high_resolution_clock::now().time_since_epoch();

		return std::chrono::duration_cast<std::chrono::microseconds>(t).count();
	}

      public:
	explicit stream_scope(const char *name) : name(name)
	{
	}
	~stream_scope()
	{
		stream->event(name, start, now());
	}
};

long long clock_ns(clockid_t which)
{
	struct timespec t;

	clock_gettime(which, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

void read_clock(long n)
{
	volatile long long sum = 0;

	while (n--)
		sum = clock_ns(CLOCK_MONOTONIC) - clock_ns(CLOCK_MONOTONIC);
	(void)sum;
}

void scopes(long n)
{
	while (n--)
		PERFGATE_SCOPE("a scope");
}

void streamed(long n)
{
	while (n--)
		stream_scope s("a scope");
}

void run(const char *mode, long threads, long n, const char *path)
{
	void (*work)(long) = !strcmp(mode, "CLOCK") ? read_clock : scopes;
	std::vector<std::thread> all;

	if (!strcmp(mode, "STREAM")) {
		work = streamed;
		stream = new stream_trace(path);
	} else if (!strcmp(mode, "SCOPE") && perfgate_trace_begin(path) < 0) {
		perror(path);
		exit(1);
	}
	for (long i = 0; i < threads; i++)
		all.emplace_back(work, n / threads);
	for (auto &t : all)
		t.join();
	delete stream;
	if (perfgate_trace_end() < 0 || perfgate_trace_dropped()) {
		fprintf(stderr, "%s: events are missing\n", path);
		exit(1);
	}
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;

	long threads = atol(argv[2]), n = atol(argv[3]);
	long at_once = std::min<long>(threads, std::thread::hardware_concurrency());
	long long cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC);

	run(argv[1], threads, n, argv[4]);
	cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	wall = clock_ns(CLOCK_MONOTONIC) - wall;
	printf("%.1f %.1f\n", double(cpu) / double(n), double(wall) * double(at_once) / double(n));
}
