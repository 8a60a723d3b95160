# The failed tests of TAP logs, each with the comments below it: awk -f show-failures.awk FILE.log...
# A script that ended early (no plan, an exit status) shows its last lines instead.

function show(line)
{
	if (file != FILENAME)
		print "\n" FILENAME ":"
	file = FILENAME
	print line
}

/^not ok / {
	failing = 1
	show($0)
	next
}

/^(FAIL|XPASS): / {
	next
}

/^#/ && failing {
	show($0)
	next
}

{
	failing = 0
}

/^ERROR: / {
	show(before)
	show($0)
}

{
	before = $0
}
