# Sharing from wherever one stands: hooks, further work trees, partial clones, SHA-256; remotes that
# refuse or are locked; what killed calls leave.
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

n=0
session()
{
	n=$((n + 1))
	measure "$n" --clean --runner lab --session "s$n"
}

sessions_on()
{
	git -C "$1" ls-tree -r --name-only perfgate-data -- data | wc -l | tr -d ' '
}

leftovers()
{
	ls "$1/perfgate" | grep '^share-'
}

remote=$work/remote.git
url=file://$remote
git init -q --bare "$remote"
repository a
git remote add origin "$url"
change one
change two
git push -q origin HEAD

### hooks

session
mkdir "$tmp/hooks"
cat >"$tmp/hooks/pre-commit" <<HOOK
#!/bin/sh
env | grep '^GIT_' >"$tmp/hook.env"
"$PERFGATE" store push
HOOK
chmod +x "$tmp/hooks/pre-commit"
echo more >>file
git add file
ok "a commit whose hook pushes" git -c core.hooksPath="$tmp/hooks" commit -qm three
contains "$tmp/hook.env" '^GIT_INDEX_FILE=' "the hook has variables of its own"
is 1 "$(sessions_on "$remote")" "the hook has pushed"
ok "the index is as it was" git diff --cached --quiet HEAD
echo evil >"$tmp/index"
session
ok "variables that point elsewhere" env GIT_DIR="$PWD/.git" GIT_WORK_TREE="$PWD" GIT_INDEX_FILE="$tmp/index" GIT_PREFIX=x/ \
	GIT_COMMON_DIR="$PWD/.git" GIT_NAMESPACE=evil GIT_DEFAULT_HASH=sha256 \
	GIT_TEMPLATE_DIR="$tmp/hooks" GIT_ATTR_SOURCE=none GIT_CONFIG="$tmp/index" "$PERFGATE" store push
is 2 "$(sessions_on "$remote")" "do not mislead"
ok "fetch with them" env GIT_DIR="$PWD/.git" GIT_WORK_TREE="$PWD" GIT_INDEX_FILE="$tmp/index" GIT_NAMESPACE=evil \
	"$PERFGATE" store fetch --store "$tmp/new.db"
contains "$out" "^fetched 2 sessions" "nor that"
is evil "$(cat "$tmp/index")" "another's index stays as it is"
# In quarantine no ref may be changed and new objects go elsewhere.
git init -q --bare "$work/gate.git"
git -C "$work/gate.git" config core.hooksPath hooks
mkdir -p "$work/gate.git/hooks"
cat >"$work/gate.git/hooks/pre-receive" <<HOOK
#!/bin/sh
env | grep '^GIT_' >"$tmp/hook.env"
"$PERFGATE" store push --store "$PWD/.git/perfgate/store.db" "$work/quarantine.git"
HOOK
chmod +x "$work/gate.git/hooks/pre-receive"
git init -q --bare "$work/quarantine.git"
ok "a push to a repository whose hook pushes" git push -q "$work/gate.git" HEAD:refs/heads/main
contains "$tmp/hook.env" '^GIT_QUARANTINE_PATH=' "the hook is in quarantine"
is 2 "$(sessions_on "$work/quarantine.git")" "the hook has pushed, too"

### places

mkdir sub
git init -q --bare sub/near.git
git init -q --bare sub/origin
cd sub || exit 99
ok "a path relative to where one stands" push near.git
is 2 "$(sessions_on near.git)" "goes there"
ok "a remote's name" push origin
contains "$out" "^nothing new for origin" "goes before a folder's"
cd "$work/a" || exit 99
rm -rf sub
git worktree add -q --detach "$work/tree" HEAD~1
cd "$work/tree" || exit 99
cp "$(git rev-parse --git-path index)" "$tmp/index-before"
session
ok "push from another work tree, HEAD detached" push
contains "$out" "^pushed 1 session" "pushes"
same "$tmp/index-before" "$(git rev-parse --git-path index)" "its index stays as it is"
ok "fetch there" fetch
is "" "$(leftovers "$work/a/.git")" "nothing is left"
git -C "$remote" config uploadpack.allowFilter true
git clone -q --filter=blob:none --no-checkout "$url" "$work/partial"
cd "$work/partial" || exit 99
git config --list --local >"$tmp/config-before"
git for-each-ref >"$tmp/refs-before"
find .git/objects -type f | sort >"$tmp/objects-before"
ok "fetch in a partial clone" fetch
contains "$out" "^fetched 3 sessions" "fetches"
session
ok "push from one" push
git config --list --local >"$tmp/config-after"
git for-each-ref >"$tmp/refs-after"
find .git/objects -type f | sort >"$tmp/objects-after"
for what in config refs objects; do
	same "$tmp/$what-before" "$tmp/$what-after" "a partial clone: $what stay as they are"
done
git clone -q --bare "$url" "$work/bare.git"
cd "$work/bare.git" || exit 99
ok "fetch in a bare repository" fetch
contains "$out" "^fetched 4 sessions" "fetches"
is "" "$(leftovers .)" "and leaves nothing"
cd "$work" || exit 99
if git init -q --object-format=sha256 sha256 2>/dev/null; then
	git init -q --bare --object-format=sha256 sha256.git
	cd sha256 || exit 99
	change one
	session
	ok "push from a SHA-256 repository" push "$work/sha256.git"
	ok "fetch there" fetch --store "$tmp/sha256.db" "$work/sha256.git"
	contains "$out" "^fetched 1 session" "the same"
	ok "the branch is in order" git -C "$work/sha256.git" fsck --strict
	is_status 2 push --force "$remote"
	contains "$err" "^perfgate: git cannot fetch from .*(object|hash algorithm|sha)" "a remote of the other kind: git's own words"
else
	skip "push from a SHA-256 repository" "this git knows none"
fi

### a remote that refuses

cd "$work/a" || exit 99
refusing=$work/refusing.git
git init -q --bare "$refusing"
git -C "$refusing" config core.hooksPath hooks
mkdir -p "$refusing/hooks"
cat >"$refusing/hooks/update" <<HOOK
#!/bin/sh
echo x >>"$tmp/tries"
printf 'warning: you come late\n' >&2
printf 'error: GH006: Protected branch update failed for refs/heads/perfgate-data.\n' >&2
printf '\nerror: Changes must be made \033[31mthrough\007 a pull request: [rejected] failed to lock\n' >&2
exit 1
HOOK
chmod +x "$refusing/hooks/update"
is_status 2 push "$refusing"
contains "$err" "^perfgate: git cannot push to $refusing: error: GH006: Protected branch update failed for refs/heads/perfgate-data.; error: Changes must be made .*through" "a protected branch: all that the server says of it"
is "" "$(steering "$err")" "without control characters"
is 1 "$(wc -l <"$tmp/tries" | tr -d ' ')" "it is not tried again"
is "" "$(leftovers .git)" "and nothing is left"

### a lock that was left behind

locked=$work/locked.git
git init -q --bare "$locked"
mkdir -p "$locked/refs/heads"
: >"$locked/refs/heads/perfgate-data.lock"
is_status 2 push "$locked"
contains "$err" "^perfgate: git cannot push to $locked: .*perfgate-data.lock'?: File exists" "a lock that stays is told"
rm "$locked/refs/heads/perfgate-data.lock"
ok "when it is gone" push "$locked"

### folders of calls that were killed

mkdir -p .git/perfgate/share-killed/git/objects
: >.git/perfgate/share-killed.lock
: >.git/perfgate/share-killed/git/objects/half-a-pack
: >.git/perfgate/share-begun.lock
mkdir -p .git/perfgate/share-stray/git
mkdir "$tmp/precious" && : >"$tmp/precious/git"
ln -s "$tmp/precious" .git/perfgate/share-link
: >.git/perfgate/share-link.lock
ln -s "$tmp/precious/git" .git/perfgate/share-evil.lock
if command -v flock >/dev/null; then
	mkdir -p .git/perfgate/share-used/git
	mkfifo "$tmp/until"
	flock .git/perfgate/share-used.lock cat "$tmp/until" >"$tmp/holds" 2>&1 &
	while flock -n .git/perfgate/share-used.lock true; do :; done
	ok "push while another call is at work" push
	ok "whose folder stays" test -d .git/perfgate/share-used/git
	echo >"$tmp/until"
	wait $!
else
	skip "push while another call is at work" "no flock program"
fi
ok "push" push
is share-evil.lock "$(leftovers .git)" "what killed calls left is gone, and a link is no lock"
rm .git/perfgate/share-evil.lock
ok "a link leads nowhere" test -e "$tmp/precious/git"
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w .git/perfgate
	is_status 2 push
	contains "$err" "\.git/perfgate: Permission denied" "a folder that cannot be written"
	chmod u+w .git/perfgate
else
	skip "a folder that cannot be written" "root may write everywhere"
fi
done_testing
