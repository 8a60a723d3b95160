# Names, paths, references, patterns, policies and variables that are out to do harm: nothing of
# them reaches a shell, SQL or the terminal, and nothing hangs.
. "${srcdir:-.}/tests/lib.sh"
need timeout

e=$(printf '\033') bell=$(printf '\007') c1=$(printf '\302\233') bidi=$(printf '\342\200\256') tag=$(printf '\363\240\201\201')
bad=$(printf '\377\376') del=$(printf '\177')
sha1=1111111111111111111111111111111111111111
sha2=2222222222222222222222222222222222222222

# safe NAME STATUSES CMD...: exits with one of STATUSES in time, and prints nothing that steers.
safe()
{
	test_name=$1 statuses=$2
	shift 2
	run timeout 120 "$@"
	status=$?
	cat "$out" "$err" >both
	steering both >found 2>&1
	case " $statuses " in
	*" $status "*)
		if [ -s found ]; then
			fail "$test_name"
			echo "# steers the terminal: $(od -An -c found | head -n 2)"
			head -n 20 both | od -An -c | head -n 20 | comment
			return
		fi
		pass "$test_name"
		;;
	*)
		fail "$test_name"
		echo "# exit status $status"
		show_output
		;;
	esac
}

if command -v jq >/dev/null; then
	parses()
	{
		jq -e . "$1" >/dev/null 2>"$tmp/jq"
	}
elif command -v python3 >/dev/null; then
	parses()
	{
		python3 -c 'import json, sys; [json.loads(x) for x in [open(sys.argv[1], encoding="utf-8").read()]]' "$1" 2>"$tmp/jq"
	}
else
	parses()
	{
		echo "# neither jq nor python3 is installed"
	}
fi
# is_json NAME: the output of the command before is JSON.
is_json()
{
	if parses "$out"; then
		pass "$1"
	else
		fail "$1"
		comment <"$tmp/jq"
	fi
}

# ---- the names ----

{
	printf '%s\n' 'plain' "'; DROP TABLE run; --" '" OR 1=1 --' '$(touch x)' '`touch x`' '; touch x' '--output=x' '-rf' \
		'../../etc/passwd' '%s%n%x' '\\u001b[31mred' '\\u001b]8;;http://example.org\\u0007link\\u001b]8;;\\u0007' \
		'a\\nb' 'a\\tb' 'a\\rb' '\\u009b31m' '\\u202egnp.exe' '\\u2066x\\u2069' '\\u200f\\u061c' '\\u2028\\u2029' '\\ufeffbom' '\\u007f' \
		'\\udb40\\udc41tag' '\\ud83d\\ude00' 'e\\u0301\\u0301\\u0301\\u0301' '|pipe|' '<script>alert(1)</script>' ']]>' '::error::x' 'a=b,c;d' \
		'*' '?' '[x]' '{x,y}' '~' '!x' '#x' '&' '\\\\' "it's" '\\"'
	awk 'BEGIN { s = "a"; while (length(s) < 4000) s = s "a"; print s "!" }'
} >names
# the JSON escapes above are for the document
sed 's/\\\\/\\/g; s/^" OR/\\" OR/' names >escaped
document()
{
	echo '{"perfgate":"export","version":1}'
	while read -r name; do
		printf '{"run":{"commit":"%s","tree_state":"%s","branch":"%s","session":"%s","runner":{"key":"%s","label":"%s"},' \
			$1 clean "$name" "$name" "$name" "$name"
		printf '"suite":"%s","component":"%s","format":"%s","format_version":"%s","tool_version":"%s",' "$name" "$name" "$name" "$name" "$name"
		printf '"ingested_at":"2026-05-12T09:20:00Z","facts":{"%s":["%s"]}}}\n' "$name" "$name"
		printf '{"benchmark":"%s","metric":"%s","unit":"%s","quantity":"%s","direction":"lower","variant":"%s","values":[%s]}\n' \
			"$name" "$name" "$name" "$name" "$name" $2
		printf '{"benchmark":"%s","metric":"%s 2","direction":"lower","status":"error","reason":"%s"}\n' "$name" "$name" "$name"
	done <escaped
	echo "{\"commit\":\"$1\",\"tree\":null,\"committed_at\":\"2026-05-1${2}T09:14:00Z\",\"parents\":[$3]}"
}
document $sha1 1 >one.json
document $sha2 2 "\"$sha1\"" >two.json

safe "hostile names are taken" 0 "$PERFGATE" ingest --store s.db one.json two.json
is 1 "$(grep -c '^one.json' "$out")" "so many are one line"
cp escaped all
split -l 14 all few.
lines=0
for few in few.*; do
	cp "$few" escaped
	document $sha1 1 >few.json
	safe "some of them are named" 0 "$PERFGATE" ingest -n --store s.db few.json
	lines=$((lines + $(grep -c '^few.json' "$out")))
done
cp all escaped
is "$(wc -l <names | tr -d ' ')" "$lines" "each of them is named, on a line"
safe "the store is in order" 0 "$PERFGATE" store check --store s.db
for command in "log" "log --limit 0" "gate $sha1 $sha2" "gate --all $sha1 $sha2" "diff $sha1 $sha2" "diff one.json two.json" \
	"diff --all one.json two.json" "show . $sha2" "policy" "store info" "store export" "store drop -n --commit $sha1" \
	"ingest -n one.json" "env --runner $(sed -n 11p names) --session x" "help" "formats"; do
	case $command in
	diff*.json | env* | help | formats) safe "$command" "0 1 3" "$PERFGATE" $command ;;
	*) safe "$command" "0 1 3" "$PERFGATE" $command --store s.db ;;
	esac
done
for columns in 1 0 -5 19 20 99999999 99999999999999999999 x ''; do
	for command in "log --limit 0" "gate --all $sha1 $sha2" "show . $sha2" "policy"; do
		safe "COLUMNS=$columns $command" "0 1 3" env COLUMNS="$columns" "$PERFGATE" $command --store s.db
	done
done
for command in "log --json --limit 0 --store s.db" "show --json . $sha2 --store s.db" "policy --json --store s.db" "store info --json --store s.db" \
	"gate --all --report json $sha1 $sha2 --store s.db" "diff --report json one.json two.json" "env" "formats --json" \
	"ingest --json -n one.json" "store export --store s.db"; do
	safe "$command" "0 1 3" "$PERFGATE" $command
	is_json "$command is JSON"
done
safe "an export of it all" 0 "$PERFGATE" store export --store s.db
cp "$out" export.json
safe "is read again" 0 "$PERFGATE" ingest --store again.db export.json
"$PERFGATE" store export --store again.db >twice.json
same export.json twice.json "and loses no byte of a name"
while read -r name; do
	safe "show $(printf %.20s "$name")" "0 2" "$PERFGATE" show --store s.db -- "$name" $sha2
	safe "drop $(printf %.20s "$name")" "0 2" "$PERFGATE" store drop --dry-run --store s.db --session="$name" --suite="$name"
	safe "suite $(printf %.20s "$name")" "0 1 2 3" "$PERFGATE" gate --store s.db --suite="$name" $sha1 $sha2
done <names
safe "drop all of it" 0 "$PERFGATE" store drop --store again.db --commit $sha1

# ---- too long, too odd ----

awk 'BEGIN { s = "a"; while (length(s) < 65536) s = s s; printf "%s", substr(s, 1, 65536) }' >long
sed "s/\"benchmark\":\"plain\"/\"benchmark\":\"$(cat long)\"/" one.json | head -n 3 >long.json
safe "a name of 64 KiB" 2 "$PERFGATE" ingest --store long.db long.json
contains "$err" "long.json:3: .*more than 4 KiB" "is refused by line"
for key in suite branch session component format format_version tool_version tree_state; do
	sed -n "1p; 2s/\"$key\":\"plain\"/\"$key\":\"$(cat long)\"/p; 3p" one.json >long.json
	safe "a $key of 64 KiB" "0 2" "$PERFGATE" ingest --store long.db long.json
done
for option in "--runner" "--session" "--branch" "--commit" "--component" "--name" "--format" "--newer-than" "--env" "--store"; do
	safe "$option of 64 KiB" "0 2" "$PERFGATE" ingest --store long.db -n "$option" "$(cat long)" one.json
	safe "$option of escapes" "0 2" "$PERFGATE" ingest --store long.db -n "$option" "$e[31m$bell$c1$bidi$bad$del
$tag" one.json
done
for command in "log --commit" "show" "gate" "gate --report" "gate --only" "gate --suite" "diff" "store drop --run" "store drop --undo" "store merge" \
	"store snapshot" "policy" "help" "show x" "gate x" "no-such" "ingest" "log --limit" "-x" "store" "log --no-such"; do
	safe "$command ESC" "0 2" "$PERFGATE" $command "$e]0;x$bell $c1 $bidi $bad $del
$tag" --store s.db
	safe "$command 64 KiB" "0 2" "$PERFGATE" $command "$(cat long)" --store s.db
	rm -f -- "$e]0;x$bell $c1 $bidi $bad $del
$tag"
	safe "$command of nothing" "0 2" "$PERFGATE" $command "" --store s.db
done
safe "--option with ESC" 2 "$PERFGATE" log "--$e[31m"
safe "-option with ESC" 2 "$PERFGATE" log "-$e"
safe "-option with a broken byte" 2 "$PERFGATE" log "-$bad"

# ---- paths ----

mkdir paths
for name in "$e[31mred" "a
b" "a	b" "${c1}31m" "$bidi" "$bad" '$(touch x)' '; touch x' '--output=x' '-' ' ' "it's" '%s%n' '*' '\'; do
	cp two.json "paths/$name.json" 2>/dev/null || continue
	echo '{"perfgate":"export","version":1}' >"paths/$name.none"
	echo '{"perfgate":"export","version":1}x' >"paths/$name.broken"
	cp s.db "paths/$name.db"
	for file in json none broken db; do
		safe "ingest of $file $(printf %s "$name" | od -An -c | tr -s ' ')" "0 2" "$PERFGATE" ingest --store paths.db -- "paths/$name.$file"
	done
	safe "merge of it" 0 "$PERFGATE" store merge --store paths.db -- "paths/$name.db"
	safe "info of it" 0 "$PERFGATE" store info "--store=paths/$name.db"
	safe "info of it as JSON" 0 "$PERFGATE" store info --json "--store=paths/$name.db"
	is_json "is JSON"
	safe "a snapshot of it" 0 "$PERFGATE" store snapshot "--store=paths/$name.db" -- "paths/$name.snapshot"
	safe "a report into it" "0 1 3" "$PERFGATE" gate --store s.db --report "json:paths/$name.report" $sha1 $sha2
	safe "diff of it" "0 1 2 3" "$PERFGATE" diff -- one.json "paths/$name.json"
	safe "--store that is none" 2 "$PERFGATE" log "--store=paths/$name.nothing"
	safe "--env of it" 2 "$PERFGATE" ingest --store paths.db "--env=paths/$name.broken" one.json
done
safe "a folder of them" "0 2" "$PERFGATE" ingest --store paths.db paths
safe "a folder of them as JSON" "0 2" "$PERFGATE" ingest --json --store paths.db paths
is_json "is JSON"

# ---- a repository ----

mkdir repository && cd repository || exit 99
git init -q .
echo a >"a \$(touch x)" && git add .
commit "$e[31msubject $c1 $bidi"
base=$sha
commit "second"
# git itself refuses a name with a control byte
for ref in '--output=x' '$(touch-x)' "it's" '`x`' ';x' '|x' "x$c1" "x$bidi" 'HEAD' '-x' '@'; do
	git update-ref -- "refs/heads/$ref" HEAD 2>/dev/null || continue
	safe "commit $ref" "0 2" "$PERFGATE" ingest --store r.db --dirty --commit "$ref" ../one.json
	safe "log $ref" "0 2" "$PERFGATE" log --store r.db --commit "$ref"
	safe "gate $ref" "0 1 2 3" "$PERFGATE" gate --store ../s.db -- "$ref"
	safe "gate refs/heads/$ref" "0 1 2 3" "$PERFGATE" gate --store ../s.db -- "refs/heads/$ref" "refs/heads/$ref~1"
	safe "diff $ref" "0 1 2 3" "$PERFGATE" diff --store ../s.db -- "$ref"
	git symbolic-ref HEAD "refs/heads/$ref" 2>/dev/null
	safe "env on $ref" 0 "$PERFGATE" env
	is_json "is JSON"
	git symbolic-ref HEAD refs/heads/main
done
for revision in "HEAD
$sha1" 'HEAD^{/(a+)+$}' ':/x' 'HEAD@{0}' '^HEAD' 'HEAD..main' '--all' '--upload-pack=touch x' '-' '@{-1}' 'HEAD:a' "$e[31m"; do
	safe "revision $(printf %.20s "$revision" | od -An -c | tr -s ' ')" "0 1 2 3" "$PERFGATE" gate --store ../s.db -- "$revision"
	safe "commit it" "0 2" "$PERFGATE" ingest --store r.db -n "--commit=$revision" ../examples.json
done
cat >>../kpi.json <<JSON
[{"schema_version": 1, "name": "parse", "sample": 0, "git_sha": "", "timestamp": "2026-05-12T09:14:00Z",
"iterations": 180, "allocs_per_op": 118, "bytes_per_op": 1204274, "goroutines_end": 0, "tokens_input": 0,
"tokens_output": 0, "tokens_cache_read": 0, "cache_hit_rate": 0.5, "rss_peak_bytes": 1, "rss_final_bytes": 1,
"wall_clock_ns": 1127812478}]
JSON
for odd in '--output=x' '-n' '$(touch x)' 'HEAD
x' "$(printf '\\u001b[31m')"; do
	printf '%s' "$odd" | awk '{ gsub(/"/, "\\\""); s = s (NR > 1 ? "\\n" : "") $0 } END { print s }' >odd
	awk -v odd="$(sed 's/\\/\\\\/g' odd)" '{ sub(/"git_sha": ""/, "\"git_sha\": \"" odd "\""); print }' ../kpi.json >../odd.json
	safe "a document of commit $(cat odd)" "0 2" "$PERFGATE" ingest --store r.db ../odd.json
	safe "and another one is said" "0 2" "$PERFGATE" ingest --store r.db --commit HEAD ../odd.json
done
safe "a good one" 0 "$PERFGATE" ingest --store r.db ../kpi.json
safe "and its base" 0 "$PERFGATE" ingest --store r.db --commit $base ../kpi.json
safe "whose subject is hostile" "0 3" "$PERFGATE" gate --store r.db $base
safe "in JSON too" "0 3" "$PERFGATE" gate --store r.db --report json $base
is_json "is JSON"

# ---- variables ----

for variables in "GITHUB_ACTIONS GITHUB_SHA GITHUB_REF_NAME GITHUB_BASE_REF GITHUB_RUN_ID GITHUB_RUN_ATTEMPT GITHUB_JOB GITHUB_REF" \
	"GITLAB_CI CI_COMMIT_SHA CI_COMMIT_BRANCH CI_MERGE_REQUEST_TARGET_BRANCH_NAME CI_JOB_ID CI_MERGE_REQUEST_EVENT_TYPE" \
	"JENKINS_URL GIT_COMMIT BRANCH_NAME CHANGE_TARGET BUILD_TAG" \
	"BUILDKITE BUILDKITE_COMMIT BUILDKITE_BRANCH BUILDKITE_PULL_REQUEST_BASE_BRANCH BUILDKITE_JOB_ID" \
	"TRAVIS TRAVIS_COMMIT TRAVIS_BRANCH TRAVIS_JOB_ID TRAVIS_PULL_REQUEST" "XDG_SESSION_ID TERM HOME LANG NO_COLOR"; do
	for value in '--output=x' '$(touch x)' "$e[31m$bell" "a
b" "$c1$bidi$bad" "'; DROP TABLE run; --" "$(head -c 20000 ../long)" '-' '' '%s%n%n'; do
		set --
		for variable in $variables; do
			set -- "$@" "$variable=$value"
		done
		what="${variables%% *}=$(printf %.12s "$value" | od -An -c | tr -s ' ')"
		safe "env: $what" "0 2" env "$@" "$PERFGATE" env
		[ $status -ne 0 ] || is_json "is JSON"
		safe "ingest: $what" "0 2" env "$@" "$PERFGATE" ingest --store v.db ../kpi.json
		safe "gate: $what" "0 1 2 3" env "$@" "$PERFGATE" gate --store r.db
		(cd .. && run timeout 20 env "$@" "$PERFGATE" gate --store s.db)
	done
done
for value in /nonexistent '' / "$e[31m" '--x' "a
b"; do
	safe "HOME TMPDIR" "0 2" env HOME="$value" TMPDIR="$value" "$PERFGATE" ingest --store v.db ../kpi.json
	safe "GIT_DIR" "0 2" env GIT_DIR="$value" "$PERFGATE" log --store v.db
	safe "PERFGATE_STORE" "0 2" env PERFGATE_STORE="$value" "$PERFGATE" log
done
cd ..
safe "hardly any environment" 0 env -i "$PERFGATE" ingest --store v.db --commit $sha1 kpi.json
safe "no environment and no git" 0 env -i PATH=/nonexistent "$PERFGATE" ingest --store v.db --commit $sha2 kpi.json
safe "gate without git" "0 3" env -i PATH=/nonexistent "$PERFGATE" gate --store v.db $sha1 $sha2
safe "log without git" 0 env -i PATH=/nonexistent "$PERFGATE" log --store v.db
safe "no git and no commit" 2 env -i PATH=/nonexistent "$PERFGATE" ingest --store v.db kpi.json
contains "$err" "--commit" "what to do is said"
safe "no git and no store" 2 env -i PATH=/nonexistent "$PERFGATE" log
contains "$err" "--store" "what to do is said"
# a git that says nothing, says too much, fails, or is no program
mkdir bin
for script in 'exit 0' 'exit 1' 'yes' 'echo "$0: '"$e"'[31m" >&2; exit 128' 'kill -9 $$' 'echo /tmp' 'exec >&-; exit 3'; do
	printf '#!/bin/sh\n%s\n' "$script" >bin/git && chmod 755 bin/git
	safe "git is '$(printf %s "$script" | tr -d "$e")'" "0 2" env PATH="$PWD/bin:$PATH" "$PERFGATE" log --store v.db
	safe "and ingest" "0 2" env PATH="$PWD/bin:$PATH" "$PERFGATE" ingest --store v.db kpi.json
done
echo "no program" >bin/git
safe "git is no program" "0 2" env PATH="$PWD/bin:$PATH" "$PERFGATE" log --store v.db

# ---- patterns ----

evil='(a+)+$'
for pattern in "$evil" '(a|aa)+$' '(.*a){25}' '(a*)*b' '((a*)*)*c' '(?:a{0,60000}){0,60000}$x' '(?R)' '(a+)\1+\1+b' '(?<=a{100})b' \
	'(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((a)' '[' '(?C1)' '\C' '(*NO_JIT)(a+)+$' \
	'(*LIMIT_MATCH=4000000000)(a+)+$' '(*LIMIT_MATCH=4000000000)(*LIMIT_DEPTH=4000000000)(*LIMIT_HEAP=4000000000)(a|a?)+$'; do
	for command in "gate --only" "show --metric" "show"; do
		case $command in
		"gate --only") set -- gate --only "$pattern" $sha1 $sha2 ;;
		"show --metric") set -- show --metric "$pattern" . $sha2 ;;
		show) set -- show "$pattern" $sha2 ;;
		esac
		safe "$command $(printf %.40s "$pattern")" "0 1 2 3" "$PERFGATE" "$@" --store s.db
		[ "$pattern" != "$evil" ] || [ $status -eq 2 ] || fail "$command $pattern: exit status $status"
		[ "$pattern" != "$evil" ] || contains "$err" "too many steps" "it says that it takes too long"
	done
done
awk 'BEGIN { for (i = 0; i < 1500; i++) printf "(a|b"; for (i = 0; i < 1500; i++) printf ")"; print "" }' >deep
for pattern in "$(head -c 4000 long)" "$(head -c 5000 long)" "$(cat deep)"; do
	safe "a pattern of ${#pattern} bytes" "0 1 2 3" "$PERFGATE" gate --only "$pattern" --store s.db $sha1 $sha2
done

# ---- policies ----

policy()
{
	safe "$1" "$2" "$PERFGATE" gate --store s.db $sha1 $sha2
	[ $2 != 2 ] || contains "$err" "^perfgate: perfgate.conf${3-:[0-9]+}: " "it says where"
	safe "$1, perfgate policy" "0 2" "$PERFGATE" policy --store s.db
	safe "$1, ingest" "0 2" "$PERFGATE" ingest -n --store s.db one.json
}
printf '[gate]\nbase = a\0b\n' >perfgate.conf
policy "a NUL" 2
printf '[gate]\nbase = %s[31m\nbogus%s = x\n' "$e" "$e" >perfgate.conf
policy "escapes" 2
printf '[rule "%s[31m"]\nbenchmark = [\n' "$e" >perfgate.conf
policy "escapes and a bad pattern" 2
printf '[gate]\nbase = %s\n' "$bad" >perfgate.conf
policy "no UTF-8" 2
for pattern in "$evil" '(a|aa)+$'; do
	printf '[rule "slow one"]\nbenchmark = %s\nclass = advisory\n' "$pattern" >perfgate.conf
	safe "a rule with $pattern" 2 "$PERFGATE" gate --store s.db $sha1 $sha2
	contains "$err" "slow one|perfgate.conf:[0-9]+" "the rule is named"
	safe "and policy" "0 2" "$PERFGATE" policy --store s.db
done
yes '# a comment that is nothing but long, and says nothing at all to nobody' 2>/dev/null | head -c 2097152 >perfgate.conf
policy "2 MiB" 2 ''
yes '[' 2>/dev/null | head -n 200000 >perfgate.conf
policy "deep nonsense" 2
yes '[[[[[[[[[[[[[[[[' 2>/dev/null | head -n 10000 | tr -d '\n' >perfgate.conf
policy "on one line" 2
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "[rule \"%d\"]\n", i }' >perfgate.conf
policy "100,000 rules" 2 ':?[0-9]*'
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "[rule \"%d\"]\nmetric=^x%d$\n", i, i }' >perfgate.conf
policy "20,000 rules" "0 1 2 3" ':?[0-9]*'
printf '[gate]\nbase = --output=x\nignore-dirty = --output=x\n' >perfgate.conf
safe "options as values" "0 1 2 3" "$PERFGATE" gate --store s.db
safe "and in ingest" "0 2" "$PERFGATE" ingest --store v.db --commit $sha1 kpi.json
rm -f perfgate.conf && mkfifo perfgate.conf
safe "a pipe" 2 timeout 10 "$PERFGATE" gate --store s.db $sha1 $sha2
rm -f perfgate.conf && mkdir perfgate.conf
safe "a folder" 2 "$PERFGATE" gate --store s.db $sha1 $sha2
rmdir perfgate.conf
ln -s /dev/zero perfgate.conf
safe "without an end" 2 "$PERFGATE" gate --store s.db $sha1 $sha2
rm -f perfgate.conf

# ---- --env ----

"$PERFGATE" env --runner r --session s >env.json
for change in 's/"r"/"\\u001b[31m"/' 's/"s"/["s"]/' 's/"version": 1/"version": 999/' 's/{/[/' 's/"facts": {/"facts": {"x": "\\u009b", /' \
	's/"tree_state": "[^"]*"/"tree_state": "\\u001b'"$(head -c 3000 long)"'"/' 's/"r"/"\\u0000"/'; do
	sed "$change" env.json >changed.json
	safe "env changed by $(printf %.40s "$change")" "0 2" "$PERFGATE" ingest --store v.db --commit $sha1 --env changed.json kpi.json
done
for file in /dev/zero paths nothing; do
	safe "--env $file" 2 "$PERFGATE" ingest --store v.db --commit $sha1 --env $file kpi.json
done
safe "and the store is still one" 0 "$PERFGATE" store check --store v.db

fails "no shell ran" sh -c 'find . "$1" -name x | grep .' sh "$tmp"
done_testing
