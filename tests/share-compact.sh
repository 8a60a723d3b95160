# Compaction of a shared branch while others push, compact and fetch: nothing is lost, and the branch
# only ever moves forward.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

remote=$work/remote.git
git init -q --bare "$remote"
git -C "$remote" config receive.denyNonFastForwards true
git -C "$remote" config core.logAllRefUpdates true
repository a
git remote add origin "$remote"
change one

# job NAME: a store of its own with one session.
job()
{
	kpi parse allocs_per_op="$1" >"$tmp/k.json"
	ingest --store "$tmp/job$1.db" --runner lab --session "job$1" "$tmp/k.json"
}

# Digests of the runs in a store.
runs_of()
{
	"$PERFGATE" store export --store "$1" | sed -n 's/^{"run.*"digest":"\([0-9a-f]*\)".*/\1/p' | sort
}

for i in 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
	job $i
	runs_of "$tmp/job$i.db"
done | sort >"$tmp/expected"
for i in 11 12 13 14; do
	"$PERFGATE" store push --store "$tmp/job$i.db" >"$tmp/log$i" 2>&1
done
for i in 15 16 17 18 19 20 21 22; do
	"$PERFGATE" store push --store "$tmp/job$i.db" >"$tmp/log$i" 2>&1 &
done
for i in 23 24 11; do
	"$PERFGATE" store push --compact --store "$tmp/job$i.db" >"$tmp/log-c$i" 2>&1 &
done
for i in 1 2 3 4; do
	"$PERFGATE" store fetch --store "$tmp/reader$i.db" >"$tmp/log-r$i" 2>&1 || echo "reader $i failed" >>"$tmp/readers"
done
wait
cat "$tmp"/log[0-9]* "$tmp"/log-c* >"$out"
lacks "$out" '^perfgate: [^n]|^perfgate: n[^o]' "8 pushes and 3 compactions at once: none fails"
ok "readers in the middle are right" test ! -e "$tmp/readers"
ok "fetch" "$PERFGATE" store fetch --store "$tmp/all.db"
runs_of "$tmp/all.db" >"$tmp/got"
same "$tmp/expected" "$tmp/got" "all runs are there"
ok "a reader of before" "$PERFGATE" store fetch --store "$tmp/reader1.db"
runs_of "$tmp/reader1.db" >"$tmp/got"
same "$tmp/expected" "$tmp/got" "has them all after another fetch"
git -C "$remote" log --format=%H perfgate-data | sort >"$tmp/history"
cut -d ' ' -f 2 "$remote/logs/refs/heads/perfgate-data" 2>/dev/null | sort >"$tmp/moves"
is "$(git -C "$remote" rev-list --count perfgate-data)" "$(git -C "$remote" rev-list --count --first-parent perfgate-data)" "history is one line of commits"
is "" "$(comm -13 "$tmp/history" "$tmp/moves")" "every state that the branch had is part of it"
ok "the branch is in order" git -C "$remote" fsck --strict
for i in 11 15 22 24; do
	"$PERFGATE" store push --store "$tmp/job$i.db"
done >"$out" 2>&1
is 4 "$(grep -c '^nothing new for origin, 1 session there already$' "$out")" "nobody has anything to push again"
ok "compact" "$PERFGATE" store push --compact --store "$tmp/job11.db"
tip=$(git -C "$remote" rev-parse perfgate-data)
ok "compact again" "$PERFGATE" store push --compact --store "$tmp/job12.db"
contains "$out" "^nothing to put together on origin$" "there is nothing to do"
is "$tip" "$(git -C "$remote" rev-parse perfgate-data)" "and no commit for it"
is "1 1" "$(git -C "$remote" ls-tree -r --name-only perfgate-data | grep -c ^data/) $(git -C "$remote" ls-tree -r --name-only perfgate-data | grep -c ^names/)" "one file and one list"
is "$(git -C "$remote" ls-tree -r --name-only perfgate-data -- names)" "names/$(git -C "$remote" show "perfgate-data:$(git -C "$remote" ls-tree -r --name-only perfgate-data -- names)" | sha256sum | cut -d ' ' -f 1).txt" "the list is what its name says"

### large files

# 40 MiB of a session, which are left as they are beside the small ones.
"$TEST_AWK" -v sha="$sha" 'BEGIN {
	print "{\"perfgate\":\"export\",\"version\":1}"
	printf "{\"run\":{\"commit\":\"%s\",\"session\":\"large\",\"runner\":{\"key\":\"lab\"},\"suite\":\"kpi\",\"format\":\"kpi\",\"ingested_at\":\"2026-01-01T00:00:00Z\"}}\n", sha
	for (i = 0; i < 2200; i++) {
		printf "{\"benchmark\":\"b%d\",\"metric\":\"allocs\",\"unit\":\"count\",\"direction\":\"lower\",\"values\":[0", i
		for (k = 1; k < 1000; k++)
			printf ",123456789012%06d", (i * 1000 + k) % 1000000
		print "]}"
	}
}' >"$tmp/large.json"
ingest --store "$tmp/large.db" "$tmp/large.json"
ok "push a large session" "$PERFGATE" store push --store "$tmp/large.db"
job 25
ok "compact beside it" "$PERFGATE" store push --compact --store "$tmp/job25.db"
contains "$out" "^put 2 files on origin together into one$" "without it"
is 2 "$(git -C "$remote" ls-tree -r --name-only perfgate-data -- data | wc -l | tr -d ' ')" "it stays"
rm -f "$tmp/all.db"*
ok "fetch all" "$PERFGATE" store fetch --store "$tmp/all.db"
contains "$out" "^fetched 16 sessions" "of it"
done_testing
