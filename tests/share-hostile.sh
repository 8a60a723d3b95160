# What a branch can hold that others may write to: damaged, foreign and hostile files.
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

# fetch into a new store
fetch_new()
{
	rm -f "$tmp/new.db"*
	fetch --store "$tmp/new.db" "$@"
}

# put PATH [MODE]: standard input becomes a file of the branch of $remote, as anybody could.
put()
{
	put_tip=$(git -C "$remote" rev-parse --verify -q refs/heads/perfgate-data)
	put_blob=$(git -C "$remote" hash-object -w --stdin)
	rm -f "$tmp/index"
	[ -z "$put_tip" ] || GIT_INDEX_FILE=$tmp/index git -C "$remote" read-tree "$put_tip"
	printf '%s %s\t%s\000' "${2-100644}" "$put_blob" "$1" |
		GIT_INDEX_FILE=$tmp/index git -C "$remote" update-index -z --add --index-info || return
	put_tree=$(GIT_INDEX_FILE=$tmp/index git -C "$remote" write-tree)
	put_commit=$(git -C "$remote" commit-tree ${put_tip:+-p "$put_tip"} -m put "$put_tree" </dev/null)
	git -C "$remote" update-ref refs/heads/perfgate-data "$put_commit"
}

repository a
change one
measure 100 --runner lab --session s1
change two
measure 101 --runner lab --session s2
change three
measure 102 --runner lab --session s3

### damaged, foreign and hostile files

remote=$work/bad.git
git init -q --bare "$remote"
ok "push to a path" push "$remote"
good=$(git -C "$remote" grep -l '"run"' perfgate-data -- data | head -n 1)
good=${good#perfgate-data:}
git -C "$remote" show "perfgate-data:$good" | sed 's/"values":\[[0-9]*/&1/' | put "$good"
rm -f "$tmp/new.db"*
is_status 2 fetch --store "$tmp/new.db" "$remote"
contains "$err" "^perfgate: $good: .*its content has .*it was changed or cut" "a changed number is found, and the file named"
contains "$out" "^fetched 2 sessions .*, 1 file skipped$" "the others are taken"
git -C "$remote" show "perfgate-data:$good" | head -c 300 | put "$good"
is_status 2 fetch --store "$tmp/new.db" "$remote"
contains "$err" "^perfgate: $good: its content is not what its name says" "a file that was cut off is named"
is_status 2 fetch --store "$tmp/new.db" "$remote"
ok "push beside it" push --compact "$remote"
ok "a damaged file is not thrown away" git -C "$remote" cat-file -e "perfgate-data:$good"
hex=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
for name in "data/01/$hex.ndjson/x" -rf "data/01/$hex.ndjsonx" "data/02/$hex.ndjson" "$(printf 'data/01/%s.ndjson\nx' $hex)" \
	"$(printf 'evil\033[31m\n::error::x')" "data/../../../x" "names/x.txt"; do
	printf x | put "$name" 2>/dev/null
done
# what git would not write itself: a tree with a folder named ..
printf %s "$a" | put "data/01/$hex.ndjson" 120000
blob=$(printf x | git -C "$remote" hash-object -w --stdin)
sub=$(printf '100644 blob %s\tx\n' "$blob" | git -C "$remote" mktree)
evil=$({ git -C "$remote" ls-tree perfgate-data; printf '040000 tree %s\t..\n' "$sub"; } | git -C "$remote" mktree)
git -C "$remote" update-ref refs/heads/perfgate-data "$(git -C "$remote" commit-tree -p perfgate-data -m evil "$evil" </dev/null)"
rm -f "$tmp/new.db"*
is_status 2 fetch --store "$tmp/new.db" "$remote"
contains "$err" "note: 8 files on the branch perfgate-data of .* left alone, being none of perfgate's: -rf, \.\.\.$" "hostile names are counted, and one named"
lacks "$err" '31m|::error' "and not printed"
contains "$out" "^fetched [23] sessions" "and what is good is taken"
ok "nothing was written outside" test ! -e "$work/x" -a ! -e "$work/a/.git/x" -a ! -e x

remote=$work/other.git
git init -q --bare "$remote"
echo "my notes" | put notes.txt
notes=$(git -C "$remote" rev-parse perfgate-data)
is_status 2 push "$remote"
contains "$err" "holds something else than perfgate's data" "a branch that holds something else: push"
is_status 2 fetch "$remote"
contains "$err" "holds something else than perfgate's data" "and fetch"
is "$notes" "$(git -C "$remote" rev-parse perfgate-data)" "it is left as it is"

### lists that are not what they say

remote=$work/lists.git
git init -q --bare "$remote"
ok "push" push "$remote"
measure 103 --runner lab --session s4
ok "what a push would bring" push -n "$remote"
git init -q --bare "$work/other-lists.git"
ok "names" push "$work/other-lists.git"
git -C "$work/other-lists.git" ls-tree -r --name-only perfgate-data -- data | sed 's,.*/,,; s/\.ndjson$//' >"$tmp/names"
is 4 "$(wc -l <"$tmp/names" | tr -d ' ')" "of four files"
put "names/$hex.txt" <"$tmp/names"
ok "push beside a list with a false name" push "$remote"
contains "$out" "^pushed 1 session" "the list is not believed"
measure 104 --runner lab --session s5
ok "what is new" push -n "$remote"
"$PERFGATE" store push "$work/other-lists.git" >"$tmp/log" 2>&1
git -C "$work/other-lists.git" ls-tree -r --name-only perfgate-data -- data | sed 's,.*/,,; s/\.ndjson$//' >"$tmp/names"
put "names/$(sha256sum <"$tmp/names" | cut -d ' ' -f 1).txt" <"$tmp/names"
ok "push beside a list with a true name" push "$remote"
contains "$out" "^nothing new" "which is believed"

### more than there is room for

remote=$work/large.git
git init -q --bare "$remote"
ok "push to another" push "$remote"
head -c 104857601 /dev/zero | put "data/01/$hex.ndjson"
large()
{
	# a sanitizer needs more than there is
	[ "$SANITIZERS" = yes ] || ulimit -v 600000
	fetch_new "$remote"
}
is_status 2 large
contains "$err" "^perfgate: data/01/$hex.ndjson: 104857601 bytes are more than 104857600" "a file that is too large is named"
contains "$out" "^fetched 5 sessions .*, 1 file skipped$" "and the others are taken, in little memory"
lines=$(i=0; while [ $i -lt 10 ]; do printf '100644 blob %s\tf%s\n' "$(git -C "$remote" rev-parse perfgate-data:perfgate-data)" $i; i=$((i + 1)); done)
for level in 1 2 3 4 5 6 7 8; do
	tree=$(echo "$lines" | git -C "$remote" mktree)
	lines=$(i=0; while [ $i -lt 10 ]; do printf '040000 tree %s\td%s\n' "$tree" $i; i=$((i + 1)); done)
done
tree=$({ git -C "$remote" ls-tree perfgate-data; printf '040000 tree %s\tdeep\n' "$tree"; } | git -C "$remote" mktree)
git -C "$remote" update-ref refs/heads/perfgate-data "$(git -C "$remote" commit-tree -p perfgate-data -m many "$tree" </dev/null)"
is_status 2 large
contains "$err" "^perfgate: git cannot list what came from $remote: .*too much output" "a hundred million files are too many"
remote=$work/header.git
git init -q --bare "$remote"
ok "push to a third" push "$remote"
{ echo "perfgate data 1"; head -c 5000 /dev/zero | tr '\000' x; } | put perfgate-data
is_status 2 fetch_new "$remote"
contains "$err" "holds something else than perfgate's data" "a header that is too large is none"
printf 'perfgate data 2\n' | put perfgate-data
is_status 2 fetch_new "$remote"
contains "$err" "is of a newer version; this perfgate knows 1" "a newer version is refused"
is_status 2 push "$remote"
contains "$err" "is of a newer version; this perfgate knows 1" "by push, too"

### documents that only make sense one by one

remote=$work/bundle.git
git init -q --bare "$remote"
ok "push to a fourth" push "$remote"
printf '{"perfgate":"export","version":1}\n{"benchmark":"x","metric":"y","values":[1]}\n' >"$tmp/orphan"
put "data/e3/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.ndjson" <"$tmp/orphan"
is_status 2 fetch_new "$remote"
contains "$err" "^perfgate: data/e3/e3b0c[0-9a-f]*.ndjson: line 2: a series before the first run|^perfgate: data/e3/e3b0c[0-9a-f]*.ndjson: 2: a series before the first run" "a series without a run is told apart from the file before it"
contains "$out" "^fetched 5 sessions" "and that is taken"
printf '{"perfgate":"export","version":3}\n' | put "data/e3/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.ndjson"
is_status 2 fetch_new "$remote"
contains "$err" "export version 3" "an export of a later version is refused"
contains "$out" "^fetched 5 sessions" "by itself"
done_testing
