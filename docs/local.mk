# Manual pages, one a line.
dist_man_MANS += \
	docs/perfgate.1 \
	docs/perfgate-ci.7 \
	docs/perfgate-probe.7 \
	docs/perfgate-store.5 \
	docs/perfgate.conf.5 \
	docs/perfgate-formats.7 \
	docs/perfgate_capture.3 \
	docs/perfgate_trace.3

# To be copied into projects; what pkg-config calls "am".
dist_pkgdata_DATA = docs/perfgate.am

EXTRA_DIST += NEWS README.md docs/HACKING.md
