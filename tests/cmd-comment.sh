# perfgate comment: against a made-up GitHub and GitLab on this machine (forge-server.py).
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"
need python3

unset GH_TOKEN PERFGATE_TOKEN http_proxy https_proxy HTTPS_PROXY ALL_PROXY all_proxy CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR
token=secret-0123456789-token

# serve NAME [CERTIFICATE]: a server with its folder $tmp/NAME; $port
servers=
serve()
{
	mkdir "$tmp/$1"
	python3 "$srcdir/tests/forge-server.py" "$tmp/$1" ${2:+"$2"} 2>"$tmp/$1/trouble" &
	servers="$servers $!"
	for _ in $(seq 200); do
		[ -f "$tmp/$1/port" ] && break
		sleep 0.05
	done
	port=$(cat "$tmp/$1/port") || skip_all "no server can be started here"
}
trap 'kill $servers 2>/dev/null; cd / && chmod -R u+w "$tmp" && rm -rf "$tmp"' EXIT

# holds JSON: what the forge holds from now on, that nobody asked for anything and nothing goes wrong
holds()
{
	rm -f "$forge/rules.json" "$forge/requests" "$forge/calls"
	: >"$forge/requests"
	: >"$forge/calls"
	printf '%s\n' "$1" >"$forge/state.json"
}

# instead JSON...: what it does instead, in this order
instead()
{
	(IFS=, && printf '[%s]\n' "$*") >"$forge/rules.json"
}

pull()
{
	holds "{\"pulls\": [{\"number\": 5, \"sha\": \"$head\"}], \"comments\": [$1]}"
}

comment_on()
{
	GITHUB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head" --forge github --api "$api" \
		--repository o/r "$@"
}

comment_gitlab()
{
	GITLAB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head" --forge gitlab --api "$api/api/v4" \
		--repository "${project:-7}" "$@"
}

# says STATUS REGEX NAME COMMAND...: the exit status, and a line of either output; no secret is in them
says()
{
	expected_status=$1 pattern=$2 test_name=$3
	shift 3
	run "$@"
	is "$expected_status" $? "$test_name"
	cat "$out" "$err" >"$tmp/both"
	contains "$tmp/both" "$pattern" "... and says so"
	lacks "$tmp/both" "$token" "... without the token"
	is "" "$(steering "$tmp/both")" "... and without what steers a terminal"
}

# asked N REGEX NAME: so many calls match
asked()
{
	is "$1" "$(grep -cE -e "$2" "$forge/calls")" "$3"
}

# comments: how many the forge holds; body N: the text of one
comments()
{
	python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["comments"]))' "$forge/state.json"
}
body()
{
	python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["comments"][int(sys.argv[2])]["body"], end="")' "$forge/state.json" "$1"
}

### a verdict

serve forge
forge=$tmp/forge
api=http://127.0.0.1:$port
repository r
change base && measure 100
change head && measure 200
head=$sha
verdict=$tmp/verdict.json
is_status 1 "$PERFGATE" gate --report "json:$verdict" --report "markdown:$tmp/gate.md" main~1
{ echo '<!-- perfgate comment -->' && cat "$tmp/gate.md"; } >"$tmp/expected.md"

### what would be sent

holds '{}'
ok "--dry-run" "$PERFGATE" comment --from "$verdict" --head "$head" --dry-run
same "$tmp/expected.md" "$out" "the comment is the gate's own markdown, below a marker"
ok "--dry-run from standard input" sh -c '"$0" comment --from - --head "$1" -n <"$2"' "$PERFGATE" "$head" "$verdict"
same "$tmp/expected.md" "$out" "... is the same"
asked 0 . "nobody was asked"
says 0 'status perfgate/a\.b of [0-9a-f]{12}: FAIL, 1 regressed of 1 judged' "--dry-run --status" comment_on -n --status --key a.b
contains "$out" '^<!-- perfgate comment a\.b -->$' "the key is in the marker"

### GitHub: create, leave, update

pull
says 0 'wrote a comment on pull request 5 of o/r' "a comment" comment_on
body 0 >"$tmp/got.md"
same "$tmp/expected.md" "$tmp/got.md" "... is what --dry-run says"
contains "$forge/requests" '"POST", "path": "/repos/o/r/issues/5/comments", .*"Authorization": "Bearer '$token'"' "... sent with the token"
contains "$forge/requests" '"Content-Type": "application/json"' "... as JSON"
says 0 'nothing to change in the comment' "again" comment_on
asked 1 '^(POST|PATCH)' "... sends nothing"
sed 's/"subject": "head"/"subject": "better"/' "$verdict" >"$tmp/other.json"
verdict=$tmp/other.json says 0 'updated the comment on pull request 5' "another verdict" comment_on
asked 1 '^PATCH /repos/o/r/issues/comments/1$' "... updates it"
is 1 "$(comments)" "... and there is one comment"
body 0 >"$tmp/got.md"
contains "$tmp/got.md" 'better' "... with the new text"

### several gates, others' comments

says 0 'wrote a comment' "--key" comment_on --key arm64
says 0 'nothing to change' "--key again" comment_on --key arm64
says 0 'updated the comment' "without the key" comment_on
is 2 "$(comments)" "each key has its comment"
marked='"body": "<!-- perfgate comment -->\nx"'
pull "{\"id\": 1, \"login\": \"mallory\", $marked}"
says 0 'wrote a comment' "a person's comment with the marker" comment_on
is 2 "$(comments)" "... is left alone"
pull "{\"id\": 1, \"login\": \"a[bot]\", \"bot\": true, $marked}, {\"id\": 2, \"login\": \"b[bot]\", \"bot\": true, $marked}"
says 0 'updated the comment' "two with the marker" comment_on
asked 1 '^PATCH /repos/o/r/issues/comments/1$' "... the first is taken"
holds "{\"login\": \"me\", \"pulls\": [{\"number\": 5, \"sha\": \"$head\"}], \"comments\": [
	{\"id\": 1, \"login\": \"b[bot]\", \"bot\": true, $marked}, {\"id\": 2, \"login\": \"me\", $marked}]}"
says 0 'updated the comment' "a token of a person" comment_on
asked 1 '^PATCH /repos/o/r/issues/comments/2$' "... takes its own"
pull "{\"id\": 1, \"login\": \"a[bot]\", \"bot\": true, \"body\": \"I quote <!-- perfgate comment -->\"},
	{\"id\": 2, \"login\": \"a[bot]\", \"bot\": true, \"body\": \"<!-- perfgate comment x -->\"}"
says 0 'wrote a comment' "a marker in the middle, and another's" comment_on

pull
says 0 'wrote a comment' "a proxy is for other machines" env http_proxy=http://127.0.0.1:1 all_proxy=http://127.0.0.1:1 GITHUB_TOKEN=$token \
	"$PERFGATE" comment --from "$verdict" --head "$head" --forge github --api "HTTP://127.0.0.1:$port" --repository o/r

### pages

many=
for i in 1 2 3 4 5; do
	many="$many{\"id\": $i, \"login\": \"you\", \"body\": \"no $i\"}, "
done
holds "{\"per_page\": 2, \"pulls\": [{\"number\": 5, \"sha\": \"$head\"}],
	\"comments\": [$many{\"id\": 6, \"login\": \"a[bot]\", \"bot\": true, $marked}]}"
says 0 'updated the comment' "a marker on page 3" comment_on
asked 3 '^GET /repos/o/r/issues/5/comments' "... three pages are read"
asked 1 '^PATCH /repos/o/r/issues/comments/6$' "... and it is found"
pull
instead '{"on": "GET .*comments", "times": 99, "body": "[]", "headers": {"Link": "<http://127.0.0.2:1/repos/o/r/x>; rel=\"next\""}}'
says 0 'no comment written: GitHub names another server.s next page' "a next page elsewhere" comment_on
pull
instead '{"on": "GET .*comments", "times": 99, "body": "[]", "headers": {"Link": "<'"$api"'/repos/o/r/issues/5/comments?per_page=50>; rel=\"next\""}}'
says 0 'a list of more than 40 pages' "pages without an end" comment_on

### which request

holds "{\"pulls\": [{\"number\": 5, \"sha\": \"$(echo "$head" | tr 0-9a-f 1-9a-f0)\", \"older\": [\"$head\"]}], \"comments\": []}"
says 0 'a newer commit than [0-9a-f]{12} was pushed to the pull request: nothing written' "the head has moved" comment_on --status
asked 0 '^(POST|PATCH)' "... nothing is written"
says 0 'a newer commit' "the head has moved, --request" comment_on --request 5 --status
asked 0 '^(POST|PATCH)' "... nothing is written"
holds "{\"pulls\": [{\"number\": 5, \"sha\": \"$head\", \"state\": \"closed\"}], \"comments\": []}"
says 0 'no open pull request of o/r has the head' "none is open" comment_on
says 0 'pull request 5 is not open' "it is not open, --request" comment_on --request 5
asked 0 '^(POST|PATCH)' "... nothing is written"
holds "{\"fork\": true, \"per_page\": 1, \"pulls\": [{\"number\": 4, \"sha\": \"$(git rev-parse HEAD~1)\"}, {\"number\": 5, \"sha\": \"$head\"}], \"comments\": []}"
says 0 'wrote a comment on pull request 5' "a fork's, which no commit leads to" comment_on
asked 2 '^GET /repos/o/r/pulls\?' "... is found in the list of open ones"
pull
says 0 'wrote a comment on pull request 5' "--request" comment_on --request 5
says 0 "is 'o/r' the repository" "--request, another" comment_on --request 6

### whose verdict it is

other=$(git rev-parse HEAD~1)
pull
says 2 "the verdict is of ${head%????????????????????????????}, not of" "another commit's verdict" comment_on --head "$other"
asked 0 . "... nobody is asked"
says 2 'not a whole SHA' "a short SHA" comment_on --head abc1234
says 2 '-?-from FILE is needed' "no file" "$PERFGATE" comment --head "$head"
says 2 '-?-head SHA is needed' "no SHA" "$PERFGATE" comment --from "$verdict"
sed "s/\"merged\": null/\"merged\": \"$other\"/" "$verdict" >"$tmp/merge.json"
holds "{\"pulls\": [{\"number\": 5, \"sha\": \"$other\"}], \"comments\": []}"
verdict=$tmp/merge.json says 0 'wrote a comment on pull request 5' "of a merge that the CI system made" comment_on --head "$other"
: >"$forge/calls"
verdict=$tmp/merge.json says 2 'is a merge of [0-9a-f]* is not known here: give the head of the request' "of what is no merge" comment_on --status
says 2 'is not known here' "... and where nobody can tell" env GIT_DIR="$tmp/none" GITHUB_TOKEN=$token \
	"$PERFGATE" comment --from "$tmp/merge.json" --head "$head" --forge github --api "$api" --repository o/r
asked 0 . "... nobody is asked"
merge=$(git commit-tree -p HEAD -p HEAD~1 -m merge 'HEAD^{tree}')
sed "s/$head/$merge/" "$tmp/merge.json" >"$tmp/real.json"
verdict=$tmp/real.json says 0 'updated the comment' "... named by the merge, which it is" comment_on --head "$merge"
kpi parse allocs_per_op=1 >old.json && kpi parse allocs_per_op=2 >new.json
run "$PERFGATE" diff --report "json:$tmp/documents.json" old.json new.json
verdict=$tmp/documents.json says 2 'of documents, not of a commit' "a diff of documents" comment_on

### a status

pull
says 0 "set the status perfgate of" "--status" comment_on --status
contains "$forge/requests" "statuses/$head.*failure.*FAIL, 1 regressed of 1 judged" "... failure"
lacks "$forge/requests" 'target_url' "... that leads nowhere"
says 0 "set the status" "--status in GitHub Actions" env GITHUB_ACTIONS=true GITHUB_SERVER_URL=https://github.example.org GITHUB_API_URL="$api" \
	GITHUB_REPOSITORY=o/r GITHUB_RUN_ID=77 GITHUB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head" --status
contains "$forge/requests" 'target_url[^,]*https://github.example.org/o/r/actions/runs/77' "... leads to the run"
: >"$forge/requests"
says 0 "set the status" "a server that is none" env GITHUB_ACTIONS=true GITHUB_SERVER_URL='javascript:x' GITHUB_API_URL="$api" \
	GITHUB_REPOSITORY=o/r GITHUB_RUN_ID=77 GITHUB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head" --status
lacks "$forge/requests" 'target_url' "... is left out"
says 0 "set the status perfgate/arm64 of" "--status --key" comment_on --status --key arm64
sed 's/"verdict": "regressed"/"verdict": "pass"/; s/"exit": 1/"exit": 0/; s/"gates": true/"gates": false/' "$verdict" >"$tmp/pass.json"
verdict=$tmp/pass.json says 0 'updated the comment' "of what passed" comment_on --status
contains "$forge/requests" 'statuses/.*success.*PASS, 1 judged' "... success"
holds '{"pulls": [], "comments": []}'
says 0 'set the status' "without a request" comment_on --status
pull
instead '{"on": "POST .*statuses", "status": 403, "body": "{\"message\": \"Resource not accessible by integration\"}"}'
says 0 'no status written: .*statuses: write' "a status that may not be set" comment_on --status
is 1 "$(comments)" "... costs no comment"

### rights

pull
for status in 401 403 404; do
	instead '{"on": "POST", "status": '$status', "body": "{\"message\": \"Resource not accessible\\u001b[31m by integration\\nmore\"}"}'
	says 0 "no comment written: .*$status.*not accessible.*pull-requests: write" "$status: no right to write" comment_on
	lacks "$err" 'more' "... the first line of what the server says"
	instead '{"on": "POST", "status": '$status', "body": "{}"}'
	says 2 "no comment written: .*$status" "$status, --strict" comment_on --strict
done
instead '{"on": "GET", "status": 401, "times": 9, "body": "{\"message\": \"Bad credentials\"}"}'
says 0 "does not take the token in GITHUB_TOKEN \(401: Bad credentials\)" "a token that is none" comment_on
asked 0 '^PATCH' "nothing was written"
is_status 0 "$PERFGATE" comment --from "$verdict" --head "$head" --forge github --api "$api" --repository o/r
contains "$err" 'no token for GitHub: none of PERFGATE_TOKEN, GITHUB_TOKEN, GH_TOKEN is set' "no token is told"
is_status 2 "$PERFGATE" comment --strict --from "$verdict" --head "$head" --forge github --api "$api" --repository o/r
instead '{"on": "GET", "status": 403, "times": 9, "act": "echo"}'
says 0 'I know Bearer \*\*\*' "a server that repeats the token" comment_on
run env GITHUB_TOKEN="$(printf 'two\nlines-of-a-token')" "$PERFGATE" comment --from "$verdict" --head "$head" --forge github --api "$api" --repository o/r
is 2 $? "a token with an end of line is refused"
lacks "$err" 'lines-of' "... and not shown"

### what a server can do wrong

pull
instead '{"on": "POST", "status": 409, "body": "{\"message\": \"Conflict\"}"}'
says 0 'GitHub answers 409 to POST .*: Conflict' 409 comment_on
instead '{"on": "POST", "status": 422, "body": "{\"message\": \"Validation Failed\", \"errors\": [{\"code\": \"body is too long\"}]}"}'
says 0 'answers 422 .*Validation Failed: body is too long' 422 comment_on
instead '{"on": "GET .*pulls", "status": 500}' '{"on": "GET .*comments", "status": 502}'
says 0 'wrote a comment' "500 and 502, then fine" comment_on
is 1 "$(comments)" "... one comment"
pull
instead '{"on": "GET", "status": 500, "times": 99, "body": "<h1>oops"}'
says 0 'no comment written: GitHub answers 500' "500 and no end" comment_on --timeout 2
says 2 'no comment written: GitHub answers 500' "500 and no end, --strict" comment_on --timeout 2 --strict
pull
instead '{"on": "POST", "status": 500}'
says 0 'wrote a comment' "500 to what is to be written" comment_on
asked 2 '^POST' "... is tried again"
is 1 "$(comments)" "... after a look at what is there"
for act in cut chunk; do
	pull
	instead '{"on": "POST", "carried-out": true, "act": "'$act'"}'
	says 0 'wrote a comment' "an answer that is cut off, and yet it was written ($act)" comment_on
	is 1 "$(comments)" "... leaves one comment"
	pull
	instead '{"on": "GET .*pulls", "act": "'$act'", "body": "[{\"number\"}]"}'
	says 0 'wrote a comment' "a list that is cut off, then whole ($act)" comment_on
	instead '{"on": "GET .*pulls", "times": 99, "act": "'$act'", "body": "[{\"number\"}]"}'
	says 0 'no comment written: GitHub: GET' "a list that is cut off ($act)" comment_on --timeout 2
done
pull
instead '{"on": "GET", "times": 99, "act": "hang"}'
says 0 'no comment written: GitHub: ' "no answer" comment_on --timeout 1
instead '{"on": "GET", "times": 99, "act": "huge"}'
says 0 'no comment written: .*more than 16 MiB' "an answer without an end" comment_on
for text in '' '<html>' '[1]' '{}' '[{"number": "5"}]' '[{"number": 5, "state": "open", "head": {"sha": "x"}}]' 'null' '[[[[' '[{"number": 5, "number": 5}]'; do
	pull
	python3 -c 'import json, sys; print(json.dumps([{"on": "GET .*pulls", "times": 99, "body": sys.argv[1]}]))' "$text" >"$forge/rules.json"
	says 0 'no comment written: ' "an answer that is not what it should be: $text" comment_on
	asked 0 '^(POST|PATCH)' "... nothing is written"
done
pull
instead '{"on": "GET .*comments", "times": 99, "body": "[{\"id\": 0, \"body\": 7}]"}'
says 0 "no comment written: .*'body' is an integer" "a comment that is none" comment_on

### limits

pull
instead '{"on": "GET .*pulls", "status": 429, "headers": {"Retry-After": "1"}}' \
	'{"on": "POST", "status": 403, "headers": {"Retry-After": "1"}, "body": "{\"message\": \"secondary rate limit\"}"}'
says 0 'wrote a comment' "a rate limit that is over soon" comment_on
asked 2 '^POST' "... is waited for"
pull
instead '{"on": "GET .*pulls", "times": 99, "status": 429, "headers": {"Retry-After": "3600"}}'
says 0 'it asks to wait for 3600 s, and there is no time for that \(--timeout\): .*rate limit' "a rate limit that lasts" comment_on
asked 1 '^GET .*pulls' "... is not waited for"
pull
instead '{"on": "GET .*pulls", "times": 99, "status": 403, "headers": {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "99999999999"}}'
says 0 'it asks to wait for .*rate limit is used up' "a limit that is reset at a time" comment_on

### redirections

serve elsewhere
pull
for status in 301 302 307 308; do
	instead '{"on": "GET .*pulls", "times": 99, "status": '$status', "headers": {"Location": "http://127.0.0.1:'"$port"'/repos/o/r/pulls"}}'
	says 0 "answers $status: it is at another address, http://127.0.0.1:$port/repos/o/r/pulls; no token is sent there" "$status: a redirection" comment_on
done
instead '{"on": "POST", "times": 99, "status": 307, "headers": {"Location": "http://127.0.0.1:'"$port"'/repos/o/r/pulls"}}'
says 0 'no token is sent there' "a redirection of what is written" comment_on
ok "nobody came there" test ! -s "$tmp/elsewhere/requests"

### TLS

if command -v openssl >/dev/null &&
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
		-keyout "$tmp/key.pem" -out "$tmp/certificate.pem" >"$tmp/openssl" 2>&1; then
	cat "$tmp/key.pem" "$tmp/certificate.pem" >"$tmp/both.pem"
	serve tls "$tmp/both.pem"
	cp "$forge/state.json" "$tmp/tls/state.json"
	says 0 'no comment written: .*certificate' "a certificate that nobody vouches for is refused" \
		comment_on --api "https://127.0.0.1:$port"
	ok "... before anything is asked" test ! -s "$tmp/tls/requests"
	CURL_CA_BUNDLE=$tmp/certificate.pem
	export CURL_CA_BUNDLE
	says 0 'wrote a comment' "CURL_CA_BUNDLE" comment_on --api "https://127.0.0.1:$port"
	says 0 'no comment written: ' "... for its own name alone" comment_on --api "https://localhost:$port"
	unset CURL_CA_BUNDLE
	SSL_CERT_FILE=$tmp/certificate.pem
	export SSL_CERT_FILE
	says 0 'nothing to change' "SSL_CERT_FILE" comment_on --api "https://127.0.0.1:$port"
	unset SSL_CERT_FILE
else
	skip "TLS" "openssl cannot make a certificate"
fi
says 0 'no comment written: .*[Cc]onnect' "a server that is not there" comment_on --api http://127.0.0.1:1 --timeout 1

### where

for url in http://example.org ftp://127.0.0.1 https://u:p@127.0.0.1 'https://127.0.0.1/?a' 'https://127.0.0.1/#a' \
	'https://127.0.0.1/ x' "$(printf 'https://127.0.0.1/\r\nX: y')" https:// file:///etc/passwd nothing http://127.0.0.1.example.org; do
	says 2 'the address of GitHub \(--api\): ' "--api $(printf %s "$url" | tr -d '\r\n')" comment_on --api "$url"
done
lacks "$err" 'u:p' "a password in an address is not shown"
for name in r o/ /r o/r/x '../..' 'o/..' 'o r/x' 'o/r?x' 'o/r%2F' "$(printf 'o/r\r\n')" 'ö/r'; do
	says 2 'is no repository of GitHub' "--repository $(printf %s "$name" | tr -d '\r\n')" comment_on --repository "$name"
done
says 2 'it is github or gitlab' "--forge" comment_on --forge bitbucket
says 2 'at most 64' "--key" comment_on --key 'a b'
says 2 'at most 64' "--key that would end the marker" comment_on --key 'a--b'
says 2 'timeout: expected' "--timeout" comment_on --timeout 0
says 2 'neither a CI system nor the remote' "nothing tells where" env GITHUB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head"

pull
says 0 'wrote a comment on pull request 5 of o/r' "GitHub Actions tells where" env GITHUB_ACTIONS=true GITHUB_API_URL="$api" \
	GITHUB_REPOSITORY=o/r GITHUB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head"
says 2 'is no repository of GitHub' "... and is not believed" env GITHUB_ACTIONS=true GITHUB_API_URL="$api" \
	GITHUB_REPOSITORY=../../x GITHUB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head"
says 2 'has to begin with https' "... nor is its address" env GITHUB_ACTIONS=true GITHUB_API_URL=http://example.org \
	GITHUB_REPOSITORY=o/r GITHUB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head"
for remote in https://github.com/o/r.git git@github.com:o/r.git ssh://git@github.com:22/o/r https://x:y@github.com/o/r; do
	git remote remove origin 2>/dev/null
	git remote add origin "$remote"
	says 0 'nothing to change in the comment on pull request 5 of o/r' "the remote tells the repository: $remote" \
		env GITHUB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head" --api "$api"
done
git remote set-url origin https://gitlab.example.org/o/r.git
says 2 'neither a CI system nor the remote' "a remote of anybody's" env GITLAB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head"
mkdir "$tmp/bin"
printf '#!/bin/sh\nenv >"%s"\necho https://github.com/o/r\n' "$tmp/environment" >"$tmp/bin/git"
chmod +x "$tmp/bin/git"
says 0 'nothing to change' "git is asked" env PATH="$tmp/bin:$PATH" GH_TOKEN=x$token PERFGATE_TOKEN=$token GITHUB_TOKEN=y$token \
	"$PERFGATE" comment --from "$verdict" --head "$head" --api "$api"
ok "... and sees an environment" test -s "$tmp/environment"
lacks "$tmp/environment" "$token" "... without a token"
contains "$forge/requests" "Bearer $token" "PERFGATE_TOKEN comes first"
lacks "$forge/requests" "Bearer [xy]$token" "... before the others"

if [ -r /proc/self/cmdline ]; then
	instead '{"on": "GET", "times": 99, "act": "hang"}'
	: >"$forge/calls"
	comment_on --timeout 20 >"$tmp/hanging" 2>&1 &
	pid=$!
	for _ in $(seq 200); do
		[ -s "$forge/calls" ] && break
		sleep 0.05
	done
	cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' >"$tmp/cmdlines"
	lacks "$tmp/cmdlines" "$token" "no command line holds the token"
	for child in $(cat "/proc/$pid/task/$pid/children" 2>/dev/null); do
		kill "$child"
	done
	kill $pid 2>/dev/null
	wait $pid 2>/dev/null
else
	skip "no command line holds the token" "there is no /proc"
fi

### GitLab

gitlab()
{
	holds "{\"login\": \"project_7_bot\", \"per_page\": 2, \"pulls\": [{\"number\": 5, \"sha\": \"$head\"}], \"comments\": [$1]}"
}
gitlab
says 0 'wrote a comment on merge request 5 of 7' "GitLab: a comment" comment_gitlab --status
body 0 >"$tmp/got.md"
same "$tmp/expected.md" "$tmp/got.md" "... is what --dry-run says"
contains "$forge/requests" '"Authorization": "Bearer '$token'"' "... sent with the token"
contains "$forge/requests" "statuses/$head.*failed.*FAIL, 1 regressed" "... and a status"
project=g/s/p says 0 'nothing to change in the comment on merge request 5 of g/s/p' "GitLab: a project by its name" comment_gitlab
asked 1 '^GET /api/v4/projects/g%2Fs%2Fp/merge_requests/5/notes' "... which is encoded"
verdict=$tmp/other.json says 0 'updated the comment' "GitLab: another verdict" comment_gitlab
asked 1 '^PUT /api/v4/projects/7/merge_requests/5/notes/1$' "... updates it"
gitlab "$many{\"id\": 6, \"login\": \"project_7_bot\", $marked}"
says 0 'updated the comment' "GitLab: a marker on page 3" comment_gitlab
asked 3 '^GET /api/v4/projects/7/merge_requests/5/notes' "... three pages are read"
gitlab "{\"id\": 1, \"login\": \"mallory\", $marked}"
says 0 'wrote a comment' "GitLab: a person's comment with the marker" comment_gitlab
holds "{\"fork\": true, \"per_page\": 1, \"pulls\": [{\"number\": 4, \"sha\": \"$other\"}, {\"number\": 5, \"sha\": \"$head\"}], \"comments\": []}"
says 0 'wrote a comment on merge request 5' "GitLab: a fork's" comment_gitlab
gitlab
says 0 'wrote a comment' "GitLab: --request" comment_gitlab --request 5
holds "{\"pulls\": [{\"number\": 5, \"sha\": \"$other\", \"older\": [\"$head\"]}], \"comments\": []}"
says 0 'a newer commit than' "GitLab: the head has moved" comment_gitlab
gitlab
instead '{"on": "POST", "status": 403, "body": "{\"message\": \"403 Forbidden\"}"}' '{"on": "POST", "status": 400, "body": "{\"message\": {\"note\": [\"is too long\"]}}"}'
says 0 'no comment written: .*403 Forbidden.*scope api' "GitLab: no right" comment_gitlab
says 0 'answers 400 .*is too long' "GitLab: a message that is an object" comment_gitlab
says 0 'wrote a comment on merge request 5 of 7' "GitLab CI tells where" env GITLAB_CI=true CI_API_V4_URL="$api/api/v4" CI_PROJECT_ID=7 \
	CI_JOB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head"
contains "$forge/requests" '"JOB-TOKEN": "'$token'"' "... and a job's token is sent as one"
says 0 'nothing to change in the comment on merge request 5 of 7' "... of a fork's request, too" env GITLAB_CI=true \
	CI_API_V4_URL="$api/api/v4" CI_PROJECT_ID=8 CI_MERGE_REQUEST_PROJECT_ID=7 CI_JOB_URL=https://gitlab.example.org/j/7 \
	GITLAB_TOKEN=$token "$PERFGATE" comment --from "$verdict" --head "$head" --status
contains "$forge/requests" 'target_url[^,]*https://gitlab.example.org/j/7' "... and the status leads to the job"
for name in '' p /p p/ 'a//b' '../x' 'a/..' 'a?b/c' 'a%2Fb/c'; do
	project=$name
	[ -z "$name" ] || says 2 'is no repository of GitLab' "GitLab: --repository $name" comment_gitlab
done
project=

### verdicts that are none, or hostile

# refused REGEX NAME: $tmp/bad.json is refused before anybody is asked
refused()
{
	: >"$forge/calls"
	verdict=$tmp/bad.json says 2 "$1" "refused: $2" comment_on
	asked 0 . "... nobody is asked"
}
cp "$tmp/gate.md" "$tmp/bad.json" && refused 'bad\.json:1: ' "markdown"
: >"$tmp/bad.json" && refused 'bad\.json:' "nothing"
echo '{}' >"$tmp/bad.json" && refused "lacks 'schema'" "an empty object"
echo '[]' >"$tmp/bad.json" && refused "bad\.json:1: " "an array"
sed 's/"version": 1/"version": 2/' "$verdict" >"$tmp/bad.json" && refused "'version' is not 1" "another version"
sed 's/"exit": 1/"exit": 0/' "$verdict" >"$tmp/bad.json" && refused 'this file was changed' "another status"
sed 's/"gates": true/"gates": false/; s/"exit": 1/"exit": 0/' "$verdict" >"$tmp/bad.json" && refused 'this file was changed' "a regression that is said not to gate"
sed "s/\"notes\": /\"x\": $(printf '%0200d' 0 | tr 0 '['), &/" "$verdict" >"$tmp/bad.json" && refused 'bad\.json:' "deep nesting"
printf '{"schema": "%01000000d"}' 0 >"$tmp/bad.json" && refused "'schema' is not" "a giant string"
sed 's/"benchmark": "parse"/"benchmark": "'"$(printf %05000d 0)"'"/' "$verdict" >"$tmp/bad.json" && refused 'more than 4096 bytes' "a giant name"
head -c 300 "$verdict" >"$tmp/bad.json" && refused 'bad\.json:' "half of one"
is_status 2 "$PERFGATE" comment --from "$tmp/nowhere.json" --head "$head" -n
contains "$err" 'nowhere\.json: No such file' "a file that is not there"

hostile='@team <img src=x> [x](javascript:y) ![i](http://evil.example/i.png) #123 ``` | `x` </code> www.evil.example -->'
python3 -c 'import json, sys
v = json.load(open(sys.argv[1]))
evil = sys.argv[3]
v["notes"] += ["/approve", "```", "/close", "~~~", "    /merge", evil, "</details>", "\u001b[2J", "\u202e"]
v["next"] += ["```\n/approve"]
v["policy_changes"] += ["/label ~x", "````"]
v["head"]["subject"] = v["base"]["subject"] = v["base"]["why"] = "/approve\n" + evil
v["verdicts"][0]["benchmark"] = "/approve " + evil
v["verdicts"][0]["metric"] = "/approve\n@team"
v["verdicts"][0]["reason"] = "\n/close\n```\n" + evil
v["verdicts"][0]["unit"] = evil
json.dump(v, open(sys.argv[2], "w"))' "$verdict" "$tmp/hostile.json" "$hostile" || fail "set-up: a hostile verdict"
pull
verdict=$tmp/hostile.json says 0 'wrote a comment' "a hostile verdict" comment_on
body 0 >"$tmp/got.md"
lacks "$tmp/got.md" '^/' "no line is a quick action"
is "" "$(steering "$tmp/got.md")" "nothing steers a terminal"
"$TEST_AWK" '
	fence && /^```+$/ && length($0) >= fence { fence = 0; next }
	!fence && /^```+[a-z]*$/ { fence = match($0, /[a-z]/) ? RSTART - 1 : length($0); next }
	!fence { print }
	END { if (fence) print "<a block is open>" }
' "$tmp/got.md" | sed -e 1d -e 's/<code>//g; s/<\/code>//g; s/<br>//g; s/<\/*details>//g; s/<\/*summary>//g; s/<!-- -->//g' >"$tmp/prose"
lacks "$tmp/prose" '[<>`@]|\]\(|javascript:|https?:|www\.|!\[' "no mention, link, image or HTML outside of blocks"
is 1 "$(grep -c '^<!--' "$tmp/got.md")" "and one marker"
done_testing
