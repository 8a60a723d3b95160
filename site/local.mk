# The pages of `perfgate publish`: text in, HTML and SVG out; no store, no files. The archive comes
# with its first .c file.
EXTRA_DIST += site/chart.h
