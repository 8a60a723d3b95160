#include "db-postgres.h"

#include "sql.h"

#include <stdlib.h>
#include <string.h>

/* The files of sql/postgres/ that have the name of one of sql/. */
static const struct {
	const char *sql, *here;
} replaced[] = {
	{sql_begin, sql_postgres_begin},
	{sql_begin_read, sql_postgres_begin_read},
	{sql_benchmark_add, sql_postgres_benchmark_add},
	{sql_benchmark_find, sql_postgres_benchmark_find},
	{sql_branch_commits, sql_postgres_branch_commits},
	{sql_branch_known, sql_postgres_branch_known},
	{sql_commit_add, sql_postgres_commit_add},
	{sql_commit_parent_add, sql_postgres_commit_parent_add},
	{sql_judgements_newest, sql_postgres_judgements_newest},
	{sql_metric_add, sql_postgres_metric_add},
	{sql_metric_find, sql_postgres_metric_find},
	{sql_run_find, sql_postgres_run_find},
	{sql_runner_add, sql_postgres_runner_add},
	{sql_runs_newest, sql_postgres_runs_newest},
	{sql_runs_of_branch, sql_postgres_runs_of_branch},
	{sql_runs_of_tree, sql_postgres_runs_of_tree},
	{sql_samples_of_series, sql_postgres_samples_of_series},
	{sql_schema_1, sql_postgres_schema_1},
	{sql_schema_2, sql_postgres_schema_2},
	{sql_series_add, sql_postgres_series_add},
	{sql_series_all, sql_postgres_series_all},
	{sql_series_find, sql_postgres_series_find},
	{sql_tombstone_add, sql_postgres_tombstone_add},
	{sql_verdicts, sql_postgres_verdicts},
};

const char *pg_sql(const char *sql)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(replaced); i++)
		if (replaced[i].sql == sql)
			return replaced[i].here;
	return sql;
}

/* The length of a literal, a quoted name or a comment that begins here; 0: none does. */
static size_t skipped(const char *p)
{
	const char *end;

	if (*p == '\'' || *p == '"')
		end = strchr(p + 1, *p);
	else if (p[0] == '-' && p[1] == '-')
		end = strchr(p, '\n');
	else
		return 0;
	return end ? (size_t)(end - p) + 1 : strlen(p);
}

static int number(const char *p)
{
	return (int)strtol(p, NULL, 10);
}

char *pg_dollars(const char *sql, int *ret_params)
{
	struct buf b = BUF_INIT;

	*ret_params = 0;
	while (*sql) {
		size_t n = skipped(sql);
		if (n == 0) {
			if (*sql == '?' && number(sql + 1) > *ret_params)
				*ret_params = number(sql + 1);
			buf_addch(&b, *sql == '?' ? '$' : *sql);
			sql++;
			continue;
		}
		buf_add(&b, sql, n);
		sql += n;
	}
	return buf_take(&b);
}
