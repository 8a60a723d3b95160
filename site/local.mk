# The pages of `perfgate publish`: text in, HTML and SVG out; no store, no files.
noinst_LIBRARIES += site/libsite.a
site_libsite_a_SOURCES = \
	site/assets.h \
	site/axis.c \
	site/axis.h \
	site/badge.c \
	site/bench-data.c \
	site/bench-page.c \
	site/bench-page.h \
	site/chart-words.c \
	site/chart-words.h \
	site/chart.c \
	site/chart.h \
	site/compare.c \
	site/data.c \
	site/feed.c \
	site/lists.h \
	site/overview.c \
	site/pack.c \
	site/pack.h \
	site/page.c \
	site/page.h \
	site/path.c \
	site/path.h \
	site/phrase.c \
	site/phrase.h \
	site/site.c \
	site/site.h \
	site/slug.c \
	site/slug.h \
	site/spark.c \
	site/suite-rows.c \
	site/suite.c \
	site/tables-csv.c \
	site/tables-json.c \
	site/tables-markdown.c \
	site/tables-openmetrics.c \
	site/tables.h

nodist_site_libsite_a_SOURCES = site/embedded.c

# The style sheet and the scripts are in the binary.
SITE_ASSETS = \
	site/assets/charts.js \
	site/assets/compare.js \
	site/assets/site.css \
	site/assets/site.js

site/embedded.c: ci/embed.awk $(SITE_ASSETS)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	(cd $(srcdir) && $(AWK) -v header=assets.h -f ci/embed.awk $(SITE_ASSETS) </dev/null) >$@-t && mv -f $@-t $@

EXTRA_DIST += site/assets/README.md $(SITE_ASSETS)
CLEANFILES += site/embedded.c
MOSTLYCLEANFILES += site/embedded.c-t

# What the pages use. Where uPlot was not fetched (ci/fetch-npm), charts stay still.
if HAVE_UPLOT
uplotdir = $(pkgdatadir)/uplot
dist_uplot_DATA = share/uplot/uPlot.iife.min.js share/uplot/uPlot.min.css share/uplot/LICENSE
EXTRA_DIST += share/uplot/package.json
endif
# A release has it.
share/uplot/uPlot.iife.min.js share/uplot/uPlot.min.css share/uplot/LICENSE share/uplot/package.json:
	@echo 'a release holds uPlot: sh ci/fetch-npm uplot, then configure again' >&2; exit 1
