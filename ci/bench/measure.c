/*
 * measure: runs a command N times and prints the least of its wall time, processor time (both in
 * seconds) and the most of its peak memory (MiB), as three numbers. Its output goes to /dev/null;
 * the last run's exit status is kept.
 *
 *     measure N COMMAND [ARG...]
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int run(char **argv, double *wall, double *cpu, double *memory)
{
	struct timespec a, b;
	struct rusage u;
	int status;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &a);
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, STDOUT_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) < 0)
		return 127;
	clock_gettime(CLOCK_MONOTONIC, &b);
	*wall = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
	*cpu = seconds(u.ru_utime) + seconds(u.ru_stime);
	*memory = (double)u.ru_maxrss / 1024;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
	double wall = 1e9, cpu = 1e9, memory = 0;
	int n = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0, i, status = 0;

	if (n < 1)
		return fputs("usage: measure N COMMAND [ARG...]\n", stderr), 2;
	for (i = 0; i < n; i++) {
		double w = 0, c = 0, m = 0;
		status = run(argv + 2, &w, &c, &m);
		wall = w < wall ? w : wall;
		cpu = c < cpu ? c : cpu;
		memory = m > memory ? m : memory;
	}
	printf("%.4f %.4f %.1f\n", wall, cpu, memory);
	return status;
}
