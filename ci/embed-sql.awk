# Turns SQL files into C: awk -f embed-sql.awk sql/NAME.sql... >embedded.c
# sql/NAME.sql becomes const char sql_NAME[], with '-' and '/' in the name turned to '_'. Lines that hold
# only a comment, and empty ones, stay in the file.

function finish()
{
	if (name != "")
		print "\t\"\";"
}

BEGIN {
	print "/* Made from the files of sql/ by ci/embed-sql.awk. */"
	print "#include \"sql.h\""
}

FNR == 1 {
	finish()
	name = FILENAME
	sub(/^(.*\/)?sql\//, "", name)
	sub(/\.sql$/, "", name)
	gsub(/[-\/]/, "_", name)
	printf "\nconst char sql_%s[] =\n", name
}

/^[ \t\r]*(--.*)?$/ {
	next
}

{
	sub(/\r$/, "")
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
	gsub(/\t/, "\\t")
	printf "\t\"%s\\n\"\n", $0
}

END {
	finish()
}
