# What CI systems include, and the benchmarks.

bench: all
	CC='$(CC)' $(srcdir)/ci/bench/run $(abs_builddir)

# How often the gate's rules for noisy metrics are wrong, in simulations: samples against samples, and
# night after night with 200 series of each family of noise.
bench-accuracy: perfgate$(EXEEXT) tests/accuracy$(EXEEXT) tests/nights$(EXEEXT)
	$(srcdir)/ci/bench/pairs '$(abs_builddir)/perfgate$(EXEEXT)' '$(CC)'
	tests/accuracy$(EXEEXT) full
	tests/nights$(EXEEXT) 200
.PHONY: bench bench-accuracy

EXTRA_DIST += ci/bench/generate.c ci/bench/measure.c ci/bench/pairs ci/bench/run
