/*
 * Charts that answer: uPlot takes the place of each chart when it comes into view, and looks as it
 * did (../chart.c). The pointer or the arrow keys choose a point, whose value and commit stand below.
 */
(() => {
"use strict";

const {root, unique, visible, make, trouble, load, loadScript, unpack, LADDERS, scaleOf, figure, percent, ofDay, short,
	commitLink, charts} = globalThis.perfgate;
const page = document.documentElement;

/* ---- data ---- */

function numbers(series, text)
{
	/* in halves, lest the sum overflow on its way */
	return unpack(text, series.width).map((code) => (series.base / 2 + series.step * (code / 2)) * 2);
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

/* ---- one chart ---- */

const BAND = 2; /* of the noise, as in ../chart.c */
const NEAR_ZERO = .4;
const UNIT_ROOM = 5;
let uPlotThere = null;

function loadUplot()
{
	const folder = root + page.dataset.uplot;

	if (!uPlotThere) {
		document.head.append(make("link", {rel: "stylesheet", href: `${folder}uPlot.min.css`}));
		uPlotThere = loadScript(`${folder}uPlot.iife.min.js`);
	}
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
		const id = `chart-${unique()}`;
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
			scales: {x: {time: false, range: (u, low, high) => this.y.length === 1 ? [-1, 1] : [low, high]},
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
			values: (u, splits) => this.days(u, splits)},
			{...common, size: 76, gap: 6, space: 42,
				splits: (u, axis, low, high) => this.round(low, high),
				values: (u, splits) => this.ticks(splits)}];
	}

	/* The day of a commit; the minute where the tick before has the same day, nothing where it has that too,
	 * or there is no room at the right end. */
	days(u, splits)
	{
		const room = u.bbox.width / uPlot.pxRatio - 26;
		const times = splits.map((i) => this.commits[i] && this.commits[i][1] !== null ?
			new Date(this.commits[i][1] * 1000).toISOString() : "");

		return times.map((t, i) => {
			const before = i ? times[i - 1] : "";
			return this.y.length > 1 && u.valToPos(splits[i], "x") > room ? "" :
				t.slice(0, 10) !== before.slice(0, 10) ? t.slice(0, 10) :
				t.slice(0, 16) !== before.slice(0, 16) ? t.slice(11, 16) : "";
		});
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
		const exponent = (x) => Math.floor(Math.log10(x) + 1e-9), places = Math.max(-exponent(step / times), 0);
		const write = (x) => places > 6 || most / times >= 1e15 ? x.toPrecision(Math.max(exponent(most) - exponent(step) + 1, 1)) : x.toFixed(places);
		const unit = name && (times !== 1 || name.length <= UNIT_ROOM) ? ` ${visible(name)}` : "";
		return splits.map((value) => value === 0 ? "0" : write(value / times) + letter + unit);
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

	/* Of values that are packed but for a rounding, no more digits than are right; see ../pack.h. */
	figure(value)
	{
		return figure(this.series.step === 1 ? value : Number(value.toPrecision(4)), this.series.unit, this.size);
	}

	/* Says which point it is: below the chart, and to who hears it. */
	tell(i)
	{
		const [sha, at] = this.commits[i], value = this.figure(this.y[i]);
		const spread = this.low && this.low[i] < this.high[i] ?
			`, samples ${this.figure(this.low[i])} to ${this.figure(this.high[i])}` : "";
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

/* Differences of the largest numbers there are overflow: those stay as they are. */
function isDrawable(series)
{
	const y = numbers(series, series.y);

	return Number.isFinite(2 * (Math.max(...y) - Math.min(...y)));
}

async function showChart(box)
{
	try {
		const [data, commits] = await Promise.all([load(box.dataset.src), load(`${root}data/commits.json`), loadUplot()]);
		if (isDrawable(data.series[Number(box.dataset.series)]))
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

watchCharts(charts);
})();
