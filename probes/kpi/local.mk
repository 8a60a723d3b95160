# What a program under test links: libperfgate, and libperfgate-alloc, which counts its allocations.
# Neither uses anything of the rest of the tree.
perfgateincludedir = $(includedir)/perfgate
pkgconfigdir = $(libdir)/pkgconfig
dist_perfgateinclude_HEADERS = probes/include/perfgate/trace.h
pkgconfig_DATA =
lib_LTLIBRARIES =
noinst_LTLIBRARIES =

# The interface's version, not the package's: current:revision:age, see libtool's manual.
KPI_VERSION = -version-info 0:0:0
KPI_CPPFLAGS = -I$(srcdir)/probes/include
KPI_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -pthread

if HAVE_LIBRARY
dist_perfgateinclude_HEADERS += probes/include/perfgate/kpi.h
pkgconfig_DATA += probes/kpi/perfgate.pc
lib_LTLIBRARIES += libperfgate.la
noinst_LTLIBRARIES += probes/kpi/libkpi.la
else
EXTRA_DIST += probes/include/perfgate/kpi.h
endif

# What the library is made of; tests link this, and so see its inside.
probes_kpi_libkpi_la_SOURCES = \
	probes/kpi/capture.c \
	probes/kpi/counter.c \
	probes/kpi/counter.h \
	probes/kpi/file.c \
	probes/kpi/file.h \
	probes/kpi/record.c \
	probes/kpi/result.c \
	probes/kpi/result.h \
	probes/kpi/run.c \
	probes/kpi/sampler.c \
	probes/kpi/sampler.h \
	probes/kpi/self.c \
	probes/kpi/self.h \
	probes/kpi/text-results.c \
	probes/kpi/text.c \
	probes/kpi/text.h \
	probes/kpi/threads.c \
	probes/kpi/write.c
probes_kpi_libkpi_la_CPPFLAGS = $(KPI_CPPFLAGS)
probes_kpi_libkpi_la_CFLAGS = $(KPI_CFLAGS)
libperfgate_la_SOURCES =
libperfgate_la_LIBADD = probes/kpi/libkpi.la
libperfgate_la_CFLAGS = $(KPI_CFLAGS)
libperfgate_la_LDFLAGS = $(KPI_VERSION) -pthread

# -fno-builtin: the compiler is not to take a malloc of ours for the one that it knows.
if HAVE_ALLOC
pkgconfig_DATA += probes/kpi/perfgate-alloc.pc
lib_LTLIBRARIES += libperfgate-alloc.la
ALLOC_LA = libperfgate-alloc.la
endif
libperfgate_alloc_la_SOURCES = \
	probes/kpi/alloc-count.c \
	probes/kpi/alloc-count.h \
	probes/kpi/alloc-next.c \
	probes/kpi/alloc-next.h \
	probes/kpi/alloc.c \
	probes/kpi/counter.h
libperfgate_alloc_la_CPPFLAGS = $(KPI_CPPFLAGS)
libperfgate_alloc_la_CFLAGS = $(KPI_CFLAGS) -fno-builtin
libperfgate_alloc_la_LDFLAGS = $(KPI_VERSION)
libperfgate_alloc_la_LIBADD = $(DL_LIBS)
