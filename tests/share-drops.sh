# Dropped runs on a shared branch, and drops that were undone: of the two the later holds for all,
# and what was stored again on purpose comes to no harm.
. "${srcdir:-.}/tests/lib.sh"
. "$srcdir/tests/repo.sh"

remote=$work/remote.git
url=file://$remote
git init -q --bare "$remote"
repository a
git remote add origin "$url"
change one
measure 100 --runner lab --session s1
kpi parse allocs_per_op=100 >"$tmp/one.json"
git push -q origin HEAD
git clone -q "$url" "$work/b"
git clone -q "$url" "$work/c"

# share A|B|C push|fetch|...: a store command there, which has to work.
share()
{
	( cd "$work/$1" && shift && "$PERFGATE" store "$@" >"$tmp/share.log" 2>&1 ) && return
	fail "set-up: store $*"
	comment <"$tmp/share.log"
}

# How many runs a clone's store has.
runs()
{
	( cd "$work/$1" && "$PERFGATE" store export ) 2>"$tmp/runs.err" | grep -c '^{"run":'
}

again()
{
	( cd "$work/$1" && ingest --runner lab --session s1 "$tmp/one.json" )
}

export_of()
{
	( cd "$work/$1" && "$PERFGATE" store export ) >"$2" 2>"$tmp/runs.err"
}

digest=$("$PERFGATE" store export | sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p')
share a push
share b fetch
share c fetch
is "1 1 1" "$(runs a) $(runs b) $(runs c)" "all three have the run"

### dropped, pushed, undone, stored again

share a drop --session s1
share a push
share a drop --undo "$digest"
again a
is 1 "$(runs a)" "a drop that was pushed is undone, and the run stored again"
share a fetch
is 1 "$(runs a)" "a fetch does not drop it again"
share a fetch --all
is 1 "$(runs a)" "nor does one that reads all again"
share b fetch
is 0 "$(runs b)" "elsewhere the drop arrives"
share a push
contains "$tmp/share.log" "^pushed 1 session \(1 run\) to" "the run goes to the branch once more"
share b fetch
is 1 "$(runs b)" "and comes back where it was dropped"
share c fetch
is 1 "$(runs c)" "and stays where neither was known"
export_of a "$tmp/ea"
export_of b "$tmp/eb"
export_of c "$tmp/ec"
same "$tmp/ea" "$tmp/eb" "all stores are equal: a and b"
same "$tmp/ea" "$tmp/ec" "a and c"
share b push
contains "$tmp/share.log" "^nothing new for" "nobody has anything to push back"

### undone without being stored again

share a drop --session s1
share a push
share b fetch
is 0 "$(runs b)" "dropped once more"
share a drop --undo "$digest"
is 0 "$(runs a)" "an undoing alone brings nothing back"
share a fetch
is 1 "$(runs a)" "but the next fetch does, from the branch"
share b fetch
is 0 "$(runs b)" "others know nothing of it yet"
share b drop --undo "$digest"
share b push
contains "$tmp/share.log" "^pushed 1 undone drop to .*" "an undone drop is pushed"
share c fetch
is 1 "$(runs c)" "who gets both in one fetch has the run"
share a push
share b fetch
is 1 "$(runs b)" "and so has who undid it"

### the later one, whoever pushes first

share a drop --session s1
cp -r "$work/a/.git/perfgate" "$tmp/dropped"
share a drop --undo "$digest"
again a
share a push
share b fetch
is 1 "$(runs b)" "the undoing arrives before the drop"
rm -rf "$work/d" && git clone -q "$url" "$work/d" && cp -r "$tmp/dropped" "$work/d/.git/perfgate"
share d push
share b fetch
share a fetch
is "1 1" "$(runs a) $(runs b)" "a drop that is older than its undoing drops nothing"
share d fetch
is 1 "$(runs d)" "and is undone where it was made"
share c fetch
is 1 "$(runs c)" "the order of pushes does not matter"
share b drop --session s1
share b push
share a fetch
is 0 "$(runs a)" "a drop after it drops"
share a drop --undo "$digest"
again a
share a push & share d push & wait
for clone in a b c d; do
	share $clone fetch
done
is "1 1 1 1" "$(runs a) $(runs b) $(runs c) $(runs d)" "undone again, for all"
for clone in b c d; do
	export_of a "$tmp/ea"
	export_of $clone "$tmp/eb"
	same "$tmp/ea" "$tmp/eb" "equal stores: a and $clone"
done

### compaction

share c drop --session s1
share c push
share c drop --undo "$digest"
share c push
contains "$tmp/share.log" "undone drop" "undone, but not stored again"
share b fetch
is 1 "$(runs b)" "the branch still holds it"
share a push --compact
rm -rf "$work/e" && git clone -q "$url" "$work/e"
share e fetch
is 1 "$(runs e)" "compaction keeps what was undone"
share e push
contains "$tmp/share.log" "^nothing new for" "and what it has is known to be there"
share b drop --session s1
share b push --compact
rm -rf "$work/e" && git clone -q "$url" "$work/e"
share e fetch
is 0 "$(runs e)" "compaction keeps what was dropped dropped"
is 0 "$(git -C "$remote" grep -h '^{"run"' perfgate-data -- data | wc -l | tr -d ' ')" "and out of the branch"
share a drop --session s1
share a drop --undo "$digest"
again a
share a push
share e fetch
is 1 "$(runs e)" "a run that compaction took out can be stored and pushed again"

### merge and export

export_of a "$tmp/ea"
( cd "$work/e" && "$PERFGATE" ingest --store "$tmp/new.db" "$tmp/ea" ) >"$out" 2>"$err"
"$PERFGATE" store export --store "$tmp/new.db" >"$tmp/en"
same "$tmp/ea" "$tmp/en" "exports carry it along"
"$PERFGATE" store merge --store "$tmp/merged.db" "$tmp/dropped/store.db" "$work/a/.git/perfgate/store.db" >"$out" 2>"$err"
is 1 "$("$PERFGATE" store export --store "$tmp/merged.db" | grep -c '^{"run"')" "merging: an older drop"
rm -f "$tmp/merged.db"*
"$PERFGATE" store merge --store "$tmp/merged.db" "$work/a/.git/perfgate/store.db" "$tmp/dropped/store.db" >"$out" 2>"$err"
is 1 "$("$PERFGATE" store export --store "$tmp/merged.db" | grep -c '^{"run"')" "in either order"
is 0 "$("$PERFGATE" store info --store "$tmp/merged.db" | grep -c ^dropped)" "nothing counts as dropped"
future='{"tombstone":{"commit":"'$sha'","tree_state":"clean","runner":"lab","digest":"'$digest'","dropped_at":"2200-01-01T00:00:00Z"}}'
{ echo '{"perfgate":"export","version":1}'; echo "$future"; } >"$tmp/future.json"
cd "$work/a" || exit 99
ok "a drop of a clock that was wrong" "$PERFGATE" ingest "$tmp/future.json"
is 0 "$(runs a)" "drops"
share a drop --undo "$digest"
again a
is 1 "$(runs a)" "and can be undone"
share a push
share b fetch
is 1 "$(runs b)" "for all"
share b drop --session s1
share b push
share a fetch
is "0 0" "$(runs a) $(runs b)" "and dropped again"
done_testing
