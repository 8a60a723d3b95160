# Adds up the results of a test run: awk -f count-tests.awk FILE.trs...
# Prints "N passed, N failed, N skipped" and exits 1 when anything failed or nothing ran.

/^:test-result: (PASS|XFAIL)/ { passed++ }
/^:test-result: (FAIL|XPASS|ERROR)/ { failed++ }
/^:test-result: SKIP/ { skipped++ }

END {
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0 || passed == 0
}
