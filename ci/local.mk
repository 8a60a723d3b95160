# What CI systems include, and the benchmarks.

bench: all
	CC='$(CC)' $(srcdir)/ci/bench/run $(abs_builddir)
.PHONY: bench

EXTRA_DIST += ci/bench/generate.c ci/bench/measure.c ci/bench/run
