# Turns files into C strings: awk -v header=NAME.h -f embed.awk FILE... >embedded.c
# sql/NAME.sql becomes const char sql_NAME[] and probes/opencl/NAME.cl const char opencl_NAME[], with '-' and
# '/' turned to '_'; site/assets/NAME.js keeps its ending: assets_NAME_js. Lines of SQL that hold only a
# comment, and empty ones, stay in the file; of other files every line stays, so that the line numbers
# of messages hold.

function finish()
{
	if (name != "")
		print "\t\"\";"
}

BEGIN {
	print "/* Made by ci/embed.awk. */"
	print "#include \"" header "\""
}

FNR == 1 {
	finish()
	name = FILENAME
	sub(/^(probes|site)\//, "", name)
	if (name !~ /^assets\//)
		sub(/\.[a-z]*$/, "", name)
	gsub(/[-\/.]/, "_", name)
	printf "\nconst char %s[] =\n", name
}

FILENAME ~ /\.sql$/ && /^[ \t\r]*(--.*)?$/ {
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
