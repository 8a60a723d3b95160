# The pages of `perfgate publish`: text in, HTML and SVG out; no store, no files.
noinst_LIBRARIES += site/libsite.a
site_libsite_a_SOURCES = \
	site/axis.c \
	site/axis.h \
	site/chart-words.c \
	site/chart-words.h \
	site/chart.c \
	site/chart.h \
	site/path.c \
	site/path.h \
	site/spark.c
