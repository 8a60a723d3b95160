# The SQL, as C string constants: sql/NAME.sql becomes sql_NAME ('-' becomes '_'), which sql/sql.h
# declares. A new file: add it here and its line to sql.h; one of sql/postgres/ that stands in for
# another, to src/db-postgres-sql.c too.
SQL_FILES = \
	sql/absence-add.sql \
	sql/absences-of-run.sql \
	sql/application-id.sql \
	sql/begin-read.sql \
	sql/begin.sql \
	sql/benchmark-add.sql \
	sql/benchmark-find.sql \
	sql/benchmarks-all.sql \
	sql/branch-commits.sql \
	sql/branch-known.sql \
	sql/commit-add.sql \
	sql/commit-find.sql \
	sql/commit-parent-add.sql \
	sql/commit-parents.sql \
	sql/commit-prefix.sql \
	sql/commit.sql \
	sql/commits-all.sql \
	sql/commits-measured.sql \
	sql/create-pragmas.sql \
	sql/foreign-key-check.sql \
	sql/foreign-keys-off.sql \
	sql/foreign-keys-on.sql \
	sql/incremental-vacuum.sql \
	sql/info-suites.sql \
	sql/info.sql \
	sql/integrity-check.sql \
	sql/journal-mode.sql \
	sql/judgement-add.sql \
	sql/judgement-count-add.sql \
	sql/judgement-counts.sql \
	sql/judgements-count.sql \
	sql/judgements-exported.sql \
	sql/judgements-newest.sql \
	sql/judgements-of-commit.sql \
	sql/marks-forget.sql \
	sql/metric-add.sql \
	sql/metric-find.sql \
	sql/open-pragmas.sql \
	sql/metrics-all.sql \
	sql/page-bytes.sql \
	sql/postgres/begin.sql \
	sql/postgres/begin-read.sql \
	sql/postgres/benchmark-add.sql \
	sql/postgres/benchmark-copy.sql \
	sql/postgres/benchmark-find.sql \
	sql/postgres/benchmark-max.sql \
	sql/postgres/benchmarks-known.sql \
	sql/postgres/branch-commits.sql \
	sql/postgres/branch-known.sql \
	sql/postgres/bytes.sql \
	sql/postgres/check-references.sql \
	sql/postgres/commit-add.sql \
	sql/postgres/commit-parent-add.sql \
	sql/postgres/judgements-newest.sql \
	sql/postgres/lock.sql \
	sql/postgres/metric-add.sql \
	sql/postgres/metric-find.sql \
	sql/postgres/run-find.sql \
	sql/postgres/runner-add.sql \
	sql/postgres/runs-newest.sql \
	sql/postgres/runs-of-branch.sql \
	sql/postgres/runs-of-tree.sql \
	sql/postgres/sample-copy.sql \
	sql/postgres/samples-close.sql \
	sql/postgres/samples-cursor.sql \
	sql/postgres/samples-fetch.sql \
	sql/postgres/samples-first.sql \
	sql/postgres/samples-of-series.sql \
	sql/postgres/schema-1.sql \
	sql/postgres/schema-2.sql \
	sql/postgres/schema-create.sql \
	sql/postgres/schema-find.sql \
	sql/postgres/series-add.sql \
	sql/postgres/series-all.sql \
	sql/postgres/series-copy.sql \
	sql/postgres/series-find.sql \
	sql/postgres/series-known.sql \
	sql/postgres/session.sql \
	sql/postgres/session-read.sql \
	sql/postgres/tombstone-add.sql \
	sql/postgres/verdicts.sql \
	sql/postgres/version.sql \
	sql/property-get.sql \
	sql/property-set.sql \
	sql/pruned-add.sql \
	sql/pruned-count.sql \
	sql/pruned-find.sql \
	sql/pruned-forget.sql \
	sql/pruned-sessions.sql \
	sql/rollback.sql \
	sql/run-add.sql \
	sql/run-adopt.sql \
	sql/run-drop-absences.sql \
	sql/run-drop-samples.sql \
	sql/run-drop.sql \
	sql/run-find.sql \
	sql/run-of-tombstone.sql \
	sql/runner-add.sql \
	sql/runners.sql \
	sql/runs-by-digest.sql \
	sql/runs-clean.sql \
	sql/runs-exported.sql \
	sql/runs-newest.sql \
	sql/runs-of-branch.sql \
	sql/runs-of-commit.sql \
	sql/runs-of-suite.sql \
	sql/runs-of-tree.sql \
	sql/sample-add.sql \
	sql/samples-add.sql \
	sql/samples-between.sql \
	sql/samples-of-series.sql \
	sql/samples-visit.sql \
	sql/schema-1.sql \
	sql/schema-2.sql \
	sql/series-add.sql \
	sql/series-all.sql \
	sql/series-find.sql \
	sql/series-get.sql \
	sql/series-max.sql \
	sql/series-of-run.sql \
	sql/store-state.sql \
	sql/suite-elsewhere.sql \
	sql/table-count.sql \
	sql/tombstone-add.sql \
	sql/tombstone-find.sql \
	sql/tombstone-remove.sql \
	sql/tombstones-remove.sql \
	sql/tombstones-undone.sql \
	sql/tombstones.sql \
	sql/user-version.sql \
	sql/vacuum-into.sql \
	sql/verdict-add.sql \
	sql/verdicts.sql \
	sql/views.sql

noinst_LIBRARIES += sql/libsql.a
sql_libsql_a_SOURCES = sql/sql.h
nodist_sql_libsql_a_SOURCES = sql/embedded.c

sql/embedded.c: ci/embed.awk $(SQL_FILES)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	(cd $(srcdir) && $(AWK) -v header=sql.h -f ci/embed.awk $(SQL_FILES) </dev/null) >$@-t && mv -f $@-t $@

EXTRA_DIST += ci/embed.awk $(SQL_FILES)
CLEANFILES += sql/embedded.c
MOSTLYCLEANFILES += sql/embedded.c-t
