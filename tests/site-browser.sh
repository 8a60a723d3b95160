# The published site in a browser: Debian's Chromium, driven by playwright-core (ci/fetch-npm).
# PERFGATE_SCREENSHOTS names a folder for pictures of the pages.
shots=${PERFGATE_SCREENSHOTS-}
. "${srcdir:-.}/tests/lib.sh"

need node
chromium=
for name in chromium chromium-browser google-chrome; do
	[ -n "$chromium" ] || chromium=$(command -v $name)
done
[ -n "$chromium" ] || skip_all "Chromium is not installed"
[ -d "$srcdir/tests/node_modules/playwright-core" ] ||
	skip_all "playwright-core was not fetched (ci/fetch-npm playwright-core)"
[ -f "$srcdir/share/uplot/uPlot.iife.min.js" ] || skip_all "uPlot was not fetched (ci/fetch-npm uplot)"

git init -q repository && cd repository || exit 99
git remote add origin https://github.com/owner/repository.git
i=0
while [ $i -lt 48 ]; do
	clock=$((clock + 86400))
	commit "change $i"
	i=$((i + 1))
done
git log --reverse --date=format:%Y-%m-%dT%H:%M:%SZ --format='%H %cd' >"$tmp/commits"
node "$srcdir/tests/site-samples.js" <"$tmp/commits" >"$tmp/samples.ndjson"
ok "numbers are stored" "$PERFGATE" ingest "$tmp/samples.ndjson"
ok "a site is published" env PERFGATE_DATA="$srcdir/share" "$PERFGATE" publish "$tmp/site"
cd "$work" || exit 99

run env CHROMIUM="$chromium" PERFGATE_SCREENSHOTS="$shots" node "$srcdir/tests/site-browser.js" "$tmp/site"
while read -r verdict name; do
	case $verdict in
	ok) pass "$name" ;;
	not) fail "${name#ok }" ;;
	skip) skip "${name%%: *}" "${name#*: }" ;;
	\#) echo "# $name" ;;
	esac
done <"$out"
is done "$(tail -n 1 "$out")" "every check in the browser was made"
[ "$(tail -n 1 "$out")" = done ] || comment <"$err"
done_testing
