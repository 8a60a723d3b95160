# What git says, and what is made of it when it says something odd.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

# logged COMMAND...: with a git in PATH that counts what cat-file is asked; the number is $asked.
real=$(command -v git)
mkdir "$tmp/bin"
cat >"$tmp/bin/git" <<SH
#!/bin/sh
[ "\$1" = cat-file ] || exec "$real" "\$@"
tee -a "$tmp/asked" | "$real" "\$@"
SH
chmod 755 "$tmp/bin/git"
logged()
{
	: >"$tmp/asked"
	PATH=$tmp/bin:$PATH "$@"
	asked=$(wc -l <"$tmp/asked" | tr -d ' ')
}

### names that look like git's answers

repository names
change one && one=$sha
kpi parse allocs_per_op=1 >a.json
for name in "$one commit 3" "$one commit 300 x" "$one blob 9" "$one" "$one commit"; do
	run "$PERFGATE" ingest --commit "$name " a.json
	is 2 $? "--commit '$name ' names nothing"
	contains "$err" 'neither in this repository nor a full SHA' "... and that is said"
	kpi parse allocs_per_op=1 sha="$name " >odd.json
	run timeout 20 "$PERFGATE" ingest odd.json a.json
	is 2 $? "nor does the document's"
	contains "$out" '^a\.json: kpi' "... and the next question is answered"
	run timeout 20 "$PERFGATE" gate "$name "
	is 2 $? "nor the gate's"
done

### a deadline for each question, not for all of them

n=0
: >commits
while [ $n -lt 20 ]; do
	n=$((n + 1))
	change $n && echo "$sha" >>commits
done
while read -r c; do
	printf '[{"schema_version":1,"name":"n","allocs_per_op":1,"git_sha":"%s"}]\n' "$c" >"doc-$c.json"
done <commits
cat >clock.c <<'C'
/* Ten seconds pass between two looks at the clock. */
#include <time.h>
int clock_gettime(clockid_t id, struct timespec *t)
{
	static long s = 1000;
	(void)id;
	s += 10;
	t->tv_sec = s;
	t->tv_nsec = 0;
	return 0;
}
C
if [ "$SANITIZERS" != no ]; then
	skip "a long ingest" "the sanitizers have to be loaded first"
elif ! $TEST_CC -shared -fPIC -o clock.so clock.c 2>"$err"; then
	skip "a long ingest" "no shared object can be built to preload"
else
	ok "an ingest that takes longer than git may for one answer" env LD_PRELOAD="$PWD/clock.so" \
		"$PERFGATE" ingest --dry-run doc-*.json
fi

### each commit is asked for once

export=$tmp/export.json
ingest doc-*.json
"$PERFGATE" store export >"$export"
logged ok "a history of 20 commits" "$PERFGATE" ingest --store "$tmp/history.db" "$export"
ok "is not looked up in git ($asked questions)" test "$asked" -lt 5
{
	printf '['
	sed 's/.*/{"schema_version":1,"name":"n","allocs_per_op":1,"git_sha":"&"},/' commits
	printf '{"schema_version":1,"name":"n","allocs_per_op":1,"git_sha":"%s"}]\n' "$one"
} >all.json
logged ok "a document of 21 commits" "$PERFGATE" ingest --store "$tmp/walked.db" all.json
ok "asks for each of them twice at most ($asked questions)" test "$asked" -lt 48
is 21 "$("$PERFGATE" log --store "$tmp/walked.db" --limit 0 --json | grep -c '"suite"')" "and stores them all"
"$PERFGATE" store export --store "$tmp/walked.db" >walked.json
is 21 "$(grep -c '"parents"' walked.json)" "with what their parents are"

### paths with a line break

mkdir "$work/a
b" && cd "$work/a
b" && git init -q . && commit odd
run "$PERFGATE" log
is 2 $? "a repository with a line break in its path is refused"
contains "$err" '^perfgate: the path of this repository holds a line break' "... and why is said"
cd "$work/names"
git worktree add -q --detach "$work/tree
x" && cd "$work/tree
x"
run "$PERFGATE" log
is 2 $? "so is a work tree"

### dates

repository dates
for date in 9223372036 9223372037 99999999999999 -1; do
	tree=$(git write-tree)
	sha=$(printf 'tree %s\nauthor A <a@example.org> 1 +0000\ncommitter A <a@example.org> %s +0000\n\nodd\n' "$tree" $date |
		git hash-object -t commit -w --literally --stdin)
	kpi parse allocs_per_op=1 sha="$sha" >a.json
	ok "a commit of the year $date" "$PERFGATE" ingest --store dates.db a.json
	ok "is compared" "$PERFGATE" gate --first-run --store dates.db "$sha" "$sha"
	"$PERFGATE" store export --store dates.db | grep "\"$sha\",\"tree\"" >line
	case $date in
	9223372036) contains line '"committed_at":"2262-04-11T23:47:16' "its time is known" ;;
	-1) contains line '"committed_at":"1969-12-31T23:59:59' "its time is known" ;;
	*) contains line '"committed_at":null' "its time is not" ;;
	esac
done

### where the work tree and the repository are

repository places
mkdir -p sub/deep && echo x >sub/file && git add sub
change one
kpi parse allocs_per_op=1 >"$tmp/a.json"
state()
{
	run "$PERFGATE" ingest --dry-run --json --store "$tmp/places.db" "$tmp/a.json"
	sed -n 's/.*"tree_state": "\([^"]*\)".*/\1/p' "$out"
}
is clean "$(state)" "no changes"
echo y >>sub/file
dirty=$(state)
ok "changes" test "$dirty" != clean
is "$dirty" "$(cd sub && state)" "the same from a folder below"
is "$dirty" "$(cd sub/deep && state)" "... that is elsewhere"
git config diff.relative true
is "$dirty" "$(cd sub/deep && state)" "... whatever diff.relative says"
is "$dirty" "$(GIT_DIR=.git && export GIT_DIR && state)" "with a relative GIT_DIR"
is "$dirty" "$(cd sub && GIT_DIR=../.git GIT_WORK_TREE=.. && export GIT_DIR GIT_WORK_TREE && state)" "... and a relative work tree"
is "$dirty" "$(cd "$tmp" && GIT_DIR=work/places/.git GIT_WORK_TREE=work/places && export GIT_DIR GIT_WORK_TREE && state)" \
	"... and from outside"
is "$dirty" "$(GIT_LITERAL_PATHSPECS=1 && export GIT_LITERAL_PATHSPECS && state)" "whatever pathspecs are taken for"
printf '[ingest]\n\tignore-dirty = sub/*\n' >perfgate.conf
is clean "$(state)" "ignore-dirty"
is clean "$(cd sub/deep && state)" "ignore-dirty is of the top, wherever one is"

### no git, no repository, no commit

cd "$work" && mkdir empty && cd empty
for command in "log" "ingest $tmp/a.json" "gate"; do
	run env PATH=/nonexistent "$PERFGATE" $command
	contains "$err" 'git program was not found' "no git: $command says so"
	run "$PERFGATE" $command
	contains "$err" 'no git repository here' "no repository: $command says so"
done
run env PATH=/nonexistent "$PERFGATE" ingest --store n.db --commit main "$tmp/a.json"
contains "$err" "'main', which is no full SHA, and the git program was not found" "no git and a branch: both are said"
git init -q .
for command in "ingest --store n.db $tmp/a.json" "gate --store n.db"; do
	run "$PERFGATE" $command
	is 2 $? "no commit: $command"
done
run "$PERFGATE" ingest --store n.db "$tmp/a.json"
contains "$err" 'this repository has no commit yet' "no commit: ingest says so"
for rev in HEAD .; do
	is_status 2 "$PERFGATE" measure --store n.db $rev -- true
	contains "$err" 'this repository has no commit yet' "no commit: measure $rev"
done
ok "no commit: env" "$PERFGATE" env
contains "$out" '"commit": null' "no commit: env"
done_testing
