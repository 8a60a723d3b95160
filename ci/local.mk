# What CI systems include, and the benchmarks.

bench: all
	CC='$(CC)' $(srcdir)/ci/bench/run $(abs_builddir)

# How often the gate's rules for noisy metrics are wrong, in simulations.
bench-accuracy: tests/accuracy$(EXEEXT)
	tests/accuracy$(EXEEXT) full
.PHONY: bench bench-accuracy

EXTRA_DIST += ci/bench/generate.c ci/bench/measure.c ci/bench/run
