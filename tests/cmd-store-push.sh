# perfgate store push and fetch: sessions on a branch of a git remote, with real repositories.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

push()
{
	"$PERFGATE" store push "$@"
}

fetch()
{
	"$PERFGATE" store fetch "$@"
}

export_of()
{
	"$PERFGATE" store export --store "$1" 2>&1 || echo "export of $1 failed"
}

# What is not to change in the repository here.
state()
{
	git for-each-ref
	git symbolic-ref HEAD
	git stash list
	git status --porcelain
	git rev-parse --is-shallow-repository
	cat .git/config .git/index
	git count-objects -v
	find .git -path .git/perfgate -prune -o -name '*.lock' -print -o -name FETCH_HEAD -print
}

# Files on the branch of a bare repository.
on_branch()
{
	git -C "$1" ls-tree -r --name-only perfgate-data
}

json()
{
	sed -n "s/.*\"$1\": \"*\([^,}\"]*\).*/\1/p" "$out"
}

leftovers()
{
	ls "$1/.git/perfgate" | grep '^share-'
}

remote=$work/remote.git
url=file://$remote
git init -q --bare "$remote"
repository a
git remote add origin "$url"
change one && one=$sha
measure 100 --runner lab --session s1
change two
change three
measure 101 --runner lab --session s2
git push -q origin HEAD
git clone -q "$url" "$work/b"
a=$work/a/.git/perfgate/store.db b=$work/b/.git/perfgate/store.db

### nothing there

cd "$work/b" || exit 99
ok "fetch from a remote without data" fetch
contains "$out" "^origin has no branch perfgate-data yet" "says so"
ok "and makes no store" test ! -e "$b"
is_status 2 push
contains "$err" "store\.db" "push without a store names it"

### push

cd "$work/a" || exit 99
echo changed >>file && git stash -q && echo more >>file && git add file && echo most >>file
state >"$tmp/before"
ok "push --dry-run" push -n
contains "$out" "^would push 2 sessions \(2 runs\) to origin$" "says what it would push"
ok "and pushes nothing" test -z "$(git ls-remote origin perfgate-data)"
ok "push" push
contains "$out" "^pushed 2 sessions \(2 runs\) to origin$" "push: what went"
state >"$tmp/after"
same "$tmp/before" "$tmp/after" "push touches neither work tree, index, HEAD, refs, objects nor stash"
is "" "$(leftovers .)" "push leaves no folder behind"
is 2 "$(on_branch "$remote" | grep -cE '^data/([0-9a-f]{2})/\1[0-9a-f]{62}\.ndjson$')" "one file a session"
is 1 "$(git -C "$remote" rev-list --count perfgate-data)" "the first commit is an orphan"
ok "the repository is in order" git -C "$remote" fsck --strict
ok "push again" push --json
is "0 2 1" "$(json sessions) $(json already) $(json attempts)" "has nothing new"
is 1 "$(git -C "$remote" rev-list --count perfgate-data)" "and makes no commit"
git reset -q --hard

### fetch, both ways

cd "$work/b" || exit 99
state >"$tmp/before"
ok "fetch" fetch
contains "$out" "^fetched 2 sessions \(2 runs\) from origin$" "fetch: what came"
state >"$tmp/after"
same "$tmp/before" "$tmp/after" "fetch touches nothing else"
export_of "$a" >"$tmp/ea"
export_of "$b" >"$tmp/eb"
same "$tmp/ea" "$tmp/eb" "equal exports, with the commits between"
contains "$tmp/eb" '^\{"run":' "which hold runs"
is "$one" "$("$PERFGATE" store info | sed -n 's/^repository //p')" "the store knows whose it is"
ok "fetch again" fetch
contains "$out" "^nothing new from origin$" "has nothing new"
ok "fetch --all" fetch --all
contains "$out" "^fetched 0 sessions \(0 runs\) from origin, 2 runs already here$" "reads all again"
change four
measure 102 --runner lab --session s3
echo dirty >>file
measure 103 --runner lab --session s4
git checkout -q file
ok "push what the other made" push
contains "$out" "^pushed 1 session \(1 run\) to origin, 2 sessions there already$" "clean runs only"
cd "$work/a" || exit 99
ok "fetch what the other made" fetch
contains "$out" "^fetched 1 session \(1 run\) from origin" "one session"
ok "push after a fetch" push
contains "$out" "^nothing new for origin, 3 sessions there already$" "pushes nothing back"
ok "fetch --json" fetch --json
is "0 0" "$(json runs) $(json failed)" "fetch --json: figures"

### dropped runs

ok "drop" "$PERFGATE" store drop --session s3
ok "push a drop" push
contains "$out" "^pushed 1 drop to origin, 2 sessions there already$" "tombstones go along"
cd "$work/b" || exit 99
ok "fetch a drop" fetch
lacks "$tmp/eb" '"session":"s3"' "the export before"
export_of "$b" | grep -v '"dirty:' >"$tmp/eb"
lacks "$tmp/eb" '"session":"s3"' "a dropped run is dropped here as well"
contains "$tmp/eb" '"tombstone"' "and stays so"
ok "a new store" fetch --store "$tmp/new.db"
export_of "$tmp/new.db" >"$tmp/en"
export_of "$a" >"$tmp/ea"
same "$tmp/ea" "$tmp/en" "and in a store that is new"

### compaction

before=$(git -C "$remote" rev-parse perfgate-data)
cd "$work/a" || exit 99
ok "push --compact" push --compact
contains "$out" "^put 4 files on origin together into one$" "says how many files"
is "1 1" "$(on_branch "$remote" | grep -c ^data/) $(on_branch "$remote" | grep -c ^names/)" "one file and the list of what it holds"
is "$before" "$(git -C "$remote" rev-parse perfgate-data^)" "on top of what was there"
rm -f "$tmp/new.db"*
ok "fetch after compaction" fetch --store "$tmp/new.db"
export_of "$tmp/new.db" >"$tmp/en"
same "$tmp/ea" "$tmp/en" "loses nothing"
ok "push after compaction" push
contains "$out" "^nothing new for origin, 2 sessions there already$" "knows what the one file holds"
ok "compact again" push --compact
contains "$out" "^nothing to put together on origin$" "there is nothing to do"
change five
measure 104 --runner lab --session s5
ok "compact with something new" push --compact
contains "$out" "^put 2 files" "puts it together"
rm -f "$tmp/new.db"*
ok "fetch after the second compaction" fetch --store "$tmp/new.db"
export_of "$a" >"$tmp/ea"
export_of "$tmp/new.db" >"$tmp/en"
same "$tmp/ea" "$tmp/en" "the second compaction loses nothing"
ok "the repository is in order after compaction" git -C "$remote" fsck --strict

### a shallow clone

git push -q origin HEAD
git clone -q --depth 1 "$url" "$work/shallow"
cd "$work/shallow" || exit 99
cp .git/shallow "$tmp/shallow"
ok "fetch in a shallow clone" fetch
export_of .git/perfgate/store.db >"$tmp/en"
same "$tmp/ea" "$tmp/en" "gives the same"
change six
measure 105 --runner lab --session s6
ok "push from a shallow clone" push
contains "$out" "^pushed 1 session " "pushes"
same "$tmp/shallow" .git/shallow "the edge of its history stays where it was"

### many at once

many=$work/many.git
git init -q --bare "$many"
cd "$work/a" || exit 99
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20; do
	kpi parse allocs_per_op=1$i >"$tmp/k.json"
	ingest --store "$tmp/job$i.db" --runner lab --session "job$i" "$tmp/k.json"
done
for i in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20; do
	push --store "$tmp/job$i.db" --json "file://$many" >"$tmp/job$i.out" 2>&1 &
done
wait
cat "$tmp"/job??.out >"$out"
is 20 "$(on_branch "$many" | grep -c ^data/)" "20 pushes at once: all sessions arrive"
is 20 "$(json sessions | grep -c '^1$')" "each says that it pushed one"
attempts=$(json attempts | "$TEST_AWK" '{ n += $1 } END { print n + 0 }')
echo "# 20 pushes at once: $attempts attempts, $("$TEST_AWK" -v n="$attempts" 'BEGIN { print n / 20 }') each"
ok "with at most 3 attempts each on average" test "$attempts" -le 60
ok "fetch all of them" fetch --store "$tmp/all.db" "$many"
is 20 "$(export_of "$tmp/all.db" | grep -c '^{"run"')" "all of them are whole"

### another repository

repository foreign
change foreign
measure 1 --session f1
is_status 2 push "file://$many"
contains "$err" "holds another repository .*--force" "another repository's branch is refused: push"
is_status 2 fetch "file://$many"
contains "$err" "holds another repository .*--force" "and fetch"
ok "but for --force" fetch --force "file://$many"

### remotes that do not work

cd "$work/a" || exit 99
is_status 2 push nowhere
contains "$err" "^perfgate: git cannot reach nowhere: 'nowhere' does not appear to be a git repository$" "no such remote: git's own line"
is_status 2 push -- --upload-pack=touch
contains "$err" "looks like an option" "what looks like an option is no remote"
fails "a line break in a remote" fetch "$(printf 'a\nb')"
contains "$err" "control character" "nor what holds a line break"
is_status 2 fetch "https://user:secret@127.0.0.1:1/x.git"
lacks "$err" secret "a password is not told"
contains "$err" 'git cannot reach https://\*\*\*@127' "but the rest"
cat >"$many/hooks/pre-receive" <<'HOOK'
#!/bin/sh
echo "error: you may not push here" >&2
exit 1
HOOK
chmod +x "$many/hooks/pre-receive"
git -C "$many" config core.hooksPath hooks
is_status 2 push "file://$many"
contains "$err" "^perfgate: git cannot push to file://.*you may not push here" "no right to push: what the other side says"
is "" "$(leftovers .)" "failures leave no folder behind"
if [ "$(id -u)" -ne 0 ]; then
	rm "$many/hooks/pre-receive"
	chmod -R a-w "$many"
	is_status 2 push "file://$many"
	contains "$err" "^perfgate: git cannot push to file://" "a remote without permission"
	chmod -R u+w "$many"
else
	skip "a remote without permission" "root may write everywhere"
fi
cd "$tmp" && is_status 2 push "$many" --store "$a"
contains "$err" "no git repository" "without a repository there is no sharing"

### killed in mid-push

remote=$work/killed.git
cd "$work/a" || exit 99
git init -q --bare "$remote"
for n in 1 2 3 4 5 6 7 8; do
	"$PERFGATE" store push "file://$remote" >/dev/null 2>&1 &
	pid=$!
	sleep 0.0$n
	kill -9 $pid 2>/dev/null
	wait $pid 2>/dev/null
done
ok "push after pushes that were killed" push "file://$remote"
ok "the remote is in order" git -C "$remote" fsck --strict
rm -f "$tmp/new.db"*
ok "and so is what it holds" fetch --store "$tmp/new.db" "$remote"
export_of "$tmp/new.db" >"$tmp/en"
export_of "$a" >"$tmp/ea"
same "$tmp/ea" "$tmp/en" "all of it"
ok "the next one sweeps up" push "file://$remote"
is "" "$(leftovers .)" "nothing is left of the killed ones"
done_testing
