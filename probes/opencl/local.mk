# The OpenCL probe. The kernels as C string constants: probes/opencl/NAME.cl becomes opencl_NAME, which kernels.h
# declares. A new one: a line here and there.
OPENCL_KERNELS = \
	probes/opencl/chain.cl \
	probes/opencl/count.cl \
	probes/opencl/global.cl \
	probes/opencl/image.cl \
	probes/opencl/local.cl \
	probes/opencl/vectors.cl

OPENCL_SOURCES = \
	probes/opencl/compute.c \
	probes/opencl/counted.c \
	probes/opencl/counted.h \
	probes/opencl/devices.c \
	probes/opencl/errors.c \
	probes/opencl/global.c \
	probes/opencl/host.c \
	probes/opencl/host.h \
	probes/opencl/image.c \
	probes/opencl/kernels.h \
	probes/opencl/latency.c \
	probes/opencl/launch.c \
	probes/opencl/local.c \
	probes/opencl/main.c \
	probes/opencl/ocl.h \
	probes/opencl/program.c \
	probes/opencl/sane.c \
	probes/opencl/sane.h \
	probes/opencl/sweep.c \
	probes/opencl/sweep.h \
	probes/opencl/tests.h \
	probes/opencl/transfer.c

if HAVE_OPENCL
pkglibexec_PROGRAMS += probes/perfgate-probe-opencl
probes_perfgate_probe_opencl_SOURCES = $(OPENCL_SOURCES)
nodist_probes_perfgate_probe_opencl_SOURCES = probes/opencl/kernels.c
probes_perfgate_probe_opencl_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/opencl $(OPENCL_CFLAGS)
probes_perfgate_probe_opencl_LDADD = $(BACK_END_LIBS) $(OPENCL_LIBS)
endif

probes/opencl/kernels.c: ci/embed.awk $(OPENCL_KERNELS)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	(cd $(srcdir) && $(AWK) -v header=kernels.h -f ci/embed.awk $(OPENCL_KERNELS) </dev/null) >$@-t && mv -f $@-t $@

EXTRA_DIST += $(OPENCL_KERNELS) $(OPENCL_SOURCES)
CLEANFILES += probes/opencl/kernels.c
MOSTLYCLEANFILES += probes/opencl/kernels.c-t
