/* Tables on a terminal of a given width, which a pseudo terminal stands for. */
#include "term.h"

#include "text.h"

#include "tap.h"

#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static char got[65536];

/* The terminal of so many columns; its other end in *ret_end. NULL where there is none to be had.
 */
static FILE *terminal(unsigned short columns, int *ret_end)
{
	struct winsize size = {.ws_row = 24, .ws_col = columns};
	int end = posix_openpt(O_RDWR | O_NOCTTY), fd;
	const char *name;

	*ret_end = end;
	if (end < 0 || grantpt(end) < 0 || unlockpt(end) < 0 || !(name = ptsname(end)))
		return NULL;
	fd = open(name, O_RDWR | O_NOCTTY);
	if (fd < 0 || ioctl(fd, TIOCSWINSZ, &size) < 0)
		return NULL;
	return fdopen(fd, "w");
}

/* Writes t, which has two lines, on such a terminal and reads it into got. The width of the widest
 * line. */
static size_t written(struct table *t, FILE *f, int end)
{
	size_t widest = 0, len = 0;
	const char *line;
	ssize_t n = 1;

	table_write(t, f);
	fflush(f);
	got[0] = '\0';
	while (n > 0 && (!strchr(got, '\n') || strchr(got, '\n') == strrchr(got, '\n'))) {
		n = read(end, got + len, sizeof(got) - 1 - len);
		len += n > 0 ? (size_t)n : 0;
		got[len] = '\0';
	}
	for (line = got; *line; line += strcspn(line, "\n") + 1) {
		size_t w = text_width(line, strcspn(line, "\r"));
		widest = w > widest ? w : widest;
	}
	return widest;
}

static struct table *log_like(const char *runner)
{
	struct table *t = table_new("WHEN (UTC)", "COMMIT", "BRANCH", "SUITE", ">SERIES",
		">SAMPLES", "RUN", "RUNNER", NULL);

	table_cell(t, "2026-03-03 10:00");
	table_cell(t, "0123456789+");
	table_cell(t, "feature/a-branch-with-a-name");
	table_cell(t, "kpi");
	table_cell(t, "%d", 12);
	table_cell(t, "%d", 1234567);
	table_cell(t, "01234567");
	table_cell(t, "%s", runner);
	return t;
}

static void fits(FILE *f, int end)
{
	OK(written(log_like("x86_64/Example CPU 9000 @ 2.00GHz/16 cores/64GiB"), f, end) <= 80,
		"a wide table fits");
	OK(strstr(got, "x86...4GiB"), "its widest cells are cut in the middle");
	OK(strstr(got, "  kpi  ") && strstr(got, "1234567"), "narrow ones are not");
	OK(written(log_like(
			   "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9"
			   "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2"),
		   f, end) <= 80,
		"so does one of other letters");
	OK(utf8_valid(got, strlen(got)), "which are cut between characters");
	OK(written(log_like("r"), f, end) <= 80 && strstr(got, "...") && !strstr(got, "r..."),
		"a column that fits is left");
}

static void headings(FILE *f, int end)
{
	struct table *t = table_new("A HEADING THAT IS LONGER THAN EVERYTHING BELOW IT",
		"AND ANOTHER ONE THAT IS LONG ENOUGH TO BE IN THE WAY", NULL);

	table_cell(t, "1");
	table_cell(t, "2");
	OK(written(t, f, end) <= 80 && strstr(got, "..."), "headings are cut too");
}

/* What cannot fit keeps six columns each. */
static void narrowest(FILE *f, int end)
{
	struct table *t =
		table_new("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", NULL);
	int i;

	for (i = 0; i < 12; i++)
		table_cell(t, "abcdefghijklmnopqrstuvwxyz");
	OK(written(t, f, end) == 94, "no column gets narrower than six");
	OK(strstr(got, "a...yz  a...yz"), "and each keeps its ends");
}

/* What is written where there is no terminal; the caller frees. */
static char *elsewhere(struct table *t)
{
	char *text = NULL;
	size_t len;
	FILE *f = tmpfile();

	table_write(t, f);
	len = (size_t)ftell(f);
	rewind(f);
	text = xcalloc(len + 1, 1);
	OK(fread(text, 1, len, f) == len, "written");
	fclose(f);
	return text;
}

static struct table *of_names(const char *name, const char *other)
{
	struct table *t = table_new("NAME", "N", NULL);

	table_cell(t, "%s", name);
	table_cell(t, "1");
	table_cell(t, "%s", other);
	table_cell(t, "2");
	return t;
}

static void no_terminal(void)
{
	char monster[3001], *text;

	memset(monster, 'm', sizeof(monster) - 1);
	monster[sizeof(monster) - 1] = '\0';
	text = elsewhere(of_names(monster, "short"));
	OK(strstr(text, monster) != NULL, "nothing is cut where there is no terminal");
	OK(strlen(text) < 3300, "one long cell does not widen its column for all");
	free(text);
	setenv("COLUMNS", "40", 1);
	text = elsewhere(of_names(monster, "short"));
	OK(strcspn(text, "\n") <= 40 && !strstr(text, monster) && strlen(text) < 130,
		"but where COLUMNS says so");
	free(text);
	unsetenv("COLUMNS");
}

static void in_ci(void)
{
	char *text = elsewhere(of_names("::error::x", "a ##[error]x"));

	OK(strstr(text, "\n::error::x ") && strstr(text, "##["), "outside CI names stay");
	free(text);
	setenv("GITHUB_ACTIONS", "true", 1);
	text = elsewhere(of_names("::error::x", "a ##[error]x"));
	OK(!strstr(text, "\n::") && strstr(text, "\n.::error::x") && !strstr(text, "##["),
		"in CI they are no commands");
	free(text);
	unsetenv("GITHUB_ACTIONS");
}

static struct table *painted(void)
{
	struct table *t = table_new("=STATE", NULL);

	table_heading(t, ">N");
	table_cell(t, "worse");
	table_paint(t, "31");
	table_cell(t, "12");
	return t;
}

static void colours(FILE *f, int end)
{
	char *text = elsewhere(painted());

	IS_STR(text, "STATE   N\nworse  12\n", "no colours where there is no terminal");
	free(text);
	setenv("TERM", "xterm", 1);
	written(painted(), f, end);
	OK(strstr(got, "STATE   N") && strstr(got, "\033[31mworse\033[m  12"),
		"the first cell of a row in a colour");
	setenv("NO_COLOR", "1", 1);
	written(painted(), f, end);
	OK(!strchr(got, 033), "... unless nobody wants it");
	unsetenv("NO_COLOR");
}

int main(void)
{
	int end;
	FILE *f = terminal(80, &end);

	unsetenv("GITHUB_ACTIONS");

	if (!f) {
		puts("1..0 # SKIP there is no pseudo terminal");
		return 0;
	}
	unsetenv("COLUMNS");
	no_terminal();
	in_ci();
	setlocale(LC_CTYPE, "C.UTF-8");
	fits(f, end);
	headings(f, end);
	narrowest(f, end);
	colours(f, end);
	fclose(f);
	close(end);
	return tap_done();
}
