# What measures: the back ends of `perfgate probe`, each a program of its own, and what they share.
pkglibexec_PROGRAMS = probes/perfgate-probe-cpu
noinst_LIBRARIES += probes/libbackend.a
probes_libbackend_a_SOURCES = \
	probes/back-end.c \
	probes/back-end.h \
	probes/outcome.c \
	probes/outcome.h \
	probes/plan.c \
	probes/plan.h

BACK_END_LIBS = probes/libbackend.a src/libbase.a

probes_perfgate_probe_cpu_SOURCES = \
	probes/cpu/cpu.h \
	probes/cpu/main.c \
	probes/cpu/pool.h
probes_perfgate_probe_cpu_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu
probes_perfgate_probe_cpu_LDADD = $(BACK_END_LIBS) -lpthread
