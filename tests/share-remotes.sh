# Pushing to and fetching from remotes by HTTP and ssh, as the repository's settings say, without a
# question that nobody answers and without a word of what is secret.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"
need python3
[ -x "$(git --exec-path)/git-http-backend" ] || skip_all "git has no http-backend here"

push()
{
	"$PERFGATE" store push "$@"
}

fetch()
{
	"$PERFGATE" store fetch "$@"
}

# Neither in what was printed nor in a file that was left.
kept_secret()
{
	if grep -q -e "$token" -e "$wrong" -e "$basic" "$out" "$err" || grep -rq -e "$token" "$tmp/leftover"; then
		fail "$1: nothing secret is told"
		show_output
	else
		pass "$1: nothing secret is told"
	fi
	rm -rf "$tmp/leftover"
	mkdir "$tmp/leftover"
}

token=tok3nTOK3N wrong=wr0ngWR0NG
basic=$(printf 'x-access-token:%s' "$token" | base64)
mkdir -p "$work/served/public" "$work/served/private" "$tmp/leftover"
git init -q --bare "$work/served/public/hub.git"
git init -q --bare "$work/served/private/hub.git"
mkfifo "$tmp/server.in"
python3 "$srcdir/tests/git-http.py" "$work/served" "$tmp/requests" "$token" <"$tmp/server.in" >"$tmp/port" 2>"$tmp/server.err" &
exec 9>"$tmp/server.in"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	[ -s "$tmp/port" ] || sleep 0.5
done
port=$(cat "$tmp/port")
[ -n "$port" ] || skip_all "the server did not start: $(head -n 1 "$tmp/server.err")"
host=127.0.0.1:$port

repository a
change one
n=0
# One more session for the store.
session()
{
	n=$((n + 1))
	measure "$n" --runner lab --session "s$n"
}

### by HTTP, with what actions/checkout sets

public=http://$host/public/hub.git
git remote add origin "$public"
session
is_status 2 push
contains "$err" "^perfgate: git cannot push to origin: could not read Username for 'http://$host'" "push without a token: git's own words"
ok "fetch without one, as from a fork" fetch
contains "$out" "has no branch perfgate-data yet" "reads"
git config "http.http://$host/.extraheader" "AUTHORIZATION: basic $basic"
ok "push with a header that the repository's settings name" push
contains "$out" "^pushed 1 session \(1 run\) to origin$" "pushes"
lacks "$tmp/requests" ' [2-9] ' "the header is sent once"
kept_secret "a header"
git config --unset "http.http://$host/.extraheader"
printf '[http "http://%s/"]\n\textraheader = AUTHORIZATION: basic %s\n' "$host" "$basic" >"$tmp/credentials"
git config "includeIf.gitdir:$PWD/.git.path" "$tmp/credentials"
session
ok "push with a header that is included for this repository" push
git config --unset "includeIf.gitdir:$PWD/.git.path"
git config --global "includeIf.gitdir:$PWD/.git.path" "$tmp/credentials"
session
ok "or by the user's settings for this repository" push
lacks "$tmp/requests" ' [2-9] ' "the header is sent once"
git config --global --unset "includeIf.gitdir:$PWD/.git.path"
git config --global "http.http://$host/.extraheader" "AUTHORIZATION: basic $basic"
session
ok "or for all of them" push
lacks "$tmp/requests" ' [2-9] ' "and once, too"
git config --global --unset "http.http://$host/.extraheader"
session
ok "or by variables" env GIT_CONFIG_COUNT=1 "GIT_CONFIG_KEY_0=http.http://$host/.extraheader" \
	"GIT_CONFIG_VALUE_0=AUTHORIZATION: basic $basic" "$PERFGATE" store push
session
ok "or on git's command line" git -c "http.http://$host/.extraheader=AUTHORIZATION: basic $basic" \
	-c "alias.share=!$PERFGATE store push" share
ok "fetch into a new store" fetch --store "$tmp/new.db"
contains "$out" "^fetched $n sessions" "without a token"

### other ways to say who one is

git config credential.helper "!f() { echo username=any; echo password=$token; }; f"
session
ok "a credential helper" push
kept_secret "a helper"
ok "a remote that cannot be read without" fetch --store "$tmp/new.db" "http://$host/private/hub.git"
git config --unset credential.helper
is_status 2 fetch --store "$tmp/new.db" "http://$host/private/hub.git"
contains "$err" "^perfgate: git cannot reach http://$host/private/hub.git: could not read Username" "a remote that cannot be read: git's own words"
git config "url.http://any:$token@$host/.insteadOf" https://example.invalid/
git remote set-url origin https://example.invalid/public/hub.git
session
ok "a rewritten URL" push
kept_secret "a rewritten URL"
git remote set-url origin "$public"
git remote set-url --push origin https://example.invalid/public/hub.git
session
ok "a URL for pushing only" push
git remote set-url --push origin "http://any:$wrong@$host/public/hub.git"
session
is_status 2 push
contains "$err" "^perfgate: git cannot push to origin: .*Authentication failed for 'http://" "a token that is none"
kept_secret "a token that is none"
for url in "http://any:$wrong@$host/private/hub.git" "http://$wrong@$host/private/hub.git" \
	"http://any:x@$wrong@$host/private/hub.git" "http://$host/none.git?private_token=$wrong" \
	"http://any:x/$wrong@127.0.0.1:1/x.git" "$(printf 'http://any:%s@host/\nx' "$wrong")" "nothing://any:$wrong@host/x"; do
	is_status 2 fetch --store "$tmp/new.db" "$url" >"$tmp/quiet"
	sed "s/$wrong/.../g" "$tmp/quiet"
	kept_secret "$(echo "$url" | sed "s/$wrong/.../g")"
done
contains "$err" "^perfgate: git cannot reach nothing://\*\*\*@host/x: " "the rest is"
is_status 2 push --json "http://any:$wrong@$host/public/hub.git"
kept_secret "as JSON"
git remote set-url --push origin "http://any:$token@$host/public/hub.git"
ok "JSON" push --json "http://any:$token@$host/public/hub.git"
contains "$out" '"remote": "http://\*\*\*@127' "names the remote"
kept_secret "JSON"

### a server that does not answer

is_status 2 env GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=http.lowSpeedLimit GIT_CONFIG_VALUE_0=1000 \
	GIT_CONFIG_KEY_1=http.lowSpeedTime GIT_CONFIG_VALUE_1=1 \
	"$PERFGATE" store fetch "http://$host/silent/hub.git"
contains "$err" "^perfgate: git cannot reach http://$host/silent/hub.git: unable to access .*too slow" "a server that is silent is given up"

### by ssh

cat >"$tmp/remote-shell" <<'SSH'
#!/bin/sh
echo "$*" >>"$SSH_LOG"
while [ $# -gt 1 ]; do
	case $1 in
	-o | -p | -i) shift 2 ;;
	-*) shift ;;
	*) break ;;
	esac
done
shift
exec sh -c "$*"
SSH
chmod +x "$tmp/remote-shell"
mkdir "$tmp/bin"
cp "$tmp/remote-shell" "$tmp/bin/ssh"
SSH_LOG=$tmp/ssh.log
export SSH_LOG
git init -q --bare "$work/by-ssh.git"
session
ok "GIT_SSH_COMMAND" env GIT_SSH_COMMAND="$tmp/remote-shell" "$PERFGATE" store push "example.org:$work/by-ssh.git"
contains "$out" "^pushed $n sessions .* to example.org:" "pushes"
lacks "$SSH_LOG" BatchMode "as it is"
: >"$SSH_LOG"
git config core.sshCommand "$tmp/remote-shell"
ok "core.sshCommand" fetch --store "$tmp/new.db" "ssh://git@example.org$work/by-ssh.git"
contains "$out" "from ssh://git@example.org/" "fetches; the user's name is no secret"
lacks "$SSH_LOG" BatchMode "as it is"
git config --unset core.sshCommand
: >"$SSH_LOG"
git remote add far "ssh://git@example.org$work/by-ssh.git"
session
ok "ssh itself" env PATH="$tmp/bin:$PATH" "$PERFGATE" store push far </dev/null
contains "$out" "^pushed 1 session" "pushes"
contains "$SSH_LOG" "BatchMode=yes" "is told to ask nothing"
cat >"$tmp/bin/ssh" <<'SSH'
#!/bin/sh
echo "git@example.org: Permission denied (publickey)." >&2
exit 255
SSH
is_status 2 env PATH="$tmp/bin:$PATH" "$PERFGATE" store push far </dev/null
contains "$err" "^perfgate: git cannot reach far: git@example.org: Permission denied" "what ssh says of why is told"
ok "the server ran to the end" kill -0 $!
exec 9>&-
done_testing
