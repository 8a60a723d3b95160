# Turns OpenCL C into C: awk -f embed-cl.awk probes/opencl/NAME.cl... >kernels.c
# NAME.cl becomes const char opencl_NAME[]. Every line stays, so that a driver's line numbers hold.

function finish()
{
	if (name != "")
		print "\t\"\";"
}

BEGIN {
	print "/* Made from the files of probes/opencl by ci/embed-cl.awk. */"
	print "#include \"kernels.h\""
}

FNR == 1 {
	finish()
	name = FILENAME
	sub(/^.*\//, "", name)
	sub(/\.cl$/, "", name)
	printf "\nconst char opencl_%s[] =\n", name
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
