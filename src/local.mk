# Three parts, each seeing only what stands below it: the program (main.c, the commands and what
# they share), the store, and the modules that everything else in the tree may use and that see
# neither store nor gate nor reader.
bin_PROGRAMS += perfgate
perfgate_SOURCES = \
	src/accepts.c \
	src/accepts.h \
	src/ancestry.c \
	src/ancestry.h \
	src/attempt.c \
	src/attempt.h \
	src/back-ends.c \
	src/back-ends.h \
	src/baseline.c \
	src/baseline.h \
	src/bases.c \
	src/binding.c \
	src/binding.h \
	src/bisect-result.c \
	src/bisect-result.h \
	src/bisecting.c \
	src/bisecting.h \
	src/cmd-accept.c \
	src/cmd-bisect.c \
	src/cmd-comment.c \
	src/cmd-diff.c \
	src/cmd-env.c \
	src/cmd-formats.c \
	src/cmd-gate.c \
	src/cmd-help.c \
	src/cmd-ingest.c \
	src/cmd-init.c \
	src/cmd-log.c \
	src/cmd-measure.c \
	src/cmd-policy.c \
	src/cmd-probe.c \
	src/cmd-publish.c \
	src/cmd-selftest.c \
	src/cmd-show.c \
	src/cmd-store-check.c \
	src/cmd-store-drop.c \
	src/cmd-store-export.c \
	src/cmd-store-fetch.c \
	src/cmd-store-info.c \
	src/cmd-store-merge.c \
	src/cmd-store-push.c \
	src/cmd-store-snapshot.c \
	src/cmd-store.c \
	src/cmd-trend.c \
	src/child.c \
	src/child.h \
	src/command.h \
	src/collected.c \
	src/collected.h \
	src/compare.c \
	src/compare-private.h \
	src/compare.h \
	src/context.c \
	src/context.h \
	src/compact.c \
	src/data-file.c \
	src/data-file.h \
	src/data-read.c \
	src/depot-private.h \
	src/depot-push.c \
	src/depot-repository.c \
	src/depot-settings.c \
	src/depot-words.c \
	src/depot.c \
	src/depot.h \
	src/documents.c \
	src/documents.h \
	src/doubts.c \
	src/doubts.h \
	src/each-series.c \
	src/each-series.h \
	src/export-samples.c \
	src/export.c \
	src/export.h \
	src/forge-change.c \
	src/forge-github.c \
	src/forge-gitlab.c \
	src/forge-place.c \
	src/forge-private.h \
	src/forge.c \
	src/forge.h \
	src/gates-log.c \
	src/gates-log.h \
	src/gating.c \
	src/gating.h \
	src/head.c \
	src/head.h \
	src/heard-list.c \
	src/heard-private.h \
	src/heard.c \
	src/heard.h \
	src/judge.c \
	src/judge.h \
	src/main.c \
	src/launch.c \
	src/launch.h \
	src/measure-judge.c \
	src/measure-private.h \
	src/measure-store.c \
	src/measure.c \
	src/measure.h \
	src/measured-load.c \
	src/measured-private.h \
	src/measured.c \
	src/measured.h \
	src/measuring.c \
	src/measuring.h \
	src/names.c \
	src/names.h \
	src/noise.c \
	src/noise.h \
	src/outcomes.c \
	src/outcomes.h \
	src/pairing.c \
	src/past-line.c \
	src/past-line.h \
	src/past-order.c \
	src/past-order.h \
	src/past.c \
	src/past.h \
	src/place.c \
	src/place.h \
	src/policy-said.c \
	src/policy-said.h \
	src/policy-series.c \
	src/policy-series.h \
	src/probe-choose.c \
	src/probe-compare.c \
	src/probe-private.h \
	src/probe-show.c \
	src/probe-store.c \
	src/probing.c \
	src/probing.h \
	src/probed.c \
	src/probed.h \
	src/program.c \
	src/program.h \
	src/propose-private.h \
	src/propose-rule.c \
	src/propose.c \
	src/propose.h \
	src/recording.c \
	src/recording.h \
	src/publish-assets.c \
	src/publish-compare.c \
	src/publish-lists.c \
	src/publish-private.h \
	src/publish-series.c \
	src/publish-tree.c \
	src/publish-tree.h \
	src/publish.c \
	src/publish.h \
	src/reference.c \
	src/reference.h \
	src/report-read-private.h \
	src/report-read.c \
	src/report-read.h \
	src/report-series.c \
	src/reports.c \
	src/reports.h \
	src/scratch.c \
	src/scratch.h \
	src/selftest-pool.c \
	src/selftest-private.h \
	src/selftest-split.c \
	src/selftest.c \
	src/selftest.h \
	src/series-log.c \
	src/series-log.h \
	src/series-past.c \
	src/series-past.h \
	src/series-pick.c \
	src/series-pick.h \
	src/share.c \
	src/share.h \
	src/show-number.c \
	src/show-number.h \
	src/sparkline.c \
	src/sparkline.h \
	src/standing.c \
	src/standing.h \
	src/stays.c \
	src/stays.h \
	src/storing.c \
	src/storing.h \
	src/tidy.c \
	src/tidy.h \
	src/trend-csv.c \
	src/trend-json.c \
	src/trend-table.c \
	src/trend-view.c \
	src/trend-view.h \
	src/trending-choose.c \
	src/trending-line.c \
	src/trending-machine.c \
	src/trending-private.h \
	src/trending-read.c \
	src/trending-runs.c \
	src/trending.c \
	src/trending.h \
	src/trial.c \
	src/trial.h \
	src/walk.c \
	src/worktree.c \
	src/worktree.h
perfgate_LDADD = probes/libbackend.a src/libstore.a $(ARCHIVES) $(BASE_LIBS)

noinst_LIBRARIES += src/libstore.a
src_libstore_a_SOURCES = \
	src/db-drivers.h \
	src/db-sqlite-open.c \
	src/db-sqlite-schema.c \
	src/db-sqlite.c \
	src/db-sqlite.h \
	src/db.c \
	src/db.h \
	src/store-add.c \
	src/store-admin.c \
	src/store-drop.c \
	src/store-judge.c \
	src/store-known.c \
	src/store-known.h \
	src/store-merge.c \
	src/store-private.h \
	src/store-read.c \
	src/store-rows.c \
	src/store-rows.h \
	src/store-series.c \
	src/store-walk.c \
	src/store.c \
	src/store.h

if HAVE_POSTGRESQL
src_libstore_a_SOURCES += \
	src/db-postgres-copy.c \
	src/db-postgres-error.c \
	src/db-postgres-open.c \
	src/db-postgres-sql.c \
	src/db-postgres-visit.c \
	src/db-postgres.c \
	src/db-postgres.h
else
src_libstore_a_SOURCES += src/db-postgres-none.c
endif

noinst_LIBRARIES += src/libbase.a
src_libbase_a_SOURCES = \
	src/buf.c \
	src/buf.h \
	src/ci.c \
	src/ci.h \
	src/conf-edit.c \
	src/conf-edit.h \
	src/conf-file.c \
	src/conf-file.h \
	src/conf.c \
	src/conf.h \
	src/counters.h \
	src/cpus.c \
	src/cpus.h \
	src/err.c \
	src/err.h \
	src/git.c \
	src/git.h \
	src/host-memory.c \
	src/host-memory.h \
	src/http.c \
	src/http.h \
	src/intern.c \
	src/intern.h \
	src/json-out.c \
	src/json-out.h \
	src/machine.c \
	src/machine.h \
	src/markup.c \
	src/markup.h \
	src/num.c \
	src/num.h \
	src/opt.c \
	src/opt.h \
	src/pattern.c \
	src/pattern.h \
	src/pin.h \
	src/proc.c \
	src/proc.h \
	src/replace.c \
	src/replace.h \
	src/runner.c \
	src/runner.h \
	src/sha256.c \
	src/sha256.h \
	src/spell.c \
	src/stage.c \
	src/stage.h \
	src/term.c \
	src/term.h \
	src/text.c \
	src/text.h \
	src/weather.c \
	src/weather.h

# What not every kernel has.
if HAVE_PERF_EVENT
src_libbase_a_SOURCES += src/counters.c
else
src_libbase_a_SOURCES += src/counters-none.c
endif
if HAVE_AFFINITY
src_libbase_a_SOURCES += src/pin.c
else
src_libbase_a_SOURCES += src/pin-none.c
endif
