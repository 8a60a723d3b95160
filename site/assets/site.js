/*
 * The published site, where scripts run: filters and order for tables, a search, and what charts.js
 * and compare.js share, which it loads where a page has charts, or is that of the comparison. Without
 * scripts every page says the same, but for the comparison.
 *
 * README.md beside this has the marks it looks for and the files it loads: only those of the page
 * that is open, from the site itself. All text from data goes into the page as text.
 */
(() => {
"use strict";

const page = document.documentElement;
const root = page.dataset.root || "";
let unique = 0;

/* ---- elements ---- */

/* What steers or turns the direction of text is to be seen, as in all that perfgate writes. */
function visible(text)
{
	return String(text).replace(/[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
		(c) => {
			const hex = c.codePointAt(0).toString(16);
			return c < "\x80" ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
		});
}

/* A made element: attributes by name (text is its content), then what it holds. */
function make(name, attributes, ...inside)
{
	const e = document.createElement(name);

	for (const [key, value] of Object.entries(attributes || {})) {
		if (key === "text")
			e.textContent = visible(value);
		else if (value !== null && value !== false)
			e.setAttribute(key, value === true ? "" : value);
	}
	e.append(...inside.filter((x) => x !== null).map((x) => typeof x === "string" ? visible(x) : x));
	return e;
}

const status = make("div", {class: "hears", role: "status"});

/* For who hears the page. */
function say(text)
{
	status.textContent = text;
}

function trouble(text)
{
	return make("p", {class: "trouble", role: "alert", text});
}

function plural(n, noun)
{
	return `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
}

/* ---- data ---- */

const loaded = new Map();

async function fetchJson(address)
{
	let answer;

	try {
		answer = await fetch(address, {credentials: "same-origin"});
	} catch (e) {
		if (location.protocol === "file:")
			throw new Error("this browser lets no page opened as a file load data; serve the folder to have it");
		throw new Error(`no answer for ${address}`);
	}
	if (!answer.ok)
		throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
	try {
		return await answer.json();
	} catch (e) {
		throw new Error(`${address} is not what it should be`);
	}
}

/* Each file once a page. */
function load(address)
{
	if (!loaded.has(address)) {
		const promise = fetchJson(address);
		promise.catch(() => loaded.delete(address));
		loaded.set(address, promise);
	}
	return loaded.get(address);
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const digit = new Map([...DIGITS].map((c, i) => [c, i]));

/* Codes of so many characters each; see ../pack.h. */
function unpack(text, width)
{
	const codes = new Array(text.length / width | 0);

	for (let i = 0; i < codes.length; i++) {
		codes[i] = 0;
		for (let k = 0; k < width; k++)
			codes[i] = codes[i] << 6 | digit.get(text[width * i + k]);
	}
	return codes;
}

/* ---- figures ---- */

const LADDERS = [
	[["ns", 1e-9], ["us", 1e-6], ["ms", 1e-3], ["s", 1]],
	[["B", 1], ["KiB", 2 ** 10], ["MiB", 2 ** 20], ["GiB", 2 ** 30], ["TiB", 2 ** 40]],
	[["B/s", 1], ["kB/s", 1e3], ["MB/s", 1e6], ["GB/s", 1e9], ["TB/s", 1e12]],
	[["Hz", 1], ["kHz", 1e3], ["MHz", 1e6], ["GHz", 1e9]],
	[["FLOPS", 1], ["MFLOPS", 1e6], ["GFLOPS", 1e9], ["TFLOPS", 1e12], ["PFLOPS", 1e15]],
	[["OPS", 1], ["MOPS", 1e6], ["GOPS", 1e9], ["TOPS", 1e12], ["POPS", 1e15]],
];
const SILENT = ["count", "ratio", "unknown", ""];

/* How numbers of that size are shown: [name, how much smaller]. */
function scaleOf(unit, size)
{
	for (const ladder of LADDERS) {
		const own = ladder.find((step) => step[0] === unit);
		if (!own)
			continue;
		const step = ladder.filter((s) => size * own[1] >= s[1]).pop() || ladder[0];
		return [step[0], step[1] / own[1]];
	}
	return [SILENT.includes(unit) ? "" : unit, 1];
}

function digits(value, significant)
{
	const size = Math.abs(value);

	if (value === 0)
		return "0";
	if (size >= 1e15 || size < 1e-4)
		return value.toPrecision(significant);
	if (Number.isInteger(value) && size < 1e10)
		return String(value);
	return value.toFixed(Math.min(Math.max(significant - 1 - Math.floor(Math.log10(size)), 0), 12));
}

/* value in unit; size: of what it is to be compared with. */
function figure(value, unit, size)
{
	const [name, times] = scaleOf(unit, size === undefined ? Math.abs(value) : size);

	return digits(value / times, 4) + (name ? ` ${name}` : "");
}

function percent(share)
{
	const size = Math.abs(share) * 100;

	if (!Number.isFinite(share))
		return "from 0";
	return `${share < 0 ? "-" : "+"}${size >= 1000 ? size.toPrecision(3) : size.toFixed(1)} %`;
}

/* Of a commit of unknown time: nothing. */
function day(seconds)
{
	return seconds === null ? "" : new Date(seconds * 1000).toISOString().slice(0, 10);
}

function ofDay(seconds)
{
	return seconds === null ? "" : ` of ${day(seconds)}`;
}

function short(sha)
{
	return sha.slice(0, 10);
}

/* A link to a commit where there is an address that is one. */
function commitLink(url, sha)
{
	const text = {class: "sha", text: short(sha)};

	if (!url || !/^https?:\/\//.test(url))
		return make("span", text);
	return make("a", {...text, href: url.split("{sha}").join(encodeURIComponent(sha))});
}

/* ---- tables ---- */

function cellValue(row, column, isNumber)
{
	const cell = row.cells[column];

	if (!cell)
		return isNumber ? NaN : "";
	if (isNumber)
		return parseFloat(cell.dataset.v === undefined ? cell.textContent : cell.dataset.v);
	return (cell.dataset.v === undefined ? cell.textContent : cell.dataset.v).trim();
}

const byText = new Intl.Collator("en", {numeric: true}).compare;

/* What has no number stands last, whichever the direction. */
function byNumber(a, b, sign)
{
	if (Number.isNaN(a) || Number.isNaN(b))
		return Number.isNaN(a) - Number.isNaN(b);
	return sign * (a - b);
}

function sortBy(table, head, ascending)
{
	const column = head.cellIndex, isNumber = head.dataset.sort === "number";
	const sign = ascending ? 1 : -1;

	for (const body of table.tBodies) {
		const rows = [...body.rows].map((row) => [cellValue(row, column, isNumber), row]);
		rows.sort(([a], [b]) => isNumber ? byNumber(a, b, sign) : sign * byText(a, b));
		body.append(...rows.map(([, row]) => row));
	}
	for (const other of table.tHead.rows[0].cells)
		other.removeAttribute("aria-sort");
	head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
	say(`Sorted by ${head.textContent.trim()}, ${ascending ? "ascending" : "descending"}`);
}

function makeSortable(table)
{
	for (const head of table.querySelectorAll("thead th[data-sort]")) {
		const button = make("button", {type: "button"}, ...head.childNodes);
		head.append(button);
		button.addEventListener("click", () => {
			const now = head.getAttribute("aria-sort");
			sortBy(table, head, now ? now === "descending" : head.dataset.sort === "text");
		});
	}
}

function words(text)
{
	return text.toLowerCase().split(/\s+/).filter((word) => word);
}

const FILTER_FROM = 9; /* rows */

function makeFilter(table)
{
	const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
	if (rows.length < FILTER_FROM)
		return;
	const texts = rows.map((row) => row.textContent.toLowerCase());
	const id = `filter-${++unique}`;
	const input = make("input", {type: "search", id, autocomplete: "off", spellcheck: "false"});
	const count = make("span", {class: "quiet", role: "status"});
	const box = make("form", {class: "filter"}, make("label", {for: id, text: "Filter rows"}), input, count);

	box.addEventListener("submit", (event) => event.preventDefault());
	input.addEventListener("input", () => {
		const wanted = words(input.value);
		let n = 0;
		rows.forEach((row, i) => {
			row.hidden = !wanted.every((word) => texts[i].includes(word));
			n += !row.hidden;
		});
		count.textContent = wanted.length ? `${n} of ${plural(rows.length, "row")}` : "";
	});
	(table.closest(".scroll") || table).before(box);
}

/* What scrolls has to be within reach of a keyboard. */
function makeReachable(box)
{
	const caption = box.querySelector("caption");
	const watch = () => {
		if (box.scrollWidth > box.clientWidth) {
			box.tabIndex = 0;
			box.setAttribute("role", "region");
			box.setAttribute("aria-label", caption ? caption.textContent : "Table");
		} else {
			box.removeAttribute("tabindex");
			box.removeAttribute("role");
			box.removeAttribute("aria-label");
		}
	};

	new ResizeObserver(watch).observe(box);
}

function enliven(table)
{
	makeSortable(table);
	makeFilter(table);
	if (table.closest(".scroll"))
		makeReachable(table.closest(".scroll"));
}

/* ---- search ---- */

const FOUND_MAX = 30;

/* The lower the better; -1: not what is looked for. */
function rank(entry, wanted)
{
	const name = entry[1].toLowerCase(), all = `${entry[0]} ${name}`.toLowerCase();

	if (!wanted.every((word) => all.includes(word)))
		return -1;
	if (name === wanted.join(" "))
		return 0;
	return name.startsWith(wanted[0]) ? 1 : name.includes(wanted[0]) ? 2 : 3;
}

function find(entries, text)
{
	const wanted = words(text);

	if (!wanted.length)
		return [];
	return entries.map((entry) => [rank(entry, wanted), entry])
		.filter(([r]) => r >= 0)
		.sort(([a, x], [b, y]) => a - b || byText(x[1], y[1]))
		.map(([, entry]) => entry);
}

class Search {
	constructor(header)
	{
		const list = `found-${++unique}`, id = `seek-${unique}`;

		this.input = make("input", {id, type: "search", role: "combobox", "aria-expanded": "false",
			"aria-controls": list, "aria-autocomplete": "list", autocomplete: "off",
			spellcheck: "false", placeholder: "Search benchmarks  /"});
		this.list = make("ul", {class: "found", id: list, role: "listbox",
			"aria-label": "Benchmarks found", hidden: true});
		this.problem = make("div");
		this.form = make("form", {class: "seek", role: "search"},
			make("label", {class: "hears", for: id, text: "Search benchmarks"}),
			this.input, this.list, this.problem);
		this.at = -1;
		this.listen();
		header.append(this.form);
	}

	listen()
	{
		this.input.addEventListener("input", () => this.look());
		this.input.addEventListener("focus", () => this.look());
		this.input.addEventListener("keydown", (event) => this.key(event));
		this.form.addEventListener("submit", (event) => {
			event.preventDefault();
			this.go();
		});
		this.form.addEventListener("focusout", (event) => {
			if (!this.form.contains(event.relatedTarget))
				this.close();
		});
		document.addEventListener("keydown", (event) => {
			if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey ||
				event.target.closest("input, select, textarea, [contenteditable]"))
				return;
			event.preventDefault();
			this.input.focus();
			this.input.select();
		});
	}

	async look()
	{
		const text = this.input.value;

		try {
			const entries = await load(root + page.dataset.search);
			if (text === this.input.value)
				this.show(find(entries, text), text.trim());
			this.problem.replaceChildren();
		} catch (e) {
			this.problem.replaceChildren(trouble(`The search does not work: ${e.message}.`));
		}
	}

	show(found, text)
	{
		const shown = found.slice(0, FOUND_MAX);

		this.at = -1;
		this.input.removeAttribute("aria-activedescendant");
		this.list.replaceChildren(...shown.map(([suite, name, address], i) =>
			make("li", {role: "option", id: `${this.list.id}-${i}`, "aria-selected": "false"},
				make("a", {href: root + address, tabindex: "-1"}, make("span", {text: name}),
					make("small", {text: suite})))));
		this.list.hidden = !shown.length;
		this.input.setAttribute("aria-expanded", String(shown.length > 0));
		if (text)
			say(found.length > shown.length ? `${plural(found.length, "benchmark")}, the first ${shown.length} listed` :
				found.length ? plural(found.length, "benchmark") : "No benchmark");
	}

	close()
	{
		this.list.hidden = true;
		this.input.setAttribute("aria-expanded", "false");
	}

	/* To the option that is so many further, round the end. */
	step(by)
	{
		const options = [...this.list.children], n = options.length;

		if (!n)
			return;
		this.at = this.at < 0 ? (by > 0 ? 0 : n - 1) : (this.at + by + n) % n;
		options.forEach((option, i) => option.setAttribute("aria-selected", String(i === this.at)));
		this.input.setAttribute("aria-activedescendant", options[this.at].id);
		options[this.at].scrollIntoView({block: "nearest"});
	}

	go()
	{
		const option = this.list.children[Math.max(this.at, 0)];

		if (option && !this.list.hidden)
			location.href = option.querySelector("a").href;
	}

	key(event)
	{
		if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			event.preventDefault();
			if (this.list.hidden && this.list.children.length) {
				this.list.hidden = false;
				this.input.setAttribute("aria-expanded", "true");
			}
			this.step(event.key === "ArrowDown" ? 1 : -1);
		} else if (event.key === "Escape") {
			if (this.list.hidden)
				this.input.blur();
			this.close();
			this.input.value = "";
		}
	}
}

/* ---- all of it ---- */

/* A script of the site, which finds here what it needs. */
function loadScript(address)
{
	return new Promise((resolve, reject) => {
		const script = make("script", {src: address});
		script.addEventListener("load", resolve);
		script.addEventListener("error", () => reject(new Error(`no answer for ${address}`)));
		document.head.append(script);
	});
}

const charts = document.querySelectorAll("figure.plot[data-src]"), comparison = document.getElementById("compare");

globalThis.perfgate = {root, unique: () => ++unique, visible, make, say, trouble, load, loadScript, unpack,
	LADDERS, scaleOf, figure, percent, ofDay, short, commitLink, byText, enliven, charts, comparison};

function start()
{
	const header = document.querySelector("header.top");

	document.body.append(status);
	document.querySelectorAll("table.rows").forEach(enliven);
	if (header && page.dataset.search)
		new Search(header);
	if (charts.length && page.dataset.uplot !== undefined)
		loadScript(`${root}assets/charts.js`).catch((e) => charts[0].append(trouble(`The charts stay still: ${e.message}.`)));
	if (comparison)
		loadScript(`${root}assets/compare.js`).catch((e) => comparison.append(trouble(`The comparison does not work: ${e.message}.`)));
}

start();
})();
