# What measures: the back ends of `perfgate probe`, each a program of its own, and what they share.
pkglibexec_PROGRAMS = probes/perfgate-probe-cpu
noinst_LIBRARIES += probes/libbackend.a
probes_libbackend_a_SOURCES = \
	probes/back-end.c \
	probes/back-end.h \
	probes/clpeak-write.c \
	probes/clpeak-write.h \
	probes/outcome.c \
	probes/outcome.h \
	probes/outline.c \
	probes/outline.h \
	probes/plan.c \
	probes/plan.h \
	probes/record.c \
	probes/record.h \
	probes/words.c \
	probes/words.h

BACK_END_LIBS = probes/libbackend.a src/libbase.a

# All of the CPU's probe but its main program, for its tests too.
noinst_LIBRARIES += probes/libcpu.a
probes_libcpu_a_SOURCES = \
	probes/cpu/arith-amx.c \
	probes/cpu/arith-arm.c \
	probes/cpu/arith-avx2.c \
	probes/cpu/arith-avx512.c \
	probes/cpu/arith-check.c \
	probes/cpu/arith-generic.c \
	probes/cpu/arith-reference.c \
	probes/cpu/arith-sse.c \
	probes/cpu/arith-x86.h \
	probes/cpu/arith.c \
	probes/cpu/arith.h \
	probes/cpu/atomics.c \
	probes/cpu/atomics.h \
	probes/cpu/branch.c \
	probes/cpu/branch.h \
	probes/cpu/cache-bandwidth.c \
	probes/cpu/cache-bandwidth.h \
	probes/cpu/caches.c \
	probes/cpu/caches.h \
	probes/cpu/circle.c \
	probes/cpu/circle.h \
	probes/cpu/cpu.h \
	probes/cpu/device.c \
	probes/cpu/half.c \
	probes/cpu/half.h \
	probes/cpu/crypto-arm.c \
	probes/cpu/crypto-x86.c \
	probes/cpu/crypto.c \
	probes/cpu/crypto.h \
	probes/cpu/dram.c \
	probes/cpu/dram.h \
	probes/cpu/forward.c \
	probes/cpu/forward.h \
	probes/cpu/isa-arm.c \
	probes/cpu/isa-none.c \
	probes/cpu/isa-x86.c \
	probes/cpu/isa.c \
	probes/cpu/isa.h \
	probes/cpu/latency.c \
	probes/cpu/latency.h \
	probes/cpu/memory.c \
	probes/cpu/memory.h \
	probes/cpu/pool.c \
	probes/cpu/pool.h \
	probes/cpu/stream-avx.c \
	probes/cpu/stream-avx512.c \
	probes/cpu/stream-kernels.inc \
	probes/cpu/stream-neon.c \
	probes/cpu/stream-plain.c \
	probes/cpu/stream-sse2.c \
	probes/cpu/stream.c \
	probes/cpu/stream.h \
	probes/cpu/unroll.h
probes_libcpu_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu

probes_perfgate_probe_cpu_SOURCES = probes/cpu/main.c
probes_perfgate_probe_cpu_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu
probes_perfgate_probe_cpu_LDADD = probes/libcpu.a $(BACK_END_LIBS) -lpthread

include probes/cuda/local.mk
include probes/opencl/local.mk
