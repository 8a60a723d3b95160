# The checker of clpeak documents that other tests use: it takes what clpeak writes, and no mistake gets by.
. "${srcdir:-.}/tests/lib.sh"

command -v python3 >/dev/null || skip_all "there is no python3 here"
checker="python3 $srcdir/tests/check-clpeak.py"

cat >good.json <<'EOF'
{
  "schema": "clpeak/run",
  "format_version": 3,
  "clpeak_version": "3.0.0-34-g24eeec1",
  "generated_at": "2026-10-01T15:23:16Z",
  "duration_s": 1.25,
  "host": {
    "os": "Linux x64",
    "logical_cores": 2
  },
  "invocation": {
    "argv": [
      "clpeak"
    ],
    "target_time_us": 500000,
    "target_time_us_cpu": 2000000,
    "warmup": 2,
    "categories": [
      "compute"
    ]
  },
  "devices": [
    {
      "backend": "CPU",
      "platform": "CPU",
      "name": "A processor",
      "type": "cpu",
      "tests": [
        {
          "id": "single_precision_compute",
          "variant": "SSE2",
          "title": "Single-precision compute",
          "category": "compute",
          "shape": "homogeneous",
          "axis": "threads",
          "direction": "higher_is_better",
          "quantity": "flops",
          "unit": "FLOPS",
          "metrics": [
            {
              "id": "float ST",
              "value": 2.5e+10,
              "repeats": [2.4e+10, 2.5e+10, 2.6e+10],
              "spread": 0.08
            },
            {
              "id": "float MT",
              "status": "error",
              "reason": "killed by SIGSEGV"
            }
          ]
        }
      ]
    }
  ],
  "log": [
    {"elapsed_s": 0.5, "level": "info", "backend": "CPU", "test": "single_precision_compute@SSE2", "message": "    Single-precision compute"}
  ]
}
EOF
ok "a good document" $checker good.json

# wrong NAME SED-EXPRESSION: the document changed so is refused.
wrong()
{
	sed "$2" good.json >bad.json
	if cmp -s good.json bad.json; then
		fail "$1 (nothing was changed)"
	elif run $checker bad.json || grep -q Traceback "$err"; then
		fail "$1"
		show_output
	else
		pass "$1"
	fi
}

wrong "another schema" 's/clpeak.run/clpeak\/log/'
wrong "another version" 's/"format_version": 3/"format_version": 2/'
wrong "cancelled, and false" 's/^  "host": {/  "cancelled": false,\n&/'
wrong "no invocation" '/"invocation"/,/^  },/d'
wrong "keys in another order" '/"shape"/{h;d};/"axis"/{p;x}'
wrong "an empty text" 's/"SSE2"/""/'
wrong "a driver of a CPU" 's/"type": "cpu"/"driver": "1",\n      &/'
wrong "an unknown category" 's/"category": "compute"/"category": "fp_compute"/'
wrong "the direction of seconds" 's/"FLOPS"/"s"/'
wrong "eight digits" 's/2.5e+10,/2.5000001e+10,/'
wrong "another spelling of a number" 's/"value": 2.5e+10/"value": 25000000000/'
wrong "not a number" 's/"value": 2.5e+10/"value": nan/'
wrong "a value that is not the median" 's/"value": 2.5e+10/"value": 2.6e+10/'
wrong "another spread" 's/0\.08/0.09/'
wrong "a value and a status" 's/"value": 2.5e+10/&,\n              "status": "error",\n              "reason": "x"/'
wrong "an unknown status" 's/"error"/"failed"/'
wrong "a status without a reason" '/"reason"/d;s/"error",/"error"/'
wrong "a reading twice" 's/float MT/float ST/'
wrong "a log entry of no test" 's/compute@SSE2/compute/'
wrong "a log entry on two lines" 's/0.5, "level"/0.5,\n     "level"/'
wrong "another indent" 's/^      "tests"/     "tests"/'
wrong "no line feed at the end" '$d'
done_testing
