/*
 * The comparison of two commits: what moved between them, worst first. The address of the page has
 * the two, so that it can be kept.
 */
(() => {
"use strict";

const {root, unique, make, say, trouble, load, unpack, figure, percent, ofDay, short, commitLink, byText, enliven,
	comparison} = globalThis.perfgate;

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
		make("td", {class: "n change", "data-v": both ? d.change : "", text: both ? percent(d.change) : ""}),
		value(d.before), value(d.after),
		make("td", {text: KIND_WORDS[d.kind]}));
}

function differenceTable(all, from, to)
{
	const heads = [["Benchmark", "text"], ["Metric", "text"], ["Change", "number"], [short(from), "number"],
		[short(to), "number"], ["What", "text"]];
	const head = make("tr", null, ...heads.map(([text, sort]) => make("th", {scope: "col", "data-sort": sort,
		class: sort === "number" ? "n" : null, text})));

	return make("table", {class: "rows"},
		make("caption", {text: `From ${short(from)} to ${short(to)}, worst first`}),
		make("thead", null, head), make("tbody", null, ...all.map(differenceRow)));
}

function summary(all, series)
{
	const count = (kind) => all.filter((d) => d.kind === kind).length;
	const parts = KINDS.filter(count).map((kind) => `${count(kind).toLocaleString("en")} ${KIND_WORDS[kind]}`);

	return parts.length ? `Of ${series.toLocaleString("en")} series: ${parts.join(", ")}; the others are equal or in neither.` :
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
		const id = `commit-${unique()}`;
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
		this.table(all.filter((d) => d.kind !== "noise").slice(0, ROWS_MAX), all, from, to);
	}

	table(shown, all, from, to)
	{
		const box = make("div");

		this.result.append(box);
		if (shown.length) {
			const table = differenceTable(shown, from, to);
			box.append(make("div", {class: "scroll"}, table));
			enliven(table);
		}
		if (shown.length === all.length)
			return;
		const more = make("button", {type: "button", class: "act", text: `Show all ${all.length.toLocaleString("en")} that differ`});
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

startComparison(comparison);
})();
