# A store that is damaged, foreign, too new, read-only, no file or not there: exit 2, what to do is
# said, and nothing is touched.
. "${srcdir:-.}/tests/lib.sh"
need sqlite3

sha=1111111111111111111111111111111111111111
cat >doc.json <<JSON
{"perfgate":"export","version":1}
{"commit":"$sha","tree":null,"committed_at":"2026-05-12T09:14:00Z","parents":[]}
{"run":{"commit":"$sha","branch":"main","session":"s","runner":{"key":"r"},"suite":"kpi","format":"kpi","ingested_at":"2026-05-12T09:20:00Z"}}
{"benchmark":"parse","metric":"allocs_per_op","unit":"count","direction":"lower","values":[118,119,1234567,0.5]}
JSON
ok "a good store" "$PERFGATE" ingest --store good.db doc.json
ok "in one file" "$PERFGATE" store snapshot --store good.db whole.db

# trouble FILE REGEX: each command over a copy of FILE exits 2, says REGEX and changes nothing.
trouble()
{
	for arguments in "log" "show parse $sha" "gate $sha $sha" "store check" "store info" "store export" \
		"store snapshot snapshot.db" "store drop --commit $sha" "store drop --undo 123456" \
		"store merge good.db" "ingest doc.json"; do
		rm -rf copy.db* && cp -R "$1" copy.db
		run "$PERFGATE" $arguments --store copy.db
		status=$?
		if [ $status -ne 2 ]; then
			fail "$1: $arguments: exit status $status"
			show_output
		elif ! grep -qE "^perfgate: .*($2)" "$err"; then
			fail "$1: $arguments: does not say '$2'"
			show_output
		elif ! diff -r "$1" copy.db >/dev/null || [ -e snapshot.db ]; then
			fail "$1: $arguments: changed something"
			ls -l | comment
		else
			pass "$1: $arguments"
		fi
	done
}

echo "some text that is no database, long enough to be looked at: $(seq 1 200 | tr '\n' ' ')" >text
trouble text "not a perfgate store.*--store names another"

cp whole.db header.db && printf 'XXXXXXXXXXXXXXXX' | dd of=header.db conv=notrunc 2>/dev/null
trouble header.db "not a perfgate store.*--store names another"

dd if=whole.db of=cut.db bs=1000 count=20 2>/dev/null
trouble cut.db "damaged.*left as it is.*snapshot"

sqlite3 foreign.db "CREATE TABLE note (text)"
trouble foreign.db "of another program, left as it is; --store names another"

cp whole.db newer.db && sqlite3 newer.db "PRAGMA user_version = 3"
trouble newer.db "newer perfgate.*install"

for change in id=-5 id=9223372036854775807 sample_count=9223372036854775807 sample_count=-1; do
	cp whole.db number.db && sqlite3 number.db "PRAGMA foreign_keys = OFF; UPDATE run SET $change"
	for arguments in log trend "publish site" "gate $sha $sha" "store export"; do
		is_status 2 "$PERFGATE" $arguments --store number.db
		contains "$err" "^perfgate: .*damaged: a run has the number .* samples$" "$change: $arguments"
	done
done

endless="WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
cp whole.db views.db
sqlite3 views.db "DROP TABLE sample; CREATE VIEW sample AS $endless SELECT 1 AS run_id, 1 AS series_id, x AS ordinal, 1 AS value FROM c"
trouble views.db "damaged: sample is a view that perfgate did not make"
cp whole.db other.db
sqlite3 other.db "DROP VIEW run_v; CREATE VIEW run_v AS $endless SELECT x AS id FROM c"
trouble other.db "damaged: run_v is a view that perfgate did not make"
cp whole.db more.db && sqlite3 more.db "CREATE VIEW mine AS SELECT * FROM run_v; CREATE INDEX my ON run (session)"
ok "views and indexes of one's own do no harm" "$PERFGATE" log --store more.db

mkdir folder
trouble folder "a folder, not a store; --store names another"

: >empty.db
for arguments in "log" "gate $sha $sha" "store check" "store export"; do
	is_status 2 "$PERFGATE" $arguments --store empty.db
	contains "$err" "empty file, not a store" "and says that it is empty"
done
is "" "$(cat empty.db)" "reading an empty file leaves it empty"
ok "ingest makes a store of it" "$PERFGATE" ingest --store empty.db doc.json

# ---- damage in the middle ----

cp whole.db pages.db
ok "a store with a log" "$PERFGATE" ingest --store pages.db doc.json
dd if=/dev/zero bs=8192 seek=3 count=30 conv=notrunc of=pages.db 2>/dev/null
for arguments in "log" "gate $sha $sha" "store check" "store export" "ingest doc.json" "store merge good.db"; do
	rm -rf copy.db* && cp pages.db copy.db
	is_status 2 "$PERFGATE" $arguments --store copy.db
	contains "$err" "damaged.*left as it is|finding.*left as it is" "it says what to do"
	same pages.db copy.db "and leaves it alone"
	rm -f copy.db*
done
run "$PERFGATE" store check --store pages.db
lacks "$out" '\\x0a' "store check prints a finding a line"

# One value each: SQLite sees nothing wrong, the digest does.
for change in "UPDATE sample SET value = 117 WHERE value = 118" "UPDATE sample SET value = 118.0 WHERE value = 118" \
	"DELETE FROM sample WHERE ordinal = 3" "UPDATE sample SET ordinal = 7 - ordinal" \
	"UPDATE benchmark SET name = 'parsE'" "UPDATE metric SET direction = 'higher'" "UPDATE metric SET unit = ''" \
	"UPDATE series SET variant = 'x'" "UPDATE run SET suite = 'kpj'" "UPDATE run SET component = 'x'" \
	"UPDATE run SET format_version = '2'" "UPDATE run SET started_at = 0" "UPDATE run SET sample_count = 5" \
	"UPDATE run SET digest = '0' || substr(digest, 2)" "INSERT INTO absence SELECT 1, 1, 'error', ''" \
	"UPDATE sample SET value = 'text' WHERE value = 118" "UPDATE sample SET value = x'00' WHERE value = 118" \
	"UPDATE sample SET series_id = 99" "UPDATE commit_ SET parent_count = 2" "DELETE FROM series" \
	"UPDATE series SET id = -5; UPDATE sample SET series_id = -5" \
	"UPDATE series SET id = 1 << 60; UPDATE sample SET series_id = 1 << 60" \
	"DELETE FROM runner" "DELETE FROM commit_" "DELETE FROM benchmark"; do
	cp whole.db flipped.db
	sqlite3 flipped.db "PRAGMA foreign_keys = OFF; $change"
	run "$PERFGATE" store check --store flipped.db
	status=$?
	if [ $status -eq 2 ] && cat "$out" "$err" | grep -qE 'has changed|samples, recorded|damaged|refers to'; then
		pass "store check finds: $change"
	else
		fail "store check finds: $change"
		show_output
	fi
done
# What is no number never becomes one.
for change in "UPDATE sample SET value = 'text'" "UPDATE sample SET value = -9e999" "UPDATE series SET id = -5; UPDATE sample SET series_id = -5" \
	"UPDATE series SET id = 1 << 60; UPDATE sample SET series_id = 1 << 60" "UPDATE commit_ SET parent_count = 2"; do
	cp whole.db flipped.db
	sqlite3 flipped.db "PRAGMA foreign_keys = OFF; $change"
	for arguments in "show parse $sha" "store export"; do
		is_status 2 timeout 20 "$PERFGATE" $arguments --store flipped.db
		contains "$err" "damaged" "damaged after: $change"
	done
	rm -f into.db*
	is_status 2 timeout 20 "$PERFGATE" store merge flipped.db --store into.db
	is "" "$(sqlite3 into.db 'SELECT * FROM run')" "a merge that failed left nothing"
done

# A byte of the file itself, at places all over it.
size=$(wc -c <whole.db)
i=1 unseen=0
while [ $i -le 60 ]; do
	at=$((size * i / 61))
	cp whole.db flipped.db
	printf '\245' | dd of=flipped.db bs=1 seek=$at conv=notrunc 2>/dev/null
	run timeout 20 "$PERFGATE" store check --store flipped.db
	status=$?
	if [ $status -ne 0 ] && [ $status -ne 2 ]; then
		fail "byte $at changed: exit status $status"
		show_output
	fi
	[ $status -eq 0 ] || : $((unseen += 1))
	run "$PERFGATE" store export --store flipped.db
	status2=$?
	[ $status2 -eq 0 ] || [ $status2 -eq 2 ] || fail "byte $at changed: export exits $status2"
	if [ $status -eq 0 ]; then
		# what is in no use may change unseen
		"$PERFGATE" store export --store whole.db >expected
		cmp -s expected "$out" || { fail "byte $at changed unseen"; show_output; }
	fi
	i=$((i + 1))
done
pass "$unseen of 60 changed bytes mattered, and store check said so"

# A snapshot in the place of the store: readers do not keep writers waiting.
cp whole.db placed.db
ok "a snapshot serves as a store" "$PERFGATE" ingest --store placed.db doc.json
is wal "$(sqlite3 placed.db 'PRAGMA journal_mode')" "and has a log from then on"
ok "a store is merged into itself" timeout 20 "$PERFGATE" store merge --store placed.db placed.db
contains "$out" "0 new runs, 1 already here" "which adds nothing"

# ---- where there is no store ----

for arguments in "log" "show parse $sha" "gate $sha $sha" "store check" "store info" "store export" "store snapshot x.db" \
	"store drop --dry-run --commit $sha"; do
	is_status 2 "$PERFGATE" $arguments --store absent.db
	contains "$err" "^perfgate: absent.db: there is no store yet; 'perfgate ingest' creates it from.*'perfgate store fetch'" "it names the path, and what makes one"
	fails "and creates none" test -e absent.db
done
is_status 2 "$PERFGATE" ingest --store no/such/store.db doc.json
contains "$err" "no/such/store.db: the folder no does not exist; create it, or name another store with --store" "it names the folder"
fails "and creates none" test -e no
is_status 2 "$PERFGATE" ingest --store good.db/store.db doc.json
is_status 2 "$PERFGATE" store merge --store good.db absent.db
contains "$err" "absent.db: there is no store" "merge names what is not there"
is_status 2 "$PERFGATE" store snapshot --store good.db no/copy.db
is_status 2 "$PERFGATE" store snapshot --store good.db whole.db
contains "$err" "whole.db: exists already" "a snapshot overwrites nothing"
is_status 2 "$PERFGATE" ingest --store good.db no.json

# Names that mean something to SQLite are only names.
for name in ":memory:" "file:x.db?mode=memory" "a?b#c%41.db" "-x.db" "//$PWD/double.db"; do
	ok "a store called $name" "$PERFGATE" ingest --store="$name" doc.json
	ok "is a file" test -s "$name"
	ok "that is found again" "$PERFGATE" store check --store="$name"
	rm -f -- "$name" "$name"-*
	ok "a snapshot called $name" "$PERFGATE" store snapshot --store good.db -- "$name"
	ok "is a file" test -s "$name"
	rm -f -- "$name"
done

# ---- special files ----

mkfifo pipe.db
ln -s nowhere.db dangling.db
ln -s loop.db loop.db
for name in pipe.db /dev/null /dev/full /dev/zero loop.db; do
	for arguments in "log" "ingest doc.json" "store merge good.db"; do
		is_status 2 timeout 10 "$PERFGATE" $arguments --store $name
		contains "$err" "^perfgate: $name: " "it names $name"
	done
done
is_status 2 timeout 10 "$PERFGATE" store merge --store good.db pipe.db
is_status 2 "$PERFGATE" log --store dangling.db
PERFGATE_STORE=relative.db
export PERFGATE_STORE
ok "a relative path" "$PERFGATE" ingest doc.json
mkdir -p sub && cd sub || exit 99
is_status 2 "$PERFGATE" log
cd ..
ok "is taken from the current folder" "$PERFGATE" log
PERFGATE_STORE=pipe.db
is_status 2 timeout 10 "$PERFGATE" log
PERFGATE_STORE=folder
is_status 2 "$PERFGATE" log
unset PERFGATE_STORE
done_testing
