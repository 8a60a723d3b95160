# ci/embed.awk: what SQLite gets is what the file says.
. "${srcdir:-.}/tests/lib.sh"

run $TEST_CC -fsyntax-only -x c /dev/null || skip_all "there is no compiler here"

mkdir sql
cat >sql/one-row.sql <<'SQL'
-- the comment stays here

SELECT "a b", 'c\d', '100%'
	FROM t -- this one is part of the statement
	WHERE x = ?1 AND y LIKE '%\_' ESCAPE '\';
SQL
printf 'SELECT 1;\r\nSELECT 2;' >sql/two.sql
: >sql/empty.sql
cat >sql.h <<'C'
extern const char sql_one_row[], sql_two[], sql_empty[];
C
cat >print.c <<'C'
#include <stdio.h>
#include "sql.h"
int main(void)
{
	printf("%s|%s|", sql_one_row, sql_two);
	return 0;
}
C
grep -v '^-- the\|^$' sql/one-row.sql >expected
printf '|SELECT 1;\nSELECT 2;\n|' >>expected

ok "the generator runs" "$TEST_AWK" -v header=sql.h -f "$srcdir/ci/embed.awk" sql/one-row.sql sql/two.sql
cp "$out" embedded.c
ok "its C compiles" $TEST_CC -std=gnu17 -Wall -Wextra -Werror -o print print.c embedded.c
ok "the program runs" ./print
same expected "$out" "the strings hold the statements"
cp "$out" got
ok "no files, no strings" "$TEST_AWK" -v header=sql.h -f "$srcdir/ci/embed.awk" /dev/null
ok "and C all the same" $TEST_CC -std=gnu17 -Wall -Wextra -Werror -I. -fsyntax-only -x c "$out"

# Every string that sql.h declares is embedded, and every file of sql/ is declared.
if [ -f "$srcdir/sql/sql.h" ]; then
	sed -n 's/^extern const char \(sql_[a-z0-9_]*\)\[\];.*/\1/p' "$srcdir/sql/sql.h" | sort >declared
	(cd "$srcdir/sql" && find . -name '*.sql') | sed 's/^\.\/\(.*\)\.sql$/sql_\1/' | tr -- -/ __ | sort >files
	sed -n 's/^const char \(sql_[a-z0-9_]*\)\[\] =$/\1/p' "$builddir/sql/embedded.c" | sort >embedded
	same files declared "sql.h declares the files of sql/"
	same files embedded "sql/local.mk lists the files of sql/"
fi
done_testing
