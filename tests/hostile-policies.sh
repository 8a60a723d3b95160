# Policies that are out to do harm, through whatever reads one: no crash, no hang, nothing that
# steers a terminal, and a status of perfgate's own.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"
need timeout

e=$(printf '\033') bell=$(printf '\007') c1=$(printf '\302\233') bidi=$(printf '\342\200\256') del=$(printf '\177')
bad=$(printf '\377') overlong=$(printf '\300\200') surrogate=$(printf '\355\240\200') tag=$(printf '\363\240\201\201')

repository r
change one
kpi parse allocs_per_op=1 bytes_per_op=1048576 cache_hit_rate=0.5 rss_peak_bytes=1 wall_clock_ns=10 iterations=2 , tui_view allocs_per_op=7 \
	, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab allocs_per_op=1 >old.json
kpi parse allocs_per_op=2 bytes_per_op=2097152 cache_hit_rate=0.4 rss_peak_bytes=1 wall_clock_ns=11 iterations=2 , tui_view allocs_per_op=9 \
	, aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab allocs_per_op=1 >new.json
ingest --runner r old.json
change two
ingest --runner r new.json

# try NAME STATUSES CMD...
try()
{
	try_name=$1 statuses=$2
	shift 2
	run timeout 120 "$@"
	status=$?
	cat "$out" "$err" >"$tmp/both"
	case " $statuses " in
	*" $status "*)
		steering "$tmp/both" >"$tmp/found"
		if [ -s "$tmp/found" ]; then
			fail "$try_name: steers the terminal"
			od -An -c "$tmp/both" | head -n 10 | comment
		fi
		;;
	*)
		fail "$try_name: exit status $status of: $*"
		show_output
		;;
	esac
}

policies=0

# hostile NAME STATUS: perfgate.conf is the policy. STATUS: 0 it is one; 2 it is none; any.
hostile()
{
	before=$test_n
	policies=$((policies + 1))
	case $2 in
	any) expected_status="0 2" ;;
	*) expected_status=$2 ;;
	esac
	try "$1: --check" "$expected_status" "$PERFGATE" policy --check --json
	cat "$out" >>checked.json
	if [ $status -eq 0 ]; then
		try "$1: gate" "0 1 2 3" "$PERFGATE" gate HEAD~1
		try "$1: --series" "0 2" "$PERFGATE" policy --series
	else
		grep -qE '^perfgate: .*perfgate\.conf(:[0-9]+)?: ' "$err" || fail "$1: it is not said where"
	fi
	try "$1: diff" "0 1 2 3" "$PERFGATE" diff old.json new.json
	[ $test_n -ne $before ] || pass "$1"
}

# repeat N TEXT: TEXT N times, on one line
repeat()
{
	"$TEST_AWK" -v n="$1" -v s="$2" 'BEGIN { gsub(/\\/, "&&", s); while (n-- > 0) printf "%s", s }'
}

# ---- bytes ----

i=0
for bytes in "$e[31m" "$e]0;x$bell" "$bell" "$c1" "$del" "$bidi" "$tag" "$bad" "$overlong" "$surrogate" '\0' '\r' '\t' '\013'; do
	i=$((i + 1))
	printf "[rule \"a${bytes}b\"]\nclass = info\n" >perfgate.conf
	hostile "bytes $i: the name of a rule" any
	printf "[accept \"a${bytes}b\"]\nmetric = allocs\nto = 99\nreason = r\n" >perfgate.conf
	hostile "bytes $i: the name of an accept" any
	printf "[waive \"x\"]\nbenchmark = parse\nuntil = 2999-01-01\nreason = a${bytes}b\n" >perfgate.conf
	hostile "bytes $i: a reason" any
	printf "[rename \"x\"]\nfrom = ^parse\nto = a${bytes}b\n" >perfgate.conf
	hostile "bytes $i: a new name" any
	printf "[gate \"a${bytes}b\"]\nrequire = a${bytes}b\n" >perfgate.conf
	hostile "bytes $i: a branch" 2
	printf "[gate]\nbase = a${bytes}b\nreference = a${bytes}b\n" >perfgate.conf
	hostile "bytes $i: a revision" any
	printf "[rule \"x\"]\nfloor = 1 ${bytes}\nto${bytes} = 1\n" >perfgate.conf
	hostile "bytes $i: a unit" 2
	printf "[${bytes}]\n" >perfgate.conf
	hostile "bytes $i: a section" 2
done

# ---- patterns ----

i=0
for pattern in '(a+)+$' '(a|aa)+$' '(.*a){25}' '(a*)*b' '((a*)*)*c' '(?:a{0,60000}){0,60000}$x' '(?R)' '(a+)\1+\1+b' '(?<=a{100})b' '[' '(' '(?C1)' '\C' '\K' \
	'(?=a\K)' '(*NO_JIT)(a+)+$' '(*LIMIT_MATCH=4000000000)(a+)+$' '(a?){40}a{40}' '(?:(?:(?:(?:a{1,99}){1,99}){1,99}){1,99})' '\x{1b}' '^(?i:A+)+[!?]$' \
	"$(repeat 1500 '(a|b')$(repeat 1500 ')')" "$(repeat 240 '(')$(repeat 240 ')')" "$(repeat 5000 a)" "$(repeat 900 'a?')$(repeat 900 a)"; do
	i=$((i + 1))
	printf '[rule "x"]\nbenchmark = %s\nclass = info\n' "$pattern" >perfgate.conf
	hostile "pattern $i: a rule" any
	printf '[accept "x"]\nbenchmark = %s\nto = 5\n[waive "x"]\nvariant = %s\nmetric = %s\nuntil = 2027-01-01\nreason = r\n' "$pattern" "$pattern" "$pattern" >perfgate.conf
	hostile "pattern $i: an accept and a waiver" any
	printf '[rename "x"]\nfrom = %s\nto = $$b\n' "$pattern" >perfgate.conf
	hostile "pattern $i: a rename" any
done

# ---- renames ----

cat >perfgate.conf <<'CONF'
[rename "a"]
	from = ^parse$
	to = tui_view
[rename "b"]
	from = ^tui_view$
	to = parse
CONF
hostile "a circle of two" 0
is_status 2 "$PERFGATE" policy --series
"$TEST_AWK" 'BEGIN { for (i = 0; i < 5000; i++) printf "[rename \"%d\"]\nfrom = ^%s$\nto = b%d\n", i, i ? "b" (i - 1) : "parse", i }' >perfgate.conf
hostile "a chain of 5,000" 0
"$TEST_AWK" 'BEGIN { for (i = 0; i < 50; i++) printf "[rename \"%d\"]\nfrom = ^%s$\nto = b%d\n", i, i ? "b" (i - 1) : "parse", (i + 1) % 50 - 1 + (i == 49 ? 50 : 0) }' >perfgate.conf
hostile "a circle of 50" any
printf '[rename "x"]\nfrom = ^(.*)$\nto = $1x\n' >perfgate.conf
hostile "one that grows" 0
printf '[rename "x"]\nfrom = ^(.*)$\nto = $1$1\n' >perfgate.conf
hostile "one that doubles" 0
printf '[rename "x"]\nfrom = ^(.*)$\nto = %s\n' "$(repeat 30000 '$1')" >perfgate.conf
hostile "60,000 bytes of \$1" 0
printf '[rename "x"]\nfrom = ^(.*)$\nto = %s\n' "$(repeat 30000 '$0')" >perfgate.conf
hostile "60,000 bytes of \$0" 0
printf '[rename "x"]\nfrom = ^(.*)$\nto = %s\n' "$(repeat 30000 '$$')" >perfgate.conf
hostile "60,000 bytes of \$\$" 0
printf '[rename "x"]\nfrom = %s\nto = %s\n' "$(repeat 1000 '(.?)')" "$(repeat 1000 '$999')" >perfgate.conf
hostile "a thousand groups" any
printf '[rename "x"]\nfrom = .\nto = \n' >perfgate.conf
hostile "to nothing" 2
printf '[rename "x"]\nfrom = ^parse()$\nto = $1\n' >perfgate.conf
hostile "to an empty group" 0
for to in '$' '$1' '${1' '${}' '$99999999999999999999' '${99999999999999999999}' '$-1' '${-1}' '$a' '$&' '${a}' '$<a>' '\1' '$1$' '${0}'; do
	printf '[rename "x"]\nfrom = ^parse\nto = %s\n' "$to" >perfgate.conf
	hostile "a replacement: $to" any
done
printf '[rename "x"]\nfrom = ^.*$\nto = same\n' >perfgate.conf
hostile "all to one" 0

# ---- values ----

for value in -1 1e999 1e-999 1e400 1e-400 nan inf 0x10 "$(repeat 500 9)" "0.$(repeat 500 9)" 99999999999999999999999999999999999999 '1e308 TiB' '9e307 h' '1e-390 ns' \
	'1 Mi' '1 B/S' '5 %%' '5 % %' '1 1' 'ns' '%' '1e' '1e+' '+-1' '1 KiBKiB' "1 $(repeat 60000 K)" '--' '' '1,5' '1_000' '1 kk' '1 us/s'; do
	shown=$(printf %.12s "$value")
	printf '[rule "x"]\nbenchmark = .\nfloor = %s\n' "$value" >perfgate.conf
	hostile "floor = $shown" any
	printf '[accept "x"]\nbenchmark = .\nto = %s\n' "$value" >perfgate.conf
	hostile "to = $shown" any
	printf '[rule "x"]\ntolerance = %s\ncreep = %s\ncross-tolerance = %s\n[gate]\ncreep = %s\n' "$value" "$value" "$value" "$value" >perfgate.conf
	hostile "shares of $shown" any
done
for day in 2027-02-30 0000-00-00 9999-12-31 2262-01-01 2261-12-31 -001-01-01 2027-1-01 20270101 today 2027-01-01T00:00:00Z "2027-01-0$bad" '2027-01-01 ; x' "$(repeat 60000 9)"; do
	printf '[waive "x"]\nbenchmark = .\nuntil = %s\nreason = r\n' "$day" >perfgate.conf
	hostile "until = $(printf %.12s "$day" | tr -d "$bad")" any
done
for revision in --output=x -h '$(touch x)' ':/x' 'HEAD^{/(a+)+$}' '@{-1}' 'a..b' '^HEAD' "'; rm -rf x" "$(repeat 60000 x)"; do
	printf '[gate]\nbase = %s\nreference = %s\ncreep = 1%%\nexpect = kpi\n' "$revision" "$revision" >perfgate.conf
	hostile "revision $(printf %.12s "$revision")" any
done
for glob in '*' "$(repeat 20000 'a*')b" "$(repeat 20000 '*')" '[a' '\' '?' '../*' '"' '"]['; do
	printf '[gate "%s"]\nrequire = no\n' "$glob" >perfgate.conf
	hostile "branch $(printf %.12s "$glob")" any
done

# ---- size and form ----

"$TEST_AWK" 'BEGIN { for (i = 0; i < 100000; i++) printf "[gate \"%d\"]\n", i }' >perfgate.conf
hostile "100,000 sections" any
"$TEST_AWK" 'BEGIN { for (i = 0; i < 40000; i++) printf "[rule \"%d\"]\nfloor=1\n", i }' >perfgate.conf
hostile "40,000 rules" any
"$TEST_AWK" 'BEGIN { for (i = 0; i < 15000; i++) printf "[retire \"%d\"]\nmetric=^x%d$\n", i, i }' >perfgate.conf
hostile "15,000 retirements" 0
"$TEST_AWK" 'BEGIN { for (i = 0; i < 15000; i++) printf "[rename \"%d\"]\nfrom=^x%d$\nto=y\n", i, i }' >perfgate.conf
hostile "15,000 renames" 0
"$TEST_AWK" 'BEGIN { print "[rule \"x\"]"; for (i = 0; i < 60000; i++) printf "k%d = 1\n", i }' >perfgate.conf
hostile "60,000 keys" 2
printf '[rule "x"]\nclass = info\nbenchmark = %s\n' "$(repeat 70000 a)" >perfgate.conf
hostile "a line of 70,000 bytes" 2
printf '[rule "%s"]\nclass = info\n' "$(repeat 60000 n)" >perfgate.conf
hostile "a name of 60,000 bytes" 0
printf '[accept "%s"]\nmetric = allocs\nto = 99\nreason = %s\n' "$(repeat 60000 n)" "$(repeat 60000 r)" >perfgate.conf
hostile "a reason of 60,000 bytes" 0
repeat 2000000 'x' >perfgate.conf
hostile "2 MB on one line" 2
yes '[' | head -n 100000 >perfgate.conf
hostile "nothing but brackets" 2
repeat 50000 '[' >perfgate.conf
hostile "brackets on one line" 2
head -c 100000 /dev/zero >perfgate.conf
hostile "zeros" 2
repeat 300000 '=
' >perfgate.conf
hostile "equals signs" 2
"$TEST_AWK" 'BEGIN { srand(7); for (i = 0; i < 200000; i++) printf "%c", int(rand() * 256) }' >perfgate.conf
hostile "noise" 2
printf '' >perfgate.conf
hostile "nothing" 0
printf '\357\273\277' >perfgate.conf
hostile "a byte order mark" 0
printf '\357\273\277\357\273\277[gate]\n' >perfgate.conf
hostile "two of them" 2
printf '[gate]\r\nbase = main\r\n\r' >perfgate.conf
hostile "carriage returns" any
printf '[rule "x"]\nclass = info\n[rule "x"]\nclass = hard\n' >perfgate.conf
hostile "a section twice" 2
printf '[rule "x"]\nclass = info\nclass = hard\n' >perfgate.conf
hostile "a key twice" 2
printf '[rule "x" "y"]\nclass = info\n' >perfgate.conf
hostile "two names" any
printf '[rule x]\nclass = info\n' >perfgate.conf
hostile "no quotes" 2
printf 'class = info\n' >perfgate.conf
hostile "no section" 2
printf '[accept "x"]\n' >perfgate.conf
hostile "an empty accept" 2
printf '[waive "x"]\nuntil = 2027-01-01\nreason = r\n' >perfgate.conf
hostile "a waiver for all" 2
printf '[include]\npath = /etc/passwd\n' >perfgate.conf
hostile "an include" 2

if command -v jq >/dev/null; then
	is "$policies" "$(jq -s 'map(select(has("ok") and has("error"))) | length' checked.json)" "--check --json is JSON, each time"
else
	skip "--check --json is JSON" "jq is not installed"
fi
ok "there are many: $policies" test "$policies" -ge 200
fails "no shell ran" sh -c 'find . "$1" -name x | grep .' sh "$tmp"
done_testing
