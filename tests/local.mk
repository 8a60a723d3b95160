# Tests speak TAP. A C test: tests/unit-NAME.c with tap.h, a line in UNIT_TESTS and its _SOURCES.
# tests/accuracy, annotated, changes, suspects: brief as tests, complete by make bench-accuracy.
# A script: tests/NAME.sh with lib.sh, a line in SCRIPT_TESTS.

UNIT_TESTS = \
	tests/accuracy \
	tests/annotated \
	tests/changes \
	tests/nights \
	tests/suspects \
	tests/unit-arith \
	tests/unit-benchstat \
	tests/unit-buf \
	tests/unit-caches \
	tests/unit-changepoint \
	tests/unit-chart \
	tests/unit-conf \
	tests/unit-conf-edit \
	tests/unit-conf-file \
	tests/unit-counters \
	tests/unit-cpu-memory \
	tests/unit-cpus \
	tests/unit-decimal \
	tests/unit-drift \
	tests/unit-edpelt \
	tests/unit-evidence \
	tests/unit-figure \
	tests/unit-focus \
	tests/unit-history \
	tests/unit-intern \
	tests/unit-interval \
	tests/unit-json \
	tests/unit-json-out \
	tests/unit-noisy \
	tests/unit-num \
	tests/unit-opencl \
	tests/unit-order \
	tests/unit-policies \
	tests/unit-policy \
	tests/unit-pool \
	tests/unit-pruning \
	tests/unit-report \
	tests/unit-scale \
	tests/unit-signflip \
	tests/unit-sparkline \
	tests/unit-standing \
	tests/unit-site \
	tests/unit-term \
	tests/unit-text \
	tests/unit-trend \
	tests/unit-unit \
	tests/unit-verdict \
	tests/unit-weather

SCRIPT_TESTS = \
	tests/base.sh \
	tests/branches.sh \
	tests/check-clpeak.sh \
	tests/ci-templates.sh \
	tests/ci.sh \
	tests/cmd-accept.sh \
	tests/cmd-bisect.sh \
	tests/cmd-comment.sh \
	tests/cmd-diff.sh \
	tests/cmd-env.sh \
	tests/cmd-formats.sh \
	tests/cmd-gate.sh \
	tests/cmd-help.sh \
	tests/cmd-ingest.sh \
	tests/cmd-init.sh \
	tests/cmd-log.sh \
	tests/cmd-measure-launch.sh \
	tests/cmd-measure.sh \
	tests/cmd-policy.sh \
	tests/cmd-probe.sh \
	tests/cmd-publish.sh \
	tests/cmd-selftest.sh \
	tests/cmd-show.sh \
	tests/cmd-store-push.sh \
	tests/cmd-store.sh \
	tests/cmd-trend.sh \
	tests/docs.sh \
	tests/doubts.sh \
	tests/embed-sql.sh \
	tests/faults-sweep.sh \
	tests/faults.sh \
	tests/gate-record.sh \
	tests/git.sh \
	tests/harness.sh \
	tests/held.sh \
	tests/headers.sh \
	tests/hostile-policies.sh \
	tests/hostile.sh \
	tests/huge.sh \
	tests/ingest-history.sh \
	tests/kpi-automake.sh \
	tests/kpi-installed.sh \
	tests/kpi-library.sh \
	tests/layers.sh \
	tests/levels.sh \
	tests/measure-pairs.sh \
	tests/measure-trees.sh \
	tests/log-series.sh \
	tests/merge.sh \
	tests/nightly.sh \
	tests/on-postgres.sh \
	tests/other-tools.sh \
	tests/own-gate.sh \
	tests/pairing.sh \
	tests/probe-arm.sh \
	tests/probe-cpu-arith.sh \
	tests/probe-cpu-memory.sh \
	tests/probe-cuda-code.sh \
	tests/probe-cuda.sh \
	tests/probe-opencl.sh \
	tests/probed.sh \
	tests/reader-cases.sh \
	tests/renames.sh \
	tests/replay.sh \
	tests/reports.sh \
	tests/samples-histories.sh \
	tests/samples-kpi.sh \
	tests/samples.sh \
	tests/sessions.sh \
	tests/share-compact.sh \
	tests/share-drops.sh \
	tests/share-hostile.sh \
	tests/share-places.sh \
	tests/share-remotes.sh \
	tests/site-browser.sh \
	tests/sql-docs.sh \
	tests/store-postgres-kill.sh \
	tests/store-postgres.sh \
	tests/store-prune.sh \
	tests/store-trouble.sh \
	tests/stories.sh \
	tests/tables.sh \
	tests/trace-header.sh \
	tests/trace-self.sh

if HAVE_LIBRARY
UNIT_TESTS += tests/unit-kpi tests/unit-kpi-alloc
endif

tests_accuracy_SOURCES = tests/accuracy.c
tests_annotated_SOURCES = tests/annotated.c tests/annotations.c tests/annotations.h
tests_changes_SOURCES = tests/changes.c tests/families.c tests/families.h
tests_nights_SOURCES = tests/nights.c
tests_suspects_SOURCES = tests/suspects.c tests/families.c tests/families.h
tests_unit_arith_SOURCES = tests/unit-arith.c
tests_unit_arith_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu
tests_unit_arith_LDADD = probes/libcpu.a $(BACK_END_LIBS) -lpthread
tests_unit_benchstat_SOURCES = tests/unit-benchstat.c
tests_unit_buf_SOURCES = tests/unit-buf.c
tests_unit_caches_SOURCES = tests/unit-caches.c
tests_unit_caches_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu
tests_unit_caches_LDADD = probes/libcpu.a $(BACK_END_LIBS) -lpthread
tests_unit_changepoint_SOURCES = \
	tests/unit-changepoint.c tests/annotations.c tests/annotations.h
tests_unit_chart_SOURCES = tests/unit-chart.c
tests_unit_conf_edit_SOURCES = tests/unit-conf-edit.c
tests_unit_conf_file_SOURCES = tests/unit-conf-file.c
tests_unit_conf_SOURCES = tests/unit-conf.c
tests_unit_counters_SOURCES = tests/unit-counters.c
tests_unit_cpu_memory_SOURCES = tests/unit-cpu-memory.c
tests_unit_cpu_memory_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu
tests_unit_cpu_memory_LDADD = probes/libcpu.a $(BACK_END_LIBS) -lpthread
tests_unit_cpus_SOURCES = tests/unit-cpus.c
tests_unit_decimal_SOURCES = tests/unit-decimal.c
tests_unit_drift_SOURCES = tests/unit-drift.c
tests_unit_edpelt_SOURCES = tests/unit-edpelt.c
tests_unit_evidence_SOURCES = tests/unit-evidence.c
tests_unit_figure_SOURCES = tests/unit-figure.c
tests_unit_focus_SOURCES = tests/unit-focus.c
tests_unit_history_SOURCES = tests/unit-history.c
tests_unit_intern_SOURCES = tests/unit-intern.c
tests_unit_interval_SOURCES = tests/unit-interval.c
tests_unit_json_SOURCES = tests/unit-json.c
tests_unit_json_out_SOURCES = tests/unit-json-out.c
tests_unit_kpi_SOURCES = tests/unit-kpi.c
tests_unit_kpi_CPPFLAGS = $(KPI_CPPFLAGS) -I$(srcdir)
tests_unit_kpi_LDFLAGS = -static -pthread
tests_unit_kpi_LDADD = probes/kpi/libkpi.la
tests_unit_kpi_alloc_SOURCES = tests/unit-kpi-alloc.c
tests_unit_kpi_alloc_CPPFLAGS = $(KPI_CPPFLAGS)
tests_unit_kpi_alloc_LDFLAGS = -static -pthread
tests_unit_kpi_alloc_LDADD = $(ALLOC_LA) probes/kpi/libkpi.la
tests_unit_noisy_SOURCES = tests/unit-noisy.c
tests_unit_num_SOURCES = tests/unit-num.c
tests_unit_scale_SOURCES = tests/unit-scale.c
tests_unit_opencl_SOURCES = tests/unit-opencl.c probes/opencl/host.c probes/opencl/sane.c
tests_unit_opencl_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/opencl
tests_unit_order_SOURCES = tests/unit-order.c
tests_unit_policies_SOURCES = tests/unit-policies.c
tests_unit_policy_SOURCES = tests/unit-policy.c
tests_unit_pool_SOURCES = tests/unit-pool.c
tests_unit_pool_CPPFLAGS = $(AM_CPPFLAGS) -I$(srcdir)/probes/cpu
tests_unit_pool_LDADD = probes/libcpu.a $(BACK_END_LIBS) -lpthread
tests_unit_pruning_SOURCES = tests/unit-pruning.c
tests_unit_report_SOURCES = tests/unit-report.c
tests_unit_signflip_SOURCES = tests/unit-signflip.c
tests_unit_sparkline_SOURCES = tests/unit-sparkline.c src/sparkline.c
tests_unit_standing_SOURCES = tests/unit-standing.c src/standing.c
tests_unit_site_SOURCES = tests/unit-site.c
tests_unit_term_SOURCES = tests/unit-term.c
tests_unit_text_SOURCES = tests/unit-text.c
tests_unit_trend_SOURCES = tests/unit-trend.c
tests_unit_unit_SOURCES = tests/unit-unit.c
tests_unit_verdict_SOURCES = tests/unit-verdict.c
tests_unit_weather_SOURCES = tests/unit-weather.c

LDADD = src/libstore.a $(ARCHIVES) $(BASE_LIBS)

# What reaches the sink, as text; tests/reader-cases.sh compares it.
check_PROGRAMS += $(UNIT_TESTS) tests/dump
tests_dump_SOURCES = tests/dump.c

# Made-up results in each report format; tests/reports.sh compares and parses them.
check_PROGRAMS += tests/dump-report
tests_dump_report_SOURCES = tests/dump-report.c

if HAVE_LIBRARY
check_PROGRAMS += tests/kpi-writer
endif
tests_kpi_writer_SOURCES = tests/kpi-writer.c
tests_kpi_writer_CPPFLAGS = $(KPI_CPPFLAGS)
tests_kpi_writer_LDFLAGS = -static -pthread
tests_kpi_writer_LDADD = probes/kpi/libkpi.la

check_PROGRAMS += tests/reread
tests_reread_SOURCES = tests/reread.c src/report-read.c src/report-series.c

# The host side of the CUDA probe, with or without nvcc; tests/probe-cuda.sh.
check_PROGRAMS += tests/probe-cuda-no-kernels
tests_probe_cuda_no_kernels_SOURCES = $(CUDA_HOST) tests/cuda-no-kernels.c
tests_probe_cuda_no_kernels_CPPFLAGS = $(CUDA_CPPFLAGS)
tests_probe_cuda_no_kernels_LDADD = $(BACK_END_LIBS) -ldl

# The fuzzers' function for each reader, the policy, the two that read a report in JSON (for accept, for comment) and what back ends say: as a libFuzzer program with --enable-fuzzers, and always
# as a program that replays the files it is given.
REPLAYS = \
	tests/fuzz/replay-callgrind-out \
	tests/fuzz/replay-callgrind-summary \
	tests/fuzz/replay-clpeak \
	tests/fuzz/replay-bmf \
	tests/fuzz/replay-criterion \
	tests/fuzz/replay-custom-bigger \
	tests/fuzz/replay-custom-smaller \
	tests/fuzz/replay-github-action-benchmark \
	tests/fuzz/replay-go \
	tests/fuzz/replay-google-benchmark \
	tests/fuzz/replay-heard \
	tests/fuzz/replay-hyperfine \
	tests/fuzz/replay-jmh \
	tests/fuzz/replay-kpi \
	tests/fuzz/replay-perfgate \
	tests/fuzz/replay-policy \
	tests/fuzz/replay-pytest \
	tests/fuzz/replay-report \
	tests/fuzz/replay-samples \
	tests/fuzz/replay-trace \
	tests/fuzz/replay-verdict
REPLAY_SOURCES = tests/fuzz/fuzz-reader.c tests/fuzz/replay.c
check_PROGRAMS += $(REPLAYS)
tests_fuzz_replay_callgrind_out_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_callgrind_out_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_callgrind_out
tests_fuzz_replay_callgrind_summary_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_callgrind_summary_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_callgrind_summary
tests_fuzz_replay_clpeak_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_clpeak_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_clpeak
tests_fuzz_replay_bmf_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_bmf_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_bmf
tests_fuzz_replay_criterion_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_criterion_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_criterion
tests_fuzz_replay_custom_bigger_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_custom_bigger_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_custom_bigger
tests_fuzz_replay_custom_smaller_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_custom_smaller_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_custom_smaller
tests_fuzz_replay_github_action_benchmark_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_github_action_benchmark_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_gab
tests_fuzz_replay_go_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_go_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_go
tests_fuzz_replay_google_benchmark_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_google_benchmark_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_google_benchmark
tests_fuzz_replay_perfgate_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_perfgate_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_export
tests_fuzz_replay_heard_SOURCES = tests/fuzz/fuzz-heard.c src/heard-list.c src/heard.c tests/fuzz/replay.c
tests_fuzz_replay_heard_LDADD = probes/libbackend.a $(LDADD)
tests_fuzz_replay_hyperfine_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_hyperfine_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_hyperfine
tests_fuzz_replay_jmh_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_jmh_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_jmh
tests_fuzz_replay_kpi_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_kpi_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_kpi
tests_fuzz_replay_policy_SOURCES = tests/fuzz/fuzz-policy.c tests/fuzz/replay.c
tests_fuzz_replay_pytest_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_pytest_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_pytest
tests_fuzz_replay_report_SOURCES = tests/fuzz/fuzz-report.c src/outcomes.c tests/fuzz/replay.c
tests_fuzz_replay_samples_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_samples_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_samples
tests_fuzz_replay_trace_SOURCES = $(REPLAY_SOURCES)
tests_fuzz_replay_trace_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_trace
tests_fuzz_replay_verdict_SOURCES = tests/fuzz/fuzz-verdict.c src/report-read.c src/report-series.c tests/fuzz/replay.c

if FUZZERS
LIBFUZZER = $(AM_LDFLAGS) -fsanitize=fuzzer
noinst_PROGRAMS = \
	tests/fuzz/fuzz-callgrind-out \
	tests/fuzz/fuzz-callgrind-summary \
	tests/fuzz/fuzz-clpeak \
	tests/fuzz/fuzz-bmf \
	tests/fuzz/fuzz-criterion \
	tests/fuzz/fuzz-custom-bigger \
	tests/fuzz/fuzz-custom-smaller \
	tests/fuzz/fuzz-github-action-benchmark \
	tests/fuzz/fuzz-go \
	tests/fuzz/fuzz-google-benchmark \
	tests/fuzz/fuzz-heard \
	tests/fuzz/fuzz-hyperfine \
	tests/fuzz/fuzz-jmh \
	tests/fuzz/fuzz-kpi \
	tests/fuzz/fuzz-perfgate \
	tests/fuzz/fuzz-policy \
	tests/fuzz/fuzz-pytest \
	tests/fuzz/fuzz-report \
	tests/fuzz/fuzz-samples \
	tests/fuzz/fuzz-trace \
	tests/fuzz/fuzz-verdict
tests_fuzz_fuzz_callgrind_out_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_callgrind_out_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_callgrind_out
tests_fuzz_fuzz_callgrind_out_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_callgrind_summary_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_callgrind_summary_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_callgrind_summary
tests_fuzz_fuzz_callgrind_summary_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_clpeak_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_clpeak_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_clpeak
tests_fuzz_fuzz_clpeak_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_bmf_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_bmf_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_bmf
tests_fuzz_fuzz_bmf_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_criterion_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_criterion_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_criterion
tests_fuzz_fuzz_criterion_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_custom_bigger_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_custom_bigger_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_custom_bigger
tests_fuzz_fuzz_custom_bigger_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_custom_smaller_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_custom_smaller_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_custom_smaller
tests_fuzz_fuzz_custom_smaller_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_github_action_benchmark_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_github_action_benchmark_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_gab
tests_fuzz_fuzz_github_action_benchmark_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_go_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_go_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_go
tests_fuzz_fuzz_go_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_google_benchmark_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_google_benchmark_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_google_benchmark
tests_fuzz_fuzz_google_benchmark_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_perfgate_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_perfgate_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_export
tests_fuzz_fuzz_perfgate_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_heard_SOURCES = tests/fuzz/fuzz-heard.c src/heard-list.c src/heard.c
tests_fuzz_fuzz_heard_LDADD = probes/libbackend.a $(LDADD)
tests_fuzz_fuzz_heard_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_hyperfine_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_hyperfine_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_hyperfine
tests_fuzz_fuzz_hyperfine_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_jmh_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_jmh_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_jmh
tests_fuzz_fuzz_jmh_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_kpi_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_kpi_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_kpi
tests_fuzz_fuzz_kpi_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_policy_SOURCES = tests/fuzz/fuzz-policy.c
tests_fuzz_fuzz_policy_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_pytest_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_pytest_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_pytest
tests_fuzz_fuzz_pytest_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_report_SOURCES = tests/fuzz/fuzz-report.c src/outcomes.c
tests_fuzz_fuzz_report_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_samples_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_samples_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_samples
tests_fuzz_fuzz_samples_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_trace_SOURCES = tests/fuzz/fuzz-reader.c
tests_fuzz_fuzz_trace_CPPFLAGS = $(AM_CPPFLAGS) -DREADER=reader_trace
tests_fuzz_fuzz_trace_LDFLAGS = $(LIBFUZZER)
tests_fuzz_fuzz_verdict_SOURCES = tests/fuzz/fuzz-verdict.c src/report-read.c src/report-series.c
tests_fuzz_fuzz_verdict_LDFLAGS = $(LIBFUZZER)
endif

TESTS += $(UNIT_TESTS) $(SCRIPT_TESTS)
check_DATA = $(PERFGATE_CHECK)
TEST_EXTENSIONS = .sh
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_DRIVER = $(TAP_DRIVER)
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = $(PERFGATE_ENVIRONMENT) \
	PERFGATE='$(abs_builddir)/perfgate$(EXEEXT)'; \
	DUMP='$(abs_builddir)/tests/dump$(EXEEXT)'; \
	builddir='$(abs_builddir)'; TEST_CC='$(CC)'; TEST_AWK='$(AWK)'; \
	SANITIZERS='$(enable_sanitizers)'; \
	export PERFGATE DUMP builddir TEST_CC TEST_AWK SANITIZERS;

EXTRA_DIST += $(SCRIPT_TESTS) \
	tests/check-clpeak.py \
	tests/check-openmetrics.py \
	tests/check-site.py \
	tests/ci-run.py \
	tests/failing.c \
	tests/forge-server.py \
	tests/git-http.py \
	tests/lib.sh \
	tests/made-up.h \
	tests/noise.awk \
	tests/nums.h \
	tests/perfgate-on-postgres \
	tests/postgres.sh \
	tests/random.h \
	tests/repo.sh \
	tests/site-browser.js \
	tests/site-samples.js \
	tests/stand-in.sh \
	tests/standin-cuda.c \
	tests/standin-opencl.c \
	tests/tap.h \
	tests/use-policy.h \
	tests/xml.h \
	tests/cases \
	tests/cases-policy \
	tests/cases-report \
	tests/fuzz/corpus \
	tests/trace \
	ci/count-tests.awk ci/show-failures.awk

# `make check` closes with what failed and the number of passed, failed and skipped tests, whatever
# they were, and this recipe decides its exit status: hence check-TESTS, which runs them, may fail.
.IGNORE: check-TESTS
check-local: check-TESTS
	@test -f $(TEST_SUITE_LOG) || { echo "the tests did not run to their end" >&2; exit 1; }; \
	$(AWK) -f $(srcdir)/ci/show-failures.awk $(TEST_LOGS) </dev/null; \
	for log in $(TEST_LOGS); do \
		trs=`echo "$$log" | sed 's/\.log$$/.trs/'`; \
		test -f "$$trs" && cat "$$trs" || echo ":test-result: ERROR"; \
	done | $(AWK) -f $(srcdir)/ci/count-tests.awk
