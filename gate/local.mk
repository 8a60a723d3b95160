noinst_LIBRARIES += gate/libgate.a
gate_libgate_a_SOURCES = \
	gate/decimal.c \
	gate/decimal.h \
	gate/exact.c \
	gate/exact.h \
	gate/figure.c \
	gate/figure.h \
	gate/layout.c \
	gate/layout.h \
	gate/policy-parse.c \
	gate/policy-rules.c \
	gate/policy-value.c \
	gate/policy.c \
	gate/policy.h \
	gate/report-json.c \
	gate/report-rows.c \
	gate/report-rows.h \
	gate/report-table.c \
	gate/report-table.h \
	gate/report-text.c \
	gate/report.c \
	gate/report.h \
	gate/rules.h \
	gate/series.h \
	gate/verdict.c \
	gate/verdict.h
