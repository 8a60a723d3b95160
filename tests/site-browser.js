/*
 * The published site in Chromium, driven by playwright-core; tests/site-browser.sh makes the site.
 *
 *     CHROMIUM=PROGRAM node tests/site-browser.js FOLDER
 *
 * prints "ok NAME", "not ok NAME" with "# WHY" behind it, or "skip NAME: WHY" for each check, and
 * "done". PERFGATE_SCREENSHOTS names a folder for pictures of the pages.
 */
"use strict";
const fs = require("fs");
const http = require("http");
const path = require("path");
const url = require("url");

const PREFIX = "/some/deep/prefix/";
const COMMIT_URL = "https://github.com/owner/repository/commit/";
const WAIT = 20000; /* ms, for what comes at once on a machine with nothing else to do */
const site = path.resolve(process.argv[2]);
const shots = process.env.PERFGATE_SCREENSHOTS;

const json = (file) => JSON.parse(fs.readFileSync(path.join(site, file), "utf8"));
const entries = json("data/search.json");
const addressOf = (suite, name) => entries.find((e) => e[0] === suite && e[1] === name)[2];

/* ---- checks ---- */

function say(line)
{
	process.stdout.write(`${line.replace(/[\n\r]/g, " ")}\n`);
}

function check(good, name, why)
{
	say(`${good ? "ok" : "not ok"} ${name}`);
	if (!good && why !== undefined)
		say(`# ${String(why).slice(0, 600)}`);
	return good;
}

/* What throws is a check that failed. */
async function part(name, run)
{
	try {
		await run();
	} catch (e) {
		check(false, name, e.message);
	}
}

/* ---- the server: of the site under its prefix, and of nothing else ---- */

const TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".xml": "application/atom+xml"};

function answer(request, response)
{
	const wanted = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
	const file = path.join(site, wanted.slice(PREFIX.length), wanted.endsWith("/") ? "index.html" : "");

	if (!wanted.startsWith(PREFIX) || !path.resolve(file).startsWith(site) || !fs.existsSync(file) || !fs.statSync(file).isFile()) {
		response.writeHead(404);
		response.end("not here");
		return;
	}
	response.writeHead(200, {"content-type": TYPES[path.extname(file)] || "text/plain; charset=utf-8"});
	response.end(fs.readFileSync(file));
}

function serve()
{
	return new Promise((resolve) => {
		const server = http.createServer(answer);
		server.listen(0, "127.0.0.1", () => resolve(server));
	});
}

/* ---- a browser's window that keeps what must not happen ---- */

let browser, base;
const sins = [];

async function open(options, allowed)
{
	const context = await browser.newContext({viewport: {width: 1200, height: 900}, ...options});
	const page = await context.newPage();

	page.setDefaultTimeout(WAIT);
	page.requests = [];
	page.on("dialog", (dialog) => {
		sins.push(`a dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	page.on("pageerror", (e) => sins.push(`an error: ${e.message}`));
	page.on("console", (message) => {
		if (message.type() === "error" && !(allowed && allowed.test(message.text())))
			sins.push(`on the console of ${page.url()}: ${message.text()}`);
	});
	page.on("request", (request) => {
		page.requests.push(request.url());
		if (!request.url().startsWith(base) && !/^(data|file|about):/.test(request.url()))
			sins.push(`a request to ${request.url()}`);
	});
	return page;
}

async function close(page)
{
	await page.context().close();
}

async function shot(page, name)
{
	if (!shots)
		return;
	fs.mkdirSync(shots, {recursive: true});
	await page.screenshot({path: path.join(shots, `${name}.png`), fullPage: true});
}

/* ---- without scripts ---- */

async function still()
{
	const page = await open({javaScriptEnabled: false});

	await page.goto(base);
	check(await page.locator("main table tbody tr").count() > 3, "without scripts the overview lists");
	await page.goto(base + addressOf("parser", "parse/large"));
	const chart = page.locator("svg.chart").first();
	check(await page.locator("svg.chart[role=img]").count() === 3 && await page.locator("canvas").count() === 0,
		"without scripts charts are SVG");
	const line = await chart.locator("path.l").boundingBox(), box = await chart.boundingBox();
	check(line.width > 600 && line.height > 50 && line.width < box.width, "... as wide as there is room", JSON.stringify([line, box]));
	check(await page.locator("svg.chart text.w, svg.chart text.b").count() > 0, "... with their steps");
	check(/point/.test(await chart.locator("desc").textContent()), "... and in words");
	await shot(page, "still-benchmark");
	await close(page);
}

/* ---- charts ---- */

async function charts()
{
	const address = addressOf("parser", "parse/large"), page = await open();

	await page.goto(base + address);
	await page.locator("figure.plot .uplot canvas").first().waitFor();
	for (const figure of await page.locator("figure.plot").all()) {
		await figure.scrollIntoViewIfNeeded();
		await figure.locator(".uplot canvas").waitFor();
	}
	check(true, "with scripts uPlot draws each chart as it comes into view");
	check(await drawn(page), "... and something is drawn");
	const data = page.requests.filter((r) => /\/data\//.test(r)).map((r) => r.slice(base.length)).sort();
	const own = json("data/search.json") && `data/b/${path.basename(address, ".html")}.json`;
	check(data.join() === [own, "data/commits.json"].sort().join(), "... from the page's own data alone", data.join());
	await chartKeys(page);
	await chartMouse(page);
	await page.evaluate(() => scrollTo(0, 0));
	await shot(page, "light-benchmark");
	await close(page);
}

function drawn(page)
{
	return page.evaluate(() => {
		const canvas = document.querySelector(".uplot canvas");
		const dots = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
		return dots.some((x, i) => i % 4 === 3 && x > 200);
	});
}

async function shapes()
{
	const page = await open();

	await page.goto(base + addressOf("render", "shapes"));
	for (const figure of await page.locator("figure.plot").all()) {
		await figure.scrollIntoViewIfNeeded();
		if (/e\+308/.test(await figure.textContent()))
			continue;
		await figure.locator(".uplot canvas").waitFor();
		const text = await figure.locator(".read").textContent();
		if (/NaN|Infinity|undefined/.test(text))
			check(false, "charts of all shapes have numbers", text);
	}
	check(await page.locator("figure.plot canvas").count() === 7 && await page.locator("svg.chart").count() === 1,
		"charts of all shapes are drawn, of the largest numbers by perfgate alone");
	await page.evaluate(() => scrollTo(0, 0));
	await shot(page, "light-shapes");
	await close(page);
}

async function chartKeys(page)
{
	const slider = page.getByRole("slider").nth(2), read = page.locator("figure.plot").nth(2).locator(".read");

	check(/sec\/op|time/.test(await slider.getAttribute("aria-label")), "a chart has its name");
	await slider.focus();
	await page.keyboard.press("Home");
	check(await slider.getAttribute("aria-valuenow") === "1", "Home goes to the first point");
	await page.keyboard.press("ArrowRight");
	await page.keyboard.press("ArrowRight");
	check(await slider.getAttribute("aria-valuenow") === "3", "arrows go on");
	const text = await slider.getAttribute("aria-valuetext"), sha = json("data/commits.json").commits[2][0];
	check(/\d ms/.test(text) && text.includes(sha.slice(0, 10)), "... and value and commit are said", text);
	check(await read.locator("a").getAttribute("href") === COMMIT_URL + sha, "... and linked");
	await page.keyboard.press("End");
	check(await slider.getAttribute("aria-valuenow") === await slider.getAttribute("aria-valuemax"), "End goes to the last");
}

async function chartMouse(page)
{
	const slider = page.getByRole("slider").nth(2), box = await slider.locator(".u-over").boundingBox();

	await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
	await page.waitForFunction((e) => e.getAttribute("aria-valuenow") !== e.getAttribute("aria-valuemax"), await slider.elementHandle());
	const at = Number(await slider.getAttribute("aria-valuenow")), last = Number(await slider.getAttribute("aria-valuemax"));
	check(Math.abs(at - last / 2) < 3, "the mouse shows the point below it", `${at} of ${last}`);
}

/* ---- tables and the search ---- */

async function tables()
{
	const page = await open();

	await page.goto(base);
	await page.locator("main table a", {hasText: /^parser$/}).click();
	const rows = page.locator("table.rows tbody tr:visible"), all = await rows.count();
	await page.getByLabel("Filter rows").first().fill("LARGE sec");
	const left = await rows.count();
	check(left > 0 && left < all && (await rows.allTextContents()).every((t) => /large/i.test(t)), "a filter leaves the rows that fit",
		`${left} of ${all}`);
	check((await page.locator(".filter [role=status]").first().textContent()) === `${left} of ${all} rows`, "... and says how many");
	await page.getByLabel("Filter rows").first().fill("");
	check(await rows.count() === all, "... and none where it is empty");
	const head = page.locator("th", {hasText: "Change"}).first();
	await head.getByRole("button").click();
	await page.locator('th[aria-sort="descending"]').waitFor();
	const values = await page.$$eval("table.rows tbody tr", (trs, at) => trs.map((tr) => parseFloat(tr.cells[at].dataset.v)),
		await head.evaluate((e) => e.cellIndex));
	const numbers = values.filter((x) => !Number.isNaN(x));
	check(numbers.length > 2 && numbers.every((x, i) => !i || x <= numbers[i - 1]) && !values.slice(0, numbers.length).some(Number.isNaN),
		"a heading sorts, what has no number last", values.join());
	await head.getByRole("button").press("Enter");
	check(await head.getAttribute("aria-sort") === "ascending", "... the other way round by keyboard");
	await shot(page, "light-suite");
	await close(page);
}

async function search()
{
	const page = await open();

	await page.goto(base);
	await page.keyboard.press("/");
	const box = page.getByRole("combobox", {name: "Search benchmarks"});
	check(await box.evaluate((e) => e === document.activeElement), "/ goes to the search");
	await page.keyboard.type("parse larg");
	const options = page.getByRole("option");
	await options.first().waitFor();
	check((await options.allTextContents()).some((t) => t.startsWith("parse/large")), "it finds parts of names");
	await page.waitForFunction(() => /benchmark/.test(document.querySelector("body > [role=status]").textContent));
	check(true, "... and says how many there are");
	await shot(page, "light-search");
	await page.keyboard.press("ArrowDown");
	const active = await box.getAttribute("aria-activedescendant");
	check(active === await options.first().getAttribute("id") && await options.first().getAttribute("aria-selected") === "true",
		"an arrow chooses");
	await page.keyboard.press("Enter");
	await page.waitForURL(/\/bench\//);
	check((await page.locator("h1").textContent()).includes("parse/large"), "Enter opens it", page.url());
	await page.keyboard.press("/");
	await page.keyboard.type("parse");
	await page.getByRole("option").first().waitFor();
	await page.keyboard.press("Escape");
	check(await page.getByRole("option").count() === 0 && await page.locator(".seek input").inputValue() === "", "Escape ends it");
	await page.keyboard.type("no such thing");
	await page.waitForFunction(() => document.querySelector("body > [role=status]").textContent === "No benchmark");
	check(true, "what is not there is said to be not there");
	await close(page);
}

/* ---- two commits ---- */

async function comparison()
{
	const page = await open(), shas = json("data/commits.json").commits.map((c) => c[0]);
	const from = shas[5], to = shas[shas.length - 1];

	await page.goto(`${base}compare/index.html`);
	await page.getByLabel("Before").selectOption(from);
	await page.locator("table.rows caption", {hasText: from.slice(0, 10)}).waitFor();
	const rows = page.locator("table.rows tbody tr");
	check(await rows.first().getAttribute("class") === "worse" && /render/.test(await rows.first().textContent()),
		"two commits are compared, worst first", await rows.first().textContent());
	check(/\+(19|20|21)\d\.\d %[\d.]+ m?s[\d.]+ m?s/.test(await rows.first().textContent()),
		"... by how much", await rows.first().textContent());
	const address = page.url();
	check(address.includes(`a=${from}`) && address.includes(`b=${to}`), "... with an address of their own", address);
	const before = await page.locator("table.rows tbody").innerText();
	await page.goto(address);
	await page.locator("table.rows caption", {hasText: from.slice(0, 10)}).waitFor();
	check(await page.locator("table.rows tbody").innerText() === before, "... that shows the same again");
	check(await page.locator("#newest").count() === 0, "... and nothing else");
	const data = page.requests.filter((r) => /\/data\/c\//.test(r)).length;
	check(data <= 5, "... from the data of the commits that were chosen", data);
	await shot(page, "light-compare");
	await page.goto(`${base}compare/index.html?a=${from.slice(0, 12)}&b=0123456789`);
	await page.getByRole("alert").waitFor();
	check(/0123456789/.test(await page.getByRole("alert").textContent()), "a commit without data is said to have none");
	await close(page);
}

/* ---- names for screen readers ---- */

const NAMED = ["button", "link", "textbox", "searchbox", "combobox", "slider", "image", "img", "listbox", "option", "table", "navigation"];

async function unnamed(page)
{
	const session = await page.context().newCDPSession(page);
	const {nodes} = await session.send("Accessibility.getFullAXTree");

	await session.detach();
	return nodes.filter((n) => !n.ignored && n.role && NAMED.includes(n.role.value) && !(n.name && String(n.name.value).trim()))
		.map((n) => n.role.value);
}

async function names()
{
	const page = await open();
	const pages = ["index.html", addressOf("parser", "parse/large"), "compare/index.html",
		...fs.readdirSync(path.join(site, "suite")).filter((f) => f.endsWith(".html")).map((f) => `suite/${f}`)];

	for (const address of pages) {
		await page.goto(base + address);
		if (/^bench/.test(address))
			await page.locator(".uplot canvas").first().waitFor();
		if (/^compare/.test(address))
			await page.locator("#compare form + div p").first().waitFor();
		const lacking = await unnamed(page);
		check(!lacking.length, `everything on ${address.replace(/[^/]*$/, "") || "the overview"} has a name`, lacking.join());
		const levels = await page.$$eval("h1, h2, h3", (hs) => hs.map((h) => Number(h.tagName[1])));
		check(levels[0] === 1 && levels.filter((l) => l === 1).length === 1 && levels.every((l, i) => !i || l <= levels[i - 1] + 1),
			"... and headings in order", levels.join());
	}
	await close(page);
}

/* ---- hostile names ---- */

/* What a page may be made of, and where its elements may come from. */
function strangers()
{
	const here = location.href.replace(/[^/]*$/, "");
	const scripts = [...document.scripts].filter((s) => !/\/assets\/(site|charts|compare|uPlot\.iife\.min)\.js$/.test(s.src));
	const images = [...document.images].filter((i) => !/\/badge\/[^/]*\.svg$/.test(i.src));
	const handlers = [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on/.test(a.name)));
	const links = [...document.links].filter((a) => !/^(https?|file):/.test(a.protocol));
	const others = [...document.querySelectorAll("main b, main i, main iframe, main marquee")];

	return [...scripts, ...images, ...handlers, ...links, ...others].map((e) => `${here}: ${e.outerHTML.slice(0, 100)}`);
}

async function hostile()
{
	const page = await open(), found = [];
	const suites = fs.readdirSync(path.join(site, "suite")).filter((f) => f.endsWith(".html")).map((f) => `suite/${f}`);
	const pages = ["index.html", "compare/index.html", ...suites, ...entries.filter((e) => /[<>&"'\u202e]/.test(e[0] + e[1]) || e[1].length > 1000).map((e) => e[2])];

	for (const address of pages) {
		await page.goto(base + address);
		if (/^bench/.test(address)) {
			await page.locator("figure.plot").first().scrollIntoViewIfNeeded();
			await page.locator(".uplot canvas").first().waitFor();
		}
		if (/^compare/.test(address))
			await page.locator("#compare form + div p").first().waitFor();
		found.push(...await page.evaluate(strangers));
		if (/[\u202a-\u202e\u2066-\u2069]/.test(await page.locator("body").innerText()))
			found.push(`${address} turns text round`);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		if (wide > 0)
			found.push(`${address} is ${wide} too wide`);
	}
	check(pages.length > 6 && !found.length, "hostile names stay text on every page", found.slice(0, 5).join("; "));
	await page.goto(base + addressOf("<b>suite</b>", "<script>alert(1)</script>"));
	check((await page.locator("h1").textContent()).includes("<script>alert(1)</script>"), "... and can be read");
	await page.keyboard.press("/");
	await page.keyboard.type("onerror");
	await page.getByRole("option").first().waitFor();
	check((await page.getByRole("option").first().textContent()).includes("<img src=x onerror=") && !(await page.evaluate(strangers)).length,
		"... in the search, too");
	await close(page);
}

/* ---- looks ---- */

/* Contrast of two colours as WCAG 2.2 has it. */
function contrast(a, b)
{
	const light = (hex) => {
		const full = hex.length === 4 ? hex.replace(/[^#]/g, "$&$&") : hex;
		const [r, g, blue] = [1, 3, 5].map((i) => parseInt(full.slice(i, i + 2), 16) / 255)
			.map((c) => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
		return .2126 * r + .7152 * g + .0722 * blue;
	};
	const [x, y] = [light(a), light(b)].sort((p, q) => q - p);

	return (x + .05) / (y + .05);
}

async function colours(page, name)
{
	const of = await page.evaluate(() => Object.fromEntries(["page", "raised", "text", "quiet", "link", "worse", "better", "suspect",
		"suspect-back", "edge", "line"].map((n) => [n, getComputedStyle(document.documentElement).getPropertyValue(`--${n}`).trim()])));
	const poor = [];

	for (const [front, back, least] of [...["text", "quiet", "link", "worse", "better", "suspect"].flatMap((f) => [[f, "page", 4.5], [f, "raised", 4.5]]),
		["text", "suspect-back", 4.5], ["edge", "page", 3], ["line", "page", 3]])
		if (!(contrast(of[front], of[back]) >= least))
			poor.push(`${front} on ${back}: ${contrast(of[front], of[back]).toFixed(2)}`);
	check(!poor.length, `colours can be told in the ${name}`, poor.join());
	return of.page;
}

const LOOKS = {
	light: {},
	dark: {colorScheme: "dark"},
	phone: {viewport: {width: 375, height: 740}, isMobile: true, hasTouch: true, deviceScaleFactor: 2},
};

async function look(name)
{
	const page = await open(LOOKS[name]);
	const pages = {overview: "index.html", benchmark: addressOf("parser", "parse/large"), compare: "compare/index.html",
		suite: fs.readdirSync(path.join(site, "suite")).filter((f) => /^parser.*html$/.test(f)).map((f) => `suite/${f}`)[0]};
	const wide = [];

	for (const [what, address] of Object.entries(pages)) {
		await page.goto(base + address);
		if (what === "benchmark")
			for (const figure of await page.locator("figure.plot").all()) {
				await figure.scrollIntoViewIfNeeded();
				await figure.locator("canvas").waitFor();
			}
		if (what === "compare")
			await page.locator("#compare form + div p").first().waitFor();
		const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		if (over > 0)
			wide.push(`${what} by ${over}`);
		await page.evaluate(() => scrollTo(0, 0));
		await shot(page, `${name}-${what}`);
	}
	check(!wide.length, `no page is too wide: ${name}`, wide.join());
	const back = await colours(page, name);
	await close(page);
	return back;
}

/* ---- trouble ---- */

async function trouble()
{
	const page = await open({}, /404|Failed to load/);

	await page.route(/data\/b\//, (route) => route.fulfill({status: 404, body: ""}));
	await page.goto(base + addressOf("parser", "parse/large"));
	await page.getByRole("alert").waitFor();
	check(/404/.test(await page.getByRole("alert").textContent()) && await page.locator("svg.chart").count() === 3,
		"data that cannot be loaded is said, and charts stay still");
	await close(page);
}

/* Opened as files pages may load styles and scripts, and in Chromium no data. */
async function asFiles()
{
	const page = await open({}, /./);

	await page.goto(url.pathToFileURL(path.join(site, addressOf("parser", "parse/large"))).href);
	await page.getByRole("alert").waitFor();
	check(await page.locator("svg.chart").count() === 3 && /file/.test(await page.getByRole("alert").textContent()),
		"opened as a file a page shows its charts, and why they stay still");
	await page.locator(".crumbs a").first().click();
	await page.waitForURL(/index\.html$/);
	check(await page.locator("main table").count() > 0, "... and its links lead on");
	await close(page);
}

async function all()
{
	const server = await serve();

	base = `http://127.0.0.1:${server.address().port}${PREFIX}`;
	await part("pages without scripts", still);
	await part("charts", charts);
	await part("charts of all shapes", shapes);
	await part("tables", tables);
	await part("the search", search);
	await part("the comparison", comparison);
	await part("names for screen readers", names);
	await part("hostile names", hostile);
	const backs = [];
	for (const name of Object.keys(LOOKS))
		await part(`the look: ${name}`, async () => backs.push(await look(name)));
	check(backs[0] && backs[0] !== backs[1], "dark is another colour than light");
	await part("what cannot be loaded", trouble);
	await part("pages as files", asFiles);
	check(!sins.length, "no dialog, no error on the console, no request to elsewhere", sins.slice(0, 5).join("; "));
	server.close();
}

async function main()
{
	const {chromium} = require(path.join(__dirname, "node_modules", "playwright-core"));

	try {
		browser = await chromium.launch({executablePath: process.env.CHROMIUM,
			args: ["--disable-dev-shm-usage", ...(process.getuid() === 0 ? ["--no-sandbox"] : [])]});
	} catch (e) {
		say(`skip the site in a browser: Chromium does not start here (${e.message.split("\n")[0]})`);
		return;
	}
	await all();
	await browser.close();
}

main().then(() => say("done"), (e) => {
	check(false, "the tests ran to their end", e.stack);
	process.exitCode = 1;
});
