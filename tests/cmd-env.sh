# perfgate env: commit, runner, session and facts as JSON.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"
need jq

env_is()
{
	if "$PERFGATE" env >"$out" 2>"$err" && jq -e "$1" "$out" >"$tmp/jq" 2>&1; then
		pass "$1"
	else
		fail "$1"
		show_output
	fi
}

env_is '.schema == "perfgate/env" and .version == 1'
env_is '.commit == null and .branch == null and .tree_state == "clean"'
env_is '(.runner.key | type) == "string" and .runner.key != ""'
env_is '.runner.key | test("/[0-9]+ cores/[0-9]+GiB$")'
env_is '(.session | startswith("boot/"))'
env_is '.facts.os == "Linux" and (.facts.kernel | length) > 0 and .facts.logical_cores >= 1 and .facts.memory_bytes > 0'
arch=$(uname -m)
env_is '.facts.arch == "'"$arch"'" and (.runner.key | startswith("'"$arch"'/"))'
# clock speed, host name, kernel are facts, never part of the key
env_is '.facts.host as $h | .runner.key | contains($h) | not'
env_is '.facts.kernel as $k | .runner.key | contains($k) | not'
first=$(jq -r .session "$out")
"$PERFGATE" env >"$out"
is "$first" "$(jq -r .session "$out")" "the session stays"

repository r
env_is '.commit == null and .tree_state == "clean"'
change one && one=$sha
change two
env_is '.commit.sha == "'"$sha"'" and .commit.parents == ["'"$one"'"] and .commit.tree == "'"$(git rev-parse 'HEAD^{tree}')"'"'
env_is '.commit.committed_at == "2026-01-01T00:02:00Z" and .branch == "main" and .tree_state == "clean"'
touch untracked
env_is '.tree_state == "clean"'
echo more >>file
env_is '.tree_state | test("^dirty:[0-9a-f]{64}$")'
ok "--clean" sh -c '"$0" env --clean | jq -e ".tree_state == \"clean\""' "$PERFGATE"
git checkout -q file
ok "--dirty" sh -c '"$0" env --dirty | jq -e ".tree_state | startswith(\"dirty:\")"' "$PERFGATE"
printf '[ingest]\nignore-dirty = file\n' >perfgate.conf
echo more >>file
env_is '.tree_state == "clean"'
git checkout -q file
ok "options" sh -c '"$0" env --runner lab --session night --branch topic | jq -e ".runner.key == \"lab\" and .session == \"night\" and .branch == \"topic\""' "$PERFGATE"
git checkout -q --detach
env_is '.branch == null'
git checkout -q --orphan nothing
env_is '.commit == null'
git checkout -q -f main
is_status 2 "$PERFGATE" env operand

# what it prints is what ingest uses elsewhere
"$PERFGATE" env --runner 'lab "7"' --session night --branch topic >"$tmp/env.json"
mkdir "$work/elsewhere" && cd "$work/elsewhere"
kpi parse allocs_per_op=1 >a.json
ok "ingest --env" "$PERFGATE" ingest --store s.db --env "$tmp/env.json" a.json
"$PERFGATE" log --store s.db --json >"$out"
ok "the run belongs where it was measured" jq -e '.[0] | .commit == "'"$(cd ../r && git rev-parse HEAD)"'" and .runner == "lab \"7\"" and .session == "night" and .branch == "topic" and .tree_state == "clean" and .facts.machine.os == "Linux"' "$out"
done_testing
