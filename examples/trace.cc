// c++ -pthread -o trace trace.cc && ./trace trace.json && perfgate ingest trace.json
#include <perfgate/trace.h>

#include <cstdio>
#include <string>
#include <thread>
#include <vector>

namespace
{

void count_to(int n)
{
	PERFGATE_FUNCTION();
	PERFGATE_THREAD(("to " + std::to_string(n)).c_str());

	for (int i = 1; i <= n; i++) {
		PERFGATE_SCOPE("count");
		PERFGATE_INSTANT_COPY(std::to_string(i).c_str());
	}
}

} // namespace

int main(int argc, char **argv)
{
	std::vector<std::thread> threads;

	if (argc != 2 || perfgate_trace_begin(argv[1]) < 0) {
		std::perror("usage: trace FILE");
		return 2;
	}
	for (int n = 1; n <= 4; n++)
		threads.emplace_back(count_to, n);
	for (auto &thread : threads)
		thread.join();
	if (perfgate_trace_end() < 0) {
		std::perror(argv[1]);
		return 1;
	}
}
