/*
 * sql: every statement of the store, embedded from sql/NAME.sql at build time (ci/embed-sql.awk).
 */
#ifndef SQL_H
#define SQL_H

extern const char sql_absence_add[];
extern const char sql_absences_of_run[];
extern const char sql_application_id[];
extern const char sql_begin_read[];
extern const char sql_begin[];
extern const char sql_benchmark_add[];
extern const char sql_benchmark_find[];
extern const char sql_benchmarks_all[];
extern const char sql_branch_commits[];
extern const char sql_branch_known[];
extern const char sql_commit_add[];
extern const char sql_commit_find[];
extern const char sql_commit_parent_add[];
extern const char sql_commit_parents[];
extern const char sql_commit_prefix[];
extern const char sql_commit[];
extern const char sql_commits_all[];
extern const char sql_commits_measured[];
extern const char sql_create_pragmas[];
extern const char sql_foreign_key_check[];
extern const char sql_foreign_keys_off[];
extern const char sql_foreign_keys_on[];
extern const char sql_incremental_vacuum[];
extern const char sql_info_suites[];
extern const char sql_info[];
extern const char sql_integrity_check[];
extern const char sql_journal_mode[];
extern const char sql_metric_add[];
extern const char sql_metric_find[];
extern const char sql_open_pragmas[];
extern const char sql_metrics_all[];
extern const char sql_page_bytes[];
extern const char sql_marks_forget[];
extern const char sql_property_get[];
extern const char sql_property_set[];
extern const char sql_rollback[];
extern const char sql_run_add[];
extern const char sql_run_adopt[];
extern const char sql_run_drop_absences[];
extern const char sql_run_drop_samples[];
extern const char sql_run_drop[];
extern const char sql_run_find[];
extern const char sql_run_of_tombstone[];
extern const char sql_runner_add[];
extern const char sql_runners[];
extern const char sql_runs_by_digest[];
extern const char sql_runs_exported[];
extern const char sql_runs_newest[];
extern const char sql_runs_of_branch[];
extern const char sql_runs_of_commit[];
extern const char sql_runs_of_tree[];
extern const char sql_sample_add[];
extern const char sql_samples_add[];
extern const char sql_samples_of_series[];
extern const char sql_samples_visit[];
extern const char sql_schema_1[];
extern const char sql_series_add[];
extern const char sql_series_all[];
extern const char sql_series_find[];
extern const char sql_series_get[];
extern const char sql_series_max[];
extern const char sql_series_of_run[];
extern const char sql_suite_elsewhere[];
extern const char sql_table_count[];
extern const char sql_tombstone_add[];
extern const char sql_tombstone_find[];
extern const char sql_tombstone_remove[];
extern const char sql_tombstones[];
extern const char sql_tombstones_remove[];
extern const char sql_tombstones_undone[];
extern const char sql_user_version[];
extern const char sql_vacuum_into[];

#endif
