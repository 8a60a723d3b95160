/*
 * The published site, where scripts run: charts that answer, filters and order for tables, a search,
 * the comparison of two commits. Without it every page says the same, but for the comparison.
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

function numbers(series, text)
{
	return unpack(text, series.width).map((code) => series.base + series.step * code);
}

/* Runs of [first, count] as single numbers. */
function unroll(runs)
{
	const all = [];

	for (let i = 0; i + 1 < runs.length; i += 2)
		for (let k = 0; k < runs[i + 1]; k++)
			all.push(runs[i] + k);
	return all;
}

/* Values of a commit by the position of their series; undefined: none. */
function valuesOf(file)
{
	const EXPONENT = -15, MANTISSAS = 9000;

	return unpack(file.v, 3).map((code, i) => {
		if (code === 0)
			return undefined;
		if (code === 1)
			return 0;
		if (code === 2)
			return file.x[i];
		return Number(`${(code - 3) % MANTISSAS + 1000}e${Math.floor((code - 3) / MANTISSAS) + EXPONENT}`);
	});
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

/* ---- charts ---- */

const BAND = 2; /* of the noise, as in ../chart.c */
const NEAR_ZERO = .4;
let uPlotThere = null;

function loadUplot()
{
	const folder = root + page.dataset.uplot;

	uPlotThere = uPlotThere || new Promise((resolve, reject) => {
		const script = make("script", {src: `${folder}uPlot.iife.min.js`});
		script.addEventListener("load", resolve);
		script.addEventListener("error", () => reject(new Error(`no answer for ${script.src}`)));
		document.head.append(make("link", {rel: "stylesheet", href: `${folder}uPlot.min.css`}), script);
	});
	return uPlotThere;
}

function colour(name)
{
	return getComputedStyle(page).getPropertyValue(`--${name}`).trim();
}

class Chart {
	constructor(box, data, commits)
	{
		const series = data.series[Number(box.dataset.series)];

		this.box = box;
		this.still = box.querySelector("svg.chart");
		this.series = series;
		this.url = commits.commit_url;
		this.commits = unroll(data.lines[series.line]).map((i) => commits.commits[i]);
		this.y = numbers(series, series.y);
		this.low = series.low ? numbers(series, series.low) : null;
		this.high = series.high ? numbers(series, series.high) : null;
		this.size = this.y.reduce((most, y) => Math.max(most, Math.abs(y)), 0);
		this.at = this.y.length - 1;
		this.build();
	}

	build()
	{
		const id = `chart-${++unique}`;
		const title = this.still.querySelector("title"), desc = this.still.querySelector("desc");

		this.over = make("div", {class: "live", tabindex: "0", role: "slider", "aria-label": title ? title.textContent : "Chart",
			"aria-describedby": id, "aria-valuemin": "1", "aria-valuemax": String(this.y.length)});
		this.read = make("p", {class: "read"});
		this.still.replaceWith(this.over);
		this.over.after(this.read, make("span", {class: "hears", id, text: desc ? desc.textContent : ""}));
		this.draw();
		this.over.addEventListener("keydown", (event) => this.key(event));
		new ResizeObserver(() => this.fit()).observe(this.box);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
	}

	draw()
	{
		if (this.plot)
			this.plot.destroy();
		this.plot = new uPlot(this.options(), this.columns(), this.over);
		this.tell(this.at);
	}

	columns()
	{
		const columns = [this.y.map((_, i) => i), this.y];

		return this.low ? [...columns, this.low, this.high] : columns;
	}

	width()
	{
		return Math.max(Math.floor(this.box.clientWidth), 120);
	}

	fit()
	{
		if (this.plot.width !== this.width())
			this.plot.setSize({width: this.width(), height: 244});
	}

	options()
	{
		const line = colour("line"), none = {show: false};
		const series = [{}, {stroke: line, width: 1.25, points: {show: this.y.length <= 60, size: 5, fill: line}}];

		if (this.low)
			series.push({stroke: "transparent", points: none}, {stroke: "transparent", points: none});
		return {
			width: this.width(), height: 244, padding: [20, 8, 0, 0], series,
			bands: this.low ? [{series: [3, 2], fill: colour("band")}] : [],
			legend: none,
			cursor: {y: false, points: {size: 9, fill: line, one: true}, drag: {x: true, y: false}},
			scales: {x: {time: false, range: (u, low, high) => low === high ? [low - 1, high + 1] : [low, high]},
				y: {range: (u, low, high) => this.ends(low, high)}},
			axes: this.axes(),
			hooks: {drawClear: [(u) => this.below(u)], draw: [(u) => this.above(u)],
				setCursor: [(u) => this.hover(u)]},
		};
	}

	axes()
	{
		const common = {stroke: colour("quiet"), font: `12px ${colour("sans")}`,
			ticks: {show: false}, grid: {stroke: colour("rule"), width: 1}};

		return [{...common, grid: {show: false}, space: 110, size: 26, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000],
			values: (u, splits) => splits.map((i) => this.commits[i] ? day(this.commits[i][1]) : "")},
			{...common, size: 68, gap: 6, space: 42,
				splits: (u, axis, low, high) => this.round(low, high),
				values: (u, splits) => this.ticks(splits)}];
	}

	/* Ticks are round in the unit that is shown; as ../axis.c has it. */
	round(low, high)
	{
		const times = scaleOf(this.series.unit, Math.max(Math.abs(low), Math.abs(high)))[1];
		const rough = (high - low) / times / 4, power = 10 ** Math.floor(Math.log10(rough)), lead = rough / power;
		const step = power * (lead < 1.2 ? 1 : lead < 2.4 ? 2 : lead < 6 ? 5 : 10) * times;
		const ticks = [];

		for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * (high - low) && ticks.length < 8; k++)
			ticks.push(k * step);
		return ticks;
	}

	ticks(splits)
	{
		const most = Math.max(...splits.map(Math.abs)), step = splits.length > 1 ? splits[1] - splits[0] : most;
		let [name, times] = scaleOf(this.series.unit, most), letter = "";

		if (!LADDERS.flat().some((rung) => rung[0] === this.series.unit))
			for (const [size, l] of [[1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"]])
				if (most >= 1e4 && most >= size && step >= size / 100)
					[times, letter] = [size, l];
		const places = Math.min(Math.max(-Math.floor(Math.log10(step / times) + 1e-9), 0), 9);
		return splits.map((value) => value === 0 ? "0" :
			(value / times).toFixed(places) + letter + (name ? ` ${visible(name)}` : ""));
	}

	/* As ../axis.c has it. */
	ends(least, greatest)
	{
		const near = (this.series.accepts || []).filter((level) => level >= 2 * least - greatest && level <= 2 * greatest - least);
		const low = Math.min(least, ...near), high = Math.max(greatest, ...near);
		const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
		const span = high - low, narrow = span ? .02 * most * (this.series.noise > 0) : .1 * most;
		const edge = Math.max(span * .06, (narrow - span) / 2);

		if (low === 0 && high === 0)
			return [0, 1];
		return [low >= 0 && low < NEAR_ZERO * high ? 0 : low - edge, high + edge];
	}

	/* Calls draw(left, right, level), in pixels and in the unit, for each level that is in sight. */
	levels(u, draw)
	{
		const s = this.series, left = u.bbox.left, right = left + u.bbox.width;
		const place = (x) => Math.min(Math.max(u.valToPos(x, "x", true), left), right);
		let from = left;

		if (s.exact || !(s.noise > 0))
			return;
		for (const [at, before] of s.steps) {
			draw(from, place(at - .5), before);
			from = place(at - .5);
		}
		draw(from, right, s.level);
	}

	clipped(u, paint)
	{
		u.ctx.save();
		u.ctx.beginPath();
		u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
		u.ctx.clip();
		paint(u.ctx);
		u.ctx.restore();
	}

	below(u)
	{
		const s = this.series;

		this.clipped(u, (ctx) => this.levels(u, (left, right, level) => {
			const size = BAND * s.noise * (s.logarithmic ? Math.abs(level) : 1);
			const top = u.valToPos(level + size, "y", true), bottom = u.valToPos(level - size, "y", true);
			ctx.fillStyle = colour("band");
			ctx.fillRect(left, top, right - left, bottom - top);
			ctx.strokeStyle = colour("level");
			ctx.lineWidth = 1.5 * uPlot.pxRatio;
			this.stroke(ctx, left, u.valToPos(level, "y", true), right);
		}));
	}

	stroke(ctx, left, y, right)
	{
		ctx.beginPath();
		ctx.moveTo(left, y);
		ctx.lineTo(right, y);
		ctx.stroke();
	}

	above(u)
	{
		this.clipped(u, (ctx) => {
			ctx.strokeStyle = colour("quiet");
			ctx.lineWidth = 1.25 * uPlot.pxRatio;
			ctx.setLineDash([7, 4].map((x) => x * uPlot.pxRatio));
			for (const level of this.series.accepts || [])
				this.stroke(ctx, u.bbox.left, u.valToPos(level, "y", true), u.bbox.left + u.bbox.width);
		});
		this.marks(u);
	}

	/* The newest first, so that where labels are in each other's way it is that of the newest that stays. */
	marks(u)
	{
		const s = this.series, ctx = u.ctx;
		let left = Infinity;

		ctx.save();
		ctx.font = `600 ${12 * uPlot.pxRatio}px ${colour("sans")}`;
		if (s.suspect)
			left = this.mark(u, s.suspect[0], "suspect", "suspect", [2, 3], left);
		for (const [at, , , change, strength, sense] of [...s.steps].reverse().slice(0, 12))
			left = this.mark(u, at, sense === "none" ? "quiet" : sense,
				percent(change === null ? NaN : change) + (strength === "weak" ? " weak" : ""),
				strength === "weak" ? [4, 3] : [], left);
		ctx.restore();
	}

	mark(u, at, name, label, dashes, left)
	{
		const ctx = u.ctx, x = u.valToPos(at - .5, "x", true), half = ctx.measureText(label).width / 2;
		const first = u.bbox.left, last = first + u.bbox.width, gap = 8 * uPlot.pxRatio;

		if (x < first || x > last)
			return left;
		ctx.strokeStyle = ctx.fillStyle = colour(name);
		ctx.lineWidth = 1.5 * uPlot.pxRatio;
		ctx.setLineDash(dashes.map((d) => d * uPlot.pxRatio));
		ctx.beginPath();
		ctx.moveTo(x, u.bbox.top);
		ctx.lineTo(x, u.bbox.top + u.bbox.height);
		ctx.stroke();
		const middle = Math.min(Math.max(x, first + half), last - half);
		if (middle + half + gap > left)
			return left;
		ctx.textAlign = "center";
		ctx.textBaseline = "alphabetic";
		ctx.fillText(label, middle, u.bbox.top - 7 * uPlot.pxRatio);
		return middle - half;
	}

	hover(u)
	{
		if (u.cursor.idx !== null && u.cursor.idx !== undefined && !this.moving)
			this.tell(u.cursor.idx);
	}

	/* Says which point it is: below the chart, and to who hears it. */
	tell(i)
	{
		const unit = this.series.unit, [sha, at] = this.commits[i];
		const value = figure(this.y[i], unit, this.size);
		const spread = this.low && this.low[i] < this.high[i] ?
			`, samples ${figure(this.low[i], unit, this.size)} to ${figure(this.high[i], unit, this.size)}` : "";
		const step = this.series.steps.find((s) => s[0] === i);
		const change = step ? `, a ${step[4]} step: ${percent(step[3] === null ? NaN : step[3])}` : "";

		this.at = i;
		this.read.replaceChildren(make("strong", {text: value}), `${spread}${change}. `,
			commitLink(this.url, sha), ofDay(at));
		this.over.setAttribute("aria-valuenow", String(i + 1));
		this.over.setAttribute("aria-valuetext", `${value}${spread}${change}, ${short(sha)}${ofDay(at)}`);
	}

	key(event)
	{
		const last = this.y.length - 1, page = Math.max(Math.round(last / 10), 1);
		const to = {ArrowLeft: this.at - 1, ArrowDown: this.at - 1, ArrowRight: this.at + 1, ArrowUp: this.at + 1,
			PageDown: this.at - page, PageUp: this.at + page, Home: 0, End: last}[event.key];

		if (event.key === "Enter" && this.read.querySelector("a"))
			location.href = this.read.querySelector("a").href;
		if (to === undefined || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		this.tell(Math.min(Math.max(to, 0), last));
		this.moving = true;
		this.plot.setCursor({left: this.plot.valToPos(this.at, "x"), top: this.plot.valToPos(this.y[this.at], "y")});
		this.moving = false;
	}
}

let saidTrouble = false;

async function showChart(box)
{
	try {
		const [data, commits] = await Promise.all([load(box.dataset.src), load(`${root}data/commits.json`), loadUplot()]);
		new Chart(box, data, commits);
	} catch (e) {
		if (!saidTrouble)
			box.append(trouble(`The charts stay still: ${e.message}.`));
		saidTrouble = true;
	}
}

function watchCharts(boxes)
{
	const seen = new IntersectionObserver((entries) => {
		for (const entry of entries) {
			if (!entry.isIntersecting)
				continue;
			seen.unobserve(entry.target);
			showChart(entry.target);
		}
	}, {rootMargin: "300px"});

	boxes.forEach((box) => seen.observe(box));
}

/* ---- two commits ---- */

const ROWS_MAX = 200;
const BEYOND = 2 * Math.SQRT2; /* of the noise of one point: what two of a level seldom differ by */
const KINDS = ["worse", "changed", "gone", "better", "new", "noise"];
const KIND_WORDS = {worse: "worse", changed: "changed", gone: "only before", better: "better",
	new: "only after", noise: "within noise"};

/* What became of a series between two commits; null: nothing to say. */
function difference(before, after, noise, direction)
{
	if (before === undefined && after === undefined)
		return null;
	if (before === undefined || after === undefined)
		return {kind: after === undefined ? "gone" : "new", change: 0};
	if (before === after)
		return null;
	const change = before === 0 ? Infinity * Math.sign(after) : (after - before) / Math.abs(before);
	const kind = Math.abs(change) <= BEYOND * noise ? "noise" : direction === "none" ? "changed" :
		(change > 0) === (direction === "lower") ? "worse" : "better";
	return {kind, change};
}

function differences(index, before, after)
{
	const all = [];

	index.series.forEach(([benchmark, metric, variant, runner, noise], i) => {
		const [suite, name, address] = index.benchmarks[benchmark];
		const [metricName, unit, direction] = index.metrics[metric];
		const d = difference(before[i], after[i], noise || 0, direction);
		if (d)
			all.push({...d, suite: index.suites[suite], name, address, metric: metricName, unit,
				variant: index.variants[variant], runner: index.runners[runner],
				before: before[i], after: after[i], noise});
	});
	return all.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
		Math.abs(b.change) - Math.abs(a.change) || byText(a.name, b.name));
}

function differenceRow(d)
{
	const size = Math.max(Math.abs(d.before || 0), Math.abs(d.after || 0));
	const value = (v) => make("td", {class: "n", "data-v": v === undefined ? "" : v,
		text: v === undefined ? "" : figure(v, d.unit, size)});
	const word = {gone: "missing", changed: "weak", new: "weak", noise: null}[d.kind];
	const both = d.before !== undefined && d.after !== undefined;

	return make("tr", {class: word === undefined ? d.kind : word},
		make("th", {scope: "row"}, make("a", {href: root + d.address, text: d.name}),
			make("div", {class: "quiet", text: d.suite})),
		make("td", null, d.metric, make("div", {class: "quiet",
			text: [d.variant, d.runner].filter((x) => x).join(", ")})),
		value(d.before), value(d.after),
		make("td", {class: "n change", "data-v": both ? d.change : "", text: both ? percent(d.change) : ""}),
		make("td", {text: KIND_WORDS[d.kind]}));
}

function differenceTable(all, from, to)
{
	const heads = [["Benchmark", "text"], ["Metric", "text"], [short(from), "number"], [short(to), "number"],
		["Change", "number"], ["", "text"]];
	const head = make("tr", null, ...heads.map(([text, sort], i) => make("th", {scope: "col", "data-sort": sort,
		class: sort === "number" ? "n" : null, text: i === 5 ? "Verdict" : text})));

	return make("table", {class: "rows"},
		make("caption", {text: `From ${short(from)} to ${short(to)}, worst first`}),
		make("thead", null, head), make("tbody", null, ...all.map(differenceRow)));
}

function summary(all, series)
{
	const count = (kind) => all.filter((d) => d.kind === kind).length;
	const parts = KINDS.filter(count).map((kind) => `${count(kind).toLocaleString("en")} ${KIND_WORDS[kind]}`);

	return parts.length ? `Of ${plural(series, "series").replace(/seriess$/, "series")}: ${parts.join(", ")}; the others are equal or in neither.` :
		"Nothing differs between them.";
}

class Comparison {
	constructor(section, index, commits)
	{
		this.section = section;
		this.index = index;
		this.url = commits.commit_url;
		this.commits = commits.commits.slice(commits.compare_from || 0).reverse();
		this.result = make("div");
		this.from = this.chooser("Before");
		this.to = this.chooser("After");
		this.form = make("form", {class: "choose", "aria-label": "Two commits"},
			this.from.label, this.to.label, this.swapper());
		section.replaceChildren(this.form, this.result);
		this.form.addEventListener("submit", (event) => event.preventDefault());
		addEventListener("popstate", () => this.follow());
		this.follow();
	}

	chooser(name)
	{
		const id = `commit-${++unique}`;
		const select = make("select", {id}, ...this.commits.map(([sha, at]) =>
			make("option", {value: sha, text: short(sha) + ofDay(at)})));

		select.addEventListener("change", () => this.choose());
		return {select, label: make("div", null, make("label", {for: id, text: name}), select)};
	}

	swapper()
	{
		const button = make("button", {type: "button", class: "act", text: "Swap"});

		button.addEventListener("click", () => {
			[this.from.select.value, this.to.select.value] = [this.to.select.value, this.from.select.value];
			this.choose();
		});
		return button;
	}

	/* The address is a link that stays good. */
	choose()
	{
		const query = new URLSearchParams({a: this.from.select.value, b: this.to.select.value});

		history.pushState(null, "", `?${query}`);
		this.show();
	}

	resolve(text)
	{
		const found = this.commits.find(([sha]) => text && text.length >= 7 && sha.startsWith(text.toLowerCase()));

		return found ? found[0] : null;
	}

	follow()
	{
		const query = new URLSearchParams(location.search);
		const hash = /^#([0-9a-f]+)\.\.([0-9a-f]+)$/i.exec(location.hash) || [];
		const wanted = [query.get("a") || hash[1], query.get("b") || hash[2]];
		const found = wanted.map((text) => this.resolve(text));

		if (this.commits.length < 2) {
			this.result.replaceChildren(make("p", {text: "It takes two commits with numbers."}));
			return;
		}
		this.from.select.value = found[0] || this.commits[1][0];
		this.to.select.value = found[1] || this.commits[0][0];
		const lost = wanted.filter((text, i) => text && !found[i]);
		if (lost.length)
			this.result.replaceChildren(trouble(`There is no data of ${lost.join(" and ")} here; choose among those that are listed.`));
		else
			this.show();
	}

	async show()
	{
		const from = this.from.select.value, to = this.to.select.value;

		this.result.setAttribute("aria-busy", "true");
		try {
			const [a, b] = await Promise.all([from, to].map((sha) => load(`${root}data/c/${encodeURIComponent(sha)}.json`)));
			if (from === this.from.select.value && to === this.to.select.value)
				this.fill(differences(this.index, valuesOf(a), valuesOf(b)), from, to);
		} catch (e) {
			this.result.replaceChildren(trouble(`These two cannot be compared: ${e.message}.`));
		}
		this.result.removeAttribute("aria-busy");
	}

	fill(all, from, to)
	{
		const words = summary(all, this.index.series.length);

		this.result.replaceChildren(make("p", null, commitLink(this.url, from), " to ", commitLink(this.url, to), `. ${words}`));
		say(words);
		if (all.length)
			this.table(all.slice(0, ROWS_MAX), all, from, to);
	}

	table(shown, all, from, to)
	{
		const table = differenceTable(shown, from, to);
		const box = make("div", null, make("div", {class: "scroll"}, table));

		this.result.append(box);
		enliven(table);
		if (shown.length === all.length)
			return;
		const more = make("button", {type: "button", class: "act", text: `Show all ${plural(all.length, "row")}`});
		more.addEventListener("click", () => {
			box.remove();
			this.table(all, all, from, to);
		});
		box.append(more);
	}
}

async function startComparison(section)
{
	try {
		const [index, commits] = await Promise.all([section.dataset.index, section.dataset.commits]
			.map((address) => load(root + address)));
		new Comparison(section, index, commits);
	} catch (e) {
		section.append(trouble(`The comparison does not work: ${e.message}.`));
	}
}

/* ---- all of it ---- */

function start()
{
	const header = document.querySelector("header.top"), comparison = document.getElementById("compare");

	document.body.append(status);
	document.querySelectorAll("table.rows").forEach(enliven);
	if (header && page.dataset.search)
		new Search(header);
	if (page.dataset.uplot !== undefined)
		watchCharts(document.querySelectorAll("figure.plot[data-src]"));
	if (comparison)
		startComparison(comparison);
}

start();
})();
