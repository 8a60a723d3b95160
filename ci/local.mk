# What CI systems include, and the benchmarks.

bench: all ci/bench/cpu-memory$(EXEEXT) ci/bench/fma$(EXEEXT) ci/bench/changes$(EXEEXT)
	CC='$(CC)' $(srcdir)/ci/bench/run $(abs_builddir)

# How often the gate's rules for noisy metrics are wrong, in simulations: samples against samples, and
# night after night with 200 series of each family of noise. How well change points are found, in
# simulations and in series that were annotated.
bench-accuracy: perfgate$(EXEEXT) tests/accuracy$(EXEEXT) tests/nights$(EXEEXT) \
		tests/suspects$(EXEEXT) tests/changes$(EXEEXT) tests/annotated$(EXEEXT)
	$(srcdir)/ci/bench/pairs '$(abs_builddir)/perfgate$(EXEEXT)' '$(CC)'
	tests/accuracy$(EXEEXT) full
	tests/nights$(EXEEXT) 200
	tests/suspects$(EXEEXT) full
	tests/changes$(EXEEXT) full
	srcdir=$(srcdir) tests/annotated$(EXEEXT) full
.PHONY: bench bench-accuracy

EXTRA_DIST += \
	ci/cuda-device \
	ci/fetch-npm \
	docs/cuda-readings.md \
	ci/bench/generate.c \
	ci/bench/kpi.c \
	ci/bench/measure.c \
	ci/bench/own-build \
	ci/bench/own-gate \
	ci/bench/pairs \
	ci/bench/opencl \
	ci/bench/postgres \
	ci/bench/probe-cpu \
	ci/bench/run \
	ci/bench/site \
	ci/bench/trace \
	ci/bench/trace.cc

# What is held against the probe of memory is compiled as anybody would who wants it fast.
EXTRA_PROGRAMS = ci/bench/changes ci/bench/cpu-memory ci/bench/fma
ci_bench_changes_SOURCES = ci/bench/changes.c
ci_bench_changes_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)
ci_bench_changes_LDADD = $(ARCHIVES) $(BASE_LIBS)
EXTRA_LIBRARIES = ci/bench/libplain.a
ci_bench_libplain_a_SOURCES = ci/bench/plain-stream.c ci/bench/plain-stream.h
ci_bench_libplain_a_CFLAGS = $(AM_CFLAGS) -O3 -march=native
ci_bench_cpu_memory_SOURCES = ci/bench/cpu-memory.c ci/bench/model.c ci/bench/model.h
ci_bench_cpu_memory_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu
ci_bench_cpu_memory_LDADD = ci/bench/libplain.a probes/libcpu.a $(BACK_END_LIBS) -lpthread
ci_bench_fma_SOURCES = ci/bench/fma.c ci/bench/model.c ci/bench/model.h
ci_bench_fma_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu
ci_bench_fma_LDADD = probes/libcpu.a $(BACK_END_LIBS) -lpthread
CLEANFILES += ci/bench/changes$(EXEEXT) ci/bench/fma$(EXEEXT)

# perfgate's own benchmarks, by which it gates itself.
if HAVE_LIBRARY
check_PROGRAMS += ci/bench/own
TESTS += ci/bench/own
endif
ci_bench_own_SOURCES = ci/bench/own.c
ci_bench_own_CPPFLAGS = $(AM_CPPFLAGS) $(KPI_CPPFLAGS) -I$(srcdir)
ci_bench_own_LDFLAGS = -static -pthread
ci_bench_own_LDADD = probes/kpi/libkpi.la $(ARCHIVES) $(BASE_LIBS) $(ALLOC_LA)

# What CI systems include. The scripts are installed, so that agents that have perfgate have them.
cidir = $(pkgdatadir)/ci
dist_ci_DATA = ci/gitlab.yml ci/Jenkinsfile
dist_ci_SCRIPTS = ci/nightly.sh ci/perfgate.sh
cistepsdir = $(cidir)/steps
dist_cisteps_DATA = ci/steps/lib.sh
dist_cisteps_SCRIPTS = ci/steps/askpass ci/steps/comment ci/steps/gate ci/steps/install ci/steps/measure
EXTRA_DIST += .github/workflows/perfgate.yml ci/github/action.yml ci/github/comment.yml
