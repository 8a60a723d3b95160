// A benchmark in C++. Built and run with
//
//     c++ bench.cc $(pkg-config --cflags --libs perfgate-alloc) -o bench
//     mkdir -p results && PERFGATE_OUT=results ./bench && perfgate ingest results
//
// where `perfgate` in place of `perfgate-alloc` counts no allocations.
#include <perfgate/kpi.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

// What perfgate_run() calls is a function of C: a lambda that captures nothing is one, and gets
// what it works on as its argument. No exception may leave it.
static int measure_vector()
{
	std::vector<int> numbers(1000, 7);

	return perfgate_run(
		"copy_vector", 1000,
		[](void *arg) {
			std::vector<int> copy(*static_cast<std::vector<int> *>(arg));

			perfgate_keep(copy.data()); // the compiler would leave out what nobody uses
		},
		&numbers);
}

static int measure_pointers()
{
	return perfgate_run(
		"two_pointers", 1000,
		[](void *) {
			std::unique_ptr<long> one(new long(1));
			std::unique_ptr<double[]> ten(new double[10]);

			perfgate_keep(one.get());
			perfgate_keep(ten.get());
		},
		nullptr);
}

int main()
{
	int status = measure_vector();

	if (!status)
		status = measure_pointers();
	if (!status)
		status = perfgate_flush();
	if (status > 0)
		std::fprintf(stderr, "bench: %s\n", std::strerror(status));
	if (status == PERFGATE_UNSET)
		std::fprintf(stderr, "bench: PERFGATE_OUT is not set, nothing is written\n");
	return status ? 1 : 0;
}
